//! How long it takes to read files: `load_speed FILE…`, `.tiktoken` or `tokenizer.json`.

use std::time::Instant;

use bytepair_core::bpe::Bpe;
use bytepair_core::format::{compact, huggingface, tiktoken};
use bytepair_core::Result;

const TIMES: usize = 5;

fn main() {
    println!("best of {TIMES}, in milliseconds: the file, and its model as `compact`");
    for path in std::env::args().skip(1) {
        let data = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let read = |data: &[u8]| -> Result<Bpe> {
            if path.ends_with(".json") {
                return Ok((*huggingface::read(data)?.model).clone());
            }
            tiktoken::read(data)
        };
        let model = read(&data).unwrap_or_else(|error| panic!("{path}: {error}"));
        let small = compact::write(&model);
        let best = |work: &dyn Fn()| {
            let times = (0..TIMES).map(|_| {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64() * 1000.0
            });
            times.fold(f64::INFINITY, f64::min)
        };
        let (file, again) = (best(&|| drop(read(&data))), best(&|| drop(compact::read(&small))));
        println!("{file:8.1} {again:8.1}  {path}");
    }
}

//! How fast counting and training are on files of yours:
//! `cargo run --release --example train_speed -- PATTERN TIES MERGES THREADS FILE…`
//!
//! With one thread the times are of the processor where the system tells them (Linux), else they are of the clock.

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use bytepair_core::pretokenize::{named, Pretokenizer};
use bytepair_core::train::{train, Counter, Counts, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pattern, ties, merges, threads, files @ ..] = &arguments[..] else {
        return Err("give PATTERN TIES MERGES THREADS FILE…".into());
    };
    let pattern = named::pattern(pattern).ok_or("no such pattern")?;
    let stages: Vec<String> = pattern.stages.iter().map(|stage| stage.to_string()).collect();
    let options = Options { merges: merges.parse()?, ties: ties.parse()?, ..Options::default() };

    let clock = Instant::now();
    let now = || match processor_seconds() {
        Some(seconds) if threads == "1" => seconds,
        _ => clock.elapsed().as_secs_f64(),
    };
    let start = now();
    let counter = Counter::new(Pretokenizer::new(&stages)?, &[])?;
    let (mut counts, mut bytes) = (Counts::new(), 0);
    for file in files {
        let mut done = 0;
        let mut progress = |so_far| {
            done = so_far;
            Ok(())
        };
        counter.count_reader(&mut File::open(file)?, None, threads.parse()?, &mut counts, &mut progress)?;
        bytes += done;
    }
    let counting = now() - start;
    println!("counted {bytes} bytes in {counting:.3} s: {:.1} MB/s", bytes as f64 / 1e6 / counting);
    println!(
        "{} pretokens, {} different, in {} bytes",
        counts.total().unwrap_or(u64::MAX),
        counts.len(),
        counts.bytes()
    );

    let start = now();
    let trained = train(&counts, &options, &mut |_, _| Ok(()))?;
    let training = now() - start;
    let merges = trained.merges.len();
    println!("{merges} merges in {training:.3} s: {:.0} a second", merges as f64 / training);
    // A sum over all merges, in order: two trainers that agree give the same.
    let fold = |sum: u64, &(left, right): &(u32, u32)| {
        (sum ^ (u64::from(left) << 32 | u64::from(right))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    };
    println!("last count {}, sum {:016x}", trained.last_count, trained.merges.iter().fold(0, fold));
    Ok(())
}

/// How long this thread has run.
fn processor_seconds() -> Option<f64> {
    // A system call brings the count up to date.
    std::thread::yield_now();
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(counts.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

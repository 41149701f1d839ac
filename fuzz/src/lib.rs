//! Fuzz targets of the core. Each is a function of any bytes that panics where a property does not hold.
//!
//! | target | what must hold |
//! |---|---|
//! | `pretokenize` | the fast scanners cut as the general engine does; the pretokens joined are the data |
//! | `encode` | ids, counts and offsets are those of the definition; what was encoded decodes |
//! | `stream` | a text in chunks has the ids of the whole |
//! | `decode` | ids in groups have the text of all; at most three bytes are held back |
//! | `measure` | the longest prefix, suffix and chunks are those that trying every length finds |
//! | `train` | the fast trainer learns what the rules say; counting in parts is counting |
//! | `pattern` | any pattern is compiled or refused, and cuts or is refused, in bounded time |
//! | `huggingface`, `gpt2`, `tiktoken`, `compact` | any file is read or refused; what was read comes back from its own file |
//!
//! The tokenizers are those of the property tests: their strategies draw from the first bytes of the input, in place of
//! random numbers, so that a fuzzer reaches every one of them.

mod files;
mod input;
mod support;
mod text;
mod training;

pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("pretokenize", text::pretokenize),
    ("encode", text::encode),
    ("stream", text::stream),
    ("decode", text::decode),
    ("measure", text::measure),
    ("train", training::train),
    ("pattern", text::pattern),
    ("huggingface", files::huggingface),
    ("gpt2", files::gpt2),
    ("tiktoken", files::tiktoken),
    ("compact", files::compact),
];

/// Runs the target of this name.
pub fn run(name: &str, data: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target is named in TARGETS");
    target(data);
}

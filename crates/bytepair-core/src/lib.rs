//! Byte-level BPE: the part of bytepair that touches every byte.
pub mod batch;
pub mod bpe;
pub mod decode;
pub mod error;
pub mod format;
pub mod measure;
pub mod normalize;
pub mod offsets;
pub mod pretokenize;
pub mod special;
pub mod stream;
pub mod tokenizer;
pub mod train;
pub mod vocab;

pub use error::{Error, Result};

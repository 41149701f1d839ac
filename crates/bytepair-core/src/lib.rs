//! Byte-level BPE: the part of bytepair that touches every byte.
pub mod bpe;
pub mod error;
pub mod pretokenize;
pub mod special;
pub mod vocab;

pub use error::{Error, Result};

//! Files ↔ tokenizers, one module for each format. All of it works on bytes in memory: paths are the caller's.

pub mod byte_alphabet;
pub mod compact;
pub mod gpt2;
pub mod huggingface;
mod huggingface_steps;
mod json_entries;
pub mod oniguruma;
mod oniguruma_classes;
mod split_steps;
pub mod tiktoken;

use std::sync::Arc;

use crate::bpe::Bpe;
use crate::error::Result;
use crate::normalize::Normalization;
use crate::pretokenize::Pretokenizer;
use crate::special::AddedToken;
use crate::tokenizer::Tokenizer;

/// All that a tokenizer is made of.
pub struct Parts {
    pub model: Arc<Bpe>,
    pub patterns: Vec<String>,
    pub normalization: Option<Normalization>,
    pub added: Vec<AddedToken>,
}

impl Parts {
    pub fn build(self) -> Result<Tokenizer> {
        Tokenizer::new(self.model, Pretokenizer::new(&self.patterns)?, self.added, self.normalization)
    }
}

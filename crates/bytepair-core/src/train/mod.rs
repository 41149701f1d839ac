//! Texts → counts of pretokens → merges.
//!
//! A pretoken starts as its bytes. A pair's count is the sum, over the different pretokens, of its occurrences in one
//! (as neighbours stand: `aaa` holds `aa` twice) times the pretoken's count. Again and again the pair with the highest
//! count is merged, left to right and without overlap, into a new token, whose id is the next free one.
//!
//! # The tie rules
//!
//! Among pairs with the same, highest count:
//!
//! - [`Ties::Bytes`]: the greatest pair of byte strings, the left one compared first, then the right one.
//! - [`Ties::Ids`]: the greatest pair of ids, the left one compared first, then the right one.
//! - [`Ties::First`]: the pair that occurs first: in the pretoken that appeared first, and in it furthest to the left,
//!   as the pretokens are spelled at this step.
//! - [`Ties::HuggingFace`]: the smallest pair of ids, where the bytes are numbered by the code points of GPT-2's
//!   printable characters for them, and later tokens follow in the order of their making.
//!
//! [`naive`] is these rules as they stand, and the judge of [`incremental`], which is what [`train`] runs.

mod blocks;
pub mod count;
pub mod counter;
pub mod incremental;
pub mod naive;
mod neighbours;
mod pairs;
mod queue;
mod words;
mod workers;

use std::str::FromStr;

use crate::error::{Error, Result};
pub use count::Counts;
pub use counter::Counter;

/// The first id that a merge makes: below it stand the 256 bytes.
pub const FIRST_MERGE: u32 = 256;

/// More merges than any vocabulary may hold.
pub const MAX_MERGES: usize = crate::vocab::MAX_ID as usize + 1 - FIRST_MERGE as usize;

/// Which of several pairs with the highest count is merged; see the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    #[default]
    Bytes,
    Ids,
    First,
    HuggingFace,
}

impl FromStr for Ties {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Ok(match name {
            "bytes" => Self::Bytes,
            "ids" => Self::Ids,
            "first" => Self::First,
            "huggingface" => Self::HuggingFace,
            _ => {
                let reason = "the tie rules are `bytes`, `ids`, `first` and `huggingface`".to_owned();
                return Err(Error::Option { what: "ties", value: name.to_owned(), reason });
            }
        })
    }
}

/// Numbers of tokens such that comparing them is Hugging Face's order.
pub(crate) fn huggingface_number(id: u32) -> u32 {
    // The printable bytes are their own code points; the others, in order, are written as U+0100, U+0101, …
    match id {
        33..=126 => id - 33,
        161..=172 => id - 161 + 94,
        174..=255 => id - 174 + 106,
        0..=32 => id + 188,
        127..=160 => id - 127 + 221,
        173 => 255,
        _ => id,
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    /// How many merges are wanted.
    pub merges: usize,
    pub ties: Ties,
    /// Training ends where the best pair counts less.
    pub min_count: u64,
    /// A pair whose token would take more bytes is never merged; the next best one is.
    pub max_token_length: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self { merges: 0, ties: Ties::default(), min_count: 1, max_token_length: None }
    }
}

/// Why there are fewer merges than were wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    NoPairLeft,
    /// The best pair that was left counted only this much.
    BelowMinCount(u64),
}

/// What training learned. Ids number the 256 bytes 0 to 255, then the merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    pub merges: Vec<(u32, u32)>,
    /// The bytes of each token, by id.
    pub tokens: Vec<Vec<u8>>,
    /// How often the last merge's pair occurred; 0 without merges.
    pub last_count: u64,
    pub stopped_early: Option<Stop>,
}

impl Trained {
    fn new() -> Self {
        let tokens = (0..=255).map(|byte| vec![byte]).collect();
        Self { merges: Vec::new(), tokens, last_count: 0, stopped_early: None }
    }

    /// Takes in a merge and gives its id.
    fn push(&mut self, (left, right): (u32, u32), count: u64) -> u32 {
        let id = self.tokens.len() as u32;
        self.tokens.push([&self.tokens[left as usize][..], &self.tokens[right as usize]].concat());
        self.merges.push((left, right));
        self.last_count = count;
        id
    }
}

/// Learns merges from counts.
///
/// `progress` gets the number of merges done and wanted, every 50 ms or so; an error from it ends the training with
/// that error.
pub fn train(
    counts: &Counts,
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<Trained> {
    incremental::train(counts, options, progress)
}

/// Fails where the counts or the options cannot be trained with.
fn check(counts: &Counts, options: &Options) -> Result<()> {
    if options.merges > MAX_MERGES {
        let reason = format!("a vocabulary may hold at most {MAX_MERGES} merges");
        return Err(Error::VocabSize { size: options.merges.saturating_add(FIRST_MERGE as usize), reason });
    }
    let symbols: u128 = counts.iter().map(|(pretoken, count)| pretoken.len() as u128 * u128::from(count)).sum();
    if symbols > u128::from(u64::MAX) {
        let reason = format!("the counts must add up to at most {} bytes of text", u64::MAX);
        return Err(Error::Option { what: "counts", value: symbols.to_string(), reason });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_named() {
        for (name, ties) in
            [("bytes", Ties::Bytes), ("ids", Ties::Ids), ("first", Ties::First), ("huggingface", Ties::HuggingFace)]
        {
            assert_eq!(name.parse::<Ties>().unwrap(), ties);
        }
        assert!("Bytes".parse::<Ties>().unwrap_err().to_string().contains("`Bytes`"));
    }

    #[test]
    fn huggingface_numbers_bytes_by_their_printable_characters() {
        let printable = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
        let others: Vec<u32> = (0..256).filter(|&byte| !printable(byte)).collect();
        let character = |byte: u32| match others.iter().position(|&other| other == byte) {
            Some(place) => 256 + place as u32,
            None => byte,
        };
        let mut order: Vec<u32> = (0..256).collect();
        order.sort_by_key(|&byte| character(byte));
        let numbers: Vec<u32> = order.into_iter().map(huggingface_number).collect();
        assert_eq!(numbers, (0..256).collect::<Vec<_>>());
        assert_eq!(huggingface_number(256), 256);
    }
}

//! Text → pretokens. BPE never merges across a pretoken.
//!
//! A pretokenizer has stages. Each stage is a [`Scanner`], which cuts one text; the next stage cuts every piece
//! of the stage before and sees that piece alone. The laws, whatever the pattern:
//!
//! - *Coverage*: the pretokens joined are the text. What lies between two matches is a pretoken of its own.
//! - An empty match is ignored; the search goes on one character later.
//! - In bytes that are no UTF-8 each maximal ill-formed subsequence behaves as U+FFFD does, and its bytes are kept.
//!
//! The last stages may read the bytes instead of the text, each written as one character ([`byte_stage`]).

mod byte_stage;
mod class;
pub mod named;
mod neighbours;
mod plan;
mod regex;
mod scan;
mod syntax;
#[rustfmt::skip]
pub mod unicode;
mod whole_text;

use std::ops::Range;
use std::sync::Arc;

use crate::error::{Error, Result};
pub use byte_stage::{Pretokens, MARK as BYTE_ALPHABET};
pub use whole_text::Text;

/// Cuts one text into pretokens, one at a time.
pub trait Scanner: Send + Sync {
    /// The end of the pretoken that starts at `start`, where `start < text.len()` is 0 or an end given before.
    ///
    /// The scanner sees all of `text`: look-behind and look-ahead reach as far as it does.
    fn next_end(&self, text: &str, start: usize) -> Result<usize>;

    /// The ends of the next pretokens into `ends`, and how many: one at least, where `start < text.len()`.
    ///
    /// A scanner that is faster when it goes on gives as many as there is room for.
    fn next_ends(&self, text: &str, start: usize, ends: &mut [usize]) -> Result<usize> {
        ends[0] = self.next_end(text, start)?;
        Ok(1)
    }

    /// The plan that the scanner follows, if it has one.
    fn plan(&self) -> Option<&plan::Plan> {
        None
    }
}

/// The stages of a tokenizer, compiled. No stage at all leaves each text one pretoken.
#[derive(Clone)]
pub struct Pretokenizer {
    patterns: Vec<String>,
    stages: Vec<Arc<dyn Scanner>>,
    /// The stages after those, which read the byte alphabet.
    byte_stages: Vec<Arc<dyn Scanner>>,
}

impl Pretokenizer {
    pub fn new(patterns: &[String]) -> Result<Self> {
        Self::with(patterns, scanner)
    }

    /// The slow twin: every stage runs in the general engine. The judge of the fast scanners.
    pub fn by_regex(patterns: &[String]) -> Result<Self> {
        Self::with(patterns, |pattern| Ok(Arc::new(regex::RegexScanner::new(pattern)?)))
    }

    fn with(patterns: &[String], scanner: impl Fn(&str) -> Result<Arc<dyn Scanner>>) -> Result<Self> {
        let (mut stages, mut byte_stages) = (Vec::new(), Vec::new());
        for pattern in patterns {
            match pattern.strip_prefix(BYTE_ALPHABET) {
                Some(over_bytes) => byte_stages.push(scanner(over_bytes)?),
                None if byte_stages.is_empty() => stages.push(scanner(pattern)?),
                None => {
                    let reason = "a stage that reads text cannot stand after one that reads the byte alphabet";
                    return Err(Error::Pattern { pattern: pattern.clone(), reason: reason.to_owned() });
                }
            }
        }
        Ok(Self { patterns: patterns.to_vec(), stages, byte_stages })
    }

    /// The regular expressions as given, one for each stage.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// What the stages that read text leave of `text`, as byte ranges: the pretokens, where no stage comes after those.
    pub fn ranges<'a>(&'a self, text: &'a str) -> Ranges<'a> {
        Ranges::new(text, &self.stages)
    }

    /// The pretokens of `text` as ranges of its data.
    pub fn pretokens<'a>(&'a self, text: &'a Text<'a>) -> Pretokens<'a> {
        Pretokens::new(text, self.ranges(text.as_str()), &self.byte_stages)
    }
}

/// The scanner for one stage: the choice of the fast or the general one is made here and nowhere else.
fn scanner(pattern: &str) -> Result<Arc<dyn Scanner>> {
    if pattern.is_empty() {
        return Err(Error::EmptyPattern);
    }
    match scan::PlanScanner::new(pattern) {
        Some(scanner) => Ok(Arc::new(scanner)),
        None => Ok(Arc::new(regex::RegexScanner::new(pattern)?)),
    }
}

/// Iterates over the pretokens of one text; made by [`Pretokenizer::ranges`].
pub struct Ranges<'a> {
    text: &'a str,
    /// One for each stage, outermost first.
    cuts: Vec<Cut<'a>>,
    position: usize,
}

/// How many ends a stage is asked for at a time.
const AHEAD: usize = 32;

/// How far a stage has come.
struct Cut<'a> {
    stage: &'a dyn Scanner,
    /// The piece that the stage is in; kept for the stages that have one after them.
    piece: Range<usize>,
    /// Where the piece of the stage before starts, which holds the pieces of this one that are known ahead.
    outer: usize,
    /// `ends[ahead]` are those of the next pieces, counted from `outer`.
    ends: [usize; AHEAD],
    ahead: Range<usize>,
}

impl<'a> Cut<'a> {
    fn new(stage: &'a Arc<dyn Scanner>) -> Self {
        Self { stage: &**stage, piece: 0..0, outer: 0, ends: [0; AHEAD], ahead: 0..0 }
    }

    /// The end of the next piece, if it is known.
    #[inline(always)]
    fn known_end(&mut self) -> Option<usize> {
        let next = self.ahead.next()?;
        Some(self.outer + self.ends[next])
    }

    /// The end of the piece that starts at `start` in the piece `outer` of `text`.
    fn end(&mut self, text: &str, outer: &Range<usize>, start: usize) -> Result<usize> {
        if let Some(end) = self.known_end() {
            return Ok(end);
        }
        self.outer = outer.start;
        self.ahead = 1..self.stage.next_ends(&text[outer.clone()], start - outer.start, &mut self.ends)?;
        Ok(self.outer + self.ends[0])
    }
}

impl<'a> Ranges<'a> {
    fn new(text: &'a str, stages: &'a [Arc<dyn Scanner>]) -> Self {
        Self { text, cuts: stages.iter().map(Cut::new).collect(), position: 0 }
    }

    fn advance(&mut self) -> Result<Range<usize>> {
        let start = self.position;
        // What the last stage knows ahead lies in the pieces that the others are in.
        let known = self.cuts.last_mut().and_then(Cut::known_end);
        self.position = match known {
            Some(end) => end,
            None => self.next_outer_end(start)?,
        };
        Ok(start..self.position)
    }

    /// Goes to the next piece in every stage that has come to the end of its own.
    #[inline(never)]
    fn next_outer_end(&mut self, start: usize) -> Result<usize> {
        let mut outer = 0..self.text.len();
        for cut in &mut self.cuts {
            if cut.piece.end <= start {
                cut.piece = start..cut.end(self.text, &outer, start)?;
            }
            outer = cut.piece.clone();
        }
        Ok(outer.end)
    }
}

impl Iterator for Ranges<'_> {
    type Item = Result<Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.position < self.text.len()).then(|| self.advance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'a>(patterns: &[&str], text: &'a str) -> Vec<&'a str> {
        let patterns: Vec<String> = patterns.iter().map(|p| p.to_string()).collect();
        let pretokenizer = Pretokenizer::new(&patterns).unwrap();
        pretokenizer.ranges(text).map(|range| &text[range.unwrap()]).collect()
    }

    #[test]
    fn gaps_are_pretokens_and_empty_matches_are_ignored() {
        assert_eq!(cut(&["b"], "aabaa"), ["aa", "b", "aa"]);
        assert_eq!(cut(&["x*"], "aaxxaé"), ["aa", "xx", "aé"]);
        assert_eq!(cut(&["(?!)"], "whole"), ["whole"]);
        assert_eq!(cut(&[], "whole"), ["whole"]);
        assert!(cut(&["b"], "").is_empty());
    }

    #[test]
    fn each_stage_sees_one_piece_alone() {
        assert_eq!(cut(&[r"\d+", r"\s+(?!\S)|\s"], "a  1  b"), ["a", "  ", "1", " ", " ", "b"]);
        assert_eq!(cut(&[r"\d", r"(?<=a)b"], "ab1b"), ["a", "b", "1", "b"]);
    }

    #[test]
    fn a_run_of_blanks_of_any_length_is_one_step() {
        let text = " ".repeat(3_000_000) + "x";
        let gpt2 = named::pattern("gpt2").unwrap();
        for pattern in [gpt2.stages[0], r"\s+(?!\S)|\s+"] {
            let ends: Vec<_> = cut(&[pattern], &text).iter().map(|piece| piece.len()).collect();
            assert_eq!(ends[0], 2_999_999);
        }
    }
}

//! A stretch of text without cuts: one long pretoken, a run of blanks, or many that depend on one another.

use std::collections::HashMap;
use std::ops::Range;

use super::tokens::{Endings, Tokens};
use super::weights::{Weights, TOKEN};
use crate::bpe::{Bpe, Model, Scratch};
use crate::error::Result;
use crate::pretokenize::Text;
use crate::tokenizer::Tokenizer;

/// A pretoken of at most this many bytes is encoded as it is.
pub const SHORT: usize = 16;

/// Text that a planned pattern cuts, and in which no added token is found and nothing is normalized.
///
/// Positions are those of `text`; only tokens are asked for by positions in the data.
pub struct Stretch<'a> {
    pub tokenizer: &'a Tokenizer,
    pub model: &'a Bpe,
    pub text: Text<'a>,
    weights: &'a Weights,
}

impl<'a> Stretch<'a> {
    pub fn new(tokenizer: &'a Tokenizer, weights: &'a Weights, text: Text<'a>) -> Self {
        Self { tokenizer, model: tokenizer.model(), text, weights }
    }

    pub fn length(&self) -> usize {
        self.text.as_str().len()
    }

    /// The pretokens of a part that stands alone.
    pub fn pretokens(&self, part: Range<usize>) -> impl Iterator<Item = Result<Range<usize>>> + '_ {
        let ranges = self.tokenizer.pretokenizer.ranges(&self.text.as_str()[part.clone()]);
        ranges.map(move |range| range.map(|range| part.start + range.start..part.start + range.end))
    }

    pub fn char_before(&self, at: usize) -> Option<char> {
        self.text.as_str()[..at].chars().next_back()
    }

    pub fn char_at(&self, at: usize) -> Option<char> {
        self.text.as_str()[at..].chars().next()
    }

    /// The next edge, or one beyond the end.
    pub fn after(&self, at: usize) -> usize {
        at + self.char_at(at).map_or(1, char::len_utf8)
    }

    /// The last edge before a position, which is not 0 and may be inside a character.
    pub fn before(&self, at: usize) -> usize {
        (0..at).rev().find(|&at| self.text.as_str().is_char_boundary(at)).unwrap_or(0)
    }

    /// The last edge that stands at or before a position of the data.
    pub fn edge(&self, data: usize) -> usize {
        let (mut low, mut high) = (0, self.length());
        while low < high {
            let middle = self.before((low + high) / 2 + 1).max(self.after(low));
            if self.text.to_data(middle) <= data {
                low = middle;
            } else {
                high = self.before(middle);
            }
        }
        low
    }

    /// Whether no token can start before and end after a range of the data.
    pub fn is_window(&self, data: Range<usize>) -> bool {
        data.end > data.start && self.weights.of_all(self.text.data(), data) >= u128::from(TOKEN)
    }
}

/// The counts of pretokens that share a start, or an end.
pub struct Counter<'s, 'a> {
    stretch: &'s Stretch<'a>,
    scratch: &'s mut Scratch,
    /// For pretokens that start at the key, the tokens of the text up to a later place.
    starting: HashMap<usize, (usize, Tokens<'s>)>,
    /// For pretokens that end at the key.
    ending: HashMap<usize, Endings<'s>>,
    /// Start, end and result of the last call of `merged_starting`: some places are asked for twice.
    last: Option<(usize, usize, usize)>,
}

impl<'s, 'a> Counter<'s, 'a> {
    pub fn new(stretch: &'s Stretch<'a>, scratch: &'s mut Scratch) -> Self {
        Self { stretch, scratch, starting: HashMap::new(), ending: HashMap::new(), last: None }
    }

    /// The tokens of a pretoken.
    pub fn count(&mut self, pretoken: Range<usize>) -> usize {
        self.stretch.model.count(self.stretch.text.slice(pretoken), self.scratch)
    }

    /// The same for one of many pretokens with this start.
    pub fn count_starting(&mut self, pretoken: Range<usize>) -> usize {
        let bytes = self.stretch.text.slice(pretoken.clone());
        if bytes.len() <= SHORT || self.is_token(bytes) {
            return self.count(pretoken);
        }
        self.merged_starting(pretoken.start, self.stretch.text.to_data(pretoken.end))
    }

    /// The same for one of many pretokens with this end.
    pub fn count_ending(&mut self, pretoken: Range<usize>) -> usize {
        let bytes = self.stretch.text.slice(pretoken.clone());
        if bytes.len() <= SHORT || self.is_token(bytes) {
            return self.count(pretoken);
        }
        self.merged_ending(self.stretch.text.to_data(pretoken.start), pretoken.end)
    }

    fn is_token(&self, bytes: &[u8]) -> bool {
        let model = self.stretch.model;
        model.whole && bytes.len() <= model.vocab.longest() && model.vocab.id(bytes).is_some()
    }

    /// By the merges alone, and up to any byte.
    pub fn merged_starting(&mut self, start: usize, data_end: usize) -> usize {
        if let Some((_, _, count)) = self.last.filter(|last| (last.0, last.1) == (start, data_end)) {
            return count;
        }
        let length = data_end - self.stretch.text.to_data(start);
        let count = self.tokens_starting(start, data_end).of_beginning(length);
        self.last = Some((start, data_end, count));
        count
    }

    /// By the merges alone, and from any byte on.
    pub fn merged_ending(&mut self, data_start: usize, end: usize) -> usize {
        self.endings(end).count(data_start)
    }

    /// About where in the data the first `count` tokens of a pretoken end, if it has more.
    pub fn end_of_first(&mut self, pretoken: &Range<usize>, count: usize) -> Option<usize> {
        let (start, end) = (self.stretch.text.to_data(pretoken.start), self.stretch.text.to_data(pretoken.end));
        let mut reach = usual_length(count);
        loop {
            let to = end.min(start.saturating_add(reach));
            let tokens = self.tokens_starting(pretoken.start, to);
            if tokens.count() > count {
                return Some(start + tokens.end_of_first(count)).filter(|&found| found < end);
            } else if to == end {
                return None;
            }
            reach *= 2;
        }
    }

    /// About where in the data the last `count` tokens of a pretoken start, if it has more.
    pub fn start_of_last(&mut self, pretoken: &Range<usize>, count: usize) -> Option<usize> {
        let (start, end) = (self.stretch.text.to_data(pretoken.start), self.stretch.text.to_data(pretoken.end));
        let mut reach = usual_length(count);
        loop {
            let from = start.max(end.saturating_sub(reach));
            if let Some(found) = self.endings(pretoken.end).start_of_last(from, count) {
                return Some(found);
            } else if from == start {
                return None;
            }
            reach *= 2;
        }
    }

    /// Tokens of the data from `start` to `data_end` or beyond.
    fn tokens_starting(&mut self, start: usize, data_end: usize) -> &Tokens<'s> {
        let (from, data) = (self.stretch.text.to_data(start), self.stretch.text.data());
        let known = self.starting.get(&start).map_or(from, |(to, _)| *to);
        if known < data_end || known == from {
            // Twice as far as before, so that steps of any length cost no more than the last one does.
            let to = data_end.max(from + 2 * (known - from)).min(data.len());
            self.starting.insert(start, (to, Tokens::new(self.stretch.model, &data[from..to])));
        }
        &self.starting[&start].1
    }

    fn endings(&mut self, end: usize) -> &mut Endings<'s> {
        let bytes = &self.stretch.text.data()[..self.stretch.text.to_data(end)];
        self.ending.entry(end).or_insert_with(|| Endings::new(self.stretch.model, bytes))
    }
}

/// Bytes that often have more than `count` tokens.
fn usual_length(count: usize) -> usize {
    count.saturating_mul(6).saturating_add(32)
}

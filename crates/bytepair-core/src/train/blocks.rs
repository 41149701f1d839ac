//! Cuts texts and files into parts that can be counted one by one, with the same counts as the whole.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

use crate::error::{Error, Result};
use crate::pretokenize::Pretokenizer;
use crate::special::{char_after, char_before, Finder, Piece};

/// A stretch of text `text` that starts at byte `offset`.
pub struct Part<'a> {
    pub text: usize,
    pub offset: usize,
    pub data: Cow<'a, [u8]>,
}

impl<'a> Part<'a> {
    pub fn text(text: usize, data: &'a [u8]) -> Self {
        Self { text, offset: 0, data: Cow::Borrowed(data) }
    }
}

/// Gives parts in order, each time enough of them that it is worth a worker's while.
pub trait Source<'a> {
    fn next_job(&mut self) -> Result<Option<Vec<Part<'a>>>>;
}

/// Where a text may be cut although only its beginning is known.
///
/// *Clean cut*: the parts before and after it have, together, the counts of the whole. No occurrence of a separator or
/// of a special token stands across it (so that looking for them from the cut on finds the same ones), and the pattern
/// cuts there whatever follows: because the place is a *Planned cut*, or the end of a special token or separator.
pub struct Cutter {
    pretokenizer: Pretokenizer,
    special: Arc<Finder>,
    longest_special: usize,
    separator: Option<(AhoCorasick, Vec<u8>)>,
    has_cuts: bool,
}

impl Cutter {
    pub fn new(
        pretokenizer: Pretokenizer,
        special: Arc<Finder>,
        longest_special: usize,
        separator: Option<&[u8]>,
    ) -> Self {
        // A separator that is no UTF-8 may stand inside of what looks like a character.
        let whole_characters = separator.is_none_or(|separator| std::str::from_utf8(separator).is_ok());
        let has_cuts = whole_characters && pretokenizer.has_cuts();
        let separator = separator.map(|separator| (Self::searcher(separator), separator.to_vec()));
        Self { pretokenizer, special, longest_special, separator, has_cuts }
    }

    /// Finds the occurrences of one separator, from left to right and without overlap.
    pub fn searcher(separator: &[u8]) -> AhoCorasick {
        AhoCorasick::new([separator]).expect("one separator is far below the automaton's limit of 2^31 states")
    }

    fn separator_length(&self) -> usize {
        self.separator.as_ref().map_or(0, |(_, separator)| separator.len())
    }

    /// The last clean cut that can be told from `data`, which starts at one and goes on. Never 0.
    fn last_cut(&self, data: &[u8]) -> Option<usize> {
        self.last_between_pretokens(data).or_else(|| self.last_after_match(data))
    }

    /// The last planned cut, far enough from the end to see what may stand across it.
    fn last_between_pretokens(&self, data: &[u8]) -> Option<usize> {
        let unseen = self.longest_special.max(self.separator_length()).max(1) - 1;
        if !self.has_cuts || data.len() <= unseen {
            return None;
        }
        let is_clean = |at: usize| {
            let cuts = |before| char_after(&data[at..]).is_some_and(|after| self.pretokenizer.is_cut(before, after));
            char_before(&data[..at]).is_some_and(cuts)
                && !self.special.crosses(data, at)
                && !self.separator_crosses(data, at)
        };
        (1..data.len() - unseen).rev().find(|&at| is_clean(at))
    }

    fn separator_crosses(&self, data: &[u8], at: usize) -> bool {
        let Some((_, separator)) = &self.separator else { return false };
        (at.saturating_sub(separator.len() - 1)..at).any(|start| data[start..].starts_with(separator))
    }

    /// The end of the last separator or special token that no byte after `data` can undo.
    fn last_after_match(&self, data: &[u8]) -> Option<usize> {
        let separators = self.separator.iter().flat_map(|(searcher, _)| searcher.find_iter(data));
        let text_start = separators.last().map_or(0, |found| found.end());
        let text = &data[text_start..];
        // A longer token, or a separator that takes a part of this one away, would have to be in sight by now.
        let is_settled = |start: usize, end: usize| {
            start + self.longest_special <= text.len() && end + self.separator_length().max(1) - 1 <= text.len()
        };
        let ends = self.special.split(text).into_iter().filter_map(|piece| match piece {
            Piece::Added(_, found) if is_settled(found.start, found.end) => Some(found.end),
            _ => None,
        });
        Some(text_start + ends.max().unwrap_or(0)).filter(|&cut| cut > 0)
    }
}

/// Parts of texts that are in memory: short ones whole and many at once, long ones cut.
pub struct Texts<'a> {
    texts: &'a [&'a [u8]],
    cutter: Cutter,
    block: usize,
    /// The text that is next, and how much of it is given out.
    text: usize,
    offset: usize,
}

impl<'a> Texts<'a> {
    pub fn new(texts: &'a [&'a [u8]], cutter: Cutter, block: usize) -> Self {
        Self { texts, cutter, block, text: 0, offset: 0 }
    }

    /// How much of `rest` to give out now.
    fn cut(&self, rest: &[u8]) -> usize {
        let mut sight = self.block;
        while sight < rest.len() {
            if let Some(cut) = self.cutter.last_cut(&rest[..sight]) {
                return cut;
            }
            sight *= 2;
        }
        rest.len()
    }
}

impl<'a> Source<'a> for Texts<'a> {
    fn next_job(&mut self) -> Result<Option<Vec<Part<'a>>>> {
        let (mut parts, mut size) = (Vec::new(), 0);
        while size < self.block && self.text < self.texts.len() {
            let rest = &self.texts[self.text][self.offset..];
            let cut = self.cut(rest);
            parts.push(Part { text: self.text, offset: self.offset, data: Cow::Borrowed(&rest[..cut]) });
            size += cut;
            if cut == rest.len() {
                (self.text, self.offset) = (self.text + 1, 0);
            } else {
                self.offset += cut;
            }
        }
        Ok((!parts.is_empty()).then_some(parts))
    }
}

/// Parts of what a reader gives.
pub struct Blocks<'r> {
    reader: &'r mut dyn Read,
    cutter: Cutter,
    block: usize,
    /// What is read and not given out, and where it starts in the file.
    buffer: Vec<u8>,
    offset: usize,
    ended: bool,
}

impl<'r> Blocks<'r> {
    pub fn new(reader: &'r mut dyn Read, cutter: Cutter, block: usize) -> Self {
        Self { reader, cutter, block, buffer: Vec::new(), offset: 0, ended: false }
    }

    fn read_to(&mut self, length: usize) -> Result<()> {
        let missing = (length - self.buffer.len()) as u64;
        let got = (&mut *self.reader).take(missing).read_to_end(&mut self.buffer).map_err(Error::Read)?;
        self.ended = (got as u64) < missing;
        Ok(())
    }

    fn take(&mut self, cut: usize) -> Part<'static> {
        let rest = self.buffer.split_off(cut);
        let data = std::mem::replace(&mut self.buffer, rest);
        let part = Part { text: 0, offset: self.offset, data: Cow::Owned(data) };
        self.offset += cut;
        part
    }
}

impl<'a> Source<'a> for Blocks<'_> {
    fn next_job(&mut self) -> Result<Option<Vec<Part<'a>>>> {
        while !self.ended {
            // What is left over holds no cut. Doubling it keeps the search for one linear in the file.
            self.read_to(self.block.max(2 * self.buffer.len()))?;
            if self.ended {
                break;
            }
            if let Some(cut) = self.cutter.last_cut(&self.buffer) {
                return Ok(Some(vec![self.take(cut)]));
            }
        }
        let rest = self.buffer.len();
        Ok((rest > 0).then(|| vec![self.take(rest)]))
    }
}

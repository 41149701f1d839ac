//! The longest prefix and the longest suffix of a part of a text: first over whole segments between cuts, then inside the
//! one in which the tokens run out.

use std::ops::Range;
use std::sync::Arc;

use super::edges::Edges;
use super::stretch::Stretch;
use super::weights::{Weights, TOKEN};
use crate::error::Result;
use crate::normalize::starts_afresh;
use crate::special::{Allowed, Finder};
use crate::tokenizer::{Input, Tokenizer};

/// Segments are joined to this many bytes before they are counted, for as long as there is room.
const JOINED: usize = 512;
/// Up to this many bytes each length is simply counted.
const SHORT: usize = 48;

/// A text and what is known about its parts.
///
/// *Cut*: a place where the pretokens, the added tokens and the normal form of the text are those of what is before
/// and then those of what is after, however much there is of either. Counts on its two sides add up, and what reaches
/// beyond a cut has more tokens than what ends there.
pub struct Ruler<'a> {
    tokenizer: &'a Tokenizer,
    input: Input<'a>,
    pub edges: Edges<'a>,
    finders: [Arc<Finder>; 2],
    /// Whether a place of the text as given can be seen to be a cut.
    has_cuts: bool,
    /// `None` where a token takes any number of blanks.
    weights: Option<&'a Weights>,
}

/// The end of a segment, seen from its other end.
struct Stop {
    at: usize,
    is_cut: bool,
}

#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Backward,
}

impl<'a> Ruler<'a> {
    pub fn new(tokenizer: &'a Tokenizer, input: Input<'a>) -> Result<Self> {
        tokenizer.check_bytes(input)?;
        let finders = tokenizer.added.finders(&Allowed::None)?;
        // Where normalization may compose an added token, its place in the text as given is unknown.
        let composes = tokenizer.normalization.is_some() && !finders[1].is_blank();
        let strips = tokenizer.added_tokens().iter().any(|token| !token.special && (token.lstrip || token.rstrip));
        let weights = (!strips).then(|| tokenizer.weights());
        Ok(Self { tokenizer, input, edges: Edges::new(input), finders, has_cuts: !composes, weights })
    }

    pub fn length(&self) -> usize {
        self.input.bytes().len()
    }

    /// The count, or the first number above `limit` that is reached on the way.
    pub fn count(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        let part = self.input.slice(range);
        self.tokenizer.with_scratch(|scratch| self.tokenizer.count_with(part, &Allowed::None, limit, scratch))
    }

    pub fn fits(&self, range: Range<usize>, limit: usize) -> Result<bool> {
        Ok(self.count(range, limit)? <= limit)
    }

    /// The end of the longest prefix of `range` with at most `limit` tokens.
    pub fn prefix_end(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        let (mut start, mut left, mut joined) = (range.start, limit, JOINED);
        while start < range.end {
            let stop = self.stop(start..range.end, joined, left, Direction::Forward);
            let count = self.count(start..stop.at, left)?;
            if count <= left && stop.at == range.end {
                return Ok(range.end);
            } else if count <= left && stop.is_cut {
                (start, left) = (stop.at, left - count);
            } else if joined > 1 {
                joined = 1;
            } else {
                return self.prefix_end_inside(start..stop.at, left);
            }
        }
        Ok(start)
    }

    /// The start of the longest suffix of `range` with at most `limit` tokens.
    pub fn suffix_start(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        let (mut end, mut left, mut joined) = (range.end, limit, JOINED);
        while end > range.start {
            let stop = self.stop(range.start..end, joined, left, Direction::Backward);
            let count = self.count(stop.at..end, left)?;
            if count <= left && stop.at == range.start {
                return Ok(range.start);
            } else if count <= left && stop.is_cut {
                (end, left) = (stop.at, left - count);
            } else if joined > 1 {
                joined = 1;
            } else {
                return self.suffix_start_inside(stop.at..end, left);
            }
        }
        Ok(end)
    }

    /// The first cut in `direction` at least `least` bytes away; else the edge beyond which nothing can have as few as
    /// `limit` tokens; else the end of `range`.
    fn stop(&self, range: Range<usize>, least: usize, limit: usize, direction: Direction) -> Stop {
        let most = u128::from(TOKEN) * limit as u128;
        let (mut weight, mut weights) = (0u128, self.weights);
        let (from, end) = match direction {
            Direction::Forward => (range.start, range.end),
            Direction::Backward => (range.end, range.start),
        };
        let mut at = from;
        loop {
            let before = at;
            at = match direction {
                Direction::Forward => self.edges.after(at).min(end),
                Direction::Backward => self.edges.before(at).max(end),
            };
            if at == end {
                return Stop { at, is_cut: false };
            }
            if at.abs_diff(from) >= least && self.is_cut(at) {
                return Stop { at, is_cut: true };
            }
            let Some(known) = weights else { continue };
            let bytes = &self.input.bytes()[at.min(before)..at.max(before)];
            weight += bytes.iter().map(|&byte| u128::from(known.of(byte))).sum::<u128>();
            if weight > most && self.keeps_form(at, at) {
                if self.keeps_form(from.min(at), from.max(at)) {
                    return Stop { at, is_cut: false };
                }
                // The normal form may be lighter.
                weights = None;
            }
        }
    }

    /// Whether normalization leaves this part as it is, whatever comes before and after it.
    fn keeps_form(&self, start: usize, end: usize) -> bool {
        self.tokenizer.normalization.is_none_or(|normalization| {
            [start, end].iter().all(|&at| self.edges.char_after(at).is_none_or(starts_afresh))
                && normalization.apply(&self.input.bytes()[start..end]).is_none()
        })
    }

    fn is_cut(&self, at: usize) -> bool {
        let (Some(before), Some(after), true) = (self.edges.char_before(at), self.edges.char_after(at), self.has_cuts)
        else {
            return false;
        };
        // The two characters must also be those that stand there in the normal form.
        let is_kept = || self.tokenizer.normalization.is_none() || (starts_afresh(before) && starts_afresh(after));
        self.tokenizer.pretokenizer.is_cut(before, after)
            && is_kept()
            && !self.finders.iter().any(|finder| finder.crosses(self.input.bytes(), at))
    }

    fn prefix_end_inside(&self, segment: Range<usize>, limit: usize) -> Result<usize> {
        if let Some(stretch) = self.stretch(&segment) {
            return Ok(segment.start + stretch.longest_prefix(limit)?);
        }
        let mut end = segment.end;
        while end > segment.start && !self.fits(segment.start..end, limit)? {
            end = self.edges.before(end);
        }
        Ok(end)
    }

    fn suffix_start_inside(&self, segment: Range<usize>, limit: usize) -> Result<usize> {
        if let Some(stretch) = self.stretch(&segment) {
            return Ok(segment.start + stretch.longest_suffix(limit)?);
        }
        let mut start = segment.start;
        while start < segment.end && !self.fits(start..segment.end, limit)? {
            start = self.edges.after(start);
        }
        Ok(start)
    }

    /// A long segment as a stretch, if it is one, and none of its parts has an added token or another normal form.
    fn stretch(&self, segment: &Range<usize>) -> Option<Stretch<'a>> {
        let data = &self.input.bytes()[segment.clone()];
        let changes = || self.tokenizer.normalization.and_then(|normalization| normalization.apply(data)).is_some();
        let is_stretch = data.len() > SHORT
            && self.tokenizer.pretokenizer.is_planned()
            && !self.finders.iter().any(|finder| finder.first(data).is_some())
            && !changes();
        let text = || self.input.slice(segment.clone()).text();
        self.weights.filter(|_| is_stretch).map(|weights| Stretch::new(self.tokenizer, weights, text()))
    }
}

//! The longest prefix and the longest suffix of a part of a text: first over whole segments between cuts, then inside the
//! one in which the tokens run out.

use std::ops::Range;
use std::sync::Arc;

use super::edges::Edges;
use super::stretch::Stretch;
use super::weights::{Weights, TOKEN};
use crate::error::Result;
use crate::normalize::{starts_afresh, Normalization};
use crate::special::{Allowed, Finder};
use crate::tokenizer::{Input, Start, Tokenizer};

/// Segments are joined to this many bytes before they are counted, for as long as there is room.
const JOINED: usize = 512;
/// A text with cuts has one within this many bytes.
const NEAR: usize = 256;
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
    /// Whether a blank is put before a text. Then only a prefix can be counted segment by segment, its first one with the
    /// blank: which segment of a suffix gets it is not known from the end.
    prefixes: bool,
    /// `None` where a token takes any number of blanks.
    weights: Option<&'a Weights>,
}

/// Which end of a text is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Prefix,
    Suffix,
}

impl Keep {
    /// The part of `range` on the kept side of `at`, and the other part.
    fn split(self, range: &Range<usize>, at: usize) -> (Range<usize>, Range<usize>) {
        match self {
            Self::Prefix => (range.start..at, at..range.end),
            Self::Suffix => (at..range.end, range.start..at),
        }
    }

    /// From where a range is gone through, and to where.
    fn ends(self, range: &Range<usize>) -> (usize, usize) {
        match self {
            Self::Prefix => (range.start, range.end),
            Self::Suffix => (range.end, range.start),
        }
    }
}

/// Where a segment ends.
enum Stop {
    Cut(usize),
    /// The end of the range.
    End(usize),
    /// What reaches as far as this has too many tokens.
    Beyond(usize),
    /// No cut is near.
    Far,
}

impl<'a> Ruler<'a> {
    pub fn new(tokenizer: &'a Tokenizer, input: Input<'a>) -> Result<Self> {
        tokenizer.check_bytes(input)?;
        let finders = tokenizer.added.finders(&Allowed::None)?;
        // Where normalization may compose an added token, its place in the text as given is unknown.
        let composes = tokenizer.normalization.is_some_and(Normalization::composes) && !finders[1].is_blank();
        let prefixes = tokenizer.normalization.is_some_and(Normalization::prefixes);
        // A blank after every added token, too.
        let prefixes_often = prefixes && finders.iter().any(|finder| !finder.is_empty());
        let strips = tokenizer.added_tokens().iter().any(|token| !token.special && (token.lstrip || token.rstrip));
        let weights = (!strips && !prefixes_often).then(|| tokenizer.weights());
        let has_cuts = !composes && !prefixes_often;
        Ok(Self { tokenizer, input, edges: Edges::new(input), finders, has_cuts, prefixes, weights })
    }

    pub fn length(&self) -> usize {
        self.input.bytes().len()
    }

    /// The count, or the first number above `limit` that is reached on the way.
    pub fn count(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        self.count_from(range, Start::OfText, limit)
    }

    fn count_from(&self, range: Range<usize>, first: Start, limit: usize) -> Result<usize> {
        let part = self.input.slice(range);
        self.tokenizer.with_scratch(|scratch| self.tokenizer.count_from(part, first, &Allowed::None, limit, scratch))
    }

    pub fn fits(&self, range: Range<usize>, limit: usize) -> Result<bool> {
        Ok(self.count(range, limit)? <= limit)
    }

    /// The end of the longest prefix of `range` with at most `limit` tokens.
    pub fn prefix_end(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        self.reach(range, limit, Keep::Prefix)
    }

    /// The start of the longest suffix of `range` with at most `limit` tokens.
    pub fn suffix_start(&self, range: Range<usize>, limit: usize) -> Result<usize> {
        self.reach(range, limit, Keep::Suffix)
    }

    fn reach(&self, mut rest: Range<usize>, limit: usize, keep: Keep) -> Result<usize> {
        let (mut left, mut joined, mut first) = (limit, JOINED, Start::OfText);
        while !rest.is_empty() {
            let mut stop = self.stop(&rest, joined..joined + NEAR, left, keep);
            if matches!(stop, Stop::Far) && joined == 1 {
                let heavy = self.heavy(&rest, left, keep);
                if let Some(stretch) = self.stretch(&heavy, first) {
                    return self.reach_in_stretch(&stretch, &heavy, left, keep);
                }
                stop = self.stop(&rest, joined..usize::MAX, left, keep);
            }
            if let Stop::Cut(at) | Stop::End(at) = stop {
                let (near, beyond) = keep.split(&rest, at);
                let count = self.count_from(near, first, left)?;
                if count <= left {
                    (rest, left, first) = (beyond, left - count, Start::Inside);
                    continue;
                }
            }
            match stop {
                Stop::Cut(at) | Stop::End(at) | Stop::Beyond(at) if joined == 1 => {
                    return self.reach_inside(keep.split(&rest, at).0, first, left, keep);
                }
                _ => joined = 1,
            }
        }
        Ok(keep.ends(&rest).0)
    }

    /// The first cut whose distance is in `distances`.
    fn stop(&self, range: &Range<usize>, distances: Range<usize>, limit: usize, keep: Keep) -> Stop {
        // The first byte may share a token with the blank before it.
        let most = u128::from(TOKEN) * (limit as u128 + u128::from(self.prefixes));
        let (mut weight, mut weights) = (0, self.weights);
        let (from, end) = keep.ends(range);
        let (mut at, mut weighed, mut ahead) = (from, from, self.ahead(from, keep));
        while at.abs_diff(from) < distances.end {
            let (last, passed) = (at, ahead);
            at = match keep {
                Keep::Prefix => self.edges.after(at).min(end),
                Keep::Suffix => self.edges.before(at).max(end),
            };
            if at == end {
                return Stop::End(at);
            }
            ahead = self.ahead(at, keep);
            let around = if keep == Keep::Prefix { (passed, ahead) } else { (ahead, passed) };
            let may_cut = keep == Keep::Prefix || !self.prefixes;
            if at.abs_diff(from) >= distances.start && may_cut && self.is_cut(at, around) {
                return Stop::Cut(at);
            }
            let Some(known) = weights else { continue };
            // Of the characters before the last: only their neighbours are known to be kept in form.
            weight += known.of_all(self.input.bytes(), weighed.min(last)..weighed.max(last));
            weighed = last;
            if weight > most && self.keeps_form(at, at) {
                if self.keeps_form(from.min(at), from.max(at)) {
                    return Stop::Beyond(at);
                }
                // The normal form may be lighter.
                weights = None;
            }
        }
        Stop::Far
    }

    fn ahead(&self, at: usize, keep: Keep) -> Option<char> {
        match keep {
            Keep::Prefix => self.edges.char_after(at),
            Keep::Suffix => self.edges.char_before(at),
        }
    }

    /// The part of `range` that weighs just more than `limit` tokens; all of it if it does not.
    fn heavy(&self, range: &Range<usize>, limit: usize, keep: Keep) -> Range<usize> {
        let Some(weights) = self.weights else { return range.clone() };
        let data = self.input.bytes();
        let is_end = |at: &usize| self.edges.is_edge(*at) && self.keeps_form(*at, *at);
        // One byte more: the weight of the last one is that which it has beside this one.
        match keep {
            Keep::Prefix => {
                let least = range.start + weights.heavy(data, range.clone(), limit) + 1;
                range.start..(least..range.end).find(is_end).unwrap_or(range.end)
            }
            Keep::Suffix => {
                let most = range.end - weights.heavy(data, range.clone().rev(), limit);
                (range.start..most).rev().find(is_end).unwrap_or(range.start)..range.end
            }
        }
    }

    /// Whether normalization leaves this part as it is, whatever comes before and after it.
    fn keeps_form(&self, start: usize, end: usize) -> bool {
        self.tokenizer.normalization.is_none_or(|normalization| {
            self.keeps_all()
                || [start, end].iter().all(|&at| self.edges.char_after(at).is_none_or(starts_afresh))
                    && normalization.compose(&self.input.bytes()[start..end]).is_none()
        })
    }

    /// Whether there is a cut between the two characters that stand at `at`.
    fn is_cut(&self, at: usize, around: (Option<char>, Option<char>)) -> bool {
        let ((Some(before), Some(after)), true) = (around, self.has_cuts) else { return false };
        // The two characters must also be those that stand there in the normal form.
        let is_kept = || self.keeps_all() || (starts_afresh(before) && starts_afresh(after));
        self.tokenizer.pretokenizer.is_cut(before, after)
            && is_kept()
            && !self.finders.iter().any(|finder| finder.crosses(self.input.bytes(), at))
    }

    fn keeps_all(&self) -> bool {
        !self.tokenizer.normalization.is_some_and(Normalization::composes)
    }

    /// The same in a part without cuts, which has more than `limit` tokens.
    fn reach_inside(&self, part: Range<usize>, first: Start, limit: usize, keep: Keep) -> Result<usize> {
        if let Some(stretch) = self.stretch(&part, first) {
            return self.reach_in_stretch(&stretch, &part, limit, keep);
        }
        let (mut at, end) = match keep {
            Keep::Prefix => (part.end, part.start),
            Keep::Suffix => (part.start, part.end),
        };
        while at != end && self.count_from(keep.split(&part, at).0, first, limit)? > limit {
            at = if keep == Keep::Prefix { self.edges.before(at) } else { self.edges.after(at) };
        }
        Ok(at)
    }

    fn reach_in_stretch(&self, stretch: &Stretch<'_>, part: &Range<usize>, limit: usize, keep: Keep) -> Result<usize> {
        let length = self.tokenizer.with_scratch(|scratch| match keep {
            Keep::Prefix => stretch.longest_prefix(limit, scratch),
            Keep::Suffix => stretch.longest_suffix(limit, scratch),
        })?;
        Ok(part.start + length)
    }

    /// A long segment as a stretch, if it is one, and none of its parts has an added token or another normal form.
    fn stretch(&self, segment: &Range<usize>, first: Start) -> Option<Stretch<'a>> {
        let data = &self.input.bytes()[segment.clone()];
        let changes = || self.tokenizer.normalization.and_then(|normalization| normalization.compose(data)).is_some();
        let is_stretch = data.len() > SHORT
            && !(self.prefixes && first == Start::OfText)
            && self.tokenizer.pretokenizer.is_planned()
            && !self.finders.iter().any(|finder| finder.first(data).is_some())
            && !changes();
        let text = || self.input.slice(segment.clone()).text();
        self.weights.filter(|_| is_stretch).map(|weights| Stretch::new(self.tokenizer, weights, text()))
    }
}

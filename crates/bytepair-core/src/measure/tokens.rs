//! How many tokens the beginnings, or the ends, of one long pretoken have, without merging each from scratch.
//!
//! *Parts*: no merge has crossed the place between two tokens of an encoding, so the bytes on either side of it, encoded
//! by themselves, give the tokens on that side.
//! *Neighbours*: tokens, each of which is the encoding of its own bytes, are the encoding of the bytes joined if and only
//! if every two neighbours are the encoding of theirs. (The first merge across such a place would have two neighbours
//! alone in it, and would take place in them alone too.)
//!
//! So the encoding of a beginning is that of the whole up to some token near the end of it, followed by the encoding of
//! the few bytes that are left, if the two tokens that meet may be neighbours; else a token further back is tried.

use std::cell::Cell;
use std::collections::HashMap;

use crate::bpe::{short, Bpe};

/// The tokens of some bytes by the merges alone.
pub struct Tokens<'a> {
    model: &'a Bpe,
    bytes: &'a [u8],
    ids: Vec<u32>,
    /// Where each token starts, and the end of the bytes.
    bounds: Vec<usize>,
    /// The last two that were found to be possible neighbours; the next two often are the same.
    met: Cell<Option<(u32, u32)>>,
}

/// How many whole tokens are encoded again with the part of a token that is asked for, at first.
const AGAIN: usize = 1;

impl<'a> Tokens<'a> {
    pub fn new(model: &'a Bpe, bytes: &'a [u8]) -> Self {
        let ids = merged(model, bytes);
        let mut bounds = Vec::with_capacity(ids.len() + 1);
        bounds.push(0);
        let mut end = 0;
        for &id in &ids {
            end += model.vocab.bytes_of(id).len();
            bounds.push(end);
        }
        Self { model, bytes, ids, bounds, met: Cell::new(None) }
    }

    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// Where the first tokens end, at most `count` of them.
    pub fn end_of_first(&self, count: usize) -> usize {
        self.bounds[count.min(self.ids.len())]
    }

    /// How many tokens the first `end` bytes have.
    pub fn of_beginning(&self, end: usize) -> usize {
        let whole = self.bounds.partition_point(|&bound| bound <= end) - 1;
        if self.bounds[whole] == end {
            return whole;
        }
        let mut again = AGAIN;
        loop {
            let kept = whole.saturating_sub(again);
            let tail = merged(self.model, &self.bytes[self.bounds[kept]..end]);
            if kept == 0 || self.may_meet(self.ids[kept - 1], tail[0]) {
                return kept + tail.len();
            }
            again *= 2;
        }
    }

    fn may_meet(&self, left: u32, right: u32) -> bool {
        if self.met.get() == Some((left, right)) {
            return true;
        }
        let bytes = [self.model.vocab.bytes_of(left), self.model.vocab.bytes_of(right)].concat();
        let may_meet = merged(self.model, &bytes) == [left, right];
        if may_meet {
            self.met.set(Some((left, right)));
        }
        may_meet
    }

    /// How many tokens stand after a bound, if there is one at `at` and the token `before` may stand before it.
    fn after(&self, at: usize, before: u32) -> Option<usize> {
        let passed = self.bounds.binary_search(&at).ok()?;
        let may_meet = self.ids.get(passed).is_none_or(|&next| self.may_meet(before, next));
        may_meet.then_some(self.ids.len() - passed)
    }
}

/// The tokens of bytes from different places on, by the merges alone.
///
/// Where the first few tokens from one place on come to a bound of what is known from another place, and may meet there,
/// the rest is the same. In a text that repeats itself they may never come to one: a run of one letter, cut into tokens
/// of eight letters, has eight ways. But there the bytes from a place on are also the beginning of those from an
/// earlier place on, and beginnings soon agree.
pub struct Endings<'a> {
    model: &'a Bpe,
    bytes: &'a [u8],
    /// Where each starts.
    known: Vec<(usize, Tokens<'a>)>,
    /// The count from a place on, once it was asked for: most are asked for twice.
    counts: HashMap<usize, usize>,
}

/// So many bytes from one place on are encoded to meet what is known.
const HEADS: [usize; 3] = [32, 128, 512];
/// So many encodings are kept.
const KNOWN: usize = 16;
/// The longest distance after which a text may repeat itself.
const REPEAT: usize = 256;

impl<'a> Endings<'a> {
    pub fn new(model: &'a Bpe, bytes: &'a [u8]) -> Self {
        Self { model, bytes, known: Vec::new(), counts: HashMap::new() }
    }

    /// Where the last tokens of the bytes from `from` on start, at most `count` of them; `None` if there are no more.
    pub fn start_of_last(&mut self, from: usize, count: usize) -> Option<usize> {
        let tokens = self.add(from);
        let first = tokens.ids.len().checked_sub(count).filter(|&first| first > 0)?;
        Some(from + tokens.bounds[first])
    }

    /// How many tokens the bytes from `start` on have.
    pub fn count(&mut self, start: usize) -> usize {
        if let Some(&count) = self.counts.get(&start) {
            return count;
        }
        let count = self.count_anew(start);
        self.counts.insert(start, count);
        count
    }

    fn count_anew(&mut self, start: usize) -> usize {
        for length in HEADS {
            // A text that repeats itself is asked for that once the shortest head has met nothing.
            let count = self.count_by_meeting(start, length).or_else(|| self.count_by_repeating(start));
            if let Some(count) = count {
                return count;
            }
        }
        // An earlier start, so that others can be repeats of the same.
        let from = (start.saturating_sub(REPEAT)..start).find(|&from| self.repeats(from, start)).unwrap_or(start);
        let length = self.bytes.len() - start;
        self.add(from).of_beginning(length)
    }

    fn add(&mut self, from: usize) -> &Tokens<'a> {
        if self.known.len() == KNOWN {
            self.known.remove(0);
        }
        self.known.push((from, Tokens::new(self.model, &self.bytes[from..])));
        &self.known[self.known.len() - 1].1
    }

    fn count_by_meeting(&self, start: usize, length: usize) -> Option<usize> {
        let end = self.bytes.len().min(start + length);
        let head = merged(self.model, &self.bytes[start..end]);
        if end == self.bytes.len() {
            return Some(head.len());
        }
        let mut at = start;
        (1..).zip(&head).find_map(|(passed, &id)| {
            at += self.model.vocab.bytes_of(id).len();
            let rest = self.known.iter().find_map(|(from, tokens)| tokens.after(at.checked_sub(*from)?, id));
            Some(passed + rest?)
        })
    }

    fn count_by_repeating(&self, start: usize) -> Option<usize> {
        let (_, tokens) = self.known.iter().find(|(from, _)| *from <= start && self.repeats(*from, start))?;
        Some(tokens.of_beginning(self.bytes.len() - start))
    }

    /// Whether the bytes from `start` on are also the first ones from `from` on.
    fn repeats(&self, from: usize, start: usize) -> bool {
        let (repeated, bytes) = (&self.bytes[from..from + self.bytes.len() - start], &self.bytes[start..]);
        // A run that something else follows differs at its end first.
        let last = bytes.len().saturating_sub(16);
        repeated[last..] == bytes[last..] && repeated == bytes
    }
}

fn merged(model: &Bpe, bytes: &[u8]) -> Vec<u32> {
    let mut symbols = bytes.iter().map(|&byte| model.vocab.byte_id(byte)).collect();
    short::merge(&model.merges, &mut symbols);
    symbols
}

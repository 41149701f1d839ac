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

use crate::bpe::{short, Bpe};

/// The tokens of some bytes by the merges alone.
pub struct Tokens<'a> {
    model: &'a Bpe,
    bytes: &'a [u8],
    ids: Vec<u32>,
    /// Where each token starts, and the end of the bytes.
    bounds: Vec<usize>,
}

/// How many whole tokens are encoded again with the part of a token that is asked for, at first.
const AGAIN: usize = 2;

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
        Self { model, bytes, ids, bounds }
    }

    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// Where the first tokens end, at most `count` of them.
    pub fn end_of_first(&self, count: usize) -> usize {
        self.bounds[count.min(self.ids.len())]
    }

    /// Where the last tokens start, at most `count` of them.
    pub fn start_of_last(&self, count: usize) -> usize {
        self.bounds[self.ids.len().saturating_sub(count)]
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

    /// How many tokens the bytes from `start` on have.
    pub fn of_end(&self, start: usize) -> usize {
        let first = self.bounds.partition_point(|&bound| bound < start);
        let total = self.ids.len();
        if self.bounds[first] == start {
            return total - first;
        }
        let mut again = AGAIN;
        loop {
            let kept = (first + again).min(total);
            let head = merged(self.model, &self.bytes[start..self.bounds[kept]]);
            if kept == total || self.may_meet(head[head.len() - 1], self.ids[kept]) {
                return head.len() + total - kept;
            }
            again *= 2;
        }
    }

    fn may_meet(&self, left: u32, right: u32) -> bool {
        let bytes = [self.model.vocab.bytes_of(left), self.model.vocab.bytes_of(right)].concat();
        merged(self.model, &bytes) == [left, right]
    }
}

fn merged(model: &Bpe, bytes: &[u8]) -> Vec<u32> {
    let mut symbols = bytes.iter().map(|&byte| model.vocab.byte_id(byte)).collect();
    short::merge(&model.merges, &mut symbols);
    symbols
}

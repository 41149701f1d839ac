//! Which pair comes next: the one with the highest count, and of several with that count the one that the tie rule says.
//!
//! A pair's count never grows after the step that made it, so a pair waits at the count that it had when it came in,
//! and when its turn comes it is let in or moved down. The pairs that share the highest count make up the *level*;
//! only among them is the tie rule asked.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::pairs::{Pairs, NONE};
use super::words::{Slot, Words};
use super::{huggingface_number, Ties};

/// Pairs that count less wait in a list for each count; those few that count more, in a heap.
const BUCKETS: u64 = 1 << 16;

pub struct Queue {
    /// Pairs that count less are dropped.
    threshold: u64,
    /// By count: the first pair of the list, which goes on in `Pair::next`.
    buckets: Vec<u32>,
    /// No bucket above this one holds anything.
    highest: u64,
    many: BinaryHeap<(u64, u32)>,
    level: Level,
    level_count: u64,
}

/// The tie rule and what it needs to know: the tokens by id, and the words, for where a pair occurs first now.
pub struct Facts<'a, S> {
    pub ties: Ties,
    pub tokens: &'a [Vec<u8>],
    pub words: &'a Words<S>,
    pub lengths: &'a [u32],
}

impl Queue {
    pub fn new(threshold: u64) -> Self {
        Self {
            threshold,
            buckets: vec![NONE; BUCKETS as usize],
            highest: BUCKETS - 1,
            many: BinaryHeap::new(),
            level: Level::default(),
            level_count: u64::MAX,
        }
    }

    /// Takes in a pair. It must not count more than the pair that came out last.
    pub fn push<S: Slot>(&mut self, index: u32, pairs: &mut Pairs, facts: &Facts<S>) {
        let count = pairs.list[index as usize].count;
        if count == self.level_count {
            self.let_in(index, pairs, facts);
        } else {
            self.wait(index, pairs);
        }
    }

    /// The next pair, if one counts as much as the threshold. It leaves the queue.
    pub fn pop<S: Slot>(&mut self, pairs: &mut Pairs, facts: &Facts<S>) -> Option<u32> {
        loop {
            while let Some(entry) = self.level.pop(pairs, facts) {
                if pairs.list[entry.pair as usize].count != self.level_count {
                    self.wait(entry.pair, pairs);
                } else if facts.ties == Ties::First && entry.key != key(entry.pair, pairs, facts) {
                    self.let_in(entry.pair, pairs, facts);
                } else {
                    return Some(entry.pair);
                }
            }
            if !self.next_level(pairs, facts) {
                return None;
            }
        }
    }

    fn wait(&mut self, index: u32, pairs: &mut Pairs) {
        let pair = &mut pairs.list[index as usize];
        if pair.count < self.threshold {
            return;
        }
        if pair.count < BUCKETS {
            pair.next = std::mem::replace(&mut self.buckets[pair.count as usize], index);
        } else {
            self.many.push((pair.count, index));
        }
    }

    fn let_in<S: Slot>(&mut self, index: u32, pairs: &mut Pairs, facts: &Facts<S>) {
        let entry = Entry { key: key(index, pairs, facts), pair: index };
        self.level.push(entry, pairs, facts);
    }

    fn next_level<S: Slot>(&mut self, pairs: &mut Pairs, facts: &Facts<S>) -> bool {
        while let Some(&(count, _)) = self.many.peek() {
            self.level_count = count;
            while let Some((_, index)) = self.many.peek().copied().filter(|waiting| waiting.0 == count) {
                self.many.pop();
                self.push(index, pairs, facts);
            }
            if !self.level.is_empty() {
                return true;
            }
        }
        while self.highest >= self.threshold.max(1) {
            self.level_count = self.highest;
            let mut index = std::mem::replace(&mut self.buckets[self.highest as usize], NONE);
            self.highest -= 1;
            while index != NONE {
                let next = pairs.list[index as usize].next;
                self.push(index, pairs, facts);
                index = next;
            }
            if !self.level.is_empty() {
                return true;
            }
        }
        false
    }
}

/// The greatest key comes first; among equal ones the tokens are compared.
fn key<S: Slot>(index: u32, pairs: &mut Pairs, facts: &Facts<S>) -> u64 {
    let pair = &pairs.list[index as usize];
    let joined = |left: u32, right: u32| u64::from(left) << 32 | u64::from(right);
    match facts.ties {
        Ties::Bytes => first_bytes(&facts.tokens[pair.left as usize]),
        Ties::Ids => joined(pair.left, pair.right),
        Ties::First => !u64::from(pairs.first_position(index, facts.words, facts.lengths)),
        Ties::HuggingFace => !joined(huggingface_number(pair.left), huggingface_number(pair.right)),
    }
}

/// Ordered as the token is, where they differ.
fn first_bytes(token: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = token.len().min(8);
    first[..length].copy_from_slice(&token[..length]);
    u64::from_be_bytes(first)
}

struct Entry {
    key: u64,
    pair: u32,
}

/// A binary heap whose order needs the tokens, which it does not own.
#[derive(Default)]
struct Level {
    entries: Vec<Entry>,
}

impl Level {
    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn comes_before<S: Slot>(&self, a: usize, b: usize, pairs: &Pairs, facts: &Facts<S>) -> bool {
        let (a, b) = (&self.entries[a], &self.entries[b]);
        let by_tokens = || {
            let parts = |entry: &Entry| {
                let pair = &pairs.list[entry.pair as usize];
                (&facts.tokens[pair.left as usize], &facts.tokens[pair.right as usize])
            };
            if facts.ties == Ties::Bytes {
                parts(a).cmp(&parts(b))
            } else {
                Ordering::Equal
            }
        };
        a.key.cmp(&b.key).then_with(by_tokens) == Ordering::Greater
    }

    fn push<S: Slot>(&mut self, entry: Entry, pairs: &Pairs, facts: &Facts<S>) {
        self.entries.push(entry);
        let mut at = self.entries.len() - 1;
        while at > 0 && self.comes_before(at, (at - 1) / 2, pairs, facts) {
            self.entries.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn pop<S: Slot>(&mut self, pairs: &Pairs, facts: &Facts<S>) -> Option<Entry> {
        let last = self.entries.len().checked_sub(1)?;
        let top = self.entries.swap_remove(0);
        let mut at = 0;
        loop {
            let mut best = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < last && self.comes_before(child, best, pairs, facts) {
                    best = child;
                }
            }
            if best == at {
                return Some(top);
            }
            self.entries.swap(at, best);
            at = best;
        }
    }
}

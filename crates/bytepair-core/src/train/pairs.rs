//! Pairs of neighbours: how much each counts, and where it stands.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::words::{Slot, Words, MAX_SLOTS};
use crate::error::{Error, Result};

/// The number of no pair, the position of no occurrence, the id of no token.
pub const NONE: u32 = u32::MAX;

/// The place for positions that are not kept.
pub const NO_PLACE: usize = usize::MAX;

pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub count: u64,
    /// Where the pair stood when it came up, in ascending order: a part of `Pairs::positions`.
    start: usize,
    occurrences: u32,
    /// The next pair in the same bucket of the queue.
    pub next: u32,
}

/// The pairs that count enough, each with a number.
pub struct Pairs {
    pub list: Vec<Pair>,
    pub positions: Vec<u32>,
    /// The numbers of pairs of bytes, which are asked for most.
    bytes: Vec<u32>,
    others: HashMap<u64, u32, FixedState>,
}

impl Pairs {
    pub fn new() -> Self {
        Self { list: Vec::new(), positions: Vec::new(), bytes: vec![NONE; 1 << 16], others: HashMap::default() }
    }

    /// All pairs in `words` that are `wanted` and count at least `threshold`.
    pub fn build<S: Slot>(
        words: &Words<S>,
        lengths: &[u32],
        threshold: u64,
        wanted: impl Fn((u32, u32)) -> bool,
        go_on: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Self> {
        let mut all = Self::new();
        words.each_pair(lengths, go_on, |_, pair, count| {
            let mut index = all.find(pair);
            if index == NONE {
                if !wanted(pair) {
                    return Ok(());
                }
                index = all.list.len() as u32;
                all.push(pair, 0, 0)?;
            }
            let pair = &mut all.list[index as usize];
            pair.count += count;
            pair.occurrences += 1;
            Ok(())
        })?;
        let mut kept = Self::new();
        for pair in all.list.into_iter().filter(|pair| pair.count >= threshold) {
            kept.push((pair.left, pair.right), pair.count, pair.occurrences as usize)?;
        }
        let mut places: Vec<usize> = kept.list.iter().map(|pair| pair.start).collect();
        words.each_pair(lengths, go_on, |at, pair, _| {
            let index = kept.find(pair);
            if index != NONE {
                kept.positions[places[index as usize]] = at;
                places[index as usize] += 1;
            }
            Ok(())
        })?;
        Ok(kept)
    }

    #[inline]
    fn find(&self, (left, right): (u32, u32)) -> u32 {
        if left < 256 && right < 256 {
            return self.bytes[(left << 8 | right) as usize];
        }
        self.others.get(&key(left, right)).copied().unwrap_or(NONE)
    }

    /// Takes in a pair that is not known yet; gives the place for its positions, which the caller writes.
    pub fn push(&mut self, (left, right): (u32, u32), count: u64, occurrences: usize) -> Result<usize> {
        if self.list.len() >= NONE as usize {
            return Err(Error::TooMuchText { limit: MAX_SLOTS });
        }
        let index = self.list.len() as u32;
        if left < 256 && right < 256 {
            self.bytes[(left << 8 | right) as usize] = index;
        } else {
            self.others.insert(key(left, right), index);
        }
        let start = self.positions.len();
        self.positions.resize(start + occurrences, NONE);
        self.list.push(Pair { left, right, count, start, occurrences: occurrences as u32, next: NONE });
        Ok(start)
    }

    /// Takes `count` off a pair, if it is one of those that count enough.
    #[inline]
    pub fn decrease(&mut self, pair: (u32, u32), count: u64) {
        let index = self.find(pair);
        if index != NONE {
            self.list[index as usize].count -= count;
        }
    }

    /// Where the pair stood when it came up; it may be gone from some of these places.
    pub fn positions(&self, index: u32) -> &[u32] {
        let pair = &self.list[index as usize];
        &self.positions[pair.start..pair.start + pair.occurrences as usize]
    }

    /// The first place where the pair stands now. Those before it are forgotten, so that asking again costs little.
    pub fn first_position<S: Slot>(&mut self, index: u32, words: &Words<S>, lengths: &[u32]) -> u32 {
        let pair = &self.list[index as usize];
        let (left, right, length) = (S::new(pair.left), S::new(pair.right), lengths[pair.left as usize]);
        let gone = self.positions(index).iter().take_while(|&&at| !words.holds(at, left, right, length)).count();
        let pair = &mut self.list[index as usize];
        pair.start += gone;
        pair.occurrences -= gone as u32;
        self.positions(index).first().copied().unwrap_or(NONE)
    }
}

fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

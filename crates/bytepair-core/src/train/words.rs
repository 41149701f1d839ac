//! The different pretokens as symbols, all in one array.

use std::cmp::Reverse;

use super::Counts;
use crate::error::{Error, Result};

/// An id in two or four bytes: the smaller, the more of the array stays in the cache.
pub trait Slot: Copy + Eq {
    /// Stands before and after each word.
    const BORDER: Self;
    /// No token starts here.
    const WIPED: Self;
    const MAX_ID: u32;
    fn new(id: u32) -> Self;
    fn id(self) -> u32;
}

impl Slot for u16 {
    const BORDER: Self = u16::MAX;
    const WIPED: Self = u16::MAX - 1;
    const MAX_ID: u32 = u16::MAX as u32 - 2;

    fn new(id: u32) -> Self {
        id as u16
    }

    fn id(self) -> u32 {
        self.into()
    }
}

impl Slot for u32 {
    const BORDER: Self = u32::MAX;
    const WIPED: Self = u32::MAX - 1;
    const MAX_ID: u32 = u32::MAX - 2;

    fn new(id: u32) -> Self {
        id
    }

    fn id(self) -> u32 {
        self
    }
}

/// Positions in the array are `u32`.
pub const MAX_SLOTS: u64 = u32::MAX as u64;

/// After how many slots a walk over all words asks whether to go on.
const ASK_EVERY: usize = 1 << 18;

/// A token takes as many slots as it has bytes, so a word never moves: its id stands in the first slot and in the last
/// one, from where the token to the right finds its left neighbour.
///
/// *No ghosts*: a slot inside a token never holds an id that once started there, so whatever id a slot holds that was
/// once a token's first, that token stands there now. For this the first slot of a merge's right part is wiped.
pub struct Words<S> {
    pub slots: Vec<S>,
    /// For each run of words with the same count: where it ends, and the count.
    runs: Vec<(u32, u64)>,
}

impl<S: Slot> Words<S> {
    /// The words of two bytes or more: `sorted` by count, so that words with equal counts stand together, or else in
    /// order of first appearance.
    pub fn new(counts: &Counts, sorted: bool) -> Result<Self> {
        let mut words: Vec<_> = counts.iter().filter(|(pretoken, _)| pretoken.len() > 1).collect();
        if sorted {
            words.sort_by_key(|&(_, count)| Reverse(count));
        }
        let length = 1 + words.iter().map(|(pretoken, _)| pretoken.len() as u64 + 1).sum::<u64>();
        if length > MAX_SLOTS {
            return Err(Error::TooMuchText { limit: MAX_SLOTS });
        }
        let mut slots = Vec::with_capacity(length as usize);
        let mut runs: Vec<(u32, u64)> = Vec::new();
        slots.push(S::BORDER);
        for (pretoken, count) in words {
            slots.extend(pretoken.iter().map(|&byte| S::new(byte.into())));
            slots.push(S::BORDER);
            match runs.last_mut() {
                Some(run) if run.1 == count => run.0 = slots.len() as u32,
                _ => runs.push((slots.len() as u32, count)),
            }
        }
        Ok(Self { slots, runs })
    }

    /// Calls `see` with each pair of neighbours: its position, its ids and its word's count. Asks `go_on` now and then.
    pub fn each_pair(
        &self,
        lengths: &[u32],
        go_on: &mut dyn FnMut() -> Result<()>,
        mut see: impl FnMut(u32, (u32, u32), u64) -> Result<()>,
    ) -> Result<()> {
        let (mut at, mut asked) = (1, 0);
        for &(end, count) in &self.runs {
            while at < end as usize {
                if at >= asked + ASK_EVERY {
                    asked = at;
                    go_on()?;
                }
                if self.slots[at] == S::BORDER {
                    at += 1;
                    continue;
                }
                let left = self.slots[at].id();
                let next = at + lengths[left as usize] as usize;
                if self.slots[next] != S::BORDER {
                    see(at as u32, (left, self.slots[next].id()), count)?;
                }
                at = next;
            }
        }
        Ok(())
    }

    /// Whether the token `left` stands at `at` and the token `right` after it. `at` is where they once stood so.
    #[inline]
    pub fn holds(&self, at: u32, left: S, right: S, left_length: u32) -> bool {
        // Without a branch, so that the processor goes on to the next question while it waits for these slots.
        (self.slots[at as usize] == left) & (self.slots[(at + left_length) as usize] == right)
    }

    /// Puts the token `id` in place of the two at `at`.
    #[inline]
    pub fn join(&mut self, at: u32, left_length: u32, length: u32, id: S) {
        self.slots[(at + left_length) as usize] = S::WIPED;
        self.slots[at as usize] = id;
        self.slots[(at + length - 1) as usize] = id;
    }

    /// The count of the word at `at`. `run` is where the last answer was found: positions are asked for in ascending
    /// order, from 0 on.
    #[inline]
    pub fn count(&self, at: u32, run: &mut usize) -> u64 {
        if self.runs[*run].0 <= at {
            *run += 1;
            if self.runs[*run].0 <= at {
                *run += self.runs[*run..].partition_point(|&(end, _)| end <= at);
            }
        }
        self.runs[*run].1
    }
}

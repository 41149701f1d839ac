//! The fast trainer: all pairs are counted once, then a merge touches only the places where its pair stands.
//!
//! ```text
//! pairs = every pair in the words: count, positions        queue = pairs by count
//! repeat: (a, b) = the queue's best; n = a new token
//!     for each position where a b still stands, from left to right, with neighbours l and r:
//!         write n there; note l on the left side and r on the right side, with the word's count
//!     for each l noted:  (l, a) loses, the new pair (l, n) gets what was noted
//!     for each r noted:  (b, r) loses, the new pair (n, r) gets what was noted
//! ```
//!
//! *Threshold*: a pair below the last merge's count cannot win, and pairs only lose after the step that made them. So
//! pairs that count less than a guessed threshold are left out altogether. When the queue runs dry they are counted
//! anew from the words with a lower threshold: any guess is exact, a good one saves half of the time and memory.

use std::time::Instant;

use super::neighbours::Neighbours;
use super::pairs::{Pairs, NONE, NO_PLACE};
use super::queue::{Facts, Queue};
use super::words::{Slot, Words};
use super::workers::TELL_EVERY;
use super::{check, Counts, Options, Stop, Ties, Trained, FIRST_MERGE};
use crate::error::Result;

/// How many positions are looked at ahead of the work: independent loads, which the processor does at the same time.
const AHEAD: usize = 64;

/// How far the threshold falls when the queue runs dry.
const FALL: u64 = 4;

pub fn train(
    counts: &Counts,
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> Result<()>,
) -> Result<Trained> {
    check(counts, options)?;
    let mut report = Report { progress, wanted: options.merges, told: Instant::now() };
    if options.merges + FIRST_MERGE as usize <= u16::MAX_ID as usize {
        Trainer::<u16>::new(counts, options)?.run(&mut report)
    } else {
        Trainer::<u32>::new(counts, options)?.run(&mut report)
    }
}

/// Tells how far the training is, and whether to go on.
struct Report<'p> {
    progress: &'p mut dyn FnMut(usize, usize) -> Result<()>,
    wanted: usize,
    told: Instant,
}

impl Report<'_> {
    fn now(&mut self, done: usize) -> Result<()> {
        self.told = Instant::now();
        (self.progress)(done, self.wanted)
    }

    fn soon(&mut self, done: usize) -> Result<()> {
        if self.told.elapsed() < TELL_EVERY {
            return Ok(());
        }
        self.now(done)
    }
}

struct Trainer<'o, S> {
    options: &'o Options,
    words: Words<S>,
    pairs: Pairs,
    queue: Queue,
    threshold: u64,
    trained: Trained,
    /// The lengths in bytes of the tokens, by id.
    lengths: Vec<u32>,
    before: Neighbours,
    after: Neighbours,
    /// Positions of the new token's occurrences that stand right before another one.
    twins: Vec<u32>,
}

impl<'o, S: Slot> Trainer<'o, S> {
    fn new(counts: &Counts, options: &'o Options) -> Result<Self> {
        let threshold = guess(counts, options.merges).max(options.min_count).max(1);
        let words = Words::new(counts, options.ties != Ties::First)?;
        Ok(Self {
            options,
            words,
            pairs: Pairs::new(),
            queue: Queue::new(threshold),
            threshold,
            trained: Trained::new(),
            lengths: vec![1; FIRST_MERGE as usize],
            before: Neighbours::default(),
            after: Neighbours::default(),
            twins: Vec::new(),
        })
    }

    fn run(mut self, report: &mut Report) -> Result<Trained> {
        report.now(0)?;
        self.count_pairs(report)?;
        while self.trained.merges.len() < self.options.merges {
            let Some(index) = self.next_pair(report)? else { break };
            self.merge(index)?;
            report.soon(self.trained.merges.len())?;
        }
        report.now(self.trained.merges.len())?;
        Ok(self.trained)
    }

    /// Counts the pairs that reach the threshold anew.
    fn count_pairs(&mut self, report: &mut Report) -> Result<()> {
        // What was known before is wrong below the new threshold, and would only take room meanwhile.
        (self.pairs, self.queue) = (Pairs::new(), Queue::new(self.threshold));
        let (lengths, longest, done) = (&self.lengths, self.options.max_token_length, self.trained.merges.len());
        let wanted = |pair| fits(lengths, longest, pair);
        self.pairs = Pairs::build(&self.words, lengths, self.threshold, wanted, &mut || report.soon(done))?;
        self.enqueue_from(0);
        Ok(())
    }

    /// Puts the pairs with this number and higher ones into the queue.
    fn enqueue_from(&mut self, first: usize) {
        let Self { words, lengths, .. } = self;
        let facts = Facts { ties: self.options.ties, tokens: &self.trained.tokens, words, lengths };
        for index in first..self.pairs.list.len() {
            self.queue.push(index as u32, &mut self.pairs, &facts);
        }
    }

    /// The pair to merge; where there is none, the reason is noted.
    fn next_pair(&mut self, report: &mut Report) -> Result<Option<u32>> {
        let floor = self.options.min_count.max(1);
        loop {
            let Self { words, lengths, .. } = self;
            let facts = Facts { ties: self.options.ties, tokens: &self.trained.tokens, words, lengths };
            if let Some(index) = self.queue.pop(&mut self.pairs, &facts) {
                return Ok(Some(index));
            }
            if self.threshold == floor {
                break;
            }
            self.threshold = (self.threshold / FALL).max(floor);
            self.count_pairs(report)?;
        }
        self.threshold = 1;
        self.count_pairs(report)?;
        let best = self.pairs.list.iter().map(|pair| pair.count).max();
        self.trained.stopped_early = Some(best.map_or(Stop::NoPairLeft, Stop::BelowMinCount));
        Ok(None)
    }

    fn merge(&mut self, index: u32) -> Result<()> {
        let pair = &self.pairs.list[index as usize];
        let (left, right, count) = (pair.left, pair.right, pair.count);
        let id = self.trained.push((left, right), count);
        self.lengths.push(self.lengths[left as usize] + self.lengths[right as usize]);
        let twin_count = self.replace(index, left, right, id);
        let born = self.pairs.list.len();
        let (mut before, mut after) = (std::mem::take(&mut self.before), std::mem::take(&mut self.after));
        self.fold(&mut before, |neighbour| ((neighbour, left), (neighbour, id)), (NONE, 0))?;
        self.fold(&mut after, |neighbour| ((right, neighbour), (id, neighbour)), (left, twin_count))?;
        (self.before, self.after) = (before, after);
        self.add_twins(id, twin_count)?;
        self.pairs.list[index as usize].count = 0;
        self.enqueue_from(born);
        Ok(())
    }

    /// Writes `id` wherever the pair stands, and notes its neighbours. Gives the count of the pair (`id`, `id`).
    fn replace(&mut self, index: u32, left: u32, right: u32, id: u32) -> u64 {
        let Self { words, pairs, lengths, before, after, twins, .. } = self;
        before.reserve(lengths.len());
        after.reserve(lengths.len());
        let (left_length, length) = (lengths[left as usize], lengths[id as usize]);
        let (left_slot, right_slot, new_slot) = (S::new(left), S::new(right), S::new(id));
        let (mut run, mut twin_count, mut standing) = (0, 0, [0; AHEAD]);
        for block in pairs.positions(index).chunks(AHEAD) {
            let mut found = 0;
            for &at in block {
                standing[found] = at;
                found += usize::from(words.holds(at, left_slot, right_slot, left_length));
            }
            for &at in &standing[..found] {
                // In a run of one token, the occurrence before may have taken this one's left part.
                if words.slots[at as usize] != left_slot {
                    continue;
                }
                let count = words.count(at, &mut run);
                let (before_it, after_it) = (words.slots[at as usize - 1], words.slots[(at + length) as usize]);
                words.join(at, left_length, length, new_slot);
                if before_it == new_slot {
                    // The occurrence before noted this one's left part as what comes after it: `fold` takes that off.
                    twins.push(at - length);
                    twin_count += count;
                } else if before_it != S::BORDER {
                    before.note(before_it.id(), at - lengths[before_it.id() as usize], count);
                }
                if after_it != S::BORDER {
                    after.note(after_it.id(), at, count);
                }
            }
        }
        twin_count
    }

    /// Takes the noted counts off the old pairs and gives them to the new ones, less `gone` of one neighbour.
    fn fold(
        &mut self,
        noted: &mut Neighbours,
        pairs_of: impl Fn(u32) -> ((u32, u32), (u32, u32)),
        gone: (u32, u64),
    ) -> Result<()> {
        for &neighbour in &noted.seen {
            let cell = &mut noted.cells[neighbour as usize];
            let (old, new) = pairs_of(neighbour);
            self.pairs.decrease(old, cell.count);
            let count = if neighbour == gone.0 { cell.count - gone.1 } else { cell.count };
            cell.place = self.add(new, count, cell.place)?;
        }
        noted.settle(&mut self.pairs);
        Ok(())
    }

    /// Takes in a new pair, if it counts enough, and gives the place for its positions.
    fn add(&mut self, pair: (u32, u32), count: u64, occurrences: usize) -> Result<usize> {
        if count < self.threshold || !fits(&self.lengths, self.options.max_token_length, pair) {
            return Ok(NO_PLACE);
        }
        self.pairs.push(pair, count, occurrences)
    }

    fn add_twins(&mut self, id: u32, count: u64) -> Result<()> {
        let place = self.add((id, id), count, self.twins.len())?;
        if place != NO_PLACE {
            self.pairs.positions[place..].copy_from_slice(&self.twins);
        }
        self.twins.clear();
        Ok(())
    }
}

/// Whether the pair's token may be as long as it would be.
fn fits(lengths: &[u32], longest: Option<usize>, (left, right): (u32, u32)) -> bool {
    longest.is_none_or(|longest| lengths[left as usize] as usize + lengths[right as usize] as usize <= longest)
}

/// A low guess of the last merge's count: words that occur more often than most become tokens, and their last pairs
/// count as much as they do.
fn guess(counts: &Counts, merges: usize) -> u64 {
    let mut counts: Vec<u64> =
        counts.iter().filter(|(pretoken, _)| pretoken.len() > 1).map(|(_, count)| count).collect();
    if merges >= counts.len() {
        return 1;
    }
    let (_, &mut count, _) = counts.select_nth_unstable_by_key(merges, |&count| std::cmp::Reverse(count));
    count.saturating_add(count / 2)
}

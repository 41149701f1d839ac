//! Many texts, many threads: the same results as one by one, in the order of the texts.
//!
//! Threads live for one call. There is no pool to be lost in a fork or to keep a core from others.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::bpe::Scratch;
use crate::error::{Error, Result};
use crate::tokenizer::Tokenizer;

/// The error of the first text that has one, and which text that is.
#[derive(Debug)]
pub struct BatchError {
    pub index: usize,
    pub error: Error,
}

impl Tokenizer {
    /// `work` on each item. `threads` of 0 means one for each core.
    pub fn batch<T: Sync, R: Send>(
        &self,
        items: &[T],
        threads: usize,
        work: impl Fn(&T, &mut Scratch) -> Result<R> + Sync,
    ) -> std::result::Result<Vec<R>, BatchError> {
        let threads = thread_count(threads).min(items.len());
        if threads <= 1 {
            let one_by_one = |scratch: &mut Scratch| {
                let done = |(index, item)| work(item, scratch).map_err(|error| BatchError { index, error });
                items.iter().enumerate().map(done).collect()
            };
            return self.with_scratch(one_by_one);
        }
        // Small shares even out texts of unequal length; large enough that the counter is not fought over.
        let share = (items.len() / (threads * 16)).clamp(1, 256);
        let next = AtomicUsize::new(0);
        let worker = || {
            self.with_scratch(|scratch| {
                let mut shares = Vec::new();
                loop {
                    let start = next.fetch_add(share, Ordering::Relaxed);
                    if start >= items.len() {
                        return Ok(shares);
                    }
                    let end = items.len().min(start + share);
                    let mut results = Vec::with_capacity(end - start);
                    for (index, item) in (start..).zip(&items[start..end]) {
                        match work(item, scratch) {
                            Ok(result) => results.push(result),
                            Err(error) => {
                                // No one takes up new work; what is before this index is in somebody's hands already.
                                next.store(items.len(), Ordering::Relaxed);
                                return Err(BatchError { index, error });
                            }
                        }
                    }
                    shares.push((start, results));
                }
            })
        };
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            handles
                .into_iter()
                .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut shares = Vec::new();
        let mut first: Option<BatchError> = None;
        for outcome in outcomes {
            match outcome {
                Ok(mut done) => shares.append(&mut done),
                Err(error) if first.as_ref().is_none_or(|first| error.index < first.index) => first = Some(error),
                Err(_) => {}
            }
        }
        match first {
            Some(error) => Err(error),
            None => {
                shares.sort_unstable_by_key(|&(start, _)| start);
                Ok(shares.into_iter().flat_map(|(_, results)| results).collect())
            }
        }
    }
}

/// What a caller's number of threads means: 0 is one for each core.
pub fn thread_count(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        given => given,
    }
}

//! Spreads counting over threads, and joins the counts in the order of the texts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::blocks::{Part, Source};
use super::Counts;
use crate::error::{Error, Result};

pub const TELL_EVERY: Duration = Duration::from_millis(50);

/// Counts one part; tells now and then how many bytes it has done since, and ends with the error that comes back.
pub type Work<'w> = dyn Fn(&Part, &mut Counts, &mut dyn FnMut(usize) -> Result<()>) -> Result<()> + Sync + 'w;

pub fn run<'a>(
    source: &mut dyn Source<'a>,
    work: &Work,
    threads: usize,
    counts: &mut Counts,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<()> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        threads => threads,
    };
    if threads == 1 {
        run_here(source, work, counts, progress)
    } else {
        run_threads(source, work, threads, counts, progress)
    }
}

fn run_here<'a>(
    source: &mut dyn Source<'a>,
    work: &Work,
    counts: &mut Counts,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<()> {
    let (mut done, mut told) = (0, Instant::now());
    while let Some(parts) = source.next_job()? {
        for part in &parts {
            work(part, counts, &mut |bytes| {
                done += bytes as u64;
                if told.elapsed() >= TELL_EVERY {
                    told = Instant::now();
                    progress(done)?;
                }
                Ok(())
            })?;
        }
    }
    progress(done)
}

/// What a worker takes, and what it gives back; both know their place in the order of the texts.
type Job<'a> = (usize, Vec<Part<'a>>);
type Answer = (usize, Result<Counts>);

fn run_threads<'a>(
    source: &mut dyn Source<'a>,
    work: &Work,
    threads: usize,
    counts: &mut Counts,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<()> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let (jobs, taken) = channel::<Job<'a>>();
    let taken = Mutex::new(taken);
    let (answer, answers) = channel();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (taken, answer, stop, done) = (&taken, answer.clone(), &stop, &done);
                scope.spawn(move || worker(taken, &answer, work, stop, done))
            })
            .collect();
        drop(answer);
        let mut joined = Joined { counts, next: 0, waiting: BTreeMap::new() };
        let (mut given, mut ended) = (0, false);
        let mut lead = || -> Result<()> {
            while !ended || joined.next < given {
                // Answers that wait for an earlier one are work in hand too, so that memory stays bounded.
                if !ended && given - joined.next < 2 * threads {
                    match source.next_job()? {
                        Some(parts) => {
                            jobs.send((given, parts)).expect("the receiver outlives the scope");
                            given += 1;
                        }
                        None => ended = true,
                    }
                    joined.take(answers.try_iter())?;
                } else {
                    match answers.recv_timeout(TELL_EVERY) {
                        Ok(first) => joined.take(std::iter::once(first))?,
                        // A worker that is gone has panicked: its job will not come back, and the scope passes it on.
                        Err(RecvTimeoutError::Timeout) if workers.iter().any(|w| w.is_finished()) => break,
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => break,
                    }
                }
                progress(done.load(Ordering::Relaxed))?;
            }
            Ok(())
        };
        let result = lead();
        stop.store(true, Ordering::Relaxed);
        drop(jobs);
        result
    })
}

fn worker(taken: &Mutex<Receiver<Job>>, answer: &Sender<Answer>, work: &Work, stop: &AtomicBool, done: &AtomicU64) {
    loop {
        // The lock is held while waiting: whoever holds it gets the next job.
        let job = taken.lock().map(|taken| taken.recv());
        let Ok(Ok((place, parts))) = job else { return };
        let mut counts = Counts::new();
        let mut tick = |bytes: usize| {
            done.fetch_add(bytes as u64, Ordering::Relaxed);
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            Ok(())
        };
        let result = parts.iter().try_for_each(|part| work(part, &mut counts, &mut tick));
        if answer.send((place, result.map(|()| counts))).is_err() {
            return;
        }
    }
}

/// Takes answers as they come and adds them in the order of the texts.
struct Joined<'c> {
    counts: &'c mut Counts,
    next: usize,
    waiting: BTreeMap<usize, Result<Counts>>,
}

impl Joined<'_> {
    fn take(&mut self, answers: impl Iterator<Item = Answer>) -> Result<()> {
        self.waiting.extend(answers);
        while let Some(counts) = self.waiting.remove(&self.next) {
            self.counts.merge(counts?);
            self.next += 1;
        }
        Ok(())
    }
}

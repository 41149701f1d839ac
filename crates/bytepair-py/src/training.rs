//! `_core.Counts`, `_core.Counter` and `_core.train`.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::train as core;
use bytepair_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::{raise, OrRaise};
use crate::input::TextArgument;

/// How often Python gets to see a signal or to show progress.
const TICK: Duration = Duration::from_millis(100);

/// Calls back into Python now and then. An exception there, Ctrl-C too, stops the work and comes out of the call.
struct Reporter {
    callback: Option<Py<PyAny>>,
    phase: &'static str,
    last: Option<Instant>,
    raised: Option<PyErr>,
}

impl Reporter {
    fn new(callback: Option<Py<PyAny>>, phase: &'static str) -> Self {
        Self { callback, phase, last: None, raised: None }
    }

    fn report(&mut self, done: u64, total: Option<u64>) -> Result<()> {
        if self.last.is_some_and(|last| last.elapsed() < TICK) && total != Some(done) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        let told = Python::attach(|py| {
            py.check_signals()?;
            match &self.callback {
                Some(callback) => callback.call1(py, (self.phase, done, total)).map(drop),
                None => Ok(()),
            }
        });
        told.map_err(|error| {
            self.raised = Some(error);
            Error::Stopped
        })
    }

    fn finish<T>(self, py: Python<'_>, result: Result<T>) -> PyResult<T> {
        match self.raised {
            Some(error) => Err(error),
            None => result.or_raise(py),
        }
    }
}

/// Pretokens and how often each occurs, in order of first appearance.
#[pyclass(frozen, module = "bytepair._core")]
#[derive(Default)]
pub struct Counts(Mutex<core::Counts>);

impl Counts {
    fn lock(&self) -> std::sync::MutexGuard<'_, core::Counts> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[pymethods]
impl Counts {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn add(&self, pretoken: &[u8], count: u64) {
        self.lock().add(pretoken, count);
    }

    fn copy(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }

    /// Adds all of `later`'s.
    fn merge(&self, later: &Counts) {
        let later = later.lock().clone();
        self.lock().merge(later);
    }

    fn get(&self, pretoken: &[u8]) -> u64 {
        self.lock().get(pretoken)
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }

    /// The sum of the counts.
    #[getter]
    fn total(&self) -> Option<u64> {
        self.lock().total()
    }

    /// The bytes of the text that was counted.
    #[getter]
    fn text_bytes(&self) -> u128 {
        self.lock().iter().map(|(pretoken, count)| pretoken.len() as u128 * u128::from(count)).sum()
    }

    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let counts = self.lock();
        PyList::new(py, counts.iter().map(|(pretoken, count)| (PyBytes::new(py, pretoken), count)))
    }
}

/// Counts the pretokens of texts and files.
#[pyclass(frozen, module = "bytepair._core")]
pub struct Counter(core::Counter);

#[pymethods]
impl Counter {
    #[new]
    fn new(py: Python<'_>, patterns: Vec<String>, special_tokens: Vec<String>, strict: bool) -> PyResult<Self> {
        let counter = Pretokenizer::new(&patterns).and_then(|cut| core::Counter::new(cut, &special_tokens));
        Ok(Self(counter.or_raise(py)?.strict(strict)))
    }

    fn count_texts(
        &self,
        py: Python<'_>,
        texts: Vec<TextArgument>,
        counts: &Counts,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut reporter = Reporter::new(progress, "read");
        let result = py.detach(|| {
            let texts: Vec<&[u8]> = texts.iter().map(|text| text.input().bytes()).collect();
            let mut report = |done| reporter.report(done, None);
            self.0.count_texts(&texts, threads, &mut counts.lock(), &mut report)
        });
        reporter.finish(py, result)
    }

    /// Counts a file as a stream.
    fn count_file(
        &self,
        py: Python<'_>,
        path: PathBuf,
        separator: Option<&[u8]>,
        counts: &Counts,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut file = File::open(&path)?;
        let mut reporter = Reporter::new(progress, "read");
        let result = py.detach(|| {
            let mut report = |done| reporter.report(done, None);
            self.0.count_reader(&mut file, separator, threads, &mut counts.lock(), &mut report)
        });
        reporter.finish(py, result)
    }
}

/// The merges that these counts give, as pairs of tokens, and why there are fewer than wanted, if so.
#[pyfunction]
#[pyo3(signature = (counts, merges, ties, min_count, max_token_length, progress))]
pub fn train<'py>(
    py: Python<'py>,
    counts: &Counts,
    merges: usize,
    ties: &str,
    min_count: u64,
    max_token_length: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyList>, Option<String>)> {
    let ties = ties.parse().map_err(|error| raise(py, error))?;
    let options = core::Options { merges, ties, min_count, max_token_length };
    let mut reporter = Reporter::new(progress, "merge");
    let counts = counts.lock().clone();
    let trained = py
        .detach(|| core::train(&counts, &options, &mut |done, total| reporter.report(done as u64, Some(total as u64))));
    let trained = reporter.finish(py, trained)?;
    let token = |id: u32| PyBytes::new(py, &trained.tokens[id as usize]);
    let pairs = PyList::new(py, trained.merges.iter().map(|&(left, right)| (token(left), token(right))))?;
    let stopped = trained.stopped_early.map(|stop| match stop {
        core::Stop::NoPairLeft => "no pair is left".to_owned(),
        core::Stop::BelowMinCount(count) => {
            format!("the best pair that is left occurs {count} times, fewer than `min_count`")
        }
    });
    Ok((pairs, stopped))
}

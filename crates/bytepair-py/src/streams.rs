//! `_core.EncodeStream` and `_core.DecodeStream`: the two that keep a state between calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytepair_core::decode;
use bytepair_core::stream;
use bytepair_core::tokenizer::{Specials, Tokenizer};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::errors::{named, OrRaise};
use crate::input::{detached, Ids, TextArgument};

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Encodes a text that comes in chunks.
#[pyclass(frozen, module = "bytepair._core")]
pub struct EncodeStream(Mutex<stream::EncodeStream>);

impl EncodeStream {
    pub fn new(py: Python<'_>, tokenizer: Arc<Tokenizer>, specials: Specials) -> PyResult<Self> {
        stream::EncodeStream::new(tokenizer, specials).or_raise(py).map(|stream| Self(Mutex::new(stream)))
    }
}

#[pymethods]
impl EncodeStream {
    /// Takes in more text and gives the ids that are settled by it.
    fn push<'py>(&self, py: Python<'py>, chunk: TextArgument) -> PyResult<Bound<'py, PyList>> {
        let data = chunk.input().bytes();
        let ids = detached(py, data.len(), || lock(&self.0).push(data)).or_raise(py)?;
        PyList::new(py, ids)
    }

    /// The ids of what is still held; the stream starts afresh.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let ids = py.detach(|| lock(&self.0).finish()).or_raise(py)?;
        PyList::new(py, ids)
    }
}

/// Decodes ids one by one into whole characters.
#[pyclass(frozen, module = "bytepair._core")]
pub struct DecodeStream {
    tokenizer: Arc<Tokenizer>,
    skip_special: bool,
    state: Mutex<decode::DecodeStream>,
}

impl DecodeStream {
    pub fn new(tokenizer: Arc<Tokenizer>, skip_special: bool) -> Self {
        Self { tokenizer, skip_special, state: Mutex::default() }
    }
}

#[pymethods]
impl DecodeStream {
    /// The text that this id completes: whole characters, often none.
    fn push<'py>(&self, py: Python<'py>, id: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let ids: Ids = PyTuple::new(py, [id])?.into_any().extract()?;
        let Some(token) = self.tokenizer.token(ids.ids[0]) else {
            let highest = self.tokenizer.bound() - 1;
            let message = format!("the id `{}` is no token of this vocabulary (highest id: {highest})", ids.shown(0));
            return Err(named(py, Some("VocabError"), message));
        };
        if self.skip_special && self.tokenizer.is_special(ids.ids[0]) {
            return Ok(PyString::new(py, ""));
        }
        Ok(PyString::new(py, &lock(&self.state).push(token)))
    }

    /// What is left: nothing, or U+FFFD for a character that was cut off; the stream starts afresh.
    fn finish<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &lock(&self.state).finish())
    }
}

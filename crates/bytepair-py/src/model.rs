//! `_core.Model`: vocabulary and merges.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytepair_core::bpe::merges::Merges;
use bytepair_core::bpe::Bpe;
use bytepair_core::format::{compact, gpt2, tiktoken};
use bytepair_core::vocab::{Vocab, MAX_ID};
use bytepair_core::Error;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors::OrRaise;

type Pair = (PyBackedBytes, PyBackedBytes);

/// A vocabulary with its merges; immutable.
#[pyclass(frozen, module = "bytepair._core")]
pub struct Model(pub Arc<Bpe>);

/// Ids of any size as far as the core takes them.
fn checked(py: Python<'_>, id: i64) -> PyResult<u32> {
    match u32::try_from(id) {
        Ok(id) if id <= MAX_ID => Ok(id),
        Ok(id) => Err(Error::IdTooLarge { id: id.into() }).or_raise(py),
        Err(_) => {
            let message =
                format!("the id `{id}` is negative, or above {MAX_ID}, the highest that a vocabulary may hold");
            Err(crate::errors::named(py, Some("VocabError"), message))
        }
    }
}

#[pymethods]
impl Model {
    /// From a merge list; `vocab` fixes the ids, else they are the 256 bytes and then the merges.
    #[staticmethod]
    fn from_merges(
        py: Python<'_>,
        merges: Vec<Pair>,
        vocab: Option<BTreeMap<i64, PyBackedBytes>>,
        ignore_merges: bool,
    ) -> PyResult<Self> {
        let tokens: Vec<(u32, Vec<u8>)> = match vocab {
            Some(vocab) => {
                vocab.iter().map(|(&id, token)| Ok((checked(py, id)?, token.to_vec()))).collect::<PyResult<_>>()?
            }
            None => {
                let bytes = (0..=255).map(|byte| vec![byte]);
                (0..).zip(bytes.chain(merges.iter().map(|(left, right)| [&left[..], right].concat()))).collect()
            }
        };
        py.detach(|| {
            let vocab = Vocab::new(tokens.iter().map(|(id, token)| (*id, &token[..])))?;
            let merges = Merges::from_list(&vocab, merges.iter().map(|(left, right)| (&left[..], &right[..])))?;
            Ok(Self(Arc::new(Bpe { vocab, merges, whole: ignore_merges })))
        })
        .or_raise(py)
    }

    /// From ranks, as tiktoken has them: the ids are the ranks.
    #[staticmethod]
    fn from_ranks(py: Python<'_>, ranks: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut tokens = Vec::with_capacity(ranks.len());
        for (token, rank) in ranks {
            tokens.push((checked(py, rank.extract()?)?, token.extract::<PyBackedBytes>()?));
        }
        tokens.sort_unstable_by_key(|(id, _)| *id);
        py.detach(|| {
            let vocab = Vocab::new(tokens.iter().map(|(id, token)| (*id, &token[..])))?;
            Ok(Self(Arc::new(Bpe::from_ranks(vocab))))
        })
        .or_raise(py)
    }

    /// From the contents of a `.tiktoken` file.
    #[staticmethod]
    fn from_tiktoken(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        py.detach(|| tiktoken::read(data)).or_raise(py).map(|model| Self(Arc::new(model)))
    }

    /// From the contents of GPT-2's `vocab.json` and `merges.txt`, with the entries that are no tokens of the model.
    #[staticmethod]
    fn from_gpt2(
        py: Python<'_>,
        vocab: &[u8],
        merges: &[u8],
        apart: Vec<String>,
        unmade_apart: bool,
    ) -> PyResult<(Self, Vec<(String, u32)>)> {
        let (model, others) = py.detach(|| gpt2::read(vocab, merges, &apart, unmade_apart)).or_raise(py)?;
        Ok((Self(Arc::new(model)), others))
    }

    /// From what `to_compact` gave.
    #[staticmethod]
    fn from_compact(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        py.detach(|| compact::read(data)).or_raise(py).map(|model| Self(Arc::new(model)))
    }

    fn to_tiktoken<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let data = py.detach(|| tiktoken::write(&self.0)).or_raise(py)?;
        Ok(PyBytes::new(py, &data))
    }

    /// The model in few bytes; equal models give equal bytes.
    fn to_compact<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| compact::write(&self.0)))
    }

    fn __len__(&self) -> usize {
        self.0.vocab.len()
    }

    /// The highest id + 1.
    #[getter]
    fn bound(&self) -> u32 {
        self.0.vocab.bound()
    }

    #[getter]
    fn ignore_merges(&self) -> bool {
        self.0.whole
    }

    fn vocab<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let vocab = PyDict::new(py);
        for (id, token) in self.0.vocab.iter() {
            vocab.set_item(id, PyBytes::new(py, token))?;
        }
        Ok(vocab)
    }

    fn merges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let token = |id| PyBytes::new(py, self.0.vocab.token(id).unwrap_or_default());
        PyList::new(py, self.0.merges.list().iter().map(|merge| (token(merge.left), token(merge.right))))
    }
}

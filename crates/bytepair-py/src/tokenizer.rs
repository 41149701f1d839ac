//! `_core.Tokenizer`: encode, decode, count, locate.

use std::ops::Range;
use std::sync::Arc;

use bytepair_core::batch::BatchError;
use bytepair_core::decode::Unknown;
use bytepair_core::format::{gpt2, huggingface, Parts};
use bytepair_core::normalize::Normalization;
use bytepair_core::offsets::OffsetUnit;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::AddedToken;
use bytepair_core::tokenizer::Input;
use bytepair_core::{tokenizer as core, Error};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::errors::{named, raise, OrRaise};
use crate::input::{detached, specials, Ids, SpecialArgument, TextArgument};
use crate::model::Model;
use crate::streams::{DecodeStream, EncodeStream};

/// text, id, special, lstrip, rstrip, single_word, normalized
type Added = (String, u32, bool, bool, bool, bool, bool);

fn added_token((text, id, special, lstrip, rstrip, single_word, normalized): Added) -> AddedToken {
    AddedToken { text, id, special, lstrip, rstrip, single_word, normalized }
}

/// A tokenizer; immutable.
#[pyclass(frozen, module = "bytepair._core")]
pub struct Tokenizer(pub Arc<core::Tokenizer>);

fn unknown_normalization(name: &str) -> String {
    let known = Normalization::ALL.map(|known| format!("\"{}\"", known.name()));
    format!("normalization=`{name}`: {} or None", known.join(", "))
}

fn batch_error(py: Python<'_>, BatchError { index, error }: BatchError) -> PyErr {
    let error = raise(py, error);
    // The same error as for one text alone, with the row that has it.
    let _ = error.value(py).call_method1("add_note", (format!("in text {index} of the batch"),));
    error
}

fn unknown(name: &str) -> PyResult<Unknown> {
    match name {
        "raise" => Ok(Unknown::Raise),
        "replace" => Ok(Unknown::Replace),
        "ignore" => Ok(Unknown::Ignore),
        other => Err(PyValueError::new_err(format!("unknown=`{other}`: one of \"raise\", \"replace\", \"ignore\""))),
    }
}

impl Tokenizer {
    fn parts(&self) -> Parts {
        Parts {
            model: self.0.model().clone(),
            patterns: self.0.pretokenizer().patterns().to_vec(),
            normalization: self.0.normalization(),
            added: self.0.added_tokens().to_vec(),
        }
    }

    fn decode_ids(&self, py: Python<'_>, ids: &Ids, skip_special: bool, unknown: Unknown) -> PyResult<Vec<u8>> {
        let decoded = detached(py, ids.ids.len(), || self.0.decode(&ids.ids, skip_special, unknown));
        decoded.map_err(|error| match error {
            Error::UnknownId { position, highest, .. } => {
                let id = ids.shown(position);
                let message = format!(
                    "the id `{id}` at position {position} is no token of this vocabulary (highest id: {highest})"
                );
                named(py, Some("VocabError"), message)
            }
            other => raise(py, other),
        })
    }

    fn encode_all(
        &self,
        py: Python<'_>,
        texts: &[TextArgument],
        specials: &core::Specials,
        threads: usize,
    ) -> PyResult<Vec<Vec<u32>>> {
        py.detach(|| self.0.batch(texts, threads, |text, scratch| self.0.encode_with(text.input(), specials, scratch)))
            .map_err(|error| batch_error(py, error))
    }
}

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(
        py: Python<'_>,
        model: &Model,
        patterns: Vec<String>,
        normalization: Option<&str>,
        added: Vec<Added>,
    ) -> PyResult<Self> {
        let normalization = normalization.map(|name| {
            Normalization::from_name(name).ok_or_else(|| PyValueError::new_err(unknown_normalization(name)))
        });
        let pretokenizer = Pretokenizer::new(&patterns).or_raise(py)?;
        let added = added.into_iter().map(added_token).collect();
        let tokenizer = core::Tokenizer::new(model.0.clone(), pretokenizer, added, normalization.transpose()?);
        Ok(Self(Arc::new(tokenizer.or_raise(py)?)))
    }

    /// From the contents of a `tokenizer.json`.
    #[staticmethod]
    fn from_huggingface(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let tokenizer = py.detach(|| huggingface::read(data).and_then(Parts::build));
        Ok(Self(Arc::new(tokenizer.or_raise(py)?)))
    }

    fn to_huggingface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let data = py.detach(|| huggingface::write(&self.parts()));
        Ok(PyBytes::new(py, &data.or_raise(py)?))
    }

    /// `vocab.json` and `merges.txt`.
    fn to_gpt2<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (vocab, merges) = py.detach(|| gpt2::write(&self.parts())).or_raise(py)?;
        Ok((PyBytes::new(py, &vocab), PyBytes::new(py, &merges)))
    }

    #[getter]
    fn model(&self) -> Model {
        Model(self.0.model().clone())
    }

    #[getter]
    fn patterns(&self) -> Vec<String> {
        self.0.pretokenizer().patterns().to_vec()
    }

    #[getter]
    fn normalization(&self) -> Option<&'static str> {
        self.0.normalization().map(Normalization::name)
    }

    #[getter]
    fn added(&self) -> Vec<Added> {
        let tokens = self.0.added_tokens().iter();
        tokens.map(|t| (t.text.clone(), t.id, t.special, t.lstrip, t.rstrip, t.single_word, t.normalized)).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The highest id + 1.
    #[getter]
    fn bound(&self) -> u32 {
        self.0.bound()
    }

    fn encode<'py>(
        &self,
        py: Python<'py>,
        text: TextArgument,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<Bound<'py, PyList>> {
        let specials = specials(allowed, disallowed);
        let ids = detached(py, text.input().bytes().len(), || self.0.encode(text.input(), &specials)).or_raise(py)?;
        PyList::new(py, ids)
    }

    fn encode_to_numpy<'py>(
        &self,
        py: Python<'py>,
        text: TextArgument,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let specials = specials(allowed, disallowed);
        let ids = detached(py, text.input().bytes().len(), || self.0.encode(text.input(), &specials)).or_raise(py)?;
        Ok(ids.into_pyarray(py))
    }

    fn encode_batch<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<TextArgument>,
        threads: usize,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<Bound<'py, PyList>> {
        let rows = self.encode_all(py, &texts, &specials(allowed, disallowed), threads)?;
        PyList::new(py, rows)
    }

    /// The ids of all texts one after another, as `uint16` or `uint32`, and where each text starts and ends.
    fn encode_batch_to_numpy<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<TextArgument>,
        threads: usize,
        wide: bool,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<i64>>)> {
        let rows = self.encode_all(py, &texts, &specials(allowed, disallowed), threads)?;
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        for row in &rows {
            offsets.push(offsets[offsets.len() - 1] + row.len() as i64);
        }
        let ids = if wide {
            py.detach(|| rows.concat()).into_pyarray(py).into_any()
        } else {
            let narrow =
                py.detach(|| rows.iter().flatten().map(|&id| u16::try_from(id)).collect::<Result<Vec<_>, _>>());
            narrow.map_err(|_| PyOverflowError::new_err("an id does not fit into 16 bits"))?.into_pyarray(py).into_any()
        };
        Ok((ids, offsets.into_pyarray(py)))
    }

    fn encode_stream(
        &self,
        py: Python<'_>,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<EncodeStream> {
        EncodeStream::new(py, self.0.clone(), specials(allowed, disallowed))
    }

    fn count(&self, py: Python<'_>, text: TextArgument, allowed: SpecialArgument) -> PyResult<usize> {
        detached(py, text.input().bytes().len(), || self.0.count(text.input(), &allowed.0)).or_raise(py)
    }

    fn count_batch<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<TextArgument>,
        threads: usize,
        allowed: SpecialArgument,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let count = |text: &TextArgument, scratch: &mut _| {
            self.0.count_with(text.input(), &allowed.0, usize::MAX, scratch).map(|count| count as i64)
        };
        let counts = py.detach(|| self.0.batch(&texts, threads, count)).map_err(|error| batch_error(py, error))?;
        Ok(counts.into_pyarray(py))
    }

    fn fits(&self, py: Python<'_>, text: TextArgument, max_tokens: usize) -> PyResult<bool> {
        detached(py, text.input().bytes().len(), || self.0.fits(text.input(), max_tokens)).or_raise(py)
    }

    /// The longest part that fits: at the beginning ("right" is cut off), at the end, or both around a mark.
    fn truncate<'py>(
        &self,
        py: Python<'py>,
        text: TextArgument,
        max_tokens: usize,
        side: &str,
        mark: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let input = text.input();
        let length = input.bytes().len();
        let kept = match side {
            "right" => detached(py, length, || self.0.prefix_length(input, max_tokens)).map(|end| (end, length, "")),
            "left" => detached(py, length, || self.0.suffix_start(input, max_tokens)).map(|start| (0, start, "")),
            "middle" => detached(py, length, || self.0.middle(input, max_tokens, mark)).and_then(|kept| {
                // Without room for the mark the part that is kept stands alone.
                let mark = if self.0.fits(Input::Text(mark), max_tokens)? { mark } else { "" };
                Ok(kept.map_or((length, length, ""), |(end, start)| (end, start, mark)))
            }),
            other => {
                return Err(PyValueError::new_err(format!("side `{other}`: one of \"right\", \"left\", \"middle\"")));
            }
        };
        let (end, start, mark) = kept.or_raise(py)?;
        let joined = [&input.bytes()[..end], mark.as_bytes(), &input.bytes()[start..]].concat();
        text.like(py, &joined)
    }

    fn chunks<'py>(
        &self,
        py: Python<'py>,
        text: TextArgument,
        max_tokens: usize,
        overlap: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let input = text.input();
        let length = input.bytes().len();
        let ranges = detached(py, length, || self.0.chunk_ranges(input, max_tokens, overlap)).or_raise(py)?;
        let pieces = ranges.into_iter().map(|range| text.like(py, &input.bytes()[range]));
        PyList::new(py, pieces.collect::<PyResult<Vec<_>>>()?)
    }

    fn offsets<'py>(
        &self,
        py: Python<'py>,
        text: TextArgument,
        bytes: bool,
        allowed: SpecialArgument,
        disallowed: SpecialArgument,
    ) -> PyResult<Bound<'py, PyList>> {
        let specials = specials(allowed, disallowed);
        let unit = if bytes { OffsetUnit::Byte } else { OffsetUnit::Char };
        let length = text.input().bytes().len();
        let offsets = detached(py, length, || self.0.offsets(text.input(), &specials, unit)).or_raise(py)?;
        PyList::new(py, offsets.into_iter().map(|Range { start, end }| (start, end)))
    }

    fn decode_bytes<'py>(
        &self,
        py: Python<'py>,
        ids: Ids,
        skip_special: bool,
        unknown: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.decode_ids(py, &ids, skip_special, self::unknown(unknown)?)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The text of ids, with U+FFFD for what is no UTF-8.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        ids: Ids,
        skip_special: bool,
        unknown: &str,
    ) -> PyResult<Bound<'py, PyString>> {
        let bytes = self.decode_ids(py, &ids, skip_special, self::unknown(unknown)?)?;
        Ok(PyString::new(py, &String::from_utf8_lossy(&bytes)))
    }

    fn decode_stream(&self, skip_special: bool) -> DecodeStream {
        DecodeStream::new(self.0.clone(), skip_special)
    }

    fn token_bytes<'py>(&self, py: Python<'py>, id: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let ids: Ids = PyTuple::new(py, [id])?.into_any().extract()?;
        match self.0.token(ids.ids[0]) {
            Some(token) => Ok(PyBytes::new(py, token)),
            None => {
                let highest = self.0.bound() - 1;
                let message =
                    format!("the id `{}` is no token of this vocabulary (highest id: {highest})", ids.shown(0));
                Err(named(py, Some("VocabError"), message))
            }
        }
    }

    fn token_id(&self, py: Python<'_>, token: TextArgument) -> PyResult<u32> {
        self.0.id(token.input().bytes()).or_raise(py)
    }

    fn pretokens<'py>(&self, py: Python<'py>, text: TextArgument) -> PyResult<Bound<'py, PyList>> {
        let pretokens = detached(py, text.input().bytes().len(), || self.0.pretokens(text.input())).or_raise(py)?;
        PyList::new(py, pretokens.iter().map(|pretoken| PyBytes::new(py, pretoken)))
    }

    /// The normalized data; ill-formed bytes stay as they are.
    fn normalize<'py>(&self, py: Python<'py>, text: TextArgument) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &detached(py, text.input().bytes().len(), || self.0.normalize(text.input().bytes())))
    }

    fn clear_cache(&self) {
        self.0.clear_cache();
    }
}

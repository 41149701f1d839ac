//! Arguments of calls: texts, ids, names of special tokens.

use std::borrow::Cow;

use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Specials};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};

/// A text as the caller gave it, kept alive while the GIL is released.
pub enum TextArgument {
    Text(PyBackedStr),
    /// A `str` that held surrogates: pairs joined, lone ones U+FFFD.
    Repaired(String),
    Data(PyBackedBytes),
    Copied(Vec<u8>),
}

impl TextArgument {
    pub fn input(&self) -> Input<'_> {
        match self {
            Self::Text(text) => Input::Text(text),
            Self::Repaired(text) => Input::Text(text),
            Self::Data(data) => Input::Data(data),
            Self::Copied(data) => Input::Data(data),
        }
    }
}

impl TextArgument {
    /// A part of the text as what the text was: `str` or `bytes`.
    pub fn like<'py>(&self, py: Python<'py>, part: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Text(_) | Self::Repaired(_) => PyString::from_bytes(py, part).map(Bound::into_any),
            Self::Data(_) | Self::Copied(_) => Ok(PyBytes::new(py, part).into_any()),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for TextArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return match PyBackedStr::try_from(text.to_owned()) {
                Ok(text) => Ok(Self::Text(text)),
                Err(_) => repaired(&text).map(Self::Repaired),
            };
        }
        if let Ok(data) = object.cast::<PyBytes>() {
            return Ok(Self::Data(PyBackedBytes::from(data.to_owned())));
        }
        // These may be changed by another thread while the GIL is released: they are copied.
        if object.cast::<PyByteArray>().is_ok() || object.cast::<PyMemoryView>().is_ok() {
            return Ok(Self::Copied(
                object
                    .call_method0("__bytes__")
                    .or_else(|_| object.py().get_type::<PyBytes>().call1((object,)))?
                    .extract()?,
            ));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected text (`str` or `bytes`), not `{kind}`")))
    }
}

/// A `str` with surrogates as text.
fn repaired(text: &Bound<'_, PyString>) -> PyResult<String> {
    let units: Vec<u8> = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?.extract()?;
    let units = units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    Ok(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// `allowed_special` or `disallowed_special`: `"all"` or a collection of names.
pub struct SpecialArgument(pub Allowed);

impl<'a, 'py> FromPyObject<'a, 'py> for SpecialArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return match text.to_str()? {
                "all" => Ok(Self(Allowed::All)),
                other => Err(PyTypeError::new_err(format!(
                    "expected \"all\" or a collection of special tokens, not the text `{other}`; did you mean {{`{other}`}}?"
                ))),
            };
        }
        let names = object.try_iter()?.map(|name| name?.extract::<String>()).collect::<PyResult<Vec<_>>>()?;
        Ok(Self(if names.is_empty() { Allowed::None } else { Allowed::Some(names) }))
    }
}

pub fn specials(allowed: SpecialArgument, disallowed: SpecialArgument) -> Specials {
    Specials { allowed: allowed.0, disallowed: disallowed.0 }
}

/// Ids as the caller gave them: a list, a NumPy array of any integer type, or any iterable of integers.
pub struct Ids {
    pub ids: Vec<u32>,
    /// Those that no `u32` can hold, by position; they stand in `ids` as `u32::MAX`, which no token has.
    outside: Vec<(usize, String)>,
}

impl Ids {
    fn push(&mut self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let position = self.ids.len();
        let number = match id.extract::<u32>() {
            Ok(number) => number,
            Err(_) => {
                // Not a number at all is a TypeError; a number out of range is an unknown id.
                let index = id.call_method0("__index__").map_err(|_| {
                    PyTypeError::new_err(format!("expected ids (integers); the one at position {position} is `{id}`"))
                })?;
                match index.extract::<u32>() {
                    Ok(number) => number,
                    Err(_) => {
                        self.outside.push((position, index.str()?.to_string()));
                        u32::MAX
                    }
                }
            }
        };
        self.ids.push(number);
        Ok(())
    }

    /// The id at a position, as given.
    pub fn shown(&self, position: usize) -> Cow<'_, str> {
        match self.outside.iter().find(|(at, _)| *at == position) {
            Some((_, shown)) => Cow::Borrowed(shown),
            None => Cow::Owned(self.ids[position].to_string()),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Ids {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.extract::<numpy::PyReadonlyArray1<'py, u32>>() {
            return Ok(Self { ids: array.as_array().to_vec(), outside: Vec::new() });
        }
        if object.cast::<PyString>().is_ok() || object.cast::<PyDict>().is_ok() {
            let kind = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected ids (integers), not `{kind}`")));
        }
        let mut ids = Self { ids: Vec::with_capacity(object.len().unwrap_or(0)), outside: Vec::new() };
        // A list of plain integers, which most are, is read in place: an iterator costs as much as decoding.
        match object.cast::<PyList>() {
            Ok(list) => list.iter().try_for_each(|id| ids.push(&id))?,
            Err(_) => object.try_iter()?.try_for_each(|id| ids.push(&id?))?,
        }
        Ok(ids)
    }
}

/// Below this many bytes an encoding takes less time than giving up the GIL and getting it back may.
const WORTH_DETACHING: usize = 2048;

/// Runs `work`, without the GIL where the work is long.
pub fn detached<R: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if bytes < WORTH_DETACHING {
        work()
    } else {
        py.detach(work)
    }
}

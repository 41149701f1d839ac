//! The core's errors as exceptions of `bytepair.errors`.

use bytepair_core::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The name of the exception class, `None` for a plain `ValueError`.
fn class_name(error: &Error) -> Option<&'static str> {
    use Error::*;
    match error {
        MissingByte { .. }
        | ByteOutsideVocab { .. }
        | DuplicateToken { .. }
        | DuplicateId { .. }
        | IdTooLarge { .. }
        | MergeOutsideVocab { .. }
        | DuplicateMerge { .. }
        | EmptyMergePart { .. }
        | UnknownId { .. }
        | UnknownToken { .. }
        | VocabSize { .. } => Some("VocabError"),
        EmptySpecial { .. }
        | SpecialIdShared { .. }
        | SpecialTwice { .. }
        | SpecialIdTaken { .. }
        | UnknownSpecial { .. }
        | DisallowedSpecial { .. } => Some("SpecialTokenError"),
        Pattern { .. } | EmptyPattern | PatternLimit { .. } => Some("PatternError"),
        Format { .. } | CannotHold { .. } | NotUtf8 { .. } => Some("FormatError"),
        TooMuchText { .. } => Some("BytepairError"),
        Option { .. } | Read(_) | Stopped => None,
    }
}

pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Read(error) => error.into(),
        other => named(py, class_name(&other), other.to_string()),
    }
}

/// An exception of this class of `bytepair.errors`.
pub fn named(py: Python<'_>, class: Option<&str>, message: String) -> PyErr {
    let Some(class) = class else { return PyValueError::new_err(message) };
    let exception = py.import("bytepair.errors").and_then(|errors| errors.getattr(class)?.call1((message,)));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// The core's result as Python's.
pub trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for bytepair_core::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, error))
    }
}

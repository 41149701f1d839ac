//! The Python face of bytepair-core: converts arguments, releases the GIL, maps errors. No algorithm lives here.

mod arrow;
mod errors;
mod input;
mod model;
mod streams;
mod tokenizer;
mod training;

use bytepair_core::pretokenize::named::NAMED;
use bytepair_core::pretokenize::unicode::UNICODE_VERSION;
use pyo3::prelude::*;

/// The named patterns: the regular expressions of each, one for each stage.
#[pyfunction]
fn named_patterns() -> Vec<(&'static str, Vec<&'static str>)> {
    NAMED.iter().map(|named| (named.name, named.stages.to_vec())).collect()
}

/// Checks that each stage compiles.
#[pyfunction]
fn check_patterns(py: Python<'_>, patterns: Vec<String>) -> PyResult<()> {
    bytepair_core::pretokenize::Pretokenizer::new(&patterns).map_err(|error| errors::raise(py, error)).map(drop)
}

#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("UNICODE_VERSION", UNICODE_VERSION)?;
    module.add_function(wrap_pyfunction!(named_patterns, module)?)?;
    module.add_function(wrap_pyfunction!(check_patterns, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_schema, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_array, module)?)?;
    module.add_class::<model::Model>()?;
    module.add_class::<tokenizer::Tokenizer>()?;
    module.add_class::<streams::EncodeStream>()?;
    module.add_class::<streams::DecodeStream>()?;
    module.add_class::<training::Counts>()?;
    module.add_class::<training::Counter>()?;
    module.add_function(wrap_pyfunction!(training::train, module)?)?;
    Ok(())
}

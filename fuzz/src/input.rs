//! The bytes of a fuzzer as a tokenizer and a text.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The first byte says how many fours of bytes are drawn from; the others are the text.
pub fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((&length, rest)) = data.split_first() else { return (&[], &[]) };
    rest.split_at(rest.len().min(4 * usize::from(length)))
}

/// The value that a strategy makes of these bytes, as if they were random; zeros follow the last of them.
pub fn draw<S: Strategy>(strategy: S, bytes: &[u8]) -> Option<S::Value> {
    let numbers = TestRng::from_seed(RngAlgorithm::PassThrough, bytes);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, numbers);
    // A strategy may refuse what it drew.
    strategy.new_tree(&mut runner).ok().map(|tree| tree.current())
}

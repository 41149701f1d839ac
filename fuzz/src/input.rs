//! The bytes of a fuzzer as a tokenizer and a text.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The first byte says how many fours of bytes are drawn from; the others are the text.
pub fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let Some((&length, rest)) = data.split_first() else { return (&[], &[]) };
    rest.split_at(rest.len().min(4 * usize::from(length)))
}

/// More bytes than any strategy here draws.
const ENOUGH: usize = 1 << 16;

/// The value that a strategy makes of these bytes, as if they were random.
///
/// Sampling a range draws until a number is accepted, and zero often is not. So that zeros, which fuzzers like and which
/// would follow the last byte, do not go on for ever, the bytes are laid over a fixed stream of numbers.
pub fn draw<S: Strategy>(strategy: S, bytes: &[u8]) -> Option<S::Value> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut laid = Vec::with_capacity(ENOUGH);
    while laid.len() < ENOUGH {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        laid.extend_from_slice(&state.to_le_bytes());
    }
    laid.iter_mut().zip(bytes).for_each(|(number, byte)| *number ^= byte);
    let numbers = TestRng::from_seed(RngAlgorithm::PassThrough, &laid);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, numbers);
    // A strategy may refuse what it drew.
    strategy.new_tree(&mut runner).ok().map(|tree| tree.current())
}

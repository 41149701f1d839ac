//! The slow twins and the strategies of the property tests; not all of them are for fuzzing.
#![allow(dead_code)]

#[path = "../../crates/bytepair-core/tests/support/oracle.rs"]
pub mod oracle;
#[path = "../../crates/bytepair-core/tests/support/random.rs"]
pub mod random;

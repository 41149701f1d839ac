//! Texts → merges.

use bytepair_core::train::{self, naive, Counter, Counts, Options, Ties};
use proptest::prelude::*;

use crate::input::{draw, split};
use crate::support::random::patterns;

const TIES: [Ties; 4] = [Ties::Bytes, Ties::Ids, Ties::First, Ties::HuggingFace];

pub fn train(data: &[u8]) {
    let (drawn, text) = split(data);
    let options = (0..60usize, 0..5u64, prop::option::of(0..9usize), 0..patterns().len(), 1..9usize, 1..4usize);
    let Some((merges, min_count, max_token_length, pattern, block, threads)) = draw(options, drawn) else { return };
    let counter = Counter::new(patterns()[pattern].clone(), &["<|a|>".to_owned()]).expect("one special token");
    let (mut counts, mut in_parts) = (Counts::new(), Counts::new());
    counter.count_text(text, &mut counts).expect("nothing is refused");
    counter
        .count_blocks(&mut &*text, None, threads, block, &mut in_parts, &mut |_| Ok(()))
        .expect("nothing is refused");
    assert!(counts.iter().eq(in_parts.iter()), "blocks of {block} bytes");
    for ties in TIES {
        let options = Options { merges, ties, min_count, max_token_length };
        let found = train::train(&counts, &options, &mut |_, _| Ok(())).expect("the options are in range");
        assert_eq!(found, naive::train(&counts, &options).expect("the options are in range"), "{ties:?}");
    }
}

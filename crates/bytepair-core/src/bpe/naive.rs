//! The oracle: the definition of BPE and nothing else. Quadratic; every other algorithm must give what this gives.

use super::merges::{Merges, Pairs, NO_RANK};
use crate::vocab::Vocab;

/// By a merge list: merge the pair of lowest rank, leftmost first, until no pair merges.
pub fn merge(merges: &Merges, symbols: &mut Vec<u32>) {
    loop {
        let ranks = symbols.windows(2).map(|pair| merges.rank(pair[0], pair[1]));
        match ranks.zip(0..).min() {
            Some((rank, at)) if rank != NO_RANK => {
                symbols[at] = merges.id(rank);
                symbols.remove(at + 1);
            }
            _ => return,
        }
    }
}

/// By ranks, as tiktoken defines it: merge the neighbours whose bytes joined are the token of lowest id.
pub fn merge_by_ranks(vocab: &Vocab, bytes: &[u8]) -> Vec<u32> {
    let mut ends: Vec<usize> = (0..=bytes.len()).collect();
    loop {
        let ids = ends.windows(3).map(|cut| vocab.id(&bytes[cut[0]..cut[2]]));
        match ids.zip(1..).filter_map(|(id, at)| Some((id?, at))).min() {
            Some((_, at)) => ends.remove(at),
            None => break,
        };
    }
    let symbol = |cut: &[usize]| vocab.id(&bytes[cut[0]..cut[1]]).expect("every symbol is a token: a byte or a merge");
    ends.windows(2).map(symbol).collect()
}

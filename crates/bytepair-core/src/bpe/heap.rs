//! For a pretoken of any length: n · log n, no recursion.
//!
//! The symbols are a doubly linked list over their first positions; a heap holds every pair that may merge, lowest rank
//! first and leftmost first among equals. An entry whose pair has changed since is recognised by its rank and dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::merges::{Pairs, NO_RANK};

const NONE: u32 = u32::MAX;
/// Marks a position whose symbol was merged into the one before it.
const MERGED: u32 = u32::MAX;

pub fn merge(merges: &impl Pairs, symbols: &mut Vec<u32>) {
    let length = symbols.len() as u32;
    let mut next: Vec<u32> = (1..=length).collect();
    let mut previous: Vec<u32> = (0..length).map(|at| at.wrapping_sub(1)).collect();
    if let Some(last) = next.last_mut() {
        *last = NONE;
    }
    let pairs = symbols.windows(2).zip(0..).map(|(pair, at): (_, u32)| (merges.rank(pair[0], pair[1]), at));
    let mut heap: BinaryHeap<_> = pairs.filter(|&(rank, _)| rank != NO_RANK).map(Reverse).collect();
    while let Some(Reverse((rank, at))) = heap.pop() {
        let right = next[at as usize];
        // A merged position has no symbol, so that no pair of it has a rank.
        if right == NONE
            || symbols[at as usize] == MERGED
            || merges.rank(symbols[at as usize], symbols[right as usize]) != rank
        {
            continue;
        }
        symbols[at as usize] = merges.id(rank);
        symbols[right as usize] = MERGED;
        let after = next[right as usize];
        next[at as usize] = after;
        if after != NONE {
            previous[after as usize] = at;
            push(&mut heap, merges.rank(symbols[at as usize], symbols[after as usize]), at);
        }
        let before = previous[at as usize];
        if before != NONE {
            push(&mut heap, merges.rank(symbols[before as usize], symbols[at as usize]), before);
        }
    }
    symbols.retain(|&symbol| symbol != MERGED);
}

fn push(heap: &mut BinaryHeap<Reverse<(u32, u32)>>, rank: u32, at: u32) {
    if rank != NO_RANK {
        heap.push(Reverse((rank, at)));
    }
}

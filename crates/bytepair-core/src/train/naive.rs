//! The rules as they stand: every pair is counted anew at each step. The judge of the fast trainer.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{check, huggingface_number, Counts, Options, Stop, Ties, Trained};
use crate::error::Result;

pub fn train(counts: &Counts, options: &Options) -> Result<Trained> {
    check(counts, options)?;
    let mut words: Vec<(Vec<u32>, u64)> =
        counts.iter().map(|(pretoken, count)| (pretoken.iter().map(|&byte| byte.into()).collect(), count)).collect();
    let mut trained = Trained::new();
    while trained.merges.len() < options.merges {
        let pairs = count_pairs(&words, &trained, options.max_token_length);
        let best = pairs.iter().map(|&(_, count)| count).max();
        match best {
            None => trained.stopped_early = Some(Stop::NoPairLeft),
            Some(best) if best < options.min_count => trained.stopped_early = Some(Stop::BelowMinCount(best)),
            Some(best) => {
                let tied = pairs.iter().filter(|&&(_, count)| count == best).map(|&(pair, _)| pair);
                let pair = choose(tied, &trained, options.ties);
                let id = trained.push(pair, best);
                for (symbols, _) in &mut words {
                    merge(symbols, pair, id);
                }
                continue;
            }
        }
        break;
    }
    Ok(trained)
}

/// The pairs that may be merged with their counts, in order of first occurrence.
fn count_pairs(words: &[(Vec<u32>, u64)], trained: &Trained, longest: Option<usize>) -> Vec<((u32, u32), u64)> {
    let mut pairs = Vec::new();
    let mut places = HashMap::new();
    let length = |id: u32| trained.tokens[id as usize].len();
    for (symbols, count) in words {
        for pair in symbols.windows(2).map(|pair| (pair[0], pair[1])) {
            if longest.is_none_or(|longest| length(pair.0) + length(pair.1) <= longest) {
                let place = *places.entry(pair).or_insert(pairs.len());
                if place == pairs.len() {
                    pairs.push((pair, 0));
                }
                pairs[place].1 += count;
            }
        }
    }
    pairs
}

/// The tied pairs come in order of first occurrence.
fn choose(mut tied: impl Iterator<Item = (u32, u32)>, trained: &Trained, ties: Ties) -> (u32, u32) {
    let token = |id: u32| &trained.tokens[id as usize];
    let chosen = match ties {
        Ties::Bytes => tied.max_by_key(|&(left, right)| (token(left), token(right))),
        Ties::Ids => tied.max(),
        Ties::First => tied.next(),
        Ties::HuggingFace => {
            tied.max_by_key(|&(left, right)| Reverse((huggingface_number(left), huggingface_number(right))))
        }
    };
    chosen.expect("at least one pair has the highest count")
}

/// Left to right, without overlap.
fn merge(symbols: &mut Vec<u32>, (left, right): (u32, u32), id: u32) {
    let mut merged = Vec::with_capacity(symbols.len());
    let mut rest = &symbols[..];
    while let [first, after @ ..] = rest {
        if *first == left && after.first() == Some(&right) {
            merged.push(id);
            rest = &after[1..];
        } else {
            merged.push(*first);
            rest = after;
        }
    }
    *symbols = merged;
}

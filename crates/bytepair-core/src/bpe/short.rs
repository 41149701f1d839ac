//! For the usual pretoken, of some dozen bytes: an array of symbols and one of ranks, searched from end to end.
//! Quadratic, and faster than anything with pointers up to a hundred bytes or so.

use super::merges::{Merges, Pairs, NO_RANK};

/// Above this many symbols [`super::heap`] is used.
pub const LONGEST: usize = 96;

pub fn merge(merges: &Merges, symbols: &mut Vec<u32>) {
    if symbols.len() > LONGEST {
        return super::heap::merge(merges, symbols);
    }
    // ranks[i] belongs to the pair (symbols[i], symbols[i + 1]).
    let mut ranks = [NO_RANK; LONGEST];
    let mut length = symbols.len();
    for i in 1..length {
        ranks[i - 1] = merges.rank(symbols[i - 1], symbols[i]);
    }
    while length > 1 {
        let (mut at, mut lowest) = (0, ranks[0]);
        for (i, &rank) in ranks[1..length - 1].iter().enumerate() {
            if rank < lowest {
                (at, lowest) = (i + 1, rank);
            }
        }
        if lowest == NO_RANK {
            break;
        }
        symbols[at] = merges.id(lowest);
        symbols.copy_within(at + 2..length, at + 1);
        ranks.copy_within(at + 1..length - 1, at);
        length -= 1;
        if at > 0 {
            ranks[at - 1] = merges.rank(symbols[at - 1], symbols[at]);
        }
        ranks[at] = if at + 1 < length { merges.rank(symbols[at], symbols[at + 1]) } else { NO_RANK };
    }
    symbols.truncate(length);
}

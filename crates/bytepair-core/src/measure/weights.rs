//! The fewest tokens that some bytes can be.

use std::ops::Range;

use crate::special::AddedToken;
use crate::vocab::Vocab;

/// One token, in the unit of [`Weights::of`].
pub const TOKEN: u64 = 1 << 31;

/// What share of a token a byte between its neighbours is at least.
///
/// *Weight*: a token of *n* bytes holds no byte whose longest token is shorter, so the shares of its bytes, each
/// 1 / (length of the longest token that can hold this byte here), sum up to at most 1. Therefore
///
/// - bytes that weigh more than *n* tokens are more than *n* tokens, however they are cut;
/// - a token that starts before and ends after some bytes does not exist if they weigh 1 or more.
///
/// A token of more than one byte holds the byte together with one of its neighbours: so the longest token with either
/// pair is long enough.
pub struct Weights {
    /// For each pair of bytes, `TOKEN` / (length of the longest token that holds it).
    pairs: Box<[u32]>,
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

impl Weights {
    /// For a vocabulary and the added tokens that always match.
    pub fn new(vocab: &Vocab, added: &[AddedToken]) -> Self {
        let mut pairs = vec![TOKEN as u32; 1 << 16].into_boxed_slice();
        let always = added.iter().filter(|token| !token.special).map(|token| token.text.as_bytes());
        for token in vocab.iter().map(|(_, token)| token).chain(always) {
            let share = (TOKEN / token.len().max(1) as u64) as u32;
            for bytes in token.windows(2) {
                let known = &mut pairs[pair(bytes[0], bytes[1])];
                *known = share.min(*known);
            }
        }
        Self { pairs }
    }

    /// The weight of the byte at `at`.
    pub fn of(&self, data: &[u8], at: usize) -> u64 {
        let before = at.checked_sub(1).map_or(TOKEN as u32, |before| self.pairs[pair(data[before], data[at])]);
        let after = data.get(at + 1).map_or(TOKEN as u32, |&after| self.pairs[pair(data[at], after)]);
        before.min(after).into()
    }

    pub fn of_all(&self, data: &[u8], range: Range<usize>) -> u128 {
        range.map(|at| u128::from(self.of(data, at))).sum()
    }

    /// How many of the bytes at `places` it takes, from the first on, to weigh more than `tokens` tokens; all of them if
    /// they do not.
    pub fn heavy(&self, data: &[u8], places: impl ExactSizeIterator<Item = usize>, tokens: usize) -> usize {
        let length = places.len();
        let mut left = u128::from(TOKEN) * tokens as u128;
        for (passed, at) in places.enumerate() {
            match left.checked_sub(u128::from(self.of(data, at))) {
                Some(less) => left = less,
                None => return passed + 1,
            }
        }
        length
    }
}

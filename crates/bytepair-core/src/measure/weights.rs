//! The fewest tokens that some bytes can be.

use crate::special::AddedToken;
use crate::vocab::Vocab;

/// One token, in the unit of [`Weights::of`].
pub const TOKEN: u64 = 1 << 32;

/// What share of a token each byte is at least.
///
/// *Weight*: a token of *n* bytes holds none whose longest token is shorter, so the shares of its bytes, each 1 / (length
/// of the longest token that holds this byte), sum up to at most 1. Therefore
///
/// - bytes that weigh more than *n* tokens are more than *n* tokens, however they are cut;
/// - a token that starts before and ends after some bytes does not exist if they weigh 1 or more.
pub struct Weights([u64; 256]);

impl Weights {
    /// For a vocabulary and the added tokens that always match.
    pub fn new(vocab: &Vocab, added: &[AddedToken]) -> Self {
        let mut longest = [1u64; 256];
        let always = added.iter().filter(|token| !token.special).map(|token| token.text.as_bytes());
        for token in vocab.iter().map(|(_, token)| token).chain(always) {
            for &byte in token {
                let known = &mut longest[usize::from(byte)];
                *known = (*known).max(token.len() as u64);
            }
        }
        Self(longest.map(|length| TOKEN / length))
    }

    pub fn of(&self, byte: u8) -> u64 {
        self.0[usize::from(byte)]
    }

    pub fn of_all(&self, bytes: &[u8]) -> u128 {
        bytes.iter().map(|&byte| u128::from(self.of(byte))).sum()
    }

    /// How many bytes it takes, from the first on, to weigh more than `tokens` tokens; all of them if they do not.
    pub fn heavy<'a>(&self, bytes: impl ExactSizeIterator<Item = &'a u8>, tokens: usize) -> usize {
        let length = bytes.len();
        let mut left = u128::from(TOKEN) * tokens as u128;
        for (passed, &byte) in bytes.enumerate() {
            match left.checked_sub(u128::from(self.of(byte))) {
                Some(less) => left = less,
                None => return passed + 1,
            }
        }
        length
    }
}

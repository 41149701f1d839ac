//! A pretoken in sixteen bytes: itself, if it is short, or where it stands.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// The last byte is the length of a short pretoken, whose bytes come first, or `LONG`: then the first eight bytes are
/// where it starts and the next seven its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key([u8; 16]);

const LONG: u8 = u8::MAX;

impl Key {
    /// The key of a pretoken of at most 15 bytes.
    #[inline]
    pub fn short(pretoken: &[u8]) -> Option<Self> {
        let length = pretoken.len();
        // Two loads that overlap, instead of a copy of any length, which would be a call.
        let (low, high) = match length {
            0 => (0, 0),
            1..4 => {
                let [first, middle, last] = [pretoken[0], pretoken[length / 2], pretoken[length - 1]].map(u64::from);
                (first | middle << (8 * (length / 2)) | last << (8 * (length - 1)), 0)
            }
            4..8 => {
                let (first, last) = (pretoken.first_chunk()?, pretoken.last_chunk()?);
                let [first, last] = [first, last].map(|&chunk| u64::from(u32::from_le_bytes(chunk)));
                (first | last << (8 * (length - 4)), 0)
            }
            8..16 => {
                let [first, last] = [pretoken.first_chunk()?, pretoken.last_chunk()?].map(|&c| u64::from_le_bytes(c));
                // The shift is made in two, for 16 - length may be 8, and 64 bits cannot be shifted out at once.
                (first, (last >> (8 * (15 - length))) >> 8)
            }
            _ => return None,
        };
        let key = u128::from(low) | u128::from(high) << 64 | (length as u128) << 120;
        Some(Self(key.to_le_bytes()))
    }

    pub fn long(start: usize, length: usize) -> Self {
        let key = start as u128 | (length as u128) << 64 | u128::from(LONG) << 120;
        Self(key.to_le_bytes())
    }

    #[inline]
    pub fn bytes<'a>(&'a self, long: &'a [u8]) -> &'a [u8] {
        match self.0[15] {
            LONG => {
                let key = u128::from_le_bytes(self.0);
                let (start, length) = (key as u64 as usize, (key << 8 >> 72) as usize);
                &long[start..start + length]
            }
            length => &self.0[..length as usize],
        }
    }

    #[inline]
    pub fn hash(self) -> u32 {
        (FixedState::default().hash_one(u128::from_le_bytes(self.0)) >> 32) as u32
    }
}

#[inline]
pub fn hash_long(pretoken: &[u8]) -> u32 {
    (FixedState::default().hash_one(pretoken) >> 32) as u32
}

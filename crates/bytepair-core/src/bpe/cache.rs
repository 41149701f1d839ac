//! The ids of pretokens seen before. Bounded: a new entry takes the place of the one in its slot.

const SLOTS: usize = 1 << 16;
const KEY: usize = 15;
const IDS: usize = 4;

/// A pretoken of up to 15 bytes with up to 4 ids: two to a cache line, and more than nine in ten pretokens of most texts.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Entry {
    key: [u8; KEY],
    /// Key length in the low four bits (0: free), number of ids in the high four.
    lengths: u8,
    ids: [u32; IDS],
}

/// The slots are made when the first pretoken comes: a tokenizer that only decodes holds none.
#[derive(Default)]
pub struct Cache {
    slots: Vec<Entry>,
}

impl Cache {
    #[inline]
    fn key(pretoken: &[u8]) -> Option<([u8; KEY], u8)> {
        let mut key = [0; KEY];
        key.get_mut(..pretoken.len())?.copy_from_slice(pretoken);
        Some((key, pretoken.len() as u8))
    }

    #[inline]
    fn slot(key: &[u8; KEY], length: u8) -> usize {
        let low = u64::from_le_bytes(key[..8].try_into().expect("8 bytes"));
        let high = u64::from_le_bytes(key[7..].try_into().expect("8 bytes")) ^ u64::from(length);
        let product = u128::from(low ^ 0x9e37_79b9_7f4a_7c15) * u128::from(high ^ 0xd6e8_feb8_6659_fd93);
        ((product >> 64) as u64 ^ product as u64) as usize % SLOTS
    }

    #[inline]
    fn find(&self, pretoken: &[u8]) -> Option<&Entry> {
        let (key, length) = Self::key(pretoken)?;
        let entry = self.slots.get(Self::slot(&key, length))?;
        (entry.lengths & 15 == length && entry.key == key).then_some(entry)
    }

    /// Appends the ids of a pretoken that is known.
    #[inline]
    pub fn append(&self, pretoken: &[u8], ids: &mut Vec<u32>) -> bool {
        match self.find(pretoken) {
            Some(entry) => {
                ids.extend_from_slice(&entry.ids[..usize::from(entry.lengths >> 4)]);
                true
            }
            None => false,
        }
    }

    #[inline]
    pub fn count(&self, pretoken: &[u8]) -> Option<usize> {
        self.find(pretoken).map(|entry| usize::from(entry.lengths >> 4))
    }

    #[inline]
    pub fn insert(&mut self, pretoken: &[u8], ids: &[u32]) {
        let (Some((key, length)), true) = (Self::key(pretoken), ids.len() <= IDS) else {
            return;
        };
        if self.slots.is_empty() {
            self.slots = vec![Entry { key: [0; KEY], lengths: 0, ids: [0; IDS] }; SLOTS];
        }
        let entry = &mut self.slots[Self::slot(&key, length)];
        entry.key = key;
        entry.lengths = length | (ids.len() as u8) << 4;
        entry.ids[..ids.len()].copy_from_slice(ids);
    }
}

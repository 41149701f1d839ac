//! Different pretokens and how often each occurs.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Pretokens with 64-bit counts, in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// All pretokens, one after another.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    index: HashTable<usize>,
}

#[derive(Clone, Debug)]
struct Entry {
    hash: u64,
    /// Where the pretoken ends in `bytes`; it starts where the one before it ends.
    end: usize,
    count: u64,
}

fn hash(pretoken: &[u8]) -> u64 {
    FixedState::default().hash_one(pretoken)
}

impl Counts {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `count` occurrences; none at all, or an empty pretoken, leaves no trace. A count stops at `u64::MAX`.
    pub fn add(&mut self, pretoken: &[u8], count: u64) {
        if count > 0 && !pretoken.is_empty() {
            self.add_hashed(hash(pretoken), pretoken, count);
        }
    }

    fn add_hashed(&mut self, hash: u64, pretoken: &[u8], count: u64) {
        let found = self.index.find(hash, |&index| {
            self.entries[index].hash == hash && bytes_of(&self.bytes, &self.entries, index) == pretoken
        });
        match found {
            Some(&index) => self.entries[index].count = self.entries[index].count.saturating_add(count),
            None => {
                self.bytes.extend_from_slice(pretoken);
                self.index.insert_unique(hash, self.entries.len(), |&index| self.entries[index].hash);
                self.entries.push(Entry { hash, end: self.bytes.len(), count });
            }
        }
    }

    /// Adds the counts of texts that come after those counted here.
    pub fn merge(&mut self, later: Counts) {
        if self.is_empty() {
            *self = later;
            return;
        }
        for (index, entry) in later.entries.iter().enumerate() {
            self.add_hashed(entry.hash, bytes_of(&later.bytes, &later.entries, index), entry.count);
        }
    }

    pub fn get(&self, pretoken: &[u8]) -> u64 {
        let hash = hash(pretoken);
        let found = self.index.find(hash, |&index| bytes_of(&self.bytes, &self.entries, index) == pretoken);
        found.map_or(0, |&index| self.entries[index].count)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u64)> + '_ {
        let pretoken = |(index, entry): (usize, &Entry)| (bytes_of(&self.bytes, &self.entries, index), entry.count);
        self.entries.iter().enumerate().map(pretoken)
    }

    /// How many different pretokens there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many pretokens there are in all, each as often as it occurs; `None` above `u64::MAX`.
    pub fn total(&self) -> Option<u64> {
        self.entries.iter().try_fold(0u64, |total, entry| total.checked_add(entry.count))
    }

    /// The lengths of the different pretokens, added up.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

fn bytes_of<'a>(bytes: &'a [u8], entries: &[Entry], index: usize) -> &'a [u8] {
    let start = index.checked_sub(1).map_or(0, |before| entries[before].end);
    &bytes[start..entries[index].end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_first_appearance() {
        let mut counts = Counts::new();
        for word in ["b", "a", "b", "", "c"] {
            counts.add(word.as_bytes(), 2);
        }
        counts.add(b"never", 0);
        let mut later = Counts::new();
        later.add(b"d", 1);
        later.add(b"a", 1 << 40);
        counts.merge(later);
        let expected: [(&[u8], u64); 4] = [(b"b", 4), (b"a", (1 << 40) + 2), (b"c", 2), (b"d", 1)];
        assert!(counts.iter().eq(expected));
        assert_eq!((counts.len(), counts.bytes(), counts.total()), (4, 4, Some((1 << 40) + 9)));
        assert_eq!((counts.get(b"c"), counts.get(b"e")), (2, 0));
    }

    #[test]
    fn counts_do_not_wrap_round() {
        let mut counts = Counts::new();
        counts.add(b"a", u64::MAX);
        counts.add(b"a", 1);
        counts.add(b"b", 1);
        assert_eq!((counts.get(b"a"), counts.total()), (u64::MAX, None));
    }
}

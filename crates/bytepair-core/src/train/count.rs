//! Different pretokens and how often each occurs.

mod key;

use key::Key;

/// Pretokens with 64-bit counts, in order of first appearance.
///
/// A slot of the table and an entry are all that a short pretoken needs: what occurs often appears early, so that
/// the entries that are asked for most stand together at the front and stay in the cache.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    entries: Vec<Entry>,
    /// The bytes of those pretokens that do not fit into a key, one after another.
    long: Vec<u8>,
    /// The lengths of all different pretokens, added up.
    length: usize,
    /// Open addressing with linear probing, at most half full: for an entry the top 32 bits of its hash, which say
    /// where its search starts, over its number plus 1; 0 where nothing is.
    slots: Vec<u64>,
}

/// How many pretokens are looked at ahead.
const BATCH: usize = 32;

#[derive(Clone, Debug)]
struct Entry {
    key: Key,
    count: u64,
}

impl Counts {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `count` occurrences; none at all, or an empty pretoken, leaves no trace. A count stops at `u64::MAX`.
    #[inline]
    pub fn add(&mut self, pretoken: &[u8], count: u64) {
        if count == 0 || pretoken.is_empty() {
            return;
        }
        self.reserve(1);
        self.add_reserved(pretoken, count);
    }

    /// Adds one occurrence of each, in order. None may be empty.
    ///
    /// The slots of some are looked at before the work on them begins: these loads are independent, so that the
    /// processor waits for all of them at once.
    pub fn add_each(&mut self, pretokens: &[&[u8]]) {
        for batch in pretokens.chunks(BATCH) {
            self.reserve(batch.len());
            let mut ahead = [(Key::default(), 0, 0); BATCH];
            for (ahead, pretoken) in ahead.iter_mut().zip(batch) {
                if let Some(key) = Key::short(pretoken) {
                    let hash = key.hash();
                    *ahead = (key, hash, self.slots[self.start(hash)]);
                }
            }
            for ((key, hash, held), pretoken) in ahead.into_iter().zip(batch) {
                let entry = self.entries.get_mut((held as u32).wrapping_sub(1) as usize);
                match entry.filter(|entry| (held >> 32) as u32 == hash && entry.key == key) {
                    Some(entry) => entry.count = entry.count.saturating_add(1),
                    None => self.add_reserved(pretoken, 1),
                }
            }
        }
    }

    fn reserve(&mut self, more: usize) {
        if self.slots.len() < 2 * (self.entries.len() + more) {
            self.grow();
        }
    }

    fn add_reserved(&mut self, pretoken: &[u8], count: u64) {
        let (hash, slot, found) = self.find(pretoken);
        match found {
            Some(index) => self.entries[index].count = self.entries[index].count.saturating_add(count),
            None => self.insert(pretoken, count, hash, slot),
        }
    }

    /// The hash, the slot where the search ends, and the entry's number.
    #[inline]
    fn find(&self, pretoken: &[u8]) -> (u32, usize, Option<usize>) {
        let key = Key::short(pretoken);
        let hash = key.map_or_else(|| key::hash_long(pretoken), Key::hash);
        let mut slot = self.start(hash);
        loop {
            let held = self.slots[slot];
            if held == 0 {
                return (hash, slot, None);
            }
            if (held >> 32) as u32 == hash {
                let index = (held as u32 - 1) as usize;
                let same = match key {
                    Some(key) => self.entries[index].key == key,
                    None => self.entries[index].key.bytes(&self.long) == pretoken,
                };
                if same {
                    return (hash, slot, Some(index));
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn start(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[cold]
    fn insert(&mut self, pretoken: &[u8], count: u64, hash: u32, slot: usize) {
        let key = Key::short(pretoken).unwrap_or_else(|| {
            let start = self.long.len();
            self.long.extend_from_slice(pretoken);
            Key::long(start, pretoken.len())
        });
        self.length += pretoken.len();
        self.entries.push(Entry { key, count });
        self.slots[slot] = u64::from(hash) << 32 | self.entries.len() as u64;
    }

    #[cold]
    fn grow(&mut self) {
        let size = (4 * self.entries.len()).next_power_of_two().max(1 << 10);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for held in old.into_iter().filter(|&held| held != 0) {
            let mut slot = self.start((held >> 32) as u32);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = held;
        }
    }

    /// Adds the counts of texts that come after those counted here.
    pub fn merge(&mut self, later: Counts) {
        if self.is_empty() {
            *self = later;
            return;
        }
        for (pretoken, count) in later.iter() {
            self.add(pretoken, count);
        }
    }

    pub fn get(&self, pretoken: &[u8]) -> u64 {
        if self.slots.is_empty() || pretoken.is_empty() {
            return 0;
        }
        self.find(pretoken).2.map_or(0, |index| self.entries[index].count)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u64)> + '_ {
        self.entries.iter().map(|entry| (entry.key.bytes(&self.long), entry.count))
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
        self.length
    }
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
    fn pretokens_of_every_length_are_told_apart() {
        let bytes: Vec<u8> = (0..40).flat_map(|n: u8| [n, 0, 255]).collect();
        let mut counts = Counts::new();
        let mut different = std::collections::HashMap::new();
        for (start, length) in (0..bytes.len()).flat_map(|start| (1..40).map(move |length| (start, length))) {
            for pretoken in [&bytes[start..bytes.len().min(start + length)], &vec![0; length][..]] {
                counts.add(pretoken, 1);
                *different.entry(pretoken.to_vec()).or_insert(0) += 1;
            }
        }
        assert_eq!((counts.len(), counts.bytes()), (different.len(), different.keys().map(Vec::len).sum()));
        assert!(counts.iter().all(|(pretoken, count)| different[pretoken] == count && counts.get(pretoken) == count));
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

//! The merges of a model, and the table that encoding asks for a pair.

use super::heap;
use crate::error::{Error, Result};
use crate::vocab::Vocab;

/// A pair of ids and the id that it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    pub left: u32,
    pub right: u32,
    pub id: u32,
}

/// The rank of a pair that does not merge: above every rank.
pub const NO_RANK: u32 = u32::MAX;

/// The pairs that merge.
pub trait Pairs {
    /// The rank of a pair, `NO_RANK` where it does not merge.
    fn rank(&self, left: u32, right: u32) -> u32;
    /// The id that the merge of this rank makes.
    fn id(&self, rank: u32) -> u32;
}

/// Merges by rank, 0 first, and the rank of each pair.
#[derive(Clone)]
pub struct Merges {
    list: Vec<Merge>,
    table: PairTable,
}

impl Merges {
    /// A merge list, each merge as the bytes of its two parts.
    pub fn from_list<'a>(vocab: &Vocab, list: impl IntoIterator<Item = (&'a [u8], &'a [u8])>) -> Result<Self> {
        let list = list.into_iter();
        let mut merges = Vec::with_capacity(list.size_hint().0);
        let mut joined = Vec::new();
        for (index, (left, right)) in list.enumerate() {
            if left.is_empty() || right.is_empty() {
                return Err(Error::EmptyMergePart { index });
            }
            joined.clear();
            joined.extend_from_slice(left);
            joined.extend_from_slice(right);
            let find = |token: &[u8]| {
                vocab.id(token).ok_or_else(|| Error::MergeOutsideVocab {
                    index,
                    left: left.to_vec(),
                    right: right.to_vec(),
                    missing: token.to_vec(),
                })
            };
            merges.push(Merge { left: find(left)?, right: find(right)?, id: find(&joined)? });
        }
        Self::new(vocab, merges)
    }

    fn new(vocab: &Vocab, list: Vec<Merge>) -> Result<Self> {
        let mut table = PairTable::with_capacity(list.len());
        for (rank, merge) in list.iter().enumerate() {
            if let Some(first) = table.insert(merge.left, merge.right, rank as u32) {
                return Err(Error::DuplicateMerge {
                    index: rank,
                    first: first as usize,
                    left: vocab.bytes_of(merge.left).to_vec(),
                    right: vocab.bytes_of(merge.right).to_vec(),
                });
            }
        }
        Ok(Self { list, table })
    }

    /// The merges of a vocabulary whose ids are ranks, as tiktoken's are: two neighbours merge when their bytes joined
    /// are a token, the lowest id first.
    ///
    /// *One last merge*: while BPE runs, the symbols inside a stretch of bytes that no merge has crossed are those of
    /// that stretch encoded by itself. So a token always forms by the same last pair: the two symbols that are left when
    /// its bytes are merged alone. A token whose bytes end in more than two symbols never forms, and has no merge.
    pub fn from_ranks(vocab: &Vocab) -> Self {
        let mut merges = Self { list: Vec::with_capacity(vocab.len()), table: PairTable::with_capacity(vocab.len()) };
        let mut symbols = Vec::new();
        for (id, token) in longer(vocab) {
            // With the merges below `id` alone: if two symbols are left, higher ones could not have come in between,
            // since at every step there was a lower one.
            symbols.clear();
            symbols.extend(token.iter().map(|&byte| vocab.byte_id(byte)));
            super::short::merge(&merges, &mut symbols);
            match symbols[..] {
                [left, right] => merges.push(left, right, id),
                // It never forms, or only through a token with a higher id, which the merges so far leave out.
                _ => {
                    if let [left, right] = last_parts(vocab, token)[..] {
                        merges.push(left, right, id);
                    }
                }
            }
        }
        merges
    }

    fn push(&mut self, left: u32, right: u32, id: u32) {
        self.table.insert(left, right, self.list.len() as u32);
        self.list.push(Merge { left, right, id });
    }

    /// The merges by ids, as a file of ours holds them.
    pub fn from_ids(vocab: &Vocab, list: Vec<Merge>) -> Result<Self> {
        for (index, merge) in list.iter().enumerate() {
            let part = |id: u32| vocab.token(id).unwrap_or(b"");
            let (left, right, whole) = (part(merge.left), part(merge.right), part(merge.id));
            if left.is_empty() || right.is_empty() {
                return Err(Error::EmptyMergePart { index });
            }
            if whole.len() != left.len() + right.len() || !whole.starts_with(left) || !whole.ends_with(right) {
                let missing = [left, right].concat();
                return Err(Error::MergeOutsideVocab { index, left: left.to_vec(), right: right.to_vec(), missing });
            }
        }
        Self::new(vocab, list)
    }

    pub fn list(&self) -> &[Merge] {
        &self.list
    }
}

impl Pairs for Merges {
    #[inline]
    fn rank(&self, left: u32, right: u32) -> u32 {
        self.table.get(left, right)
    }

    #[inline]
    fn id(&self, rank: u32) -> u32 {
        self.list[rank as usize].id
    }
}

/// The tokens that merges may make.
fn longer(vocab: &Vocab) -> impl Iterator<Item = (u32, &[u8])> {
    vocab.iter().filter(|(_, token)| token.len() > 1 && vocab.spells(token))
}

/// A pair merges when its bytes joined are a token of fewer bytes than this; its rank is that token's id.
struct Joined<'a>(&'a Vocab, usize);

impl Pairs for Joined<'_> {
    fn rank(&self, left: u32, right: u32) -> u32 {
        let (left, right) = (self.0.bytes_of(left), self.0.bytes_of(right));
        if left.len() + right.len() >= self.1 {
            return NO_RANK;
        }
        self.0.id(&[left, right].concat()).unwrap_or(NO_RANK)
    }

    fn id(&self, rank: u32) -> u32 {
        rank
    }
}

/// What is left of a token's bytes when they are merged by ranks, short of the token itself.
fn last_parts(vocab: &Vocab, token: &[u8]) -> Vec<u32> {
    let mut symbols = token.iter().map(|&byte| vocab.byte_id(byte)).collect();
    heap::merge(&Joined(vocab, token.len()), &mut symbols);
    symbols
}

/// Open addressing with linear probing, at most half full: one cache line for most questions.
#[derive(Clone)]
struct PairTable {
    slots: Vec<(u64, u32)>,
    shift: u32,
}

const FREE: u64 = u64::MAX;

impl PairTable {
    fn with_capacity(pairs: usize) -> Self {
        let bits = (pairs.max(8) * 2).next_power_of_two().trailing_zeros();
        Self { slots: vec![(FREE, NO_RANK); 1 << bits], shift: 64 - bits }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        (((product >> 64) as u64 ^ product as u64) >> self.shift) as usize
    }

    /// Takes in a pair; gives the rank that it has already, and keeps that, where it is known.
    fn insert(&mut self, left: u32, right: u32, rank: u32) -> Option<u32> {
        let key = u64::from(left) << 32 | u64::from(right);
        let mut slot = self.slot(key);
        while self.slots[slot].0 != FREE {
            if self.slots[slot].0 == key {
                return Some(self.slots[slot].1);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = (key, rank);
        None
    }

    #[inline]
    fn get(&self, left: u32, right: u32) -> u32 {
        let key = u64::from(left) << 32 | u64::from(right);
        let mut slot = self.slot(key);
        loop {
            let (found, rank) = self.slots[slot];
            if found == key || found == FREE {
                return rank;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

//! Token ↔ id. A vocabulary proves its own consistency when it is built.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::error::{Error, Result};

/// A file may name any id; this bound keeps a single wild one from asking for gigabytes.
pub const MAX_ID: u32 = (1 << 24) - 1;

/// All tokens together: places in them fit in 32 bits, and a small file of parts cannot ask for gigabytes either.
pub const MAX_BYTES: usize = 1 << 28;

const GAP: u32 = u32::MAX;

/// Nearly all tokens are shorter: that many bytes are copied in one step, where a length that is not known costs a call.
const STRIDE: usize = 16;

/// The tokens of a model, special tokens apart.
///
/// *Complete alphabet*: each byte that occurs in UTF-8 is a token, so every text can be encoded. (GPT-NeoX has no tokens
/// for the others; data that holds one of those is refused when it is encoded.)
/// *One id*: no two ids hold the same bytes. (A token of no bytes may exist; nothing matches it.)
#[derive(Clone)]
pub struct Vocab {
    /// The tokens one after another, and `STRIDE` bytes that belong to none.
    bytes: Vec<u8>,
    /// By id: where the token stands in `bytes`, and its length, `GAP` for an id that nothing holds.
    spans: Vec<(u32, u32)>,
    index: HashTable<u32>,
    byte_ids: [u32; 256],
    length: usize,
    longest: usize,
}

fn hash(token: &[u8]) -> u64 {
    FixedState::default().hash_one(token)
}

impl Vocab {
    pub fn new<'a>(tokens: impl IntoIterator<Item = (u32, &'a [u8])>) -> Result<Self> {
        let tokens = tokens.into_iter();
        let expected = tokens.size_hint().0;
        let mut vocab = Self {
            bytes: Vec::with_capacity(expected * 8),
            spans: Vec::with_capacity(expected),
            index: HashTable::with_capacity(expected),
            byte_ids: [GAP; 256],
            length: 0,
            longest: 0,
        };
        for (id, token) in tokens {
            vocab.insert(id, token)?;
        }
        vocab.bytes.extend_from_slice(&[0; STRIDE]);
        let missing = vocab.missing_bytes().find(|&byte| occurs_in_utf8(byte));
        match missing {
            Some(byte) => Err(Error::MissingByte { byte }),
            None => Ok(vocab),
        }
    }

    fn insert(&mut self, id: u32, token: &[u8]) -> Result<()> {
        if id > MAX_ID {
            return Err(Error::IdTooLarge { id: id.into() });
        }
        if self.spans.len() <= id as usize {
            self.spans.resize(id as usize + 1, (0, GAP));
        }
        if let Some(first) = self.token(id) {
            return Err(Error::DuplicateId { id, first: first.to_vec(), second: token.to_vec() });
        }
        if let Some(first) = self.id(token) {
            return Err(Error::DuplicateToken { token: token.to_vec(), first, second: id });
        }
        if self.bytes.len() + token.len() > MAX_BYTES {
            return Err(too_many_bytes(self.length + 1));
        }
        self.spans[id as usize] = (self.bytes.len() as u32, token.len() as u32);
        self.bytes.extend_from_slice(token);
        self.length += 1;
        self.longest = self.longest.max(token.len());
        if let [byte] = token {
            self.byte_ids[*byte as usize] = id;
        }
        if !token.is_empty() {
            let (bytes, spans) = (&self.bytes, &self.spans);
            self.index.insert_unique(hash(token), id, |&id| hash(slice(bytes, spans[id as usize])));
        }
        Ok(())
    }

    /// The bytes of a token, `None` where `id` is a gap or beyond the end.
    #[inline]
    pub fn token(&self, id: u32) -> Option<&[u8]> {
        match self.spans.get(id as usize) {
            Some(&span) if span.1 != GAP => Some(slice(&self.bytes, span)),
            _ => None,
        }
    }

    /// Appends the bytes of a token; `false` where `id` is a gap or beyond the end.
    #[inline]
    pub fn append(&self, id: u32, data: &mut Vec<u8>) -> bool {
        match self.spans.get(id as usize) {
            Some(&(start, length)) if length as usize <= STRIDE => {
                let end = data.len() + length as usize;
                data.extend_from_slice(slice(&self.bytes, (start, STRIDE as u32)));
                data.truncate(end);
                true
            }
            Some(&span) if span.1 != GAP => {
                data.extend_from_slice(slice(&self.bytes, span));
                true
            }
            _ => false,
        }
    }

    /// The bytes of a token that is known to exist.
    #[inline]
    pub(crate) fn bytes_of(&self, id: u32) -> &[u8] {
        slice(&self.bytes, self.spans[id as usize])
    }

    #[inline]
    pub fn id(&self, token: &[u8]) -> Option<u32> {
        self.index.find(hash(token), |&id| self.bytes_of(id) == token).copied()
    }

    #[inline]
    pub fn byte_id(&self, byte: u8) -> u32 {
        self.byte_ids[byte as usize]
    }

    /// Whether each byte of `token` is a token, so that merges can make it.
    pub(crate) fn spells(&self, token: &[u8]) -> bool {
        token.iter().all(|&byte| self.byte_id(byte) != GAP)
    }

    /// The bytes that no token holds alone.
    pub fn missing_bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255).filter(|&byte| self.byte_id(byte) == GAP)
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The highest id + 1.
    pub fn bound(&self) -> u32 {
        self.spans.len() as u32
    }

    /// The length in bytes of the longest token.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Id and bytes of each token, by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.bound()).filter_map(|id| Some((id, self.token(id)?)))
    }
}

/// What is said of a vocabulary whose first `size` tokens take more than [`MAX_BYTES`].
pub(crate) fn too_many_bytes(size: usize) -> Error {
    Error::VocabSize { size, reason: format!("its tokens take more than {MAX_BYTES} bytes together") }
}

fn occurs_in_utf8(byte: u8) -> bool {
    !matches!(byte, 0xc0 | 0xc1 | 0xf5..=0xff)
}

#[inline]
fn slice(bytes: &[u8], (start, length): (u32, u32)) -> &[u8] {
    &bytes[start as usize..start as usize + length as usize]
}

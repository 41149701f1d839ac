//! The model as few bytes, for the bundled vocabularies and for pickling.
//!
//! A token that a merge makes is written as the ids of its two parts, so that the file holds the merges too and no bytes
//! but those of the alphabet. All numbers are LEB128:
//!
//! ```text
//! version, whole (0 or 1), mode (0: every token's merge ranks by its id; 1: a list of merges follows), ids
//! for each id:   0 n        n ids that nothing holds
//!                1 n bytes  a token by its bytes
//!                2+l r      a token made of the tokens l and r, both with lower ids
//! mode 1:        n, then l r id for each merge, by rank
//! ```

use crate::bpe::merges::{Merge, Merges};
use crate::bpe::Bpe;
use crate::error::{Error, Result};
use crate::vocab::{too_many_bytes, Vocab, MAX_BYTES, MAX_ID};

const VERSION: u32 = 1;

pub fn write(model: &Bpe) -> Vec<u8> {
    let (vocab, list) = (&model.vocab, model.merges.list());
    // The first merge that makes a token from lower ids, by the token's id.
    let mut parts: Vec<Option<Merge>> = vec![None; vocab.bound() as usize];
    for merge in list.iter().filter(|merge| merge.left < merge.id && merge.right < merge.id) {
        parts[merge.id as usize].get_or_insert(*merge);
    }
    let implied = parts.iter().flatten().eq(list);
    let mut out = Vec::new();
    push(&mut out, VERSION);
    push(&mut out, model.whole.into());
    push(&mut out, (!implied).into());
    push(&mut out, vocab.bound());
    let mut id = 0;
    while id < vocab.bound() {
        match (vocab.token(id), parts[id as usize]) {
            (Some(_), Some(merge)) => {
                push(&mut out, merge.left + 2);
                push(&mut out, merge.right);
            }
            (Some(token), None) => {
                push(&mut out, 1);
                push(&mut out, token.len() as u32);
                out.extend_from_slice(token);
            }
            (None, _) => {
                let gap = (id..vocab.bound()).take_while(|&id| vocab.token(id).is_none()).count() as u32;
                push(&mut out, 0);
                push(&mut out, gap);
                id += gap - 1;
            }
        }
        id += 1;
    }
    if !implied {
        push(&mut out, list.len() as u32);
        for merge in list {
            for part in [merge.left, merge.right, merge.id] {
                push(&mut out, part);
            }
        }
    }
    out
}

fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub fn read(data: &[u8]) -> Result<Bpe> {
    let mut reader = Reader { data, at: 0 };
    if reader.number()? != VERSION {
        return Err(reader.fault("an unknown version"));
    }
    let (whole, listed, bound) = (reader.number()? != 0, reader.number()? != 0, reader.number()?);
    if bound > MAX_ID + 1 {
        return Err(Error::IdTooLarge { id: bound.into() });
    }
    let (mut bytes, mut spans, mut merges) = (Vec::new(), Vec::<Option<(usize, usize)>>::new(), Vec::new());
    while spans.len() < bound as usize {
        let id = spans.len() as u32;
        let start = bytes.len();
        match reader.number()? {
            0 => {
                let gap = reader.number()? as usize;
                if gap == 0 || gap > bound as usize - spans.len() {
                    return Err(reader.fault("a gap of no such length"));
                }
                spans.resize(spans.len() + gap, None);
                continue;
            }
            1 => {
                let length = reader.number()? as usize;
                bytes.extend_from_slice(reader.take(length)?);
            }
            left => {
                let (left, right) = (left - 2, reader.number()?);
                for part in [left, right] {
                    let span = spans.get(part as usize).copied().flatten();
                    let (start, end) = span.ok_or_else(|| reader.fault("a part that is no token"))?;
                    if bytes.len() + (end - start) > MAX_BYTES {
                        return Err(too_many_bytes(spans.len() + 1));
                    }
                    bytes.extend_from_within(start..end);
                }
                merges.push(Merge { left, right, id });
            }
        }
        spans.push(Some((start, bytes.len())));
    }
    if listed {
        let count = reader.number()?;
        merges.clear();
        for _ in 0..count {
            merges.push(Merge { left: reader.number()?, right: reader.number()?, id: reader.number()? });
        }
    }
    if reader.at < data.len() {
        return Err(reader.fault("more bytes than it should have"));
    }
    let tokens = (0..).zip(&spans).filter_map(|(id, span)| span.map(|(start, end)| (id, &bytes[start..end])));
    let vocab = Vocab::new(tokens)?;
    let merges = Merges::from_ids(&vocab, merges)?;
    Ok(Bpe { vocab, merges, whole })
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, what: &str) -> Error {
        Error::Format { format: "compact vocabulary", line: None, reason: format!("{what} at byte {}", self.at) }
    }

    fn number(&mut self) -> Result<u32> {
        let (mut number, mut shift) = (0u32, 0);
        loop {
            let byte = self.take(1)?[0];
            if shift == 28 && byte > 0x0f {
                return Err(self.fault("a number that is too large"));
            }
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let taken = self.data.get(self.at..).and_then(|rest| rest.get(..length));
        let taken = taken.ok_or_else(|| self.fault("an end too early"))?;
        self.at += length;
        Ok(taken)
    }
}

//! Ids → bytes → text.

use crate::error::{Error, Result};
use crate::tokenizer::Tokenizer;

/// What stands for an id that no token has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    Raise,
    /// U+FFFD.
    Replace,
    Ignore,
}

impl Tokenizer {
    pub fn decode(&self, ids: &[u32], skip_special: bool, unknown: Unknown) -> Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(ids.len() * 4);
        for (position, &id) in ids.iter().enumerate() {
            // No special token is in the vocabulary of the model.
            if self.vocab().append(id, &mut bytes) {
                continue;
            }
            match (self.added.by_id(id), unknown) {
                (Some(token), _) => {
                    if !skip_special || !token.special {
                        bytes.extend_from_slice(token.text.as_bytes());
                    }
                }
                (None, Unknown::Raise) => return Err(self.unknown_id(id, position)),
                (None, Unknown::Replace) => bytes.extend_from_slice("\u{fffd}".as_bytes()),
                (None, Unknown::Ignore) => {}
            }
        }
        Ok(bytes)
    }

    pub fn unknown_id(&self, id: u32, position: usize) -> Error {
        Error::UnknownId { id: id.into(), position, highest: self.bound() - 1 }
    }
}

/// Bytes in pieces → text in pieces, whole characters only: the pieces joined are the bytes decoded at once, with U+FFFD
/// for each maximal ill-formed subsequence. At most three bytes are held back.
#[derive(Clone, Default)]
pub struct DecodeStream {
    held: Vec<u8>,
}

impl DecodeStream {
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::with_capacity(self.held.len());
        let mut rest = &self.held[..];
        loop {
            match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    rest = &[];
                    break;
                }
                Err(error) => {
                    let (valid, after) = rest.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(valid));
                    match error.error_len() {
                        Some(length) => {
                            text.push(char::REPLACEMENT_CHARACTER);
                            rest = &after[length..];
                        }
                        // The beginning of a character: more may come.
                        None => {
                            rest = after;
                            break;
                        }
                    }
                }
            }
        }
        self.held = rest.to_vec();
        text
    }

    /// What was held back: nothing, or U+FFFD for the beginning of a character. The stream starts afresh.
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.held)).into_owned()
    }

    /// The bytes held back, for saving the state.
    pub fn held(&self) -> &[u8] {
        &self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_joined_are_the_whole(pieces in prop::collection::vec(prop::collection::vec(
            prop::sample::select(b"a\xe4\xb8\x96\xf0\x9f\x8c\x8d\x80\xc3\xa9\xed\xa0\xff".to_vec()), 0..4), 0..12)) {
            let mut stream = DecodeStream::default();
            let mut text = String::new();
            for piece in &pieces {
                text += &stream.push(piece);
                prop_assert!(stream.held().len() <= 3);
            }
            text += &stream.finish();
            let whole = pieces.concat();
            prop_assert_eq!(text, String::from_utf8_lossy(&whole));
        }
    }
}

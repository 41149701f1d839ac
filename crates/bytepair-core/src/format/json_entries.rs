//! Vocabularies and merges as JSON, read so that nothing is swallowed and no string is copied that need not be.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;

use super::byte_alphabet;
use super::Parts;
use crate::error::{Error, Result};
use crate::special::AddedToken;

/// Reads all of `data`; an error says at which line and column.
pub fn parse<'a, T: Deserialize<'a>>(format: &'static str, data: &'a [u8]) -> Result<T> {
    serde_json::from_slice(data).map_err(|error| Error::Format {
        format,
        line: Some(error.line()),
        reason: format!("column {}: {error}", error.column()),
    })
}

/// Refuses what could not be told apart in a file that keeps all tokens by their text.
pub fn check_spellings(format: &'static str, parts: &Parts) -> Result<()> {
    let vocab = &parts.model.vocab;
    for AddedToken { text, id, .. } in &parts.added {
        let written = byte_alphabet::read(text).and_then(|bytes| vocab.id(&bytes));
        if let Some(other) = written.filter(|other| other != id) {
            let what = format!("the added token `{text}` with the id {id}: the token {other} is written `{text}` too");
            return Err(Error::CannotHold { format, what });
        }
    }
    Ok(())
}

/// The vocabulary as written: duplicates are seen here, which a map would swallow.
#[derive(Default)]
pub struct Entries<'a>(pub Vec<(Cow<'a, str>, u32)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a vocabulary: an object of tokens and ids")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
                let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0));
                while let Some((Text(token), id)) = map.next_entry()? {
                    entries.push((token, id));
                }
                Ok(Entries(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> std::result::Result<Self::Value, A::Error> {
                Err(serde::de::Error::custom("the vocabulary is a list, as that of a Unigram model, not a BPE model's"))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// A string, borrowed from the file where it has no escapes.
pub struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> std::result::Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Read)
    }
}

/// A merge: `"a b"` in older files, `["a", "b"]` in newer ones.
pub struct Pair<'a>(pub Cow<'a, str>, pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Pair<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Pair<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a merge: two tokens with a blank between them, or a list of two tokens")
            }

            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> std::result::Result<Self::Value, E> {
                match text.split_once(' ') {
                    Some((left, right)) if !right.contains(' ') => Ok(Pair(left.into(), right.into())),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<Self::Value, E> {
                match text.split_once(' ') {
                    Some((left, right)) if !right.contains(' ') => {
                        Ok(Pair(left.to_owned().into(), right.to_owned().into()))
                    }
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Self::Value, A::Error> {
                use serde::de::Error;
                let mut next =
                    |index| list.next_element::<Text>()?.ok_or_else(|| A::Error::invalid_length(index, &self));
                let pair = Pair(next(0)?.0, next(1)?.0);
                match list.next_element::<IgnoredAny>()? {
                    None => Ok(pair),
                    Some(_) => Err(A::Error::invalid_length(3, &self)),
                }
            }
        }
        deserializer.deserialize_any(Read)
    }
}

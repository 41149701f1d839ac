//! Hugging Face's `tokenizer.json`, of byte-level BPE models.
//!
//! What a tokenizer of ours cannot represent is refused by name. Truncation, padding and the post-processor concern what
//! is done with ids afterwards: they are not read.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;
use serde_json::{json, Map, Value};

use super::huggingface_steps::{normalization, stages, write_normalizer, write_stages};
use super::{byte_alphabet, Parts};
use crate::bpe::merges::Merges;
use crate::bpe::Bpe;
use crate::error::{Error, Result};
use crate::special::AddedToken;
use crate::vocab::Vocab;

pub(super) const FORMAT: &str = "tokenizer.json";

pub(super) fn fault(reason: impl Into<String>) -> Error {
    Error::Format { format: FORMAT, line: None, reason: reason.into() }
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(default)]
    added_tokens: Vec<AddedEntry>,
    #[serde(default)]
    normalizer: Option<Value>,
    #[serde(default)]
    pre_tokenizer: Option<Value>,
    #[serde(borrow)]
    model: ModelEntry<'a>,
}

#[derive(Deserialize)]
struct AddedEntry {
    id: u32,
    content: String,
    #[serde(default)]
    special: bool,
    #[serde(default)]
    lstrip: bool,
    #[serde(default)]
    rstrip: bool,
    #[serde(default)]
    single_word: bool,
    /// Absent in old files, where it meant true for tokens that are not special.
    normalized: Option<bool>,
}

#[derive(Deserialize)]
struct ModelEntry<'a> {
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    dropout: Option<f64>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    end_of_word_suffix: Option<String>,
    #[serde(default)]
    byte_fallback: bool,
    #[serde(default)]
    ignore_merges: bool,
    #[serde(borrow, default)]
    vocab: Entries<'a>,
    #[serde(borrow, default)]
    merges: Option<Vec<Pair<'a>>>,
}

/// The vocabulary as written: duplicates are seen here, which a map would swallow.
#[derive(Default)]
struct Entries<'a>(Vec<(Cow<'a, str>, u32)>);

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
struct Text<'a>(Cow<'a, str>);

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
struct Pair<'a>(Cow<'a, str>, Cow<'a, str>);

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
                match list.next_element::<serde::de::IgnoredAny>()? {
                    None => Ok(pair),
                    Some(_) => Err(A::Error::invalid_length(3, &self)),
                }
            }
        }
        deserializer.deserialize_any(Read)
    }
}

pub fn read(data: &[u8]) -> Result<Parts> {
    let file: File = serde_json::from_slice(data).map_err(|error| Error::Format {
        format: FORMAT,
        line: Some(error.line()),
        reason: format!("column {}: {error}", error.column()),
    })?;
    let model = &file.model;
    check_model(model)?;
    let (patterns, byte_level) = stages(file.pre_tokenizer.as_ref())?;
    if !byte_level {
        return Err(fault("its pre_tokenizer has no ByteLevel step, so this is no byte-level BPE"));
    }
    let added: Vec<AddedToken> = file.added_tokens.into_iter().map(added_token).collect();
    let Some(merges) = &model.merges else { return Err(fault("its model has no `merges`")) };
    let vocab = read_vocab(&model.vocab, &added, merges)?;
    let merges = read_merges(&vocab, merges)?;
    let whole = model.ignore_merges;
    if merges.list().is_empty() && !whole && vocab.len() > 256 {
        return Err(fault(format!("it has no merges for its {} tokens", vocab.len())));
    }
    let normalization = normalization(file.normalizer.as_ref())?;
    Ok(Parts { model: Arc::new(Bpe { vocab, merges, whole }), patterns, normalization, added })
}

fn check_model(model: &ModelEntry<'_>) -> Result<()> {
    let refused = |what: &str| Err(fault(format!("{what} cannot be represented by a byte-level BPE tokenizer")));
    match model.kind.as_deref() {
        None | Some("BPE") => {}
        Some(other) => return refused(&format!("a model of the type `{other}`")),
    }
    if model.byte_fallback {
        return refused("`byte_fallback`, SentencePiece's way to bytes,");
    }
    if model.dropout.is_some_and(|dropout| dropout > 0.0) {
        return refused("`dropout`");
    }
    for (name, value) in [
        ("continuing_subword_prefix", &model.continuing_subword_prefix),
        ("end_of_word_suffix", &model.end_of_word_suffix),
    ] {
        if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
            return refused(&format!("`{name}` (`{value}`)"));
        }
    }
    Ok(())
}

fn added_token(entry: AddedEntry) -> AddedToken {
    AddedToken {
        text: entry.content,
        id: entry.id,
        special: entry.special,
        lstrip: entry.lstrip,
        rstrip: entry.rstrip,
        single_word: entry.single_word,
        normalized: entry.normalized.unwrap_or(!entry.special),
    }
}

/// The vocabulary without the added tokens, which files may list there too. Those that are not special stay where a
/// merge makes them: the others need them.
fn read_vocab(entries: &Entries<'_>, added: &[AddedToken], merges: &[Pair<'_>]) -> Result<Vocab> {
    let added: hashbrown::HashMap<&str, &AddedToken, foldhash::fast::RandomState> =
        added.iter().map(|token| (&token.text[..], token)).collect();
    let made: hashbrown::HashSet<String, foldhash::fast::RandomState> = match added.values().all(|t| t.special) {
        true => Default::default(),
        false => merges.iter().map(|Pair(left, right)| [&left[..], right].concat()).collect(),
    };
    let mut tokens = Vec::with_capacity(entries.0.len());
    for (text, id) in &entries.0 {
        match added.get(&text[..]) {
            Some(token) if token.id == *id => {
                let needed = text.chars().nth(1).is_none() || made.contains(&text[..]);
                if token.special || !needed {
                    continue;
                }
            }
            Some(AddedToken { special: true, id: own, .. }) => {
                return Err(fault(format!("the special token `{text}` has the id {own}, but {id} in the vocabulary")));
            }
            Some(_) | None => {}
        }
        let bytes = byte_alphabet::read(text).ok_or_else(|| {
            fault(format!(
                "the token `{text}` (id {id}) has characters outside the byte alphabet, and is no special token"
            ))
        })?;
        tokens.push((*id, bytes));
    }
    Vocab::new(tokens.iter().map(|(id, bytes)| (*id, &bytes[..])))
}

fn read_merges(vocab: &Vocab, pairs: &[Pair<'_>]) -> Result<Merges> {
    let mut list = Vec::with_capacity(pairs.len());
    for (index, Pair(left, right)) in pairs.iter().enumerate() {
        let (Some(left), Some(right)) = (byte_alphabet::read(left), byte_alphabet::read(right)) else {
            return Err(fault(format!(
                "merge {index}, `{left}` + `{right}`, has characters outside the byte alphabet"
            )));
        };
        list.push((left, right));
    }
    Merges::from_list(vocab, list.iter().map(|(left, right)| (&left[..], &right[..])))
}

pub fn write(parts: &Parts) -> Result<Vec<u8>> {
    let model = &parts.model;
    check_writable(parts)?;
    let text = |id: u32| byte_alphabet::write(model.vocab.bytes_of(id));
    let mut vocab: Map<String, Value> = model.vocab.iter().map(|(id, _)| (text(id), json!(id))).collect();
    let mut added: Vec<&AddedToken> = parts.added.iter().collect();
    added.sort_unstable_by_key(|token| token.id);
    // A reader numbers added tokens anew, from the size of the vocabulary on, unless they are listed there.
    let outside = added.iter().filter(|token| !vocab.contains_key(&token.text));
    if !outside.zip(vocab.len() as u32..).all(|(token, next)| token.id == next) {
        vocab.extend(added.iter().map(|token| (token.text.clone(), json!(token.id))));
    }
    let merges: Vec<String> =
        model.merges.list().iter().map(|merge| format!("{} {}", text(merge.left), text(merge.right))).collect();
    let added: Vec<Value> = added.into_iter().map(write_added).collect();
    let byte_level = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": false});
    let file = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": write_normalizer(parts.normalization),
        "pre_tokenizer": write_stages(&parts.patterns, &byte_level)?,
        "post_processor": byte_level,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": null,
            "unk_token": null,
            "continuing_subword_prefix": null,
            "end_of_word_suffix": null,
            "fuse_unk": false,
            "byte_fallback": false,
            "ignore_merges": model.whole,
            "vocab": vocab,
            "merges": merges,
        },
    });
    serde_json::to_vec_pretty(&file).map_err(|error| fault(error.to_string()))
}

/// The file keeps all tokens by their text, so that one text cannot be two tokens there.
fn check_writable(parts: &Parts) -> Result<()> {
    let vocab = &parts.model.vocab;
    if parts.model.merges.list().is_empty() && !parts.model.whole && vocab.len() > 256 {
        let what = format!("a vocabulary of {} tokens without merges", vocab.len());
        return Err(Error::CannotHold { format: FORMAT, what });
    }
    for AddedToken { text, id, .. } in &parts.added {
        let written = byte_alphabet::read(text).and_then(|bytes| vocab.id(&bytes));
        if let Some(other) = written.filter(|other| other != id) {
            let what = format!("the added token `{text}` with the id {id}: the token {other} is written `{text}` too");
            return Err(Error::CannotHold { format: FORMAT, what });
        }
    }
    Ok(())
}

fn write_added(token: &AddedToken) -> Value {
    json!({
        "id": token.id,
        "content": token.text,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    })
}

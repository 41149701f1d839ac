//! Hugging Face's `tokenizer.json`, of byte-level BPE models.
//!
//! What a tokenizer of ours cannot represent is refused by name. Truncation, padding and the post-processor concern what
//! is done with ids afterwards: they are not read.

use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::{json, Map, Value};

use super::huggingface_steps::{byte_level, composes, write_normalizer, write_pre_tokenizer, PreTokenizer};
use super::json_entries::{self, check_spellings, Entries, Pair};
use super::{byte_alphabet, Parts};
use crate::bpe::merges::Merges;
use crate::bpe::Bpe;
use crate::error::{Error, Result};
use crate::normalize::Normalization;
use crate::special::AddedToken;
use crate::vocab::Vocab;

pub(super) const FORMAT: &str = "tokenizer.json";

pub(super) fn fault(reason: impl Into<String>) -> Error {
    Error::Format { format: FORMAT, line: None, reason: reason.into() }
}

/// What is not read is listed all the same: an entry of any other name is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(default, rename = "version")]
    _version: IgnoredAny,
    #[serde(default, rename = "truncation")]
    _truncation: IgnoredAny,
    #[serde(default, rename = "padding")]
    _padding: IgnoredAny,
    #[serde(default, rename = "post_processor")]
    _post_processor: IgnoredAny,
    #[serde(default, rename = "decoder")]
    _decoder: IgnoredAny,
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
struct ModelEntry<'a> {
    /// For characters without a token: there are none, as every byte has one.
    #[serde(default, rename = "unk_token")]
    _unk_token: IgnoredAny,
    #[serde(default, rename = "fuse_unk")]
    _fuse_unk: IgnoredAny,
    /// Of other models, which are refused by their type.
    #[serde(default, rename = "unk_id")]
    _unk_id: IgnoredAny,
    #[serde(default, rename = "max_input_chars_per_word")]
    _max_input_chars_per_word: IgnoredAny,
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

pub fn read(data: &[u8]) -> Result<Parts> {
    let file: File = json_entries::parse(FORMAT, data)?;
    let model = &file.model;
    check_model(model)?;
    let PreTokenizer { patterns, prefixes } = PreTokenizer::read(file.pre_tokenizer.as_ref())?;
    let added: Vec<AddedToken> = file.added_tokens.into_iter().map(added_token).collect();
    let Some(merges) = &model.merges else { return Err(fault("its model has no `merges`")) };
    let vocab = read_vocab(&model.vocab, &added, merges)?;
    let merges = read_merges(&vocab, merges)?;
    let whole = model.ignore_merges;
    if merges.list().is_empty() && !whole && vocab.len() > 256 {
        return Err(fault(format!("it has no merges for its {} tokens", vocab.len())));
    }
    let normalization = Normalization::of(composes(file.normalizer.as_ref())?, prefixes);
    if let Some(token) = changed_by(normalization, &added) {
        return Err(fault(format!("the added token `{}` is `normalized`, and its text is not in NFC", token.text)));
    }
    Ok(Parts { model: Arc::new(Bpe { vocab, merges, whole }), patterns, normalization, added })
}

/// A token that the library would look for in its normal form, and give back as it is written.
fn changed_by(normalization: Option<Normalization>, added: &[AddedToken]) -> Option<&AddedToken> {
    let changes = |text: &str| normalization.is_some_and(|form| form.compose(text.as_bytes()).is_some());
    added.iter().find(|token| token.normalized && changes(&token.text))
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
            Some(AddedToken { special, id: own, .. }) => {
                let kind = if *special { "special" } else { "added" };
                return Err(fault(format!("the {kind} token `{text}` has the id {own}, but {id} in the vocabulary")));
            }
            None => {}
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
    let prefixes = parts.normalization.is_some_and(Normalization::prefixes);
    let byte_level = byte_level(false, false);
    let file = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": write_normalizer(parts.normalization.is_some_and(Normalization::composes)),
        "pre_tokenizer": write_pre_tokenizer(&parts.patterns, prefixes)?,
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
    if let Some(token) = changed_by(parts.normalization, &parts.added) {
        let what = format!("the added token `{}`, which is `normalized` and not in NFC", token.text);
        return Err(Error::CannotHold { format: FORMAT, what });
    }
    check_spellings(FORMAT, parts)
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

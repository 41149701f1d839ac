//! GPT-2's two files: `vocab.json`, tokens and ids in the byte alphabet, and `merges.txt`, a line for each merge.
//!
//! Pattern and special tokens are not in them. What no merge makes or takes and is no single byte can only be meant as a
//! special token, as `<|endoftext|>` is in GPT-2's own.

use hashbrown::HashSet;
use serde_json::{json, Map, Value};

use super::json_entries::{self, Entries};
use super::{byte_alphabet, Parts};
use crate::bpe::merges::Merges;
use crate::bpe::Bpe;
use crate::error::{Error, Result, Shown};
use crate::pretokenize::named;
use crate::vocab::Vocab;

const VOCAB: &str = "vocab.json";
const MERGES: &str = "merges.txt";
/// What a writer of the format puts into the first line.
const VERSION: &str = "#version: 0.2";
/// CLIP's and GPT-1's mark of the end of a word.
const END_OF_WORD: &str = "</w>";

type Texts<'a> = HashSet<&'a str, foldhash::fast::RandomState>;

/// A line that holds a merge: its number, and the two parts as they are written.
struct Line<'a> {
    number: usize,
    left: &'a str,
    right: &'a str,
}

/// A model, and the entries of `vocab.json` that are no tokens of it: those of `apart`, and of those that no merge makes
/// or takes all if `unmade_apart`.
pub fn read(vocab: &[u8], merges: &[u8], apart: &[String], unmade_apart: bool) -> Result<(Bpe, Vec<(String, u32)>)> {
    let entries: Entries = json_entries::parse(VOCAB, vocab)?;
    let lines = read_lines(merges)?;
    let joined: Vec<String> = lines.iter().map(|line| [line.left, line.right].concat()).collect();
    let made: Texts = joined.iter().map(|token| &token[..]).collect();
    let taken: Texts = lines.iter().flat_map(|line| [line.left, line.right]).collect();
    check_word_ends(&entries, &made)?;
    let is_apart: Texts = apart.iter().map(|text| &text[..]).collect();
    let (mut tokens, mut others) = (Vec::with_capacity(entries.0.len()), Vec::new());
    for (text, id) in &entries.0 {
        let bytes = byte_alphabet::read(text);
        let is_byte = bytes.as_ref().is_some_and(|bytes| bytes.len() == 1);
        let needed = is_byte || made.contains(&text[..]) || taken.contains(&text[..]);
        match bytes {
            _ if !needed && (unmade_apart || is_apart.contains(&text[..])) => others.push((text.to_string(), *id)),
            Some(bytes) => tokens.push((*id, bytes)),
            None => {
                let reason = format!(
                    "the token `{text}` (id {id}) has characters outside the byte alphabet, and is no special token"
                );
                return Err(Error::Format { format: VOCAB, line: None, reason });
            }
        }
    }
    let vocab = Vocab::new(tokens.iter().map(|(id, token)| (*id, &token[..]))).map_err(|error| Error::Format {
        format: VOCAB,
        line: None,
        reason: error.to_string(),
    })?;
    let merges = build_merges(&vocab, &lines)?;
    Ok((Bpe { vocab, merges, whole: false }, others))
}

fn fault(line: usize, reason: String) -> Error {
    Error::Format { format: MERGES, line: Some(line), reason }
}

fn read_lines(data: &[u8]) -> Result<Vec<Line<'_>>> {
    let mut lines = Vec::new();
    for (line, number) in data.split(|&byte| byte == b'\n').zip(1..) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || (number == 1 && line.starts_with(b"#version")) {
            continue;
        }
        let text = std::str::from_utf8(line).ok().and_then(|line| line.split_once(' '));
        match text.filter(|(left, right)| !left.is_empty() && !right.is_empty() && !right.contains(' ')) {
            Some((left, right)) => lines.push(Line { number, left, right }),
            None => {
                return Err(fault(number, format!("{} is no merge: two tokens with a blank between them", Shown(line))))
            }
        }
    }
    Ok(lines)
}

/// A vocabulary of words that end in a mark has each character twice, with the mark and without.
fn check_word_ends(entries: &Entries<'_>, made: &Texts<'_>) -> Result<()> {
    let is_marked = |text: &str| {
        let rest = text.strip_suffix(END_OF_WORD);
        rest.is_some_and(|rest| rest.chars().count() == 1) && !made.contains(text)
    };
    match entries.0.iter().find(|(text, _)| is_marked(text)) {
        Some((text, id)) => {
            let reason = format!(
                "the token `{text}` (id {id}) has the end-of-word suffix `{END_OF_WORD}`, which cannot be represented by \
                 a byte-level BPE tokenizer"
            );
            Err(Error::Format { format: VOCAB, line: None, reason })
        }
        None => Ok(()),
    }
}

fn build_merges(vocab: &Vocab, lines: &[Line<'_>]) -> Result<Merges> {
    let mut pairs = Vec::with_capacity(lines.len());
    for line in lines {
        let part = |text: &str| {
            let reason = || format!("`{text}` has characters outside the byte alphabet");
            byte_alphabet::read(text).ok_or_else(|| fault(line.number, reason()))
        };
        pairs.push((part(line.left)?, part(line.right)?));
    }
    Merges::from_list(vocab, pairs.iter().map(|(left, right)| (&left[..], &right[..]))).map_err(|error| match &error {
        Error::MergeOutsideVocab { index, .. } | Error::DuplicateMerge { index, .. } => {
            fault(lines[*index].number, error.to_string())
        }
        _ => error,
    })
}

/// `vocab.json` and `merges.txt`.
pub fn write(parts: &Parts) -> Result<(Vec<u8>, Vec<u8>)> {
    check_writable(parts)?;
    let model = &parts.model;
    let text = |id: u32| byte_alphabet::write(model.vocab.bytes_of(id));
    let mut entries: Vec<(u32, String)> = model.vocab.iter().map(|(id, _)| (id, text(id))).collect();
    entries.extend(parts.added.iter().map(|token| (token.id, token.text.clone())));
    entries.sort_unstable_by_key(|(id, _)| *id);
    let vocab: Map<String, Value> = entries.into_iter().map(|(id, text)| (text, json!(id))).collect();
    let mut merges = format!("{VERSION}\n");
    for merge in model.merges.list() {
        merges.push_str(&format!("{} {}\n", text(merge.left), text(merge.right)));
    }
    Ok((Value::Object(vocab).to_string().into_bytes(), merges.into_bytes()))
}

/// What the files do not say, a reader takes to be as it is with GPT-2.
fn check_writable(parts: &Parts) -> Result<()> {
    let cannot = |what: String| Err(Error::CannotHold { format: "vocab.json and merges.txt", what });
    if named::pattern("gpt2").is_none_or(|gpt2| parts.patterns != gpt2.stages) {
        let shown = parts.patterns.first().map_or("None", |pattern| pattern);
        return cannot(format!("the pattern `{shown}`: their readers cut as GPT-2 does"));
    }
    if let Some(normalization) = parts.normalization {
        return cannot(format!("the normalization `{}`", normalization.name()));
    }
    if let Some(token) = parts.added.iter().find(|token| !token.special) {
        return cannot(format!("the added token `{}`, which is not special", token.text));
    }
    if let Some(token) = parts.added.iter().find(|t| t.lstrip || t.rstrip || t.single_word || t.normalized) {
        return cannot(format!("the flags of the special token `{}`", token.text));
    }
    let model = &parts.model;
    if model.whole {
        return cannot("`ignore_merges`, by which a pretoken that is a token is looked up whole".to_owned());
    }
    let made: HashSet<u32, foldhash::fast::RandomState> =
        model.merges.list().iter().flat_map(|merge| [merge.left, merge.right, merge.id]).collect();
    if let Some((id, token)) = model.vocab.iter().find(|(id, token)| token.len() != 1 && !made.contains(id)) {
        let token = Shown(token);
        return cannot(format!(
            "the token {token} (id {id}), which no merge makes: it would be read as a special token"
        ));
    }
    json_entries::check_spellings("vocab.json and merges.txt", parts)
}

//! The vectors of `spec/vectors`, which the reference wrote, against the core: its slow twins and its fast paths alike.

mod support;

use std::collections::HashMap;
use std::sync::Arc;

use bytepair_core::decode::{DecodeStream, Unknown};
use bytepair_core::normalize::Normalization;
use bytepair_core::offsets::OffsetUnit;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::{AddedToken, Allowed, Finder, Piece};
use bytepair_core::stream::EncodeStream;
use bytepair_core::tokenizer::{Input, Specials, Tokenizer};
use bytepair_core::Error;
use serde_json::Value;
use support::oracle;
use support::vectors::{self, allowed, hex, ids, list, stages, string, text, tokenizer, Line};

type Outcome = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Outcome {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what} gives {found:?}, not {expected:?}"))
}

#[test]
fn pretokenize() {
    let mut patterns: HashMap<String, [Pretokenizer; 2]> = HashMap::new();
    vectors::run("pretokenize.jsonl", |line| {
        if line["kind"] == "pattern" {
            let stages = stages(&line["stages"]);
            let fast = Pretokenizer::new(&stages).map_err(|error| error.to_string())?;
            let slow = Pretokenizer::by_regex(&stages).map_err(|error| error.to_string())?;
            patterns.insert(string(&line["name"]), [fast, slow]);
            return Ok(Line::Definition);
        }
        let data = text(&line["text"]);
        let expected: Vec<Vec<u8>> = list(&line["pretokens"]).iter().map(text).collect();
        let [fast, slow] = &patterns[&string(&line["pattern"])];
        same("the pretokenizer", oracle::pretokens(fast, &data), expected.clone())?;
        same("the general engine", oracle::pretokens(slow, &data), expected)?;
        Ok(Line::Case)
    });
}

#[test]
fn special() {
    vectors::run("special.jsonl", |line| {
        let tokens: Vec<String> = list(&line["special_tokens"]).iter().map(string).collect();
        let finder = Finder::new(tokens.into_iter().zip(0..).map(|(text, id)| AddedToken::special(text, id)).collect());
        let data = text(&line["text"]);
        let found: Vec<(Vec<u8>, bool)> = finder
            .split(&data)
            .into_iter()
            .map(|piece| match piece {
                Piece::Ordinary(range) => (data[range].to_vec(), false),
                Piece::Added(_, range) => (data[range].to_vec(), true),
            })
            .collect();
        let expected = list(&line["pieces"]).iter().map(|piece| (text(&piece[0]), piece[1] == true)).collect();
        same("splitting at special tokens", found, expected)?;
        Ok(Line::Case)
    });
}

/// The tokenizers of a file by name, and whether their model is one of ranks.
type Named = HashMap<String, (Arc<Tokenizer>, bool)>;

fn define(tokenizers: &mut Named, line: &Value) {
    tokenizers.insert(string(&line["name"]), (Arc::new(tokenizer(line)), line["ranks"].is_array()));
}

#[test]
fn encode() {
    let mut tokenizers = Named::new();
    vectors::run("encode.jsonl", |line| {
        if line["kind"] == "tokenizer" {
            define(&mut tokenizers, line);
            return Ok(Line::Definition);
        }
        let (tokenizer, ranks) = &tokenizers[&string(&line["tokenizer"])];
        let (data, allowed, expected) = (text(&line["text"]), allowed(&line["allowed_special"]), ids(&line["ids"]));
        let merged = oracle::encode(tokenizer, &data, &allowed, oracle::by_merges);
        same("the slow twin by merges", merged, expected.clone())?;
        if *ranks {
            let ranked = oracle::encode(tokenizer, &data, &allowed, oracle::by_ranks);
            same("the slow twin by ranks", ranked, expected.clone())?;
        }
        let specials = Specials { allowed, disallowed: Allowed::None };
        for input in oracle::inputs(&data) {
            check_calls(tokenizer, input, &specials, &expected)?;
            check_offsets(tokenizer, input, &specials, &expected)?;
        }
        check_stream(tokenizer, &data, &specials, &expected)?;
        Ok(Line::Case)
    });
}

/// `encode` the first and the second time (when the cache knows the pretokens), `count`, `fits`, `decode` and batches.
fn check_calls(tokenizer: &Tokenizer, input: Input<'_>, specials: &Specials, expected: &[u32]) -> Outcome {
    tokenizer.clear_cache();
    let failed = |error: Error| error.to_string();
    for time in ["encode", "encode from the cache"] {
        same(time, &tokenizer.encode(input, specials).map_err(failed)?[..], expected)?;
    }
    for time in ["count from the cache", "count"] {
        same(time, tokenizer.count(input, &specials.allowed).map_err(failed)?, expected.len())?;
        tokenizer.clear_cache();
    }
    if specials.allowed == Allowed::None {
        for limit in 0..expected.len() + 2 {
            same("fits", tokenizer.fits(input, limit).map_err(failed)?, expected.len() <= limit)?;
        }
    }
    for threads in [1, 2, 4] {
        let encode = |input: &Input<'_>, scratch: &mut _| tokenizer.encode_with(*input, specials, scratch);
        let batch = tokenizer.batch(&[input; 5], threads, encode).map_err(|failed| failed.error.to_string())?;
        same("a batch", batch, vec![expected.to_vec(); 5])?;
    }
    let bytes = tokenizer.decode(expected, false, Unknown::Raise).map_err(failed)?;
    if tokenizer.normalization().is_none() {
        same("decoding the ids", &bytes[..], input.bytes())?;
    }
    Ok(())
}

/// Without normalization the ranges tile the text, and each holds its token's bytes; with it they still cover the text.
fn check_offsets(tokenizer: &Tokenizer, input: Input<'_>, specials: &Specials, expected: &[u32]) -> Outcome {
    let failed = |error: Error| error.to_string();
    let bytes = tokenizer.offsets(input, specials, OffsetUnit::Byte).map_err(failed)?;
    let chars = tokenizer.offsets(input, specials, OffsetUnit::Char).map_err(failed)?;
    same("the number of offsets", [bytes.len(), chars.len()], [expected.len(); 2])?;
    let mut reached = 0;
    for (range, &id) in bytes.iter().zip(expected) {
        if tokenizer.normalization().is_none() {
            same("where an offset starts", range.start, reached)?;
            same("what an offset holds", Some(&input.bytes()[range.clone()]), tokenizer.token(id))?;
        }
        if range.start > reached || range.end < reached {
            return Err(format!("the offset {range:?} leaves a gap after {reached}"));
        }
        reached = range.end;
    }
    same("where the offsets end", reached, input.bytes().len())?;
    let length = String::from_utf8_lossy(input.bytes()).chars().count();
    // A token that is nothing but the blank put before the text stands for none of it.
    let may_be_empty = tokenizer.normalization().is_some_and(Normalization::prefixes);
    match chars.iter().find(|range| range.is_empty() && !may_be_empty || range.end > length) {
        Some(range) => Err(format!("the offset {range:?} is no characters of the text's {length}")),
        None => Ok(()),
    }
}

/// Two chunks, cut at every place, and chunks of one byte.
fn check_stream(tokenizer: &Arc<Tokenizer>, data: &[u8], specials: &Specials, expected: &[u32]) -> Outcome {
    let cuts = if data.len() <= 200 { (0..=data.len()).collect() } else { vec![1, data.len() / 2, data.len() - 1] };
    let halves = cuts.into_iter().map(|at| vec![&data[..at], &data[at..]]);
    for chunks in halves.chain([data.chunks(1).collect()]) {
        let mut stream = EncodeStream::new(tokenizer.clone(), specials.clone()).map_err(|error| error.to_string())?;
        let mut found = Vec::new();
        for chunk in &chunks {
            found.extend(stream.push(chunk).map_err(|error| error.to_string())?);
        }
        found.extend(stream.finish().map_err(|error| error.to_string())?);
        same(&format!("a stream cut after {} bytes", chunks.first().map_or(0, |c| c.len())), &found[..], expected)?;
    }
    Ok(())
}

#[test]
fn decode() {
    let mut tokenizers = Named::new();
    vectors::run("decode.jsonl", |line| {
        if line["kind"] == "tokenizer" {
            define(&mut tokenizers, line);
            return Ok(Line::Definition);
        }
        let (tokenizer, _) = &tokenizers[&string(&line["tokenizer"])];
        let ids = ids(&line["ids"]);
        let decoded = tokenizer.decode(&ids, false, Unknown::Raise);
        if line["kind"] == "error" {
            let position = line["position"].as_u64().unwrap() as usize;
            return match decoded {
                Err(Error::UnknownId { id, position: at, .. }) if at == position && id == i128::from(ids[at]) => {
                    Ok(Line::Case)
                }
                other => Err(format!("decoding gives {other:?}, not an error at {position}")),
            };
        }
        let bytes = decoded.map_err(|error| error.to_string())?;
        same("decoding to bytes", &bytes, &hex(&string(&line["bytes"])))?;
        same("decoding to text", String::from_utf8_lossy(&bytes).into_owned(), string(&line["text"]))?;
        let mut stream = DecodeStream::default();
        let mut streamed: String = ids.iter().map(|&id| stream.push(tokenizer.token(id).unwrap())).collect();
        streamed += &stream.finish();
        same("a stream of ids", streamed, string(&line["text"]))?;
        Ok(Line::Case)
    });
}

//! Text → ids, and back.

use std::sync::Arc;

use bytepair_core::decode::{DecodeStream, Unknown};
use bytepair_core::offsets::OffsetUnit;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::Allowed;
use bytepair_core::stream::EncodeStream;
use bytepair_core::tokenizer::{Input, Specials, Tokenizer};
use bytepair_core::{Error, Result};
use proptest::prelude::any;

use crate::input::{draw, split};
use crate::support::oracle;
use crate::support::random::{choice, patterns, recipe};

pub fn pretokenize(data: &[u8]) {
    let Some((&pattern, data)) = data.split_first() else { return };
    let pretokenizer = &patterns()[usize::from(pattern) % patterns().len()];
    let found = oracle::pretokens(pretokenizer, data);
    let slow = Pretokenizer::by_regex(pretokenizer.patterns()).expect("it was compiled before");
    assert_eq!(found, oracle::pretokens(&slow, data));
    assert_eq!(found.concat(), data);
}

/// A tokenizer, what is said of its special tokens, and a text.
fn tokenizer(data: &[u8]) -> Option<(Tokenizer, Specials, &[u8])> {
    let (drawn, text) = split(data);
    let (recipe, allowed, disallowed) = draw((recipe(true), any::<u8>(), any::<u8>()), drawn)?;
    let tokenizer = recipe.build();
    // Few texts are not refused when most tokens are.
    let disallowed = if disallowed < 200 { Allowed::None } else { choice(&tokenizer, disallowed) };
    let specials = Specials { allowed: choice(&tokenizer, allowed), disallowed };
    Some((tokenizer, specials, text))
}

pub fn encode(data: &[u8]) {
    let Some((tokenizer, specials, text)) = tokenizer(data) else { return };
    let expected = oracle::encode(&tokenizer, text, &specials.allowed, oracle::by_merges);
    for input in oracle::inputs(text) {
        assert_eq!(tokenizer.count(input, &specials.allowed).expect("counting refuses no text"), expected.len());
        let Ok(ids) = tokenizer.encode(input, &specials) else { continue };
        assert_eq!(ids, expected);
        let offsets = tokenizer.offsets(input, &specials, OffsetUnit::Byte).expect("the text was encoded before");
        assert_eq!(offsets.len(), ids.len());
        if tokenizer.normalization().is_none() && !tokenizer.added_tokens().iter().any(|t| t.lstrip || t.rstrip) {
            assert_eq!(tokenizer.decode(&ids, false, Unknown::Raise).expect("these ids are tokens"), text);
            assert!(offsets.iter().zip(&ids).all(|(range, &id)| tokenizer.token(id) == Some(&text[range.clone()])));
        }
    }
}

pub fn stream(data: &[u8]) {
    let Some((tokenizer, specials, text)) = tokenizer(data) else { return };
    let comparable = |result: Result<Vec<u32>>| {
        result.map_err(|error| match error {
            Error::DisallowedSpecial { text, offset } => (text, offset),
            other => panic!("{other}"),
        })
    };
    let tokenizer = Arc::new(tokenizer);
    let whole = comparable(tokenizer.encode(Input::Data(text), &specials));
    for size in [1, 2, 3, 7, 64] {
        let streamed = || {
            let mut stream = EncodeStream::new(tokenizer.clone(), specials.clone())?;
            let mut ids = Vec::new();
            for chunk in text.chunks(size) {
                ids.extend(stream.push(chunk)?);
            }
            ids.extend(stream.finish()?);
            Ok(ids)
        };
        assert_eq!(comparable(streamed()), whole, "chunks of {size}");
    }
}

pub fn decode(data: &[u8]) {
    let (sizes, text) = split(data);
    let (mut stream, mut given, mut rest) = (DecodeStream::default(), String::new(), text);
    for &size in sizes.iter().chain(std::iter::repeat(&5)) {
        let (piece, after) = rest.split_at(rest.len().min(usize::from(size)));
        given += &stream.push(piece);
        assert!(stream.held().len() <= 3);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    given += &stream.finish();
    assert_eq!(given, String::from_utf8_lossy(text));
}

/// Every length is tried, so that the text must be short.
const LONGEST_MEASURED: usize = 120;

pub fn measure(data: &[u8]) {
    let Some((tokenizer, _, text)) = tokenizer(data) else { return };
    let text = &text[..text.len().min(LONGEST_MEASURED)];
    let count = |text: &[u8]| tokenizer.count(Input::Data(text), &Allowed::None).expect("counting refuses no text");
    let edges = edges(text);
    let most = count(text);
    for limit in [0, 1, 2, 3, most / 2, most.saturating_sub(1), most] {
        let longest = edges.iter().rev().find(|&&at| count(&text[..at]) <= limit);
        assert_eq!(tokenizer.prefix_length(Input::Data(text), limit).ok().as_ref(), longest, "prefix, {limit}");
        let longest = edges.iter().find(|&&at| count(&text[at..]) <= limit);
        assert_eq!(tokenizer.suffix_start(Input::Data(text), limit).ok().as_ref(), longest, "suffix, {limit}");
        let Ok(chunks) = tokenizer.chunk_ranges(Input::Data(text), limit, 0) else { continue };
        assert!(chunks.iter().all(|range| count(&text[range.clone()]) <= limit), "chunks, {limit}");
        assert_eq!(chunks.iter().flat_map(|range| &text[range.clone()]).copied().collect::<Vec<_>>(), text);
    }
}

/// The edges of the characters, an ill-formed subsequence being one.
fn edges(data: &[u8]) -> Vec<usize> {
    let lengths = data.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(char::len_utf8);
        valid.chain(Some(chunk.invalid().len()).filter(|&length| length > 0))
    });
    let ends = lengths.scan(0, |at, length| {
        *at += length;
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

pub fn pattern(data: &[u8]) {
    let Ok(all) = std::str::from_utf8(data) else { return };
    let (pattern, text) = all.split_once('\0').unwrap_or((all, "I'll  pay $1234 \n\n für die Katze! 今天"));
    let stages = [pattern.to_owned()];
    let Ok(fast) = Pretokenizer::new(&stages) else { return };
    let slow = Pretokenizer::by_regex(&stages).expect("what has a plan is an expression");
    let cut = |pretokenizer: &Pretokenizer| pretokenizer.ranges(text).collect::<Result<Vec<_>>>();
    match (cut(&fast), cut(&slow)) {
        (Ok(found), Ok(expected)) => assert_eq!(found, expected),
        // The general engine may give up where a plan does not.
        (_, Err(error)) => assert!(matches!(error, Error::PatternLimit { .. }), "{error}"),
        (Err(error), Ok(_)) => panic!("{error}"),
    }
}

//! Faults that were found once, each in the smallest form that shows it.

use std::sync::Arc;

use bytepair_core::bpe::Bpe;
use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::{named, Pretokenizer};
use bytepair_core::special::{AddedToken, Allowed};
use bytepair_core::stream::EncodeStream;
use bytepair_core::tokenizer::{Input, Specials, Tokenizer};
use bytepair_core::vocab::Vocab;
use bytepair_core::{Error, Result};

fn model(longer: &[&[u8]]) -> Bpe {
    let bytes: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
    let tokens = bytes.iter().map(|byte| &byte[..]).chain(longer.iter().copied());
    Bpe::from_ranks(Vocab::new((0..).zip(tokens)).unwrap())
}

fn byte_by_byte(tokenizer: &Arc<Tokenizer>, specials: &Specials, data: &[u8]) -> Result<Vec<u32>> {
    let mut stream = EncodeStream::new(tokenizer.clone(), specials.clone())?;
    let mut ids = Vec::new();
    for chunk in data.chunks(1) {
        ids.extend(stream.push(chunk)?);
    }
    ids.extend(stream.finish()?);
    Ok(ids)
}

/// NFC makes a letter and a mark of the letter U+0958, and the mark belongs to the punctuation after it.
#[test]
fn a_stream_is_not_cut_behind_a_letter_that_normalization_takes_apart() {
    let stages: Vec<String> = named::pattern("gpt2").unwrap().stages.iter().map(|stage| stage.to_string()).collect();
    let pretokenizer = Pretokenizer::new(&stages).unwrap();
    let model = model(&["\u{93c}!".as_bytes()]);
    let tokenizer = Arc::new(Tokenizer::new(model.into(), pretokenizer, vec![], Some(Normalization::Nfc)).unwrap());
    let text = "\u{958}! and more than a stream holds back";
    let whole = tokenizer.encode(Input::Text(text), &Specials::default()).unwrap();
    assert!(whole.contains(&256));
    assert_eq!(byte_by_byte(&tokenizer, &Specials::default(), text.as_bytes()).unwrap(), whole);
}

/// A stream without a pattern is cut after special tokens, here after `b`, which stands inside a disallowed one.
#[test]
fn a_stream_is_not_cut_inside_a_disallowed_token() {
    let added = vec![AddedToken::special("b", 256), AddedToken::special("abc", 257)];
    let tokenizer = Arc::new(Tokenizer::new(model(&[]).into(), Pretokenizer::new(&[]).unwrap(), added, None).unwrap());
    let some = |text: &str| Allowed::Some(vec![text.to_owned()]);
    let specials = Specials { allowed: some("b"), disallowed: some("abc") };
    let text = b"0123456789 b 0123456789 abc 0123456789";
    for refused in [tokenizer.encode(Input::Data(text), &specials), byte_by_byte(&tokenizer, &specials, text)] {
        match refused {
            Err(Error::DisallowedSpecial { text, offset: 24 }) => assert_eq!(text, "abc"),
            other => panic!("{other:?}"),
        }
    }
}

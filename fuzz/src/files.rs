//! Files that may be anything.

use bytepair_core::bpe::Bpe;
use bytepair_core::format::{compact, gpt2, huggingface, tiktoken, Parts};
use bytepair_core::pretokenize::named;
use bytepair_core::special::AddedToken;
use bytepair_core::tokenizer::{Input, Specials};
use bytepair_core::{Error, Result};

const TEXT: &str = "It's 1234 <s> 今天\n\n  é ab";

/// Encodes, so that what was read is used as well.
fn ids(parts: Parts) -> Option<Vec<u32>> {
    let tokenizer = parts.build().ok()?;
    tokenizer.encode(Input::Text(TEXT), &Specials::default()).ok()
}

fn is_explained<T>(result: Result<T>) -> Option<T> {
    result.map_err(|error| assert!(!error.to_string().is_empty())).ok()
}

pub fn huggingface(data: &[u8]) {
    let Some(parts) = is_explained(huggingface::read(data)) else { return };
    match huggingface::write(&parts) {
        Ok(written) => {
            let again = huggingface::read(&written).expect("what was written can be read");
            assert_eq!(huggingface::write(&again).expect("it was written before"), written);
            assert_eq!(ids(again), ids(parts));
        }
        Err(error) => assert!(matches!(error, Error::CannotHold { .. }), "{error}"),
    }
}

/// A zero byte stands between the two files.
pub fn gpt2(data: &[u8]) {
    let Some(middle) = data.iter().position(|&byte| byte == 0) else { return };
    let Some((model, others)) = is_explained(gpt2::read(&data[..middle], &data[middle + 1..], &[], true)) else {
        return;
    };
    let stages = named::pattern("gpt2").map_or(&[][..], |gpt2| gpt2.stages);
    let parts = Parts {
        model: model.into(),
        patterns: stages.iter().map(|stage| stage.to_string()).collect(),
        normalization: None,
        added: others.into_iter().map(|(text, id)| AddedToken::special(&text, id)).collect(),
    };
    match gpt2::write(&parts) {
        Ok((vocab, merges)) => {
            let (model, others) = gpt2::read(&vocab, &merges, &[], true).expect("what was written can be read");
            assert!(model.vocab.iter().eq(parts.model.vocab.iter()));
            assert_eq!(model.merges.list(), parts.model.merges.list());
            assert!(parts.added.iter().all(|token| others.contains(&(token.text.clone(), token.id))));
        }
        Err(error) => assert!(matches!(error, Error::CannotHold { .. }), "{error}"),
    }
}

pub fn tiktoken(data: &[u8]) {
    comes_back(data, tiktoken::read, tiktoken::write);
}

pub fn compact(data: &[u8]) {
    comes_back(data, compact::read, |model| Ok(compact::write(model)));
}

fn comes_back(data: &[u8], read: fn(&[u8]) -> Result<Bpe>, write: fn(&Bpe) -> Result<Vec<u8>>) {
    let bare = |model: Bpe| Parts { model: model.into(), patterns: vec![], normalization: None, added: vec![] };
    let Some(model) = is_explained(read(data)) else { return };
    let written = write(&model).expect("what was read from a file fits into one");
    let again = read(&written).expect("what was written can be read");
    assert!(again.vocab.iter().eq(model.vocab.iter()));
    assert_eq!(again.merges.list(), model.merges.list());
    assert_eq!(ids(bare(again)), ids(bare(model)));
}

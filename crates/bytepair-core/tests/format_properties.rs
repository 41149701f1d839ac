//! Files of random tokenizers come back as they were, and damaged files are refused without a panic or a hang.

mod support;

use std::time::Duration;

use bytepair_core::bpe::Bpe;
use bytepair_core::error::Error;
use bytepair_core::format::{compact, huggingface, oniguruma, tiktoken, Parts};
use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Specials};
use proptest::prelude::*;
use proptest::sample::Index;
use support::random::{self, data, Recipe};
use support::within;

/// A tokenizer of any kind, small enough to be written often.
fn recipe() -> impl Strategy<Value = Recipe> {
    random::recipe(true).prop_map(Recipe::sparse)
}

fn same_model(found: &Bpe, expected: &Bpe) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.vocab.iter().collect::<Vec<_>>(), expected.vocab.iter().collect::<Vec<_>>());
    prop_assert_eq!(found.merges.list(), expected.merges.list());
    prop_assert_eq!(found.whole, expected.whole);
    Ok(())
}

fn same_parts(found: &Parts, expected: &Parts) -> Result<(), TestCaseError> {
    same_model(&found.model, &expected.model)?;
    // `^` comes back as `\A`: to us they mean the same, to the format they do not.
    let written = |patterns: &[String]| patterns.iter().map(|p| oniguruma::write(p).unwrap()).collect::<Vec<_>>();
    prop_assert_eq!(written(&found.patterns), written(&expected.patterns));
    prop_assert_eq!(found.normalization, expected.normalization);
    prop_assert_eq!(&found.added, &expected.added);
    Ok(())
}

/// What `encode` says, with all special tokens on.
fn ids(parts: Parts, data: &[u8]) -> Vec<u32> {
    let specials = Specials { allowed: Allowed::All, disallowed: Allowed::None };
    parts.build().unwrap().encode(Input::Data(data), &specials).unwrap()
}

proptest! {
    #[test]
    fn compact_comes_back(recipe in recipe()) {
        let model = recipe.model();
        let written = compact::write(&model);
        let read = compact::read(&written).unwrap();
        same_model(&read, &model)?;
        prop_assert_eq!(compact::write(&read), written);
    }

    #[test]
    fn tiktoken_comes_back_or_is_refused(recipe in recipe(), text in data()) {
        let model = recipe.model();
        match tiktoken::write(&model) {
            Ok(written) => {
                let read = tiktoken::read(&written).unwrap();
                // A file of ranks says nothing of the whole lookup, which may be on where it changes nothing.
                same_model(&read, &Bpe { whole: read.whole, ..(*model).clone() })?;
                prop_assert_eq!(tiktoken::write(&read).unwrap(), written);
                let read = Parts { model: read.into(), ..recipe.parts() };
                prop_assert_eq!(ids(read, &text), ids(recipe.parts(), &text));
            }
            Err(error) => {
                prop_assert!(matches!(error, Error::CannotHold { .. }), "{}", error);
                prop_assert!(!recipe.by_ranks(), "ranks are what the format is made for: {}", error);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn tokenizer_json_comes_back_or_is_refused(recipe in recipe(), text in data()) {
        let parts = recipe.parts();
        match huggingface::write(&parts) {
            Ok(written) => {
                let read = huggingface::read(&written).unwrap();
                prop_assert_eq!(&huggingface::write(&read).unwrap(), &written);
                same_parts(&read, &parts)?;
                prop_assert_eq!(ids(read, &text), ids(parts, &text));
            }
            Err(error) => prop_assert!(matches!(error, Error::CannotHold { .. }), "{}", error),
        }
    }
}

/// A change to a file: bytes overwritten, a piece left out, or a piece given twice.
#[derive(Clone, Debug)]
enum Damage {
    Overwrite(Vec<(Index, u8)>),
    Cut(Index, Index),
    Repeat(Index, Index),
    Truncate(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        prop::collection::vec((any::<Index>(), any::<u8>()), 1..4).prop_map(Damage::Overwrite),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Damage::Cut(from, to)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        any::<Index>().prop_map(Damage::Truncate),
    ]
}

impl Damage {
    fn apply(&self, mut file: Vec<u8>) -> Vec<u8> {
        let range = |from: &Index, to: &Index, length| {
            let (from, to): (usize, usize) = (from.index(length), to.index(length));
            from.min(to)..from.max(to)
        };
        match self {
            Self::Overwrite(bytes) => bytes.iter().for_each(|(at, byte)| {
                let at = at.index(file.len());
                file[at] = *byte;
            }),
            Self::Cut(from, to) => drop(file.drain(range(from, to, file.len()))),
            Self::Repeat(from, to) => {
                let range = range(from, to, file.len());
                let piece = file[range.clone()].to_vec();
                file.splice(range.end..range.end, piece);
            }
            Self::Truncate(at) => file.truncate(at.index(file.len())),
        }
        file
    }
}

/// Reads and, where that succeeds, encodes, so that what was read is used as well.
fn try_all(recipe: &Recipe, damage: &Damage, text: Vec<u8>) {
    let parts = recipe.parts();
    let bare = |model: Bpe| Parts { model: model.into(), patterns: vec![], normalization: None, added: vec![] };
    let mut read: Vec<Result<Parts, Error>> =
        vec![compact::read(&damage.apply(compact::write(&parts.model))).map(bare)];
    if let Ok(file) = tiktoken::write(&parts.model) {
        read.push(tiktoken::read(&damage.apply(file)).map(bare));
    }
    if let Ok(file) = huggingface::write(&parts) {
        read.push(huggingface::read(&damage.apply(file)));
    }
    for result in read {
        match result.and_then(Parts::build) {
            Ok(tokenizer) => drop(tokenizer.encode(Input::Data(&text), &Specials::default())),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

proptest! {
    #[test]
    fn a_damaged_file_is_an_error_or_a_tokenizer(recipe in recipe(), damage in damage(), text in data()) {
        within(Duration::from_secs(20), move || try_all(&recipe, &damage, text));
    }

    #[test]
    fn no_bytes_at_all_make_a_loader_panic(data in prop::collection::vec(any::<u8>(), 0..200)) {
        within(Duration::from_secs(20), move || {
            assert!(compact::read(&data).is_err());
            assert!(tiktoken::read(&data).is_err());
            assert!(huggingface::read(&data).is_err());
        });
    }
}

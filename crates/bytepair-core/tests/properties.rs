//! What holds for every tokenizer and every text.

mod support;

use std::sync::Arc;
use std::time::Duration;

use bytepair_core::decode::{DecodeStream, Unknown};
use bytepair_core::offsets::OffsetUnit;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::Allowed;
use bytepair_core::stream::EncodeStream;
use bytepair_core::tokenizer::{Input, Specials, Tokenizer, Unit};
use bytepair_core::{Error, Result};
use proptest::prelude::*;
use proptest::sample::Index;
use support::random::{choice, data, recipe};
use support::{oracle, random, within};

fn allowing(allowed: Allowed) -> Specials {
    Specials { allowed, disallowed: Allowed::None }
}

fn decode(tokenizer: &Tokenizer, ids: &[u32]) -> Vec<u8> {
    tokenizer.decode(ids, false, Unknown::Raise).unwrap()
}

proptest! {
    #[test]
    fn the_ids_are_those_of_the_definition(recipe in recipe(true), data in data(), kind: u8) {
        let tokenizer = recipe.build();
        let allowed = choice(&tokenizer, kind);
        let expected = oracle::encode(&tokenizer, &data, &allowed, oracle::by_merges);
        if recipe.by_ranks() {
            prop_assert_eq!(&oracle::encode(&tokenizer, &data, &allowed, oracle::by_ranks), &expected);
        }
        for input in oracle::inputs(&data) {
            for _cold_then_warm in 0..2 {
                prop_assert_eq!(&tokenizer.encode(input, &allowing(allowed.clone())).unwrap(), &expected);
            }
        }
    }

    #[test]
    fn what_was_encoded_decodes(recipe in recipe(false), data in data(), kind: u8) {
        let tokenizer = recipe.normalizing(false).build();
        let ids = tokenizer.encode(Input::Data(&data), &allowing(choice(&tokenizer, kind))).unwrap();
        prop_assert_eq!(decode(&tokenizer, &ids), data);
    }

    #[test]
    fn normalized_text_is_what_decodes(recipe in recipe(false), data in data()) {
        // An added token that always matches is found in the text as given, so it would keep its spelling.
        let tokenizer = recipe.normalizing(true).all_special().build();
        let ids = tokenizer.encode(Input::Data(&data), &Specials::default()).unwrap();
        prop_assert_eq!(decode(&tokenizer, &ids), tokenizer.normalize(&data));
    }

    #[test]
    fn the_ids_are_those_of_the_units_one_by_one(recipe in recipe(true), data in data(), kind: u8) {
        let tokenizer = recipe.build();
        let specials = allowing(choice(&tokenizer, kind));
        let finders = finders(&tokenizer, &specials.allowed);
        let (mut units, mut joined) = (Vec::new(), Vec::new());
        tokenizer.walk(Input::Data(&data), &finders, &mut |unit, _| {
            match unit {
                Unit::Added(id) => units.push(vec![id]),
                Unit::Pretoken(pretoken) => units.push(oracle::by_merges(tokenizer.model(), pretoken)),
            }
            Ok(true)
        }).unwrap();
        units.iter().for_each(|ids| joined.extend_from_slice(ids));
        prop_assert!(units.iter().all(|ids| !ids.is_empty()));
        prop_assert_eq!(tokenizer.encode(Input::Data(&data), &specials).unwrap(), joined);
    }

    #[test]
    fn counting_is_encoding_without_the_ids(recipe in recipe(true), data in data(), kind: u8, limit in 0usize..60) {
        let tokenizer = recipe.build();
        let allowed = choice(&tokenizer, kind);
        let ids = tokenizer.encode(Input::Data(&data), &allowing(allowed.clone())).unwrap();
        for _warm_then_cold in 0..2 {
            prop_assert_eq!(tokenizer.count(Input::Data(&data), &allowed).unwrap(), ids.len());
            tokenizer.clear_cache();
        }
        let count = tokenizer.count(Input::Data(&data), &Allowed::None).unwrap();
        for limit in [limit, count.saturating_sub(1), count, count + 1] {
            prop_assert_eq!(tokenizer.fits(Input::Data(&data), limit).unwrap(), count <= limit, "{}", limit);
        }
    }

    #[test]
    fn a_batch_is_its_texts_one_by_one(
        recipe in recipe(true), texts in prop::collection::vec(data(), 0..12), kind: u8, repeats in 1usize..40,
    ) {
        let tokenizer = recipe.build();
        let specials = allowing(choice(&tokenizer, kind));
        let texts: Vec<_> = std::iter::repeat_n(texts, repeats).flatten().collect();
        let one = |text: &Vec<u8>| tokenizer.encode(Input::Data(text), &specials).unwrap();
        let expected: Vec<_> = texts.iter().map(one).collect();
        for threads in [0, 1, 2, 4] {
            let work = |text: &Vec<u8>, scratch: &mut _| tokenizer.encode_with(Input::Data(text), &specials, scratch);
            prop_assert_eq!(&tokenizer.batch(&texts, threads, work).unwrap(), &expected);
        }
    }

    #[test]
    fn a_batch_fails_at_its_first_text_that_fails(
        recipe in recipe(true), texts in prop::collection::vec(data(), 0..12), kind: u8, repeats in 1usize..40,
    ) {
        let tokenizer = recipe.build();
        let specials = Specials { allowed: choice(&tokenizer, kind), disallowed: Allowed::All };
        let texts: Vec<_> = std::iter::repeat_n(texts, repeats).flatten().collect();
        let first = texts.iter().position(|text| tokenizer.encode(Input::Data(text), &specials).is_err());
        for threads in [1, 2, 4] {
            let work = |text: &Vec<u8>, scratch: &mut _| tokenizer.encode_with(Input::Data(text), &specials, scratch);
            let failed = tokenizer.batch(&texts, threads, work).err();
            prop_assert_eq!(failed.map(|failed| failed.index), first);
        }
    }

    #[test]
    fn byte_offsets_tile_the_data(recipe in recipe(false), data in data(), kind: u8) {
        let tokenizer = recipe.normalizing(false).build();
        let specials = allowing(choice(&tokenizer, kind));
        let ids = tokenizer.encode(Input::Data(&data), &specials).unwrap();
        let offsets = tokenizer.offsets(Input::Data(&data), &specials, OffsetUnit::Byte).unwrap();
        prop_assert_eq!(offsets.len(), ids.len());
        let mut reached = 0;
        for (range, &id) in offsets.iter().zip(&ids) {
            prop_assert_eq!(range.start, reached);
            prop_assert_eq!(&data[range.clone()], tokenizer.token(id).unwrap());
            reached = range.end;
        }
        prop_assert_eq!(reached, data.len());
    }

    #[test]
    fn offsets_cover_the_text_without_a_gap(recipe in recipe(true), data in data(), kind: u8) {
        let tokenizer = recipe.build();
        let specials = allowing(choice(&tokenizer, kind));
        let ids = tokenizer.encode(Input::Data(&data), &specials).unwrap();
        let characters = String::from_utf8_lossy(&data).chars().count();
        for (unit, length) in [(OffsetUnit::Byte, data.len()), (OffsetUnit::Char, characters)] {
            let offsets = tokenizer.offsets(Input::Data(&data), &specials, unit).unwrap();
            prop_assert_eq!(offsets.len(), ids.len());
            let mut reached = 0;
            for range in offsets {
                prop_assert!(range.start <= reached && range.end >= reached && range.start < range.end, "{:?}", range);
                reached = range.end;
            }
            prop_assert_eq!(reached, length);
        }
    }

    #[test]
    fn a_stream_of_ids_is_the_text(recipe in recipe(false), ids in prop::collection::vec(any::<Index>(), 0..40)) {
        let tokenizer = recipe.build();
        let known: Vec<u32> = (0..tokenizer.bound()).filter(|&id| tokenizer.token(id).is_some()).collect();
        let ids: Vec<u32> = ids.iter().map(|index| *index.get(&known)).collect();
        let mut stream = DecodeStream::default();
        let mut text = String::new();
        for &id in &ids {
            text += &stream.push(tokenizer.token(id).unwrap());
            prop_assert!(stream.held().len() <= 3);
        }
        text += &stream.finish();
        let bytes = decode(&tokenizer, &ids);
        prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
    }
}

fn finders(tokenizer: &Tokenizer, allowed: &Allowed) -> [Arc<bytepair_core::special::Finder>; 2] {
    let added = bytepair_core::special::AddedTokens::new(tokenizer.added_tokens().to_vec()).unwrap();
    added.finders(allowed).unwrap()
}

/// The ids of `chunks`, or the first error.
fn streamed<'a>(
    tokenizer: &Arc<Tokenizer>,
    specials: &Specials,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<u32>> {
    let mut stream = EncodeStream::new(tokenizer.clone(), specials.clone())?;
    let mut ids = Vec::new();
    for chunk in chunks {
        ids.extend(stream.push(chunk)?);
    }
    ids.extend(stream.finish()?);
    Ok(ids)
}

/// An answer that can be compared: the ids, or what was refused and where.
fn answer(result: Result<Vec<u32>>) -> std::result::Result<Vec<u32>, (String, usize)> {
    result.map_err(|error| match error {
        Error::DisallowedSpecial { text, offset } => (text, offset),
        other => panic!("{other}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn a_stream_is_the_joined_text_wherever_it_is_cut(
        recipe in recipe(true), data in data(), cuts in prop::collection::vec(any::<Index>(), 0..8),
        allowed: u8, disallowed: u8,
    ) {
        let tokenizer = Arc::new(recipe.build());
        let specials =
            Specials { allowed: choice(&tokenizer, allowed), disallowed: choice(&tokenizer, disallowed) };
        let expected = answer(tokenizer.encode(Input::Data(&data), &specials));
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(data.len() + 1)).chain([0, data.len()]).collect();
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|cut| &data[cut[0]..cut[1]]);
        prop_assert_eq!(&answer(streamed(&tokenizer, &specials, pieces)), &expected);
        prop_assert_eq!(&answer(streamed(&tokenizer, &specials, data.chunks(1))), &expected, "byte by byte");
    }
}

/// A stream of a planned pattern holds back little of a text, and its time grows with the text's length and no faster.
#[test]
fn a_stream_holds_back_little_and_stays_linear() {
    let prose = "I'll pay $1234.50 for the cat's   hat!!\n\n今天西安的天气怎么样？ Ελλάδα! e\u{301}\u{958}। 각 <|x|>\n"
        .repeat(2_000);
    let letters = "a".repeat(300_000);
    for (at, pretokenizer) in random::patterns().iter().enumerate() {
        for nfc in [false, true] {
            let tokenizer = Arc::new(random::Recipe::bytes(at, nfc).build());
            let has_cuts = pretokenizer.has_cuts();
            for (text, cuts) in [(&prose, has_cuts), (&letters, false)] {
                let (tokenizer, text) = (tokenizer.clone(), text.clone().into_bytes());
                let held = within(Duration::from_secs(60), move || {
                    let mut stream = EncodeStream::new(tokenizer, Specials::default()).unwrap();
                    text.chunks(7).for_each(|chunk| drop(stream.push(chunk).unwrap()));
                    stream.finish().unwrap().len()
                });
                assert!(!cuts || held < 100, "{:?}: {held}", pretokenizer.patterns());
            }
        }
    }
}

/// *Coverage*, and the cuts of the general engine, where runs of one class start and end at any place of a block.
#[test]
fn runs_at_every_alignment_are_cut_as_the_engine_cuts() {
    const UNITS: [&str; 14] = ["a", "B", "1", " ", "\n", "\t", "'", "!", "é", "世", "\u{301}", "\u{3000}", "ǅ", "🌍"];
    const LENGTHS: [usize; 12] = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130];
    for pretokenizer in random::patterns().iter().filter(|pretokenizer| pretokenizer.has_cuts()) {
        let slow = Pretokenizer::by_regex(pretokenizer.patterns()).unwrap();
        for (at, unit) in UNITS.iter().enumerate() {
            for length in LENGTHS {
                for offset in 0..64 {
                    // What stands around is of another class each time.
                    let (before, after) = (UNITS[(at + 1 + offset) % 14], UNITS[(at + 5 + length) % 14]);
                    let text = [&"x".repeat(offset), before, &unit.repeat(length), after, "s 12"].concat();
                    let found = oracle::pretokens(pretokenizer, text.as_bytes());
                    assert_eq!(found, oracle::pretokens(&slow, text.as_bytes()), "{text:?}");
                    assert_eq!(found.concat(), text.as_bytes());
                }
            }
        }
    }
}

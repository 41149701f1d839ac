//! Training: the fast trainer against the rules as they stand, and both against figures from elsewhere.

use std::collections::HashMap;
use std::path::PathBuf;

use bytepair_core::pretokenize::{named, Pretokenizer};
use bytepair_core::train::{naive, train, Counter, Counts, Options, Stop, Ties, Trained};
use bytepair_core::Error;
use proptest::prelude::*;
use serde_json::Value;

const TIES: [Ties; 4] = [Ties::Bytes, Ties::Ids, Ties::First, Ties::HuggingFace];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn quick(counts: &Counts, options: &Options) -> Trained {
    train(counts, options, &mut |_, _| Ok(())).unwrap()
}

fn count(texts: &[&[u8]], stages: &[String], special: &[String]) -> Counts {
    let counter = Counter::new(Pretokenizer::new(stages).unwrap(), special).unwrap();
    let mut counts = Counts::new();
    for text in texts {
        counter.count_text(text, &mut counts).unwrap();
    }
    counts
}

fn gpt2() -> Vec<String> {
    named::pattern("gpt2").unwrap().stages.iter().map(|stage| stage.to_string()).collect()
}

fn counts_of(words: &[(Vec<u8>, u64)]) -> Counts {
    let mut counts = Counts::new();
    for (word, count) in words {
        counts.add(word, *count);
    }
    counts
}

/// Words over few letters, so that pairs tie, overlap and run; counts on both sides of every border inside the trainer.
fn words() -> impl Strategy<Value = Vec<(Vec<u8>, u64)>> {
    let letter = prop::sample::select(&b"aaab\xe4\x00 "[..]);
    let word = prop_oneof![
        4 => prop::collection::vec(letter, 1..12),
        1 => (prop::sample::select(vec!["a", "ab", "aab", "abc"]), 1..30usize).prop_map(|(w, n)| w.repeat(n).into_bytes()),
    ];
    let weight = prop_oneof![6 => 1..4u64, 3 => 4..3000u64, 1 => 65_000..70_000u64, 1 => 1_000_000..1_000_004u64];
    prop::collection::vec((word, weight), 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn the_fast_trainer_follows_the_rules(
        words in words(),
        merges in prop_oneof![0..60usize, Just(70_000)],
        min_count in prop_oneof![3 => Just(1u64), 1 => 0..5000u64],
        max_token_length in prop_oneof![3 => Just(None), 1 => (0..9usize).prop_map(Some)],
    ) {
        let counts = counts_of(&words);
        for ties in TIES {
            let options = Options { merges, ties, min_count, max_token_length };
            prop_assert_eq!(quick(&counts, &options), naive::train(&counts, &options).unwrap(), "{:?}", ties);
        }
    }

    #[test]
    fn the_order_of_the_words_matters_to_first_alone(words in words(), merges in 0..60usize) {
        let forward = counts_of(&words);
        let backward = counts_of(&words.into_iter().rev().collect::<Vec<_>>());
        for ties in [Ties::Bytes, Ties::Ids, Ties::HuggingFace] {
            let options = Options { merges, ties, ..Options::default() };
            prop_assert_eq!(quick(&forward, &options), quick(&backward, &options));
        }
    }
}

#[test]
fn real_text_by_every_rule() {
    let text = read("python/bytepair/texts/corpus.en");
    let counts = count(&[&text[..20_000]], &gpt2(), &[]);
    for ties in TIES {
        for (merges, max_token_length) in [(150, None), (600, Some(5))] {
            let options = Options { merges, ties, max_token_length, ..Options::default() };
            assert_eq!(quick(&counts, &options), naive::train(&counts, &options).unwrap(), "{ties:?}");
        }
    }
}

#[test]
fn corpus_en_by_its_figures() {
    let counts = count(&[&read("python/bytepair/texts/corpus.en")], &gpt2(), &[]);
    assert_eq!((counts.total(), counts.len()), (Some(27_758), 4_763));
    let trained = quick(&counts, &Options { merges: 2000, ..Options::default() });
    assert_eq!((trained.merges.len(), trained.tokens.len(), trained.stopped_early), (2000, 2256, None));
    assert!(trained.tokens[256..266]
        .iter()
        .eq([" t", " a", "he", "in", " the", "re", " o", " ,", "er", " s"].map(str::as_bytes)));
    let longest = |tokens: &[Vec<u8>]| {
        let mut tokens = tokens.to_vec();
        tokens.sort_by_key(Vec::len);
        let mut longest = tokens.split_off(tokens.len() - 5);
        longest.sort();
        longest
    };
    let sorted = |tokens: [&str; 5]| {
        let mut tokens = tokens.map(|token| token.as_bytes().to_vec());
        tokens.sort();
        tokens
    };
    let after_500 = sorted(["formation", " ecommerce", " distribut", " WordPress", " information"]);
    assert_eq!(longest(&trained.tokens[..756]), after_500);
    let after_2000 =
        sorted([" commandments", " righteousness", " international", "eschäftsordnung", " Geschäftsordnung"]);
    assert_eq!(longest(&trained.tokens), after_2000);
}

/// GPT-2's printable characters back to bytes.
fn bytes_of_printable(text: &str) -> Vec<u8> {
    let mut others = (0..=255u8).filter(|byte| !matches!(byte, 33..=126 | 161..=172 | 174..=255));
    let byte_of: HashMap<char, u8> = (0..=255u8)
        .filter(|byte| matches!(byte, 33..=126 | 161..=172 | 174..=255))
        .map(|byte| (char::from(byte), byte))
        .chain((0x100..).map_while(|code| Some((char::from_u32(code)?, others.next()?))))
        .collect();
    text.chars().map(|c| byte_of[&c]).collect()
}

#[test]
fn corpus_en_by_the_reference_merges() {
    let special = ["<|endoftext|>".to_owned()];
    let counts = count(&[&read("python/bytepair/texts/corpus.en")], &gpt2(), &special);
    let trained = quick(&counts, &Options { merges: 500 - 256 - 1, ..Options::default() });
    let file = String::from_utf8(read("tests/golden/cs336/train-bpe-reference-merges.txt")).unwrap();
    let expected: Vec<(Vec<u8>, Vec<u8>)> = file
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(left, right)| (bytes_of_printable(left), bytes_of_printable(right)))
        .collect();
    assert_eq!(merges_of(&trained), expected);
}

fn merges_of(trained: &Trained) -> Vec<(Vec<u8>, Vec<u8>)> {
    let token = |id: u32| trained.tokens[id as usize].clone();
    trained.merges.iter().map(|&(left, right)| (token(left), token(right))).collect()
}

#[test]
fn one_text_without_a_pattern() {
    let counts = count(&[b"the cat in the hat sat on the mat"], &[], &[]);
    let trained = quick(&counts, &Options { merges: 5, ties: Ties::Ids, ..Options::default() });
    assert_eq!(
        trained.tokens[256..].iter().map(|t| &t[..]).collect::<Vec<_>>(),
        [&b"at"[..], b"at ", b"th", b"the", b"the "]
    );
    assert_eq!(trained.last_count, 3);

    let counts = count(&[b"hello world, hello python, hello AI! It is a beautiful world."], &[], &[]);
    let trained = quick(&counts, &Options { merges: 14, ties: Ties::First, ..Options::default() });
    assert_eq!(trained.merges[..4], [(104, 101), (256, 108), (257, 108), (258, 111)]);
    assert_eq!((trained.merges[11], trained.merges[12]), ((260, 264), (267, 266)));
    assert_eq!(trained.tokens[268], b"hello world, hello ");
}

/// A JSON text: a string, or hexadecimal digits for bytes that are no UTF-8.
fn text_of(value: &Value) -> Vec<u8> {
    match value.as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => hex(value["hex"].as_str().expect("a text is a string or has `hex`")),
    }
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|n| u8::from_str_radix(&digits[2 * n..2 * n + 2], 16).unwrap()).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn vectors() {
    let file = String::from_utf8(read("spec/vectors/train.jsonl")).unwrap();
    let mut corpora: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
    let mut cases = 0;
    for line in file.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        if line["kind"] == "corpus" {
            let texts = line["texts"].as_array().unwrap().iter().map(text_of).collect();
            corpora.insert(line["name"].as_str().unwrap().to_owned(), texts);
            continue;
        }
        let special = strings(&line["special_tokens"]);
        let texts: Vec<&[u8]> = corpora[line["corpus"].as_str().unwrap()].iter().map(Vec::as_slice).collect();
        let counts = count(&texts, &strings(&line["stages"]), &special);
        let options = Options {
            merges: line["vocab_size"].as_u64().unwrap() as usize - 256 - special.len(),
            ties: line["ties"].as_str().unwrap().parse().unwrap(),
            min_count: line["min_count"].as_u64().unwrap(),
            max_token_length: line["max_token_length"].as_u64().map(|length| length as usize),
        };
        let merges = line["merges"].as_array().unwrap();
        let expected: Vec<_> =
            merges.iter().map(|pair| (hex(pair[0].as_str().unwrap()), hex(pair[1].as_str().unwrap()))).collect();
        for trained in [quick(&counts, &options), naive::train(&counts, &options).unwrap()] {
            assert_eq!(merges_of(&trained), expected, "{line}");
            assert_eq!(trained.stopped_early.is_some(), line["stopped_early"].as_bool().unwrap(), "{line}");
        }
        cases += 1;
    }
    assert!(cases >= 50, "only {cases} cases");
}

#[test]
fn an_early_end_says_why() {
    let counts = counts_of(&[(b"abab".to_vec(), 3), (b"cd".to_vec(), 2)]);
    let stopped = |options: Options| {
        let trained = quick(&counts, &options);
        (trained.merges.len(), trained.last_count, trained.stopped_early)
    };
    let wanted = Options { merges: 9, ..Options::default() };
    assert_eq!(stopped(wanted.clone()), (3, 2, Some(Stop::NoPairLeft)));
    assert_eq!(stopped(Options { min_count: 3, ..wanted.clone() }), (2, 3, Some(Stop::BelowMinCount(2))));
    assert_eq!(stopped(Options { max_token_length: Some(1), ..wanted.clone() }), (0, 0, Some(Stop::NoPairLeft)));
    assert_eq!(stopped(Options { merges: 2, ..wanted }), (2, 3, None));
    assert_eq!(
        quick(&Counts::new(), &Options { merges: 1, ..Options::default() }).stopped_early,
        Some(Stop::NoPairLeft)
    );
}

#[test]
fn counts_are_64_bits_wide() {
    let counts = counts_of(&[(b"ab".to_vec(), 1 << 40), (b"cd".to_vec(), (1 << 40) + 1), (b"abcd".to_vec(), 1)]);
    for ties in TIES {
        let options = Options { merges: 3, ties, ..Options::default() };
        assert_eq!(quick(&counts, &options), naive::train(&counts, &options).unwrap());
    }
    let trained = quick(&counts, &Options { merges: 1, ..Options::default() });
    assert_eq!(trained.last_count, (1 << 40) + 2);
}

#[test]
fn what_cannot_be_trained_with_is_refused() {
    let nothing = &mut |_: usize, _: usize| Ok(());
    let too_many = Options { merges: usize::MAX, ..Options::default() };
    assert!(matches!(train(&Counts::new(), &too_many, nothing), Err(Error::VocabSize { .. })));
    let too_much = counts_of(&[(b"ab".to_vec(), u64::MAX)]);
    let result = train(&too_much, &Options::default(), nothing);
    assert!(matches!(result, Err(Error::Option { what: "counts", .. })), "{result:?}");
}

#[test]
fn an_error_from_progress_ends_the_training() {
    let counts = count(&[&read("python/bytepair/texts/corpus.en")], &gpt2(), &[]);
    let options = Options { merges: 2000, ..Options::default() };
    let mut told = Vec::new();
    train(&counts, &options, &mut |done, wanted| {
        told.push((done, wanted));
        Ok(())
    })
    .unwrap();
    assert_eq!((told.first(), told.last()), (Some(&(0, 2000)), Some(&(2000, 2000))));
    let stopped = train(&counts, &options, &mut |_, _| Err(Error::Stopped));
    assert!(matches!(stopped, Err(Error::Stopped)));
}

/// A million different symbols in a row, and a run of one: neither time nor the stack may grow faster than the text.
#[test]
fn one_long_word() {
    let run = vec![b'a'; 1_000_000];
    let digits: Vec<u8> = (0..200_000u32).flat_map(|n| n.to_string().into_bytes()).collect();
    for ties in TIES {
        let options = Options { merges: 300, ties, ..Options::default() };
        let trained = quick(&counts_of(&[(run.clone(), 1)]), &options);
        // a, aa, aaaa … up to 2^19, and then what is left over.
        assert_eq!(trained.tokens[256 + 18].len(), 1 << 19, "{ties:?}");
        assert_eq!(quick(&counts_of(&[(digits.clone(), 1)]), &options).merges.len(), 300);
    }
}

//! Prefixes, suffixes and pieces of so many tokens, against the definition: every length is tried.

mod support;

use std::ops::Range;
use std::time::Duration;

use bytepair_core::bpe::Bpe;
use bytepair_core::format::tiktoken;
use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::named;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Tokenizer};
use bytepair_core::vocab::Vocab;
use bytepair_core::Error;
use proptest::prelude::*;
use support::random::{data, patterns, recipe, Recipe};
use support::{shared, within};

/// Patterns beyond those of the other tests: of real models without a name here, and some that are hard to cut short.
const PATTERNS: &[&[&str]] = &[
    &[r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"],
    &[
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ],
    &[r"\p{N}", r"'s|\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s"],
    &[r"\p{L}+|\p{N}{1,3}"],
    &[r"[ab]\p{N}{1,7}[\n ]*|\s+"],
];

/// Texts with long parts that no pattern cuts, some of them out of step with themselves.
fn long_data() -> impl Strategy<Value = Vec<u8>> {
    const UNITS: &[&str] = &[
        "a",
        "ab",
        "aB",
        "Ab",
        "B",
        "b s",
        " ",
        "  ",
        "\n",
        " \n",
        "\n ",
        "1",
        "12",
        "!",
        "!\n",
        "/\n",
        "'",
        "'s",
        "a's",
        "กั",
        "ก",
        "\u{301}",
        "世",
        "é",
        "e\u{301}",
        "<|a|>",
        "a1",
        "👩\u{200d}",
        "\u{3000}",
        "ǅ",
    ];
    let run = (prop::sample::select(UNITS), 1usize..90).prop_map(|(unit, times)| unit.repeat(times).into_bytes());
    let ill_formed = (1usize..60).prop_map(|times| b"\xe4\xb8".repeat(times));
    let part = prop_oneof![6 => run, 3 => data(), 1 => ill_formed];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

/// What a tokenizer is made from.
#[derive(Clone, Debug)]
struct Setup {
    recipe: Recipe,
    pattern: Vec<String>,
    normalizes: bool,
    has_added: bool,
}

impl Setup {
    fn build(&self) -> Tokenizer {
        let parts = self.recipe.parts();
        let added = if self.has_added { parts.added } else { Vec::new() };
        let normalization = self.normalizes.then_some(Normalization::Nfc);
        Tokenizer::new(parts.model, Pretokenizer::new(&self.pattern).unwrap(), added, normalization).unwrap()
    }
}

fn setup() -> impl Strategy<Value = Setup> {
    let pattern = prop_oneof![
        (0..patterns().len()).prop_map(|at| patterns()[at].patterns().to_vec()),
        prop::sample::select(PATTERNS).prop_map(|stages| stages.iter().map(|stage| stage.to_string()).collect()),
    ];
    let parts = (recipe(true), pattern, prop::bool::weighted(0.2), prop::bool::weighted(0.3));
    parts.prop_map(|(recipe, pattern, normalizes, has_added)| Setup { recipe, pattern, normalizes, has_added })
}

/// The edges of the characters, an ill-formed subsequence being one.
fn edges(data: &[u8]) -> Vec<usize> {
    let mut edges = vec![0];
    for chunk in data.utf8_chunks() {
        let lengths = chunk.valid().chars().map(char::len_utf8).chain([chunk.invalid().len()]);
        edges.extend(lengths.filter(|&length| length > 0).scan(edges[edges.len() - 1], |at, length| {
            *at += length;
            Some(*at)
        }));
    }
    edges
}

fn count(tokenizer: &Tokenizer, data: &[u8]) -> usize {
    tokenizer.count(Input::Data(data), &Allowed::None).unwrap()
}

/// The counts of all prefixes, and of all suffixes.
fn counts(tokenizer: &Tokenizer, data: &[u8]) -> Vec<(usize, usize, usize)> {
    let both = |at: usize| (at, count(tokenizer, &data[..at]), count(tokenizer, &data[at..]));
    edges(data).into_iter().map(both).collect()
}

fn check_longest(
    tokenizer: &Tokenizer,
    data: &[u8],
    limits: impl IntoIterator<Item = usize>,
) -> Result<(), TestCaseError> {
    let counts = counts(tokenizer, data);
    for limit in limits {
        let prefix = counts.iter().rev().find(|counted| counted.1 <= limit).unwrap().0;
        prop_assert_eq!(tokenizer.prefix_length(Input::Data(data), limit).unwrap(), prefix, "prefix, {}", limit);
        let suffix = counts.iter().find(|counted| counted.2 <= limit).unwrap().0;
        prop_assert_eq!(tokenizer.suffix_start(Input::Data(data), limit).unwrap(), suffix, "suffix, {}", limit);
    }
    Ok(())
}

fn named(model: Bpe, pattern: &str) -> Tokenizer {
    let stages: Vec<String> = named::pattern(pattern).unwrap().stages.iter().map(|stage| stage.to_string()).collect();
    Tokenizer::new(model.into(), Pretokenizer::new(&stages).unwrap(), Vec::new(), None).unwrap()
}

proptest! {
    #[test]
    fn the_longest_are_found(
        setup in setup(),
        data in long_data(),
        limits in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let tokenizer = setup.build();
        let all = count(&tokenizer, &data);
        let limits = limits.iter().map(|limit| limit.index(all + 2)).chain([1, 2]);
        check_longest(&tokenizer, &data, limits)?;
    }

    /// Long tokens over two characters, ranked without order: a longer text often has fewer tokens by far.
    #[test]
    fn the_longest_are_found_where_counts_jump(
        letters in prop::sample::select(&["ab", " \n", "!\n", "aB", "a'", "a ", "กa"]),
        tokens in prop::collection::vec(prop::collection::vec(any::<bool>(), 2..14), 20..120),
        text in prop::collection::vec(any::<bool>(), 60..240),
        stages in prop::sample::select(&["o200k", "cl100k", "gpt2", "llama3", "deepseek_v3", ""]),
        whole in any::<bool>(),
        limits in prop::collection::vec(any::<prop::sample::Index>(), 6),
    ) {
        let letters: Vec<char> = letters.chars().collect();
        let spell = |picks: &[bool]| -> String { picks.iter().map(|&second| letters[usize::from(second)]).collect() };
        let mut vocab: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        for token in tokens.iter().map(|token| spell(token).into_bytes()) {
            // With its halves, so that most are reached.
            for part in [&token[..token.len() / 2], &token[token.len() / 2..], &token[..]] {
                if !vocab.iter().any(|known| known == part) {
                    let at = 256 + (part.len() * 7919 + usize::from(part[0])) % (vocab.len() - 255);
                    vocab.insert(at, part.to_vec());
                }
            }
        }
        let vocab = Vocab::new((0..).zip(vocab.iter().map(|token| &token[..]))).unwrap();
        let model = Bpe { whole, ..Bpe::from_ranks(vocab) };
        let stages: Vec<String> = named::pattern(stages).map_or(Vec::new(), |pattern| pattern.stages.iter().map(|stage| stage.to_string()).collect());
        let tokenizer = Tokenizer::new(model.into(), Pretokenizer::new(&stages).unwrap(), Vec::new(), None).unwrap();
        let data = spell(&text).into_bytes();
        let all = count(&tokenizer, &data);
        check_longest(&tokenizer, &data, limits.iter().map(|limit| limit.index(all + 1)))?;
    }

    #[test]
    fn the_middle_gives_way_to_a_mark(
        setup in setup(),
        data in long_data(),
        limit in 0usize..60,
        mark in prop::sample::select(&["", "…", " [a b] ", "\n"]),
    ) {
        let tokenizer = setup.build();
        let all = count(&tokenizer, &data);
        let mark_count = count(&tokenizer, mark.as_bytes());
        match tokenizer.middle(Input::Data(&data), limit, mark).unwrap() {
            None => prop_assert!(all <= limit),
            Some((end, start)) if mark_count > limit => {
                prop_assert_eq!((end, start), (tokenizer.prefix_length(Input::Data(&data), limit).unwrap(), data.len()));
            }
            Some((end, start)) => {
                prop_assert!(all > limit && end <= start);
                prop_assert!(edges(&data).contains(&end) && edges(&data).contains(&start));
                let joined = [&data[..end], mark.as_bytes(), &data[start..]].concat();
                prop_assert!(count(&tokenizer, &joined) <= limit);
            }
        }
    }

    #[test]
    fn chunks_fit_and_go_on(
        setup in setup(),
        data in long_data(),
        limit in 1usize..40,
        overlap in 0usize..40,
    ) {
        let tokenizer = setup.build();
        let overlap = overlap % limit;
        let edges = edges(&data);
        let fits = |range: Range<usize>, limit| count(&tokenizer, &data[range]) <= limit;
        match tokenizer.chunk_ranges(Input::Data(&data), limit, overlap) {
            Ok(chunks) => {
                let mut done = 0..0;
                for chunk in chunks {
                    prop_assert!(edges.contains(&chunk.start) && edges.contains(&chunk.end));
                    prop_assert!(chunk.start <= done.end && chunk.end > done.end && (chunk.start > done.start || done.end == 0));
                    prop_assert!(fits(chunk.clone(), limit));
                    prop_assert!(chunk.start == done.end || fits(chunk.start..done.end, overlap));
                    prop_assert!(overlap > 0 || chunk.start == done.end);
                    done = chunk;
                }
                prop_assert_eq!(done.end, data.len());
            }
            Err(Error::Option { .. }) => {
                let too_large = |pair: &[usize]| !fits(pair[0]..pair[1], limit);
                prop_assert!(edges.windows(2).any(too_large));
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// Real vocabularies have tokens that are longer, and much more of them.
#[test]
fn the_longest_are_found_with_real_vocabularies() {
    for (file, pattern) in [("o200k_base", "o200k"), ("cl100k_base", "cl100k"), ("o200k_base", "deepseek_v3")] {
        let Some(path) = shared(&format!("vocabs/tiktoken/{file}.tiktoken")) else { return };
        let tokenizer = named(tiktoken::read(&std::fs::read(path).unwrap()).unwrap(), pattern);
        let config = ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() };
        let texts = (long_data(), prop::collection::vec(any::<prop::sample::Index>(), 3));
        let check = |(data, limits): (Vec<u8>, Vec<prop::sample::Index>)| {
            let all = count(&tokenizer, &data);
            check_longest(&tokenizer, &data, limits.iter().map(|limit| limit.index(all + 2)))
        };
        proptest::test_runner::TestRunner::new(config).run(&texts, check).unwrap();
    }
}

/// Tokens of two, four, … 64 equal characters, and some of Thai.
fn doubling() -> Bpe {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    for c in ["a", " ", "\n", "!"] {
        tokens.extend((1..7).map(|power| c.repeat(1 << power).into_bytes()));
    }
    tokens.extend([&[0xe0, 0xb8][..], &[0x81, 0xe0], &[0xb8, 0x81]].map(<[u8]>::to_vec));
    tokens.extend(["ก", "กก", "\u{e31}"].map(|token| token.as_bytes().to_vec()));
    Bpe::from_ranks(Vocab::new((0..).zip(tokens.iter().map(|token| &token[..]))).unwrap())
}

/// What is quadratic would take hours.
#[test]
fn much_of_anything_takes_no_long_time() {
    let units = ["a", " ", " \n", "\n", "!", "!\n", "/\n", "ก", "กัข", "12345", "世界", "aB", "'s", "a ", "x y. Z\n\n"];
    within(Duration::from_secs(180), move || {
        for pattern in ["o200k", "deepseek_v3"] {
            let tokenizer = named(doubling(), pattern);
            for unit in units {
                let text = unit.repeat(300_000 / unit.len());
                let input = Input::Text(&text);
                for limit in [1000, 30_000] {
                    let end = tokenizer.prefix_length(input, limit).unwrap();
                    assert!(tokenizer.fits(Input::Text(&text[..end]), limit).unwrap());
                    let start = tokenizer.suffix_start(input, limit).unwrap();
                    assert!(tokenizer.fits(Input::Text(&text[start..]), limit).unwrap());
                    let chunks = tokenizer.chunk_ranges(input, limit, limit / 10).unwrap();
                    assert_eq!(chunks.last().unwrap().end, text.len());
                }
            }
        }
    });
}

#[test]
fn pieces_end_at_good_places() {
    let tokenizer = named(doubling(), "cl100k");
    let cut = |text: &str, max_tokens, overlap| -> Vec<String> {
        let ranges = tokenizer.chunk_ranges(Input::Text(text), max_tokens, overlap).unwrap();
        ranges.into_iter().map(|range| text[range].to_owned()).collect()
    };
    assert_eq!(cut("one two\n\nthree four", 12, 0), ["one two\n\n", "three four"]);
    assert_eq!(cut("one. two three", 9, 0), ["one. two", " three"]);
    assert_eq!(cut("one two. three", 10, 0), ["one two.", " three"]);
    assert_eq!(cut("bcdefghij", 4, 0), ["bcde", "fghi", "j"]);
    assert_eq!(cut("bcdefghij", 4, 2), ["bcde", "defg", "fghi", "hij"]);
    assert!(cut("", 4, 2).is_empty());
}

#[test]
fn what_cannot_be_cut_is_an_error_that_says_why() {
    let tokenizer = named(doubling(), "cl100k");
    let message = |text, max_tokens, overlap| {
        tokenizer.chunk_ranges(Input::Text(text), max_tokens, overlap).unwrap_err().to_string()
    };
    assert!(message("a🌍", 3, 0).contains("the character `🌍` at byte 1 alone has 4 tokens"));
    assert!(message("a", 0, 0).contains("max_tokens `0`"));
    assert!(message("a", 3, 3).contains("overlap `3`"));
}

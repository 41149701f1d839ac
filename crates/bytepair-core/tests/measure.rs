//! Prefixes, suffixes and pieces of so many tokens, against the definition: every length is tried.

mod support;

use std::ops::Range;

use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Tokenizer};
use bytepair_core::Error;
use proptest::prelude::*;
use support::random::{data, patterns, recipe, Recipe};

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

proptest! {
    #[test]
    fn the_longest_are_found(
        setup in setup(),
        data in long_data(),
        limits in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let tokenizer = setup.build();
        let counts = counts(&tokenizer, &data);
        let all = count(&tokenizer, &data);
        for limit in limits.iter().map(|limit| limit.index(all + 2)).chain([1, 2]) {
            let prefix = counts.iter().rev().find(|counted| counted.1 <= limit).unwrap().0;
            prop_assert_eq!(tokenizer.prefix_length(Input::Data(&data), limit).unwrap(), prefix, "prefix, {}", limit);
            let suffix = counts.iter().find(|counted| counted.2 <= limit).unwrap().0;
            prop_assert_eq!(tokenizer.suffix_start(Input::Data(&data), limit).unwrap(), suffix, "suffix, {}", limit);
        }
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

use super::*;
use crate::pretokenize::named::NAMED;
use crate::pretokenize::regex::RegexScanner;
use crate::pretokenize::{unicode, Pretokenizer};
use proptest::prelude::*;

/// Other spellings of the named patterns, and patterns of other models, that the scanner knows too.
const VARIANTS: &[&str] = &[
    // GPT-2's own, and Whisper's, RoBERTa's, GPT-NeoX's
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    // cl100k of earlier releases
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
    // Tekken: no contractions, single digits
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    // Marks in words, as Qwen 3.5 has them
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    // No case that the two classes share, and no prefix
    r"\p{Lu}*\p{Ll}+(?:'s)?|\p{Lu}+\p{Ll}*(?:'s)?|\s++$|\s*[\r\n]++|\s+",
    // Stages of other models, each alone; what lies between is a gap
    r"[\r\n]",
    r"\s?\p{P}+",
    r"\s?[A-Za-zµÀ-ÖØ-öø-ƺ]+",
    "[一-龥ࠀ-一가-\u{D7FF}]+",
    r"\p{N}",
    r"[!-/][A-Za-z]+[\r\n]*",
    r"(?i:'k|'sk)|'S|'é",
    r"\s+",
    r"\s*[\r\n]|\s+(?!\S)|\s",
];

/// Ends of pretokens; the scanner is asked with an end that it gave before, as its callers do.
fn ends(scanner: &dyn Scanner, text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    while ends.last().copied().unwrap_or(0) < text.len() {
        ends.push(scanner.next_end(text, ends.last().copied().unwrap_or(0)).unwrap());
    }
    ends
}

struct Twins {
    pattern: String,
    fast: PlanScanner,
    slow: RegexScanner,
}

impl Twins {
    fn new(pattern: &str) -> Self {
        let fast = PlanScanner::new(pattern).unwrap_or_else(|| panic!("no plan for {pattern}"));
        Self { pattern: pattern.to_owned(), fast, slow: RegexScanner::new(pattern).unwrap() }
    }

    fn check(&self, text: &str) {
        let (fast, slow) = (ends(&self.fast, text), ends(&self.slow, text));
        assert_eq!(fast, slow, "{} on {text:?}", self.pattern);
    }
}

fn named_stages() -> impl Iterator<Item = &'static str> {
    NAMED.iter().flat_map(|named| named.stages).copied()
}

fn all_twins() -> Vec<Twins> {
    named_stages().chain(VARIANTS.iter().copied()).map(Twins::new).collect()
}

/// Texts where every rule of a pattern has something to say: pieces of every class, and runs around a block's length.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-cK-S]{1,3}",
        4 => r"[ \t]{1,3}|\r|\n|\r\n|[\u{a0}\u{3000}\u{2028}\u{85}\x0b\x0c]",
        3 => "'([sdmtSDMT]|ll|ve|re|LL|Ve|rE|ſ|\u{212A}|sK)?",
        2 => "[0-9²Ⅷ٣〇]{1,4}",
        2 => r#"[!"\#$%&(*+,\-./:;<=>?@\[\\\]^_`{|}~]{1,2}"#,
        2 => "[éßÄŽǅʰªאا今龥々ひカ가ไ𝒜𠀀ſ\u{212A}]{1,2}",
        2 => "[\u{301}\u{e31}\u{903}\u{200d}\u{fe0f}\u{16ff0}]",
        1 => "[\\x00\u{200b}\u{ad}\u{e000}\u{10ffff}\u{378}]",
        1 => "👩\u{200d}👩\u{200d}👧|🇩🇪|🌍|。|「|⼀|€|‘|’",
        1 => ("[aZʰ今7 \n.'\u{301}]", prop::sample::select(vec![15, 16, 31, 32, 63, 64, 65]))
            .prop_map(|(c, length)| c.repeat(length)),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

#[test]
fn every_named_pattern_has_a_plan() {
    for pattern in named_stages() {
        assert!(Plan::parse(pattern).is_some(), "{pattern}");
    }
}

#[test]
fn soups_are_cut_as_the_engine_cuts_them() {
    let twins = all_twins();
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(text in soup())| {
        for twins in &twins {
            twins.check(&text);
        }
    });
}

#[test]
fn stages_together_cut_as_the_engine_does_piece_by_piece() {
    let config = ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() };
    // Long enough for more pretokens than a stage is asked for at a time.
    proptest!(config, |(text in prop::collection::vec(soup(), 0..12).prop_map(|soups| soups.concat()))| {
        for named in NAMED {
            let stages: Vec<String> = named.stages.iter().map(|stage| stage.to_string()).collect();
            let (fast, slow) = (Pretokenizer::new(&stages).unwrap(), Pretokenizer::by_regex(&stages).unwrap());
            let cut = |pretokenizer: &Pretokenizer| pretokenizer.ranges(&text).map(Result::unwrap).collect::<Vec<_>>();
            prop_assert_eq!(cut(&fast), cut(&slow), "{}", named.name);
        }
    });
}

/// `c` alone, doubled, and between and after characters of the other classes.
fn contexts(c: char) -> String {
    format!("{c}\n{c}{c}.a{c}a{c} {c}1{c}'s{c}\r\n{c} A{c}\t{c}中{c}\u{301}{c}!a{c}")
}

#[test]
fn characters_at_the_edge_of_any_class() {
    let classes = [
        unicode::LETTER,
        unicode::UPPERCASE_LETTER,
        unicode::TITLECASE_LETTER,
        unicode::MODIFIER_LETTER,
        unicode::OTHER_LETTER,
        unicode::LOWERCASE_LETTER,
        unicode::MARK,
        unicode::NUMBER,
        unicode::PUNCTUATION,
        unicode::SYMBOL,
        unicode::WHITE_SPACE,
        unicode::HAN,
    ];
    let ranges = classes.into_iter().flatten();
    let edges = ranges.flat_map(|&(first, last)| [first.saturating_sub(1), first, last, last + 1]);
    let mut chars: Vec<_> = edges.filter_map(char::from_u32).chain('\0'..'\u{250}').collect();
    chars.sort_unstable();
    chars.dedup();
    sweep(&chars);
}

#[test]
#[ignore = "every character there is: minutes"]
fn every_character() {
    sweep(&('\0'..=char::MAX).collect::<Vec<_>>());
}

fn sweep(chars: &[char]) {
    for pattern in named_stages() {
        let twins = Twins::new(pattern);
        for &c in chars {
            twins.check(&c.to_string());
            twins.check(&contexts(c));
        }
    }
}

#[test]
fn runs_of_every_length_near_a_block() {
    let twins = all_twins();
    for run in ["a", "A", "ʰ", "é", "今", "7", " ", "\n", " \n", ".", "'", "\u{301}", "'s", "/", "\0"] {
        for length in [15, 16, 31, 32, 63, 64, 65] {
            let run = run.repeat(length);
            for (before, after) in
                [("", ""), (" ", ""), ("", "x"), ("", " "), ("x", "\n"), ("\u{301}", "Q"), ("ʰ", "7")]
            {
                twins.iter().for_each(|twins| twins.check(&format!("{before}{run}{after}")));
            }
        }
    }
}

#[test]
fn a_text_may_end_anywhere() {
    let text = "I'll take the  3rd\u{a0}ÉCOLE'S 12345 \r\n\n  今天，天气 (x)->y++;//\n\t\tDžungla e\u{301}'ſ  \n ";
    for twins in all_twins() {
        for (end, _) in text.char_indices() {
            twins.check(&text[..end]);
        }
        twins.check(text);
    }
}

#[test]
fn long_runs_of_anything_take_linear_time() {
    const SIZE: usize = 300_000;
    let two = |a: &str, b: &str| a.repeat(SIZE) + b;
    let texts = [
        two("a", ""),
        two("A", ""),
        two("A", "1"),
        two(" ", "x"),
        two(" ", ""),
        two("\n", "x"),
        two(" \n", "x"),
        two("\n ", ""),
        two("'", "s"),
        two("'s", ""),
        two("ʰ", ""),
        two("Aʰ", "1"),
        two("ʰA", "1"),
        two("\u{301}", "A"),
        two("\u{301}A", "."),
        two("中", ""),
        two("1", ""),
        two("!", "\n"),
        two("!\n", "a"),
        two("\0", "1"),
        two("/", "\r"),
        "\u{301}".to_owned() + &two("A", "1"),
        "ʰ".to_owned() + &two("A", "1"),
    ];
    for pattern in named_stages().chain(VARIANTS.iter().copied()) {
        let scanner = Twins::new(pattern).fast;
        for text in &texts {
            let started = std::time::Instant::now();
            let ends = ends(&scanner, text);
            assert_eq!(ends.last(), Some(&text.len()));
            assert!(ends.windows(2).all(|pair| pair[0] < pair[1]));
            // A quadratic scan would take minutes; the bound leaves room for a busy machine.
            assert!(started.elapsed().as_secs() < 10, "{pattern} on {:?}…", &text[..8]);
        }
    }
}

#[test]
fn what_the_plan_does_not_know_goes_to_the_engine() {
    for pattern in [
        r"\w+",
        r"(\p{L}+)|\s+",
        r"(?i)'s|\p{L}+",
        r"(?:\p{L}+|\s+)",
        r"\p{L}*",
        r"\p{L}?",
        r"\p{L}+?",
        r"\p{L}+\p{N}+",
        "",
        r"\p{L}+|",
        r"(?x:'s)|\s+",
        r"(?i:s)|\s+",
        "abc",
        // Gives back one blank at a time, or asks again at each blank
        r"\s++$",
        r"\s+(?!\S)",
        r"\s*[\r\n]",
        r"\s*[\r\n]|\s",
        r"\s++$|\s",
        r"\s++(?!\S)|\s+",
        r"\s*+[\r\n]|\s+(?!\S)|\s+",
        r"\s+(?!\S)|\s*[\r\n]|\s+",
        r"\s*\n|\s+(?!\S)|\s+",
        r" +(?!\S)|\s+",
        // A possessive prefix that could have been the body
        r"[^\r\n]?+\p{L}+",
        // Only one half of words in two cases, or halves that differ
        r"\p{Lu}*\p{Ll}+",
        r"\p{Lu}*\p{Ll}+|\p{Lu}+\p{Lo}*",
        r"\p{Lu}*\p{Ll}+'s?|\p{Lu}+\p{Ll}*",
        r"\p{Lu}*+\p{Ll}+|\p{Lu}+\p{Ll}*",
        r"\p{Lu}+\p{Ll}*|\p{Lu}*\p{Ll}+",
        r" ?\p{Lu}*\p{Ll}+|\p{Lu}+\p{Ll}*",
        r"\p{Lu}*\p{Ll}+(?i:'s)?|\p{Lu}+\p{Ll}*(?:'s)?",
    ] {
        assert!(Plan::parse(pattern).is_none(), "{pattern}");
    }
    let many: Vec<_> = ('a'..='z').map(|c| format!("{c}+")).collect();
    assert!(Plan::parse(&many.join("|")).is_none());
}

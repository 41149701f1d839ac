//! Random tokenizers and texts that are small enough to collide: few letters, many merges, all that patterns stumble over.

use std::sync::{Arc, OnceLock};

use bytepair_core::bpe::merges::Merges;
use bytepair_core::bpe::Bpe;
use bytepair_core::format::Parts;
use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::named::NAMED;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::{AddedToken, Allowed};
use bytepair_core::tokenizer::Tokenizer;
use bytepair_core::vocab::Vocab;
use proptest::prelude::*;

type Bytes = Vec<u8>;

/// What a random tokenizer is made from.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// By rank.
    merges: Vec<(Bytes, Bytes)>,
    /// The longer tokens, those that no merge makes among them, by id.
    longer: Vec<Bytes>,
    /// The ids are ranks, and the merges what follows from them.
    ranks: bool,
    whole: bool,
    /// Any two bytes merge, in place of `merges` and `longer`: hardly a cut goes unnoticed.
    dense: bool,
    pattern: usize,
    added: Vec<AddedToken>,
    nfc: bool,
}

/// Where the ids of longer tokens start: above those of the bytes, with a gap.
const FIRST_LONGER: u32 = 260;
const FIRST_ADDED: u32 = 70_000;

impl Recipe {
    /// The 256 bytes alone, with one of the patterns.
    pub fn bytes(pattern: usize, nfc: bool) -> Self {
        let (merges, longer, added) = Default::default();
        Self { merges, longer, ranks: false, whole: false, dense: false, pattern, added, nfc }
    }

    pub fn model(&self) -> Arc<Bpe> {
        if self.dense {
            return dense().clone();
        }
        let bytes: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
        let single = (0..).zip(bytes.iter().map(|byte| &byte[..]));
        let longer = (FIRST_LONGER..).zip(self.longer.iter().map(|token| &token[..]));
        let vocab = Vocab::new(single.chain(longer)).unwrap();
        if self.ranks {
            return Bpe::from_ranks(vocab).into();
        }
        let pairs = self.merges.iter().map(|(left, right)| (&left[..], &right[..]));
        let merges = Merges::from_list(&vocab, pairs).unwrap();
        Bpe { vocab, merges, whole: self.whole }.into()
    }

    /// Whether the ids of the model are its ranks.
    pub fn by_ranks(&self) -> bool {
        self.ranks || self.dense
    }

    pub fn parts(&self) -> Parts {
        Parts {
            model: self.model(),
            patterns: patterns()[self.pattern].patterns().to_vec(),
            normalization: self.nfc.then_some(Normalization::Nfc),
            added: self.added.clone(),
        }
    }

    pub fn normalizing(self, nfc: bool) -> Self {
        Self { nfc, ..self }
    }

    /// The same without added tokens that always match.
    pub fn all_special(mut self) -> Self {
        self.added.iter_mut().for_each(|token| token.special = true);
        self
    }

    /// The same without the large vocabulary, where files are at stake.
    pub fn sparse(self) -> Self {
        Self { dense: false, ..self }
    }

    pub fn build(&self) -> Tokenizer {
        let parts = self.parts();
        Tokenizer::new(parts.model, patterns()[self.pattern].clone(), parts.added, parts.normalization).unwrap()
    }
}

/// The 256 bytes and all pairs of them, ranked without order.
fn dense() -> &'static Arc<Bpe> {
    static DENSE: OnceLock<Arc<Bpe>> = OnceLock::new();
    DENSE.get_or_init(|| {
        let bytes = (0..=255).map(|byte| vec![byte]);
        let pairs = (0..=u16::MAX).map(|at| at.wrapping_mul(40503).to_be_bytes().to_vec());
        let tokens: Vec<Bytes> = bytes.chain(pairs).collect();
        Bpe::from_ranks(Vocab::new((0..).zip(tokens.iter().map(|token| &token[..]))).unwrap()).into()
    })
}

/// The patterns that are drawn from: none, the named ones, and others that look around, leave gaps or match nothing.
pub fn patterns() -> &'static [Pretokenizer] {
    static PATTERNS: OnceLock<Vec<Pretokenizer>> = OnceLock::new();
    let others: [&[&str]; 8] = [
        &[],
        &[r"\w+|\s+|[^\w\s]+"],
        &["(?<=a)b+|a(?=b)|x*"],
        &[r"[\s\S]{3}"],
        &[r"\p{N}{1,3}", r"'s|\s+(?!\S)|\s", "(?<=b)a"],
        &["(?i:s)+|^ +"],
        // With a plan, though nobody named them: one leaves gaps, the other has two stages.
        &[r" ?\p{L}+|\p{N}{1,2}|\s+(?!\S)|\s+"],
        &[r"\p{N}", r" ?\p{L}+|'(?:s|ll)|\s+"],
    ];
    PATTERNS.get_or_init(|| {
        let compile = |stages: &[&str]| {
            let stages: Vec<String> = stages.iter().map(|stage| stage.to_string()).collect();
            Pretokenizer::new(&stages).unwrap()
        };
        others.into_iter().chain(NAMED.iter().map(|named| named.stages)).map(compile).collect()
    })
}

const ALPHABET: &[u8] = b"ab s'\n1<|\xc3\xa9\xcc\x81\xe4\xb8\xff";

/// Merges of tokens that exist, each put at any place of the list.
fn merges() -> impl Strategy<Value = Vec<(Bytes, Bytes)>> {
    let alphabet = prop::sample::subsequence(ALPHABET, 2..7);
    let picks = prop::collection::vec(any::<[prop::sample::Index; 3]>(), 0..40);
    (alphabet, picks).prop_map(|(alphabet, picks)| {
        let mut tokens: Vec<Bytes> = alphabet.iter().map(|&byte| vec![byte]).collect();
        let mut merges: Vec<(Bytes, Bytes)> = Vec::new();
        for [left, right, place] in picks {
            let pair = (left.get(&tokens).clone(), right.get(&tokens).clone());
            let joined = [&pair.0[..], &pair.1].concat();
            if joined.len() <= 24 && !merges.contains(&pair) {
                merges.insert(place.index(merges.len() + 1), pair);
                if !tokens.contains(&joined) {
                    tokens.push(joined);
                }
            }
        }
        merges
    })
}

fn orphans() -> impl Strategy<Value = Vec<Bytes>> {
    let texts = ["ab", " a", "abab", "  ", "it's", "é", "é1", "\n\n", "<|a", "世界"];
    prop::sample::subsequence(texts.map(|text| text.as_bytes().to_vec()).to_vec(), 0..3)
}

const ADDED: &[&str] = &["<|a|>", "<|a|>>", "<|b|>", "|>a", "b", "ab", "  ", "<e\u{301}>", "é", "Ġa", " <|c|>"];

fn added(flags: bool) -> impl Strategy<Value = Vec<AddedToken>> {
    let kinds = prop::collection::vec((any::<bool>(), prop::bool::weighted(0.8), 0u8..16), 4);
    let texts = prop::sample::subsequence(ADDED, 0..=4).prop_shuffle();
    (texts, kinds).prop_map(move |(texts, kinds)| {
        let token = |((text, (plain, special, bits)), id): ((&str, (bool, bool, u8)), u32)| {
            let on = |bit: u8| flags && !plain && bits & bit != 0;
            AddedToken {
                special,
                lstrip: on(1),
                rstrip: on(2),
                single_word: on(4),
                normalized: on(8),
                ..AddedToken::special(text, id)
            }
        };
        texts.into_iter().zip(kinds).zip(FIRST_ADDED..).map(token).collect()
    })
}

/// Any tokenizer; `flags` are those of added tokens that look at their neighbours, or at normalized text.
pub fn recipe(flags: bool) -> impl Strategy<Value = Recipe> {
    let model = (merges(), orphans()).prop_flat_map(|(merges, orphans)| {
        let mut longer: Vec<Bytes> = Vec::new();
        for token in merges.iter().map(|(left, right)| [&left[..], right].concat()).chain(orphans) {
            if !longer.contains(&token) {
                longer.push(token);
            }
        }
        (Just(merges), Just(longer).prop_shuffle())
    });
    let kind = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.3));
    let options = (0..patterns().len(), prop::bool::weighted(0.3), added(flags));
    (model, kind, options).prop_map(|((merges, longer), (ranks, whole, dense), (pattern, nfc, added))| Recipe {
        merges,
        longer,
        ranks,
        whole,
        dense,
        pattern,
        added,
        nfc,
    })
}

const FRAGMENTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "ba",
    "aaaa",
    "s",
    "S",
    "'",
    "'s",
    "'S",
    "'ſ",
    "'ll",
    "1",
    "12",
    "123",
    "²",
    " ",
    "  ",
    "      ",
    "\n",
    "\r\n",
    "\n\n\n",
    "\t",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "!",
    "!!",
    "/",
    "_",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{323}",
    "a\u{323}\u{301}",
    "\u{958}",
    "\u{37e}",
    "\u{212b}",
    "\u{1100}\u{1161}",
    "가\u{11a8}",
    "\u{1161}",
    "世界",
    "カ",
    "ナ",
    "ไ",
    "้",
    "🌍",
    "👩\u{200d}👦",
    "ǅ",
    "İ",
    "ⅷ",
    "<|a|>",
    "<|a|>>",
    "<|b|>",
    "<|a",
    "|>",
    "<",
    ">",
    "<e\u{301}>",
    "<é>",
    "Ġa",
    " <|c|>",
    "it's",
    "\u{fffd}",
    "\u{feff}",
    "\0",
    "=",
    "\u{338}",
    "\u{85}",
];

const ILL_FORMED: &[&[u8]] =
    &[b"\xff", b"\x80", b"\xe4\xb8", b"\xf0\x9f\x8c", b"\xed\xa0\x80", b"\xc3", b"\xcc", b"\xf4"];

/// Any bytes, most of them text.
pub fn data() -> impl Strategy<Value = Bytes> {
    let fragment = prop_oneof![
        12 => prop::sample::select(FRAGMENTS).prop_map(|text| text.as_bytes().to_vec()),
        3 => prop::sample::select(ADDED).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::sample::select(ILL_FORMED).prop_map(<[u8]>::to_vec),
        2 => prop::collection::vec(prop::sample::select(ALPHABET), 1..6),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    prop::collection::vec(fragment, 0..40).prop_map(|fragments| fragments.concat())
}

/// Which of a tokenizer's special tokens are meant: none, all, or about every second one.
pub fn choice(tokenizer: &Tokenizer, kind: u8) -> Allowed {
    match kind % 3 {
        0 => Allowed::None,
        1 => Allowed::All,
        _ => {
            let special = tokenizer.added_tokens().iter().filter(|token| token.special);
            let chosen = special.zip(0..).filter(|(_, at)| kind >> (3 + at % 5) & 1 == 1);
            Allowed::Some(chosen.map(|(token, _)| token.text.clone()).collect())
        }
    }
}

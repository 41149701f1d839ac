//! Special and other added tokens: matched as a whole, before pretokens are cut.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};
use fancy_regex::Regex;
use hashbrown::HashMap;

use crate::error::{Error, Result};

/// A token that is matched by its text. Its flags are those of Hugging Face's `tokenizer.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedToken {
    pub text: String,
    pub id: u32,
    /// Matched only when a call allows it. One that is not special always matches: it is vocabulary.
    pub special: bool,
    /// Takes the blanks before it, after it.
    pub lstrip: bool,
    pub rstrip: bool,
    /// Matches only where no word character stands beside it.
    pub single_word: bool,
    /// Matched in the normalized text rather than in the text as given.
    pub normalized: bool,
}

impl AddedToken {
    pub fn special(text: impl Into<String>, id: u32) -> Self {
        Self {
            text: text.into(),
            id,
            special: true,
            lstrip: false,
            rstrip: false,
            single_word: false,
            normalized: false,
        }
    }
}

/// Which special tokens a call turns on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Allowed {
    #[default]
    None,
    All,
    Some(Vec<String>),
}

/// A stretch of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Ordinary(Range<usize>),
    /// The token and all that it takes, the stripped blanks included.
    Added(u32, Range<usize>),
}

/// Finds one set of added tokens in a text: leftmost, and of those that start at one place the longest.
#[derive(Clone)]
pub struct Finder {
    automaton: Option<AhoCorasick>,
    tokens: Vec<AddedToken>,
}

impl Finder {
    pub fn new(tokens: Vec<AddedToken>) -> Self {
        let automaton = (!tokens.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(tokens.iter().map(|token| &token.text))
                .expect("the texts of a tokenizer's added tokens are far below the automaton's limit of 2^31 states")
        });
        Self { automaton, tokens }
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The first match of all, with where it stands.
    pub fn first(&self, data: &[u8]) -> Option<(&AddedToken, usize)> {
        let found = self.automaton.as_ref()?.find(data)?;
        Some((&self.tokens[found.pattern().as_usize()], found.start()))
    }

    /// Whether the text of every token is blanks, which normalization neither makes nor changes.
    pub fn is_blank(&self) -> bool {
        self.tokens.iter().all(|token| token.text.bytes().all(|byte| byte.is_ascii_whitespace()))
    }

    /// Whether a token's text stands across `at`, so that cutting there could change what is found. A token that looks
    /// at its neighbours counts when it only touches `at`.
    pub fn crosses(&self, data: &[u8], at: usize) -> bool {
        self.tokens.iter().any(|token| {
            let (text, touch) = (token.text.as_bytes(), usize::from(token.rstrip || token.single_word));
            let first = (at + 1).saturating_sub(text.len() + touch);
            (first..at + touch).any(|start| data.get(start..).is_some_and(|rest| rest.starts_with(text)))
        })
    }

    /// Cuts `data` at the tokens; the pieces joined are `data`.
    pub fn split(&self, data: &[u8]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut done = 0;
        for found in self.automaton.iter().flat_map(|automaton| automaton.find_iter(data)) {
            let token = &self.tokens[found.pattern().as_usize()];
            let (mut start, mut end) = (found.start(), found.end());
            if start < done || (token.single_word && in_word(data, start, end)) {
                continue;
            }
            if token.lstrip {
                start = done + strip_end(&data[done..start]);
            }
            if token.rstrip {
                end += strip_start(&data[end..]);
            }
            if done < start {
                pieces.push(Piece::Ordinary(done..start));
            }
            pieces.push(Piece::Added(token.id, start..end));
            done = end;
        }
        if done < data.len() {
            pieces.push(Piece::Ordinary(done..data.len()));
        }
        pieces
    }
}

/// The valid UTF-8 that data ends in, and starts with, as far as one character needs.
pub(crate) fn char_before(data: &[u8]) -> Option<char> {
    (1..=data.len().min(4)).find_map(|length| std::str::from_utf8(&data[data.len() - length..]).ok()?.chars().next())
}

pub(crate) fn char_after(data: &[u8]) -> Option<char> {
    data[..data.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}

fn in_word(data: &[u8], start: usize, end: usize) -> bool {
    // Marks are part of a word, and numbers other than digits are not.
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\w$").ok());
    let matches =
        |c: char| WORD.as_ref().is_some_and(|word| word.is_match(c.encode_utf8(&mut [0; 4])).unwrap_or(false));
    let is_word = |c: Option<char>| c.is_some_and(matches);
    is_word(char_before(&data[..start])) || is_word(char_after(&data[end..]))
}

fn strip_end(data: &[u8]) -> usize {
    let mut end = data.len();
    while let Some(c) = char_before(&data[..end]).filter(|c| c.is_whitespace()) {
        end -= c.len_utf8();
    }
    end
}

fn strip_start(data: &[u8]) -> usize {
    let mut start = 0;
    while let Some(c) = char_after(&data[start..]).filter(|c| c.is_whitespace()) {
        start += c.len_utf8();
    }
    start
}

/// All added tokens of a tokenizer.
#[derive(Clone)]
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    by_text: HashMap<String, usize, foldhash::fast::RandomState>,
    by_id: HashMap<u32, usize, foldhash::fast::RandomState>,
    /// The finders for the two usual calls, in the text as given and in the normalized text.
    none: [Arc<Finder>; 2],
    all: [Arc<Finder>; 2],
}

impl AddedTokens {
    pub fn new(tokens: Vec<AddedToken>) -> Result<Self> {
        let (mut by_text, mut by_id) = (HashMap::default(), HashMap::default());
        for (index, token) in tokens.iter().enumerate() {
            if token.text.is_empty() {
                return Err(Error::EmptySpecial { place: format!("index {index}") });
            }
            if by_text.insert(token.text.clone(), index).is_some() {
                return Err(Error::SpecialTwice { text: token.text.clone() });
            }
            if let Some(first) = by_id.insert(token.id, index) {
                let first: &AddedToken = &tokens[first];
                return Err(Error::SpecialIdShared {
                    first: first.text.clone(),
                    second: token.text.clone(),
                    id: token.id,
                });
            }
        }
        let finders = |keep: &dyn Fn(&AddedToken) -> bool| {
            [false, true].map(|normalized| {
                let kept = tokens.iter().filter(|t| t.normalized == normalized && keep(t));
                Arc::new(Finder::new(kept.cloned().collect()))
            })
        };
        Ok(Self { none: finders(&|token| !token.special), all: finders(&|_| true), tokens, by_text, by_id })
    }

    pub fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    pub fn by_id(&self, id: u32) -> Option<&AddedToken> {
        self.by_id.get(&id).map(|&index| &self.tokens[index])
    }

    pub fn by_text(&self, text: &str) -> Option<&AddedToken> {
        self.by_text.get(text).map(|&index| &self.tokens[index])
    }

    /// Whether a token of any kind stands across `at`.
    pub fn crosses(&self, data: &[u8], at: usize) -> bool {
        self.all.iter().any(|finder| finder.crosses(data, at))
    }

    /// Whether some token looks at, or takes, what is beside it.
    pub fn has_flags(&self) -> bool {
        self.tokens.iter().any(|token| token.lstrip || token.rstrip || token.single_word)
    }

    fn check(&self, names: &[String]) -> Result<()> {
        for name in names {
            if !self.by_text(name).is_some_and(|token| token.special) {
                let known: Vec<_> = self.tokens.iter().filter(|t| t.special).map(|t| format!("`{}`", t.text)).collect();
                let known = match known.len() {
                    0 => "none".to_owned(),
                    1..=8 => known.join(", "),
                    more => format!("{} and {} more", known[..8].join(", "), more - 8),
                };
                return Err(Error::UnknownSpecial { text: name.clone(), known });
            }
        }
        Ok(())
    }

    /// The finders for a call, in the text as given and in the normalized text.
    pub fn finders(&self, allowed: &Allowed) -> Result<[Arc<Finder>; 2]> {
        Ok(match allowed {
            Allowed::None => self.none.clone(),
            Allowed::All => self.all.clone(),
            Allowed::Some(names) => {
                self.check(names)?;
                [false, true].map(|normalized| {
                    let on = |t: &&AddedToken| t.normalized == normalized && (!t.special || names.contains(&t.text));
                    Arc::new(Finder::new(self.tokens.iter().filter(on).cloned().collect()))
                })
            }
        })
    }

    /// Fails at the first special token in `data` that is disallowed: among the allowed and the disallowed ones the
    /// leftmost-longest counts, so that a disallowed text inside a longer allowed token is no fault.
    pub fn refuse(&self, data: &[u8], allowed: &Allowed, disallowed: &Allowed) -> Result<()> {
        let on = |token: &AddedToken| match allowed {
            Allowed::None => !token.special,
            Allowed::All => true,
            Allowed::Some(names) => !token.special || names.contains(&token.text),
        };
        let off = |token: &AddedToken| match disallowed {
            Allowed::None => false,
            Allowed::All => !on(token),
            Allowed::Some(names) => names.contains(&token.text),
        };
        if let Allowed::Some(names) = disallowed {
            self.check(names)?;
        }
        if !self.tokens.iter().any(off) {
            return Ok(());
        }
        let finder = Finder::new(self.tokens.iter().filter(|t| on(t) || off(t)).cloned().collect());
        let mut from = 0;
        while let Some((token, at)) = finder.first(&data[from..]) {
            if off(token) {
                return Err(Error::DisallowedSpecial { text: token.text.clone(), offset: from + at });
            }
            from += at + token.text.len();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finder(texts: &[&str]) -> Finder {
        Finder::new(texts.iter().zip(0..).map(|(text, id)| AddedToken::special(*text, id)).collect())
    }

    #[test]
    fn leftmost_then_longest() {
        let pieces = finder(&["<a", "<a>", "a>b"]).split(b"x<a>b<a");
        assert_eq!(
            pieces,
            [Piece::Ordinary(0..1), Piece::Added(1, 1..4), Piece::Ordinary(4..5), Piece::Added(0, 5..7)]
        );
    }

    #[test]
    fn a_cut_inside_an_occurrence_is_seen() {
        let finder = finder(&["<|end|>", "|x"]);
        let data = b"ab<|end|>|x|";
        let inside: Vec<usize> = (0..=data.len()).filter(|&at| finder.crosses(data, at)).collect();
        assert_eq!(inside, [3, 4, 5, 6, 7, 8, 10]);
    }

    #[test]
    fn stripping_takes_blanks_and_words_are_respected() {
        let mut mask = AddedToken::special("<mask>", 7);
        (mask.lstrip, mask.rstrip) = (true, true);
        let mut word = AddedToken::special("no", 8);
        word.single_word = true;
        let finder = Finder::new(vec![mask, word]);
        assert_eq!(
            finder.split("a \u{3000}<mask>\n no know".as_bytes()),
            [Piece::Ordinary(0..1), Piece::Added(7, 1..13), Piece::Added(8, 13..15), Piece::Ordinary(15..20)]
        );
    }
}

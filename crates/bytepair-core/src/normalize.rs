//! What is done to data before it is cut, and the way back from the normalized positions to those in the text as given.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{is_nfc, is_nfc_quick, IsNormalized, UnicodeNormalization};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalization {
    Nfc,
    /// A blank is put before each stretch of text between added tokens that does not begin with one.
    PrefixSpace,
    /// NFC, and then the blank.
    NfcPrefixSpace,
}

impl Normalization {
    pub const ALL: [Self; 3] = [Self::Nfc, Self::PrefixSpace, Self::NfcPrefixSpace];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nfc => "nfc",
            Self::PrefixSpace => "prefix_space",
            Self::NfcPrefixSpace => "nfc+prefix_space",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| name.eq_ignore_ascii_case(known.name()))
    }

    /// The normalization with these two parts.
    pub fn of(composes: bool, prefixes: bool) -> Option<Self> {
        match (composes, prefixes) {
            (false, false) => None,
            (true, false) => Some(Self::Nfc),
            (false, true) => Some(Self::PrefixSpace),
            (true, true) => Some(Self::NfcPrefixSpace),
        }
    }

    pub fn composes(self) -> bool {
        self != Self::PrefixSpace
    }

    pub fn prefixes(self) -> bool {
        self != Self::Nfc
    }

    /// The data in NFC, `None` where nothing changes. Ill-formed bytes stay as they are.
    pub fn compose(self, data: &[u8]) -> Option<Normalized> {
        if !self.composes() || data.is_ascii() || data.utf8_chunks().all(|chunk| is_nfc(chunk.valid())) {
            return None;
        }
        let mut normalized = Normalized { data: Vec::with_capacity(data.len()), changes: Vec::new() };
        for chunk in data.utf8_chunks() {
            normalized.push_text(chunk.valid(), offset(data, chunk.valid().as_bytes()));
            normalized.data.extend_from_slice(chunk.invalid());
        }
        Some(normalized)
    }
}

fn offset(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// Whether normalization can be cut before `c`, whatever stands around: `c` neither composes with what precedes it
/// nor moves past it, and is its own normal form. (U+0958 is not: it becomes a letter and a mark.)
pub fn starts_afresh(c: char) -> bool {
    canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes
}

/// A stretch that normalization rewrote.
#[derive(Clone, Debug)]
struct Change {
    given: Range<usize>,
    normalized: Range<usize>,
}

pub struct Normalized {
    pub data: Vec<u8>,
    changes: Vec<Change>,
}

impl Normalized {
    /// Appends the normal form of `text`, which starts at `given` of the data, stretch by stretch.
    fn push_text(&mut self, text: &str, given: usize) {
        let mut start = 0;
        let ends = text.char_indices().skip(1).filter(|&(_, c)| starts_afresh(c)).map(|(at, _)| at);
        for end in ends.chain([text.len()]).filter(|&end| end > 0) {
            let stretch = &text[start..end];
            let from = self.data.len();
            let mut buffer = [0; 4];
            stretch.nfc().for_each(|c| self.data.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()));
            if &self.data[from..] != stretch.as_bytes() {
                self.changes.push(Change { given: given + start..given + end, normalized: from..self.data.len() });
            }
            start = end;
        }
    }

    /// The range of the data as given that a range of the normalized data stands for. What touches a rewritten stretch
    /// stands for all of it.
    pub fn given(&self, range: Range<usize>) -> Range<usize> {
        self.given_start(range.start)..self.given_end(range.end)
    }

    fn given_start(&self, at: usize) -> usize {
        match self.changes.partition_point(|change| change.normalized.start <= at) {
            0 => at,
            after => {
                let change = &self.changes[after - 1];
                match at.checked_sub(change.normalized.end) {
                    Some(beyond) => change.given.end + beyond,
                    None => change.given.start,
                }
            }
        }
    }

    fn given_end(&self, at: usize) -> usize {
        match self.changes.partition_point(|change| change.normalized.start < at) {
            0 => at,
            after => {
                let change = &self.changes[after - 1];
                change.given.end + at.saturating_sub(change.normalized.end)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn stretches_joined_are_the_normal_form(text in "([a-c가각=]|[\u{301}\u{323}\u{338}\u{1100}\u{1161}\u{11a8}]|[\u{212b}\u{958}\u{37e}\u{fb1d}é]){0,12}") {
            let expected: String = text.nfc().collect();
            match Normalization::Nfc.compose(text.as_bytes()) {
                None => prop_assert_eq!(&text, &expected),
                Some(normalized) => {
                    prop_assert_eq!(&normalized.data, expected.as_bytes());
                    // The given ranges of the characters tile the text, apart from stretches given more than once.
                    let mut reached = 0;
                    for (at, c) in expected.char_indices() {
                        let given = normalized.given(at..at + c.len_utf8());
                        prop_assert!(given.start <= reached && given.end >= reached);
                        reached = given.end;
                    }
                    prop_assert_eq!(reached, text.len());
                }
            }
        }
    }

    #[test]
    fn ill_formed_bytes_stay() {
        let normalized = Normalization::Nfc.compose(b"e\xcc\x81\xffe\xcc").unwrap();
        assert_eq!(normalized.data, b"\xc3\xa9\xffe\xcc");
        assert_eq!(normalized.given(0..1), 0..3);
        assert_eq!(normalized.given(2..3), 3..4);
        assert_eq!(normalized.given(3..5), 4..6);
    }
}

//! Sets of characters, and the table that says in one look which of a pattern's sets hold a character.

use std::collections::HashMap;

use super::unicode::{
    HAN, LETTER, LOWERCASE_LETTER, MARK, MODIFIER_LETTER, NUMBER, OTHER_LETTER, PUNCTUATION, SYMBOL, TITLECASE_LETTER,
    UPPERCASE_LETTER, WHITE_SPACE,
};

/// Characters as inclusive ranges of code points: sorted, and neither overlapping nor touching, so that equal sets are
/// equal values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharSet(Vec<(u32, u32)>);

impl CharSet {
    pub fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().collect();
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        Self(joined)
    }

    pub fn of(chars: &str) -> Self {
        Self::new(chars.chars().map(|c| (c as u32, c as u32)))
    }

    pub fn white_space() -> Self {
        Self::new(WHITE_SPACE.iter().copied())
    }

    /// The set that `\p{name}` stands for.
    pub fn property(name: &str) -> Option<Self> {
        let ranges = match name {
            "L" => LETTER,
            "Lu" => UPPERCASE_LETTER,
            "Lt" => TITLECASE_LETTER,
            "Lm" => MODIFIER_LETTER,
            "Lo" => OTHER_LETTER,
            "Ll" => LOWERCASE_LETTER,
            "M" => MARK,
            "N" => NUMBER,
            "P" => PUNCTUATION,
            "S" => SYMBOL,
            "Han" => HAN,
            _ => return None,
        };
        Some(Self::new(ranges.iter().copied()))
    }

    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.0.iter().chain(&other.0).copied())
    }

    pub fn complement(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.0 {
            if first > next {
                gaps.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= char::MAX as u32 {
            gaps.push((next, char::MAX as u32));
        }
        Self(gaps)
    }

    pub fn intersection(&self, other: &Self) -> Self {
        self.complement().union(&other.complement()).complement()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The character, if the set has exactly one.
    pub fn single(&self) -> Option<u32> {
        match self.0[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }
}

/// A test of eight bytes at once: which of them are ASCII characters of one range (or of all but one range), or letters.
///
/// It may stand for a part of a set only. Runs are mostly letters and spaces: those are worth a short cut.
#[derive(Clone, Copy)]
pub struct Span {
    /// Makes small letters of capital ones, where the span is the letters.
    fold: u64,
    /// Added to a byte below 128, set its high bit if it is not below the range.
    reaches: u64,
    /// Added to a byte below 128, set its high bit if it is above the range.
    exceeds: u64,
    /// The high bits, for all characters but the range.
    inverted: u64,
}

const HIGH_BITS: u64 = each(0x80);

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

impl Span {
    fn new((first, last): (u32, u32), fold: u8, inverted: bool) -> Self {
        Self {
            fold: each(fold),
            reaches: each(0x80 - first as u8),
            exceeds: each(0x7F - last as u8),
            inverted: if inverted { HIGH_BITS } else { 0 },
        }
    }

    /// A span that holds characters of `set` alone, if there is one that is worth it.
    pub fn of(set: &CharSet) -> Option<Self> {
        const LETTERS: [(u32, u32); 2] = [(0x41, 0x5A), (0x61, 0x7A)];
        const SPACE: (u32, u32) = (0x20, 0x20);
        let ascii = CharSet::new([(0, 0x7F)]);
        let (inside, outside) = (set.intersection(&ascii), set.complement().intersection(&ascii));
        match (&inside.0[..], &outside.0[..]) {
            (ranges, _) if *ranges == LETTERS => Some(Self::new(LETTERS[1], 0x20, false)),
            (&[range], _) => Some(Self::new(range, 0, false)),
            (_, &[range]) => Some(Self::new(range, 0, true)),
            (ranges, _) if ranges.contains(&SPACE) => Some(Self::new(SPACE, 0, false)),
            _ => None,
        }
    }

    /// How many of the first bytes, of eight, are in the span.
    #[inline(always)]
    pub fn leading(&self, bytes: [u8; 8]) -> usize {
        let bytes = u64::from_le_bytes(bytes);
        let low = (bytes & !HIGH_BITS) | self.fold;
        let inside = (low + self.reaches) & !(low + self.exceeds) ^ self.inverted;
        let outside = (!inside | bytes) & HIGH_BITS;
        outside.trailing_zeros() as usize / 8
    }
}

/// A block is the 64 code points that share all but the last byte of their UTF-8.
const BLOCK: usize = 64;
const BLOCKS: usize = (char::MAX as usize + 1) / BLOCK;

/// For every character, one bit for each set that holds it.
///
/// Two levels, and the first is found from the leading bytes alone: a look costs two loads and no decoding. Blocks
/// whose characters all have the same bits (most of Han, Hangul and the unassigned) are stored once.
pub struct ClassTable {
    ascii: [u32; 128],
    index: Vec<u16>,
    blocks: Vec<[u32; BLOCK]>,
}

impl ClassTable {
    /// Bit `i` of a character's bits says whether `sets[i]` holds it, of 32 sets at most.
    pub fn new(sets: &[CharSet]) -> Self {
        let mut changes: Vec<(u32, u32)> = Vec::new();
        for (i, set) in sets.iter().enumerate() {
            changes.extend(set.0.iter().flat_map(|&(first, last)| [(first, 1 << i), (last + 1, 1 << i)]));
        }
        changes.sort_unstable();
        let mut changes = changes.into_iter().peekable();

        let (mut index, mut blocks) = (Vec::with_capacity(BLOCKS), Vec::new());
        let mut alike: HashMap<u32, u16> = HashMap::new();
        let mut bits = 0;
        for first in (0..BLOCKS * BLOCK).step_by(BLOCK) {
            let fresh = blocks.len() as u16;
            let changes_here = changes.peek().is_some_and(|&(code, _)| (code as usize) < first + BLOCK);
            if !changes_here && alike.contains_key(&bits) {
                index.push(alike[&bits]);
                continue;
            }
            let mut block = [0; BLOCK];
            for (offset, slot) in block.iter_mut().enumerate() {
                while let Some((_, bit)) = changes.next_if(|&(code, _)| code as usize == first + offset) {
                    bits ^= bit;
                }
                *slot = bits;
            }
            if !changes_here {
                alike.insert(bits, fresh);
            }
            blocks.push(block);
            index.push(fresh);
        }
        let mut ascii = [0; 128];
        ascii[..BLOCK].copy_from_slice(&blocks[index[0] as usize]);
        ascii[BLOCK..].copy_from_slice(&blocks[index[1] as usize]);
        Self { ascii, index, blocks }
    }

    /// The bits of the character that starts at `at`, and where the next one starts. None at the end.
    ///
    /// `text` is UTF-8, and `at` is a boundary of its characters.
    #[inline(always)]
    pub fn look(&self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let &lead = text.get(at)?;
        Some(match self.ascii(lead) {
            Some(bits) => (bits, at + 1),
            None => self.look_once(text, at, lead),
        })
    }

    /// The bits of a character of ASCII.
    #[inline(always)]
    pub fn ascii(&self, byte: u8) -> Option<u32> {
        self.ascii.get(byte as usize).copied()
    }

    /// Out of line, and what it returns fits two registers: beside a loop over ASCII it must cost nothing.
    #[inline(never)]
    fn look_once(&self, text: &[u8], at: usize, lead: u8) -> (u32, usize) {
        self.look_wide(text, at, lead)
    }

    /// The same where `lead`, the byte at `at`, is none of ASCII: for loops that look at many such.
    #[inline(always)]
    pub fn look_wide(&self, text: &[u8], at: usize, lead: u8) -> (u32, usize) {
        let low = |offset| text.get(at + offset).map_or(0, |byte| (byte & 0x3F) as usize);
        let lead = lead as usize;
        let (block, last, length) = match lead {
            ..0xE0 => (lead & 0x1F, low(1), 2),
            0xE0..0xF0 => ((lead & 0xF) << 6 | low(1), low(2), 3),
            _ => ((lead & 7) << 12 | low(1) << 6 | low(2), low(3), 4),
        };
        (self.blocks[self.index[block] as usize][last], at + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(set: &CharSet, code: u32) -> bool {
        set.0.iter().any(|&(first, last)| first <= code && code <= last)
    }

    #[test]
    fn sets_obey_the_laws_of_sets() {
        let (a, b) = (CharSet::new([(5, 9), (0, 2), (3, 3), (20, 30)]), CharSet::new([(9, 21), (0x10FFFF, 0x10FFFF)]));
        assert_eq!(a.0, [(0, 3), (5, 9), (20, 30)]);
        assert_eq!(a.complement().complement(), a);
        for code in (0..40).chain([0x10FFFE, 0x10FFFF]) {
            assert_eq!(contains(&a.union(&b), code), contains(&a, code) || contains(&b, code));
            assert_eq!(contains(&a.intersection(&b), code), contains(&a, code) && contains(&b, code));
        }
        assert!(a.intersection(&a.complement()).is_empty());
        assert_eq!((CharSet::of("x").single(), a.single()), (Some(0x78), None));
    }

    #[test]
    fn a_span_holds_characters_of_its_set_alone() {
        let letters = CharSet::new([(0x41, 0x5A), (0x61, 0x7A), (0xE9, 0xE9)]);
        let digits = CharSet::new([(0x30, 0x39)]);
        let all = CharSet::new([(0, 0x7F)]);
        let whole = [letters.clone(), digits.clone(), digits.complement(), CharSet::of(" "), CharSet::of("\x7f"), all];
        for (set, is_whole) in whole.iter().map(|set| (set, true)).chain([(&CharSet::white_space(), false)]) {
            let span = Span::of(set).unwrap();
            for byte in 0..=255 {
                let held = byte < 0x80 && contains(set, byte.into());
                for place in 0..8 {
                    let mut bytes = [b'm', b'5', b' ', b'\x7f']
                        .into_iter()
                        .find(|b| span.leading([*b; 8]) == 8)
                        .map(|b| [b; 8])
                        .unwrap();
                    bytes[place] = byte;
                    let found = span.leading(bytes);
                    assert!(found == place && !(held && is_whole) || found == 8 && held, "{set:?} {byte} {place}");
                }
            }
        }
        assert!(Span::of(&CharSet::of("+-")).is_none());
    }

    #[test]
    fn the_table_holds_every_character_as_its_sets_do() {
        let names = ["L", "Lu", "Lt", "Lm", "Lo", "Ll", "M", "N", "P", "S", "Han"];
        let mut sets: Vec<_> = names.iter().map(|name| CharSet::property(name).unwrap()).collect();
        sets.push(CharSet::white_space());
        sets.push(CharSet::of("\u{10FFFF}\0"));
        let table = ClassTable::new(&sets);
        for (i, set) in sets.iter().enumerate() {
            let mut ranges = set.0.iter().peekable();
            for c in '\0'..=char::MAX {
                while ranges.next_if(|range| range.1 < c as u32).is_some() {}
                let expected = ranges.peek().is_some_and(|range| range.0 <= c as u32);
                let text = c.to_string();
                let (bits, next) = table.look(text.as_bytes(), 0).unwrap();
                assert_eq!((bits >> i & 1 == 1, next), (expected, text.len()), "set {i}, U+{:04X}", c as u32);
            }
        }
        assert_eq!(table.look(b"a", 1), None);
    }
}

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
    /// Bit `i` of a character's bits says whether `sets[i]` holds it.
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
        match self.ascii.get(lead as usize) {
            Some(&bits) => Some((bits, at + 1)),
            None => self.look_wide(text, at, lead as usize),
        }
    }

    #[inline(always)]
    fn look_wide(&self, text: &[u8], at: usize, lead: usize) -> Option<(u32, usize)> {
        let low = |offset| Some((*text.get(at + offset)? & 0x3F) as usize);
        let (block, last, length) = match lead {
            ..0xE0 => (lead & 0x1F, low(1)?, 2),
            0xE0..0xF0 => ((lead & 0xF) << 6 | low(1)?, low(2)?, 3),
            _ => ((lead & 7) << 12 | low(1)? << 6 | low(2)?, low(3)?, 4),
        };
        Some((self.blocks[self.index[block] as usize][last], at + length))
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

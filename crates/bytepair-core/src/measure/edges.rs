//! Where the characters of a text start and end, the ill-formed parts of data included.

use std::ops::Range;

use crate::tokenizer::Input;

/// The edges of the characters; an ill-formed subsequence counts as one character.
pub struct Edges<'a> {
    data: &'a [u8],
    /// Ill-formed subsequences, ascending.
    ill_formed: Vec<Range<usize>>,
}

impl<'a> Edges<'a> {
    pub fn new(input: Input<'a>) -> Self {
        let mut ill_formed = Vec::new();
        if let Input::Data(data) = input {
            let mut position = 0;
            for chunk in data.utf8_chunks() {
                position += chunk.valid().len() + chunk.invalid().len();
                if !chunk.invalid().is_empty() {
                    ill_formed.push(position - chunk.invalid().len()..position);
                }
            }
        }
        Self { data: input.bytes(), ill_formed }
    }

    pub fn is_edge(&self, at: usize) -> bool {
        let after = self.ill_formed.partition_point(|range| range.end <= at);
        if self.ill_formed.get(after).is_some_and(|range| range.start <= at) {
            return self.ill_formed[after].start == at;
        }
        let follows = after > 0 && self.ill_formed[after - 1].end == at;
        follows || !matches!(self.data.get(at), Some(0x80..=0xbf))
    }

    /// The edges in a range.
    pub fn within(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize> + '_ {
        range.filter(|&at| self.is_edge(at))
    }

    /// The next edge after `at`, which is before the end.
    pub fn after(&self, at: usize) -> usize {
        (at + 1..self.data.len()).find(|&at| self.is_edge(at)).unwrap_or(self.data.len())
    }

    /// The edge before `at`, which is not 0.
    pub fn before(&self, at: usize) -> usize {
        (0..at).rev().find(|&at| self.is_edge(at)).unwrap_or(0)
    }

    /// The character that ends at an edge; U+FFFD for an ill-formed one.
    pub fn char_before(&self, at: usize) -> Option<char> {
        (at > 0).then(|| read(&self.data[self.before(at)..at]))
    }

    /// The character that starts at an edge.
    pub fn char_after(&self, at: usize) -> Option<char> {
        (at < self.data.len()).then(|| read(&self.data[at..self.after(at)]))
    }
}

fn read(character: &[u8]) -> char {
    std::str::from_utf8(character).ok().and_then(|text| text.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ill_formed_subsequence_is_one_character() {
        let data = b"a\xe4\xb8b\xff\xf0\x9f\x8c\x8d\x80\xe9";
        let edges = Edges::new(Input::Data(data));
        let found: Vec<usize> = (0..=data.len()).filter(|&at| edges.is_edge(at)).collect();
        assert_eq!(found, [0, 1, 3, 4, 5, 9, 10, 11]);
        assert_eq!((edges.after(1), edges.before(9), edges.after(10), edges.before(11)), (3, 5, 11, 10));
    }
}

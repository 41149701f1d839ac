//! Stages that read the bytes of a piece, each as the character that stands for it in GPT-2's alphabet
//! ([`byte_alphabet`]).
//!
//! That is how Hugging Face's library runs what stands after `ByteLevel` in a `tokenizer.json`: there `é` is the two
//! letters `Ã©`, `²` is `Â²` and `中` is `ä¸Ń`; a digit is also the byte B2 inside another character. Such a stage may
//! cut between any two bytes, so its pieces are ranges of the data and need not be text.

use std::ops::Range;
use std::sync::Arc;

use super::{Ranges, Scanner, Text};
use crate::error::Result;
use crate::format::byte_alphabet;

/// What the pattern of such a stage starts with: a comment in the syntax of regular expressions.
pub const MARK: &str = "(?#byte alphabet)";

/// Iterates over the pretokens of one text; made by [`Pretokenizer::pretokens`](super::Pretokenizer::pretokens).
pub struct Pretokens<'a> {
    text: &'a Text<'a>,
    ranges: Ranges<'a>,
    byte_stages: &'a [Arc<dyn Scanner>],
    start: usize,
    /// The ends of the next pretokens, where the last piece was cut further: the next one last.
    ends: Vec<usize>,
}

impl<'a> Pretokens<'a> {
    pub(super) fn new(text: &'a Text<'a>, ranges: Ranges<'a>, byte_stages: &'a [Arc<dyn Scanner>]) -> Self {
        Self { text, ranges, byte_stages, start: 0, ends: Vec::new() }
    }

    /// Cuts a piece of the data further; at least one end is known afterwards.
    #[cold]
    fn cut(&mut self, piece: Range<usize>) -> Result<()> {
        let alphabet = byte_alphabet::write(&self.text.data()[piece.clone()]);
        let mut end = piece.start;
        for range in Ranges::new(&alphabet, self.byte_stages) {
            // A character for each byte.
            end += alphabet[range?].chars().count();
            self.ends.push(end);
        }
        self.ends.reverse();
        Ok(())
    }
}

impl Iterator for Pretokens<'_> {
    type Item = Result<Range<usize>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ends.is_empty() {
            let piece = match self.ranges.next()? {
                Ok(piece) => self.text.to_data(piece.start)..self.text.to_data(piece.end),
                Err(error) => return Some(Err(error)),
            };
            if self.byte_stages.is_empty() {
                return Some(Ok(piece));
            }
            self.start = piece.start;
            if let Err(error) = self.cut(piece) {
                return Some(Err(error));
            }
        }
        let start = self.start;
        self.start = self.ends.pop()?;
        Some(Ok(start..self.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::Pretokenizer;

    fn cut<'a>(patterns: &[&str], data: &'a [u8]) -> Vec<&'a [u8]> {
        let patterns: Vec<String> = patterns.iter().map(|pattern| pattern.to_string()).collect();
        for pretokenizer in [Pretokenizer::new(&patterns).unwrap(), Pretokenizer::by_regex(&patterns).unwrap()] {
            let text = Text::new(data);
            let ranges: Vec<_> = pretokenizer.pretokens(&text).map(Result::unwrap).collect();
            assert!(ranges.iter().zip(ranges.iter().skip(1)).all(|(range, next)| range.end == next.start));
            if let Some(last) = ranges.last() {
                assert_eq!((ranges[0].start, last.end), (0, data.len()));
            }
        }
        let text = Text::new(data);
        Pretokenizer::new(&patterns).unwrap().pretokens(&text).map(|range| &data[range.unwrap()]).collect()
    }

    #[test]
    fn bytes_are_read_as_characters() {
        // `ò` is C3 B2, and B2 is written `²`, a number.
        let digits = format!(r"{MARK}\p{{N}}+");
        assert_eq!(cut(&[&digits], "aò1b".as_bytes()), [&b"a\xc3"[..], b"\xb21", b"b"]);
        assert_eq!(
            cut(&[r"\w+|\W", &digits, &format!("{MARK}b")], b"a1 \xb2b"),
            [&b"a"[..], b"1", b" ", b"\xb2", b"b"]
        );
        let nothing: [&[u8]; 0] = [];
        assert_eq!(cut(&[&digits], b""), nothing);
    }

    #[test]
    fn text_comes_before_bytes() {
        let wrong = [format!("{MARK}a"), "b".to_owned()];
        let error = Pretokenizer::new(&wrong).err().unwrap().to_string();
        assert!(error.contains("`b`") && error.contains("byte alphabet"), "{error}");
        assert!(Pretokenizer::new(&[MARK.to_owned()]).is_err());
    }
}

//! Data of any kind as text that a pattern can read, and the way back to the data.

use std::borrow::Cow;
use std::ops::Range;

/// Data, read as UTF-8 with U+FFFD for each maximal ill-formed subsequence, and where those stand.
pub struct Text<'a> {
    data: &'a [u8],
    text: Cow<'a, str>,
    /// For each ill-formed subsequence: its end in `text` and in `data`, ascending.
    replaced: Vec<(usize, usize)>,
}

impl<'a> Text<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        match std::str::from_utf8(data) {
            Ok(text) => Self { data, text: Cow::Borrowed(text), replaced: Vec::new() },
            Err(_) => Self::replacing(data),
        }
    }

    pub fn valid(text: &'a str) -> Self {
        Self { data: text.as_bytes(), text: Cow::Borrowed(text), replaced: Vec::new() }
    }

    fn replacing(data: &'a [u8]) -> Self {
        let mut text = String::with_capacity(data.len());
        let mut replaced = Vec::new();
        let mut position = 0;
        for chunk in data.utf8_chunks() {
            text.push_str(chunk.valid());
            position += chunk.valid().len() + chunk.invalid().len();
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                replaced.push((text.len(), position));
            }
        }
        Self { data, text: Cow::Owned(text), replaced }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The position in the data of a character boundary of the text.
    pub fn to_data(&self, position: usize) -> usize {
        match self.replaced.partition_point(|&(end, _)| end <= position) {
            0 => position,
            after => {
                let (end, data_end) = self.replaced[after - 1];
                data_end + (position - end)
            }
        }
    }

    /// The data of a range of the text that starts and ends at character boundaries.
    pub fn slice(&self, range: Range<usize>) -> &'a [u8] {
        if self.replaced.is_empty() {
            return &self.data[range];
        }
        &self.data[self.to_data(range.start)..self.to_data(range.end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ill_formed_bytes_keep_their_places() {
        let data = b"a\xe4\xb8b\xff\xf0\x9f\x8c\x8d\x80";
        let text = Text::new(data);
        assert_eq!(text.as_str(), "a\u{fffd}b\u{fffd}🌍\u{fffd}");
        let mut cut = Vec::new();
        let mut start = 0;
        for c in text.as_str().chars() {
            cut.push(text.slice(start..start + c.len_utf8()));
            start += c.len_utf8();
        }
        let expected: [&[u8]; 6] = [b"a", b"\xe4\xb8", b"b", b"\xff", b"\xf0\x9f\x8c\x8d", b"\x80"];
        assert_eq!(cut, expected);
    }
}

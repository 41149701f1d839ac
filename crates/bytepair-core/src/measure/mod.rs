//! How much of a text has at most so many tokens.

mod chunks;
mod edges;

use crate::error::Result;
use crate::special::Allowed;
use crate::tokenizer::{Input, Tokenizer};
use edges::Edges;

impl Tokenizer {
    /// The length of the longest prefix of whole characters that has at most `max_tokens` tokens.
    pub fn prefix_length(&self, input: Input<'_>, max_tokens: usize) -> Result<usize> {
        let edges = Edges::new(input);
        let mut end = input.bytes().len();
        while end > 0 && !self.fits(input.slice(0..end), max_tokens)? {
            end = edges.before(end);
        }
        Ok(end)
    }

    /// Where the longest suffix of whole characters starts that has at most `max_tokens` tokens.
    pub fn suffix_start(&self, input: Input<'_>, max_tokens: usize) -> Result<usize> {
        let edges = Edges::new(input);
        let (mut start, length) = (0, input.bytes().len());
        while start < length && !self.fits(input.slice(start..length), max_tokens)? {
            start = edges.after(start);
        }
        Ok(start)
    }

    /// Where to cut the middle out of a text: the end of a prefix and the start of a suffix such that the text
    /// prefix + `mark` + suffix has at most `max_tokens` tokens. `None` where the whole text has no more than that.
    ///
    /// The prefix gets half of the tokens that the mark leaves, the suffix the rest; where the three joined have more
    /// tokens than one by one, both are shortened until they fit. A mark that does not fit by itself cannot be set:
    /// then the answer is [`prefix_length`](Self::prefix_length) and an empty suffix, to be used without the mark.
    pub fn middle(&self, input: Input<'_>, max_tokens: usize, mark: &str) -> Result<Option<(usize, usize)>> {
        if self.fits(input, max_tokens)? {
            return Ok(None);
        }
        let length = input.bytes().len();
        let Some(mut budget) = max_tokens.checked_sub(self.count(Input::Text(mark), &Allowed::None)?) else {
            return Ok(Some((self.prefix_length(input, max_tokens)?, length)));
        };
        let edges = Edges::new(input);
        loop {
            let end = self.prefix_length(input, budget.div_ceil(2))?;
            let rest = budget - self.count(input.slice(0..end), &Allowed::None)?;
            let start = self.suffix_start(input, rest)?.max(if end < length { edges.after(end) } else { end });
            let joined = [&input.bytes()[..end], mark.as_bytes(), &input.bytes()[start..]].concat();
            let count = self.count(Input::Data(&joined), &Allowed::None)?;
            if count <= max_tokens {
                return Ok(Some((end, start)));
            }
            // With a budget of 0 only the mark is left, and that fits.
            budget = budget.saturating_sub(count - max_tokens);
        }
    }
}

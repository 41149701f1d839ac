//! How much of a text has at most so many tokens: prefixes, suffixes, and pieces.
//!
//! The count does not grow steadily with the length (`"don'"` may have more tokens than `"don't"`), so a length that
//! fits says nothing about the next. The answers here are exact all the same; the definition, which tries one length
//! after the other, is their judge in the tests.
//!
//! | module | what it does |
//! |---|---|
//! | `edges` | where characters start and end, in data that may be ill-formed |
//! | `ruler` | goes from cut to cut and counts, and finds the segment in which the tokens run out |
//! | `stretch` | a long segment: what its pretokens are, and what they count |
//! | `prefix`, `suffix` | which place inside a stretch it is, and why no further one is |
//! | `tokens` | counts all beginnings, or ends, of one long pretoken |
//! | `weights` | the fewest tokens that bytes can be |
//! | `chunks` | pieces that end at good places |
//!
//! Time: about that of encoding the part that is kept, with patterns that have a plan. Each length is tried, and counted
//! up to the limit, inside a long part without cuts in which there are added tokens that always match, or characters
//! that normalization changes; and in all of the text that could be kept where a stage of the pattern has no plan, or
//! where a blank is put before a suffix.

mod chunks;
mod edges;
mod prefix;
mod ruler;
mod stretch;
mod suffix;
mod tokens;
mod weights;

use crate::error::Result;
use crate::special::Allowed;
use crate::tokenizer::{Input, Tokenizer};
use ruler::Ruler;
pub(crate) use weights::Weights;

impl Tokenizer {
    /// The length of the longest prefix of whole characters that has at most `max_tokens` tokens.
    pub fn prefix_length(&self, input: Input<'_>, max_tokens: usize) -> Result<usize> {
        Ruler::new(self, input)?.prefix_end(0..input.bytes().len(), max_tokens)
    }

    /// Where the longest suffix of whole characters starts that has at most `max_tokens` tokens.
    pub fn suffix_start(&self, input: Input<'_>, max_tokens: usize) -> Result<usize> {
        Ruler::new(self, input)?.suffix_start(0..input.bytes().len(), max_tokens)
    }

    /// Where to cut the middle out of a text: the end of a prefix and the start of a suffix such that the text
    /// prefix + `mark` + suffix has at most `max_tokens` tokens. `None` where the whole text has no more than that.
    ///
    /// The prefix gets half of the tokens that the mark leaves, the suffix the rest; where the three joined have more
    /// tokens than one by one, both are shortened until they fit. A mark that does not fit by itself cannot be set:
    /// then the answer is [`prefix_length`](Self::prefix_length) and an empty suffix, to be used without the mark.
    pub fn middle(&self, input: Input<'_>, max_tokens: usize, mark: &str) -> Result<Option<(usize, usize)>> {
        let ruler = Ruler::new(self, input)?;
        let length = ruler.length();
        if ruler.fits(0..length, max_tokens)? {
            return Ok(None);
        }
        let Some(mut budget) = max_tokens.checked_sub(self.count(Input::Text(mark), &Allowed::None)?) else {
            return Ok(Some((ruler.prefix_end(0..length, max_tokens)?, length)));
        };
        loop {
            let end = ruler.prefix_end(0..length, budget.div_ceil(2))?;
            let rest = budget - ruler.count(0..end, usize::MAX)?;
            let start = ruler.suffix_start(end..length, rest)?;
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

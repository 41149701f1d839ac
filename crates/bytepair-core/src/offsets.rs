//! Which part of the text each id stands for.

use std::ops::Range;

use crate::bpe::Model;
use crate::error::Result;
use crate::tokenizer::{Input, Specials, Tokenizer, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetUnit {
    /// Whole characters; an ill-formed subsequence counts as one.
    Char,
    Byte,
}

impl Tokenizer {
    /// A range for each id of [`encode`](Tokenizer::encode), in the input as given.
    pub fn offsets(&self, input: Input<'_>, specials: &Specials, unit: OffsetUnit) -> Result<Vec<Range<usize>>> {
        let bytes = self.byte_offsets(input, specials)?;
        if unit == OffsetUnit::Byte || input.bytes().is_ascii() {
            return Ok(bytes);
        }
        let text = input.text();
        let starts: Vec<usize> = text.as_str().char_indices().map(|(at, _)| text.to_data(at)).collect();
        let whole = |range: Range<usize>| {
            starts.partition_point(|&start| start <= range.start) - 1
                ..starts.partition_point(|&start| start < range.end)
        };
        Ok(bytes.into_iter().map(whole).collect())
    }

    fn byte_offsets(&self, input: Input<'_>, specials: &Specials) -> Result<Vec<Range<usize>>> {
        self.added.refuse(input.bytes(), &specials.allowed, &specials.disallowed)?;
        let finders = self.added.finders(&specials.allowed)?;
        let (mut offsets, mut ids) = (Vec::new(), Vec::new());
        self.with_scratch(|scratch| {
            self.walk(input, &finders, &mut |unit, place| {
                match unit {
                    Unit::Added(_) => offsets.push(place.given(0..place.length())),
                    Unit::Pretoken(pretoken) => {
                        ids.clear();
                        self.model.encode(pretoken, scratch, &mut ids);
                        let mut start = 0;
                        for &id in &ids {
                            let end = start + self.model.vocab.bytes_of(id).len();
                            offsets.push(place.given(start..end));
                            start = end;
                        }
                    }
                }
                Ok(true)
            })
        })?;
        Ok(offsets)
    }
}

//! The longest suffix of a stretch.
//!
//! Let *S(s)* be the count of the text from *s* on. No planned pattern looks behind, so *S(s)* is the count of the first
//! pretoken, and *S* of where that ends: a chain from start to start, and chains that meet go on together.
//!
//! The search goes downwards from about the right place until no longer suffix can fit. Take a window from *x* to *y*
//! that no token can span. The chain from any place before *x* has a start in the window, or a pretoken that reaches
//! across all of it and ends at one of the places that the plans allow, and this pretoken has a token that starts in
//! the window. If all *S* of the window, and from all its bytes the count up to each such end together with *S* of that
//! end, are as many as allowed, then every longer suffix has more.

use std::collections::HashMap;
use std::ops::Range;

use super::stretch::{Counter, Stretch, SHORT};
use crate::bpe::Scratch;
use crate::error::Result;

impl Stretch<'_> {
    /// Where the longest suffix with at most `limit` tokens starts, in the data.
    pub fn longest_suffix(&self, limit: usize, scratch: &mut Scratch) -> Result<usize> {
        let mut chains = Chains { stretch: self, counter: Counter::new(self, scratch), known: HashMap::new() };
        let (place, fits) = chains.likely_place(limit)?;
        let found = match chains.first_from(place, limit)? {
            Some(found) => found,
            None => chains.next_after(place, fits, limit)?,
        };
        Ok(self.text.to_data(found))
    }
}

/// What is known of *S*.
struct Chains<'s, 'a> {
    stretch: &'s Stretch<'a>,
    counter: Counter<'s, 'a>,
    known: HashMap<usize, usize>,
}

impl Chains<'_, '_> {
    /// About where the suffix starts, and a place at or after it whose suffix fits.
    fn likely_place(&mut self, limit: usize) -> Result<(usize, usize)> {
        let stretch = self.stretch;
        let pretokens = stretch.pretokens(0..stretch.length()).collect::<Result<Vec<_>>>()?;
        let mut count = 0;
        self.known.insert(stretch.length(), 0);
        for pretoken in pretokens.into_iter().rev() {
            let left = limit - count;
            if pretoken.len() > SHORT {
                if let Some(start) = self.counter.start_of_last(&pretoken, left) {
                    return Ok((stretch.edge(start), pretoken.end));
                }
            }
            let more = self.counter.count_ending(pretoken.clone());
            if more > left {
                return Ok((pretoken.end, pretoken.end));
            }
            count += more;
            self.known.insert(pretoken.start, count);
        }
        Ok((0, 0))
    }

    /// *S(start)*.
    fn count(&mut self, start: usize) -> Result<usize> {
        let stretch = self.stretch;
        let mut passed: Vec<Range<usize>> = Vec::new();
        let mut count = self.known.get(&start).copied();
        if count.is_none() {
            for pretoken in stretch.pretokens(start..stretch.length()) {
                let pretoken = pretoken?;
                let end = pretoken.end;
                passed.push(pretoken);
                count = self.known.get(&end).copied();
                if count.is_some() {
                    break;
                }
            }
        }
        let mut count = count.unwrap_or(0);
        for pretoken in passed.into_iter().rev() {
            let start = pretoken.start;
            count += self.counter.count_ending(pretoken);
            self.known.insert(start, count);
        }
        Ok(count)
    }

    /// The first place from which on there are at most `limit` tokens, if one is at or before `place`.
    fn first_from(&mut self, place: usize, limit: usize) -> Result<Option<usize>> {
        let stretch = self.stretch;
        let mut best = None;
        let mut start = place;
        // Where the window ends, and where a pretoken that reaches across it may end, with *S* of that.
        let mut window: Option<(usize, Vec<(usize, usize)>)> = None;
        let mut seen = stretch.text.to_data(start);
        loop {
            let count = self.count(start)?;
            if count <= limit {
                best = Some(start);
            }
            let data_start = stretch.text.to_data(start);
            if window.is_none() && start < stretch.length() {
                let ends = self.stretch.tokenizer.pretokenizer.ends_across(stretch.text.as_str(), start);
                let ends = ends.into_iter().map(|end| Ok((end, self.count(end)?))).collect::<Result<_>>()?;
                (window, seen) = (Some((data_start, ends)), data_start);
            }
            if let Some((top, ends)) = &window {
                let reached = count >= limit
                    && (data_start..=seen).all(|place| {
                        ends.iter().all(|&(end, rest)| rest + self.counter.merged_ending(place, end) >= limit)
                    });
                seen = data_start;
                if !reached {
                    window = None;
                } else if stretch.is_window(data_start..*top) {
                    return Ok(best);
                }
            }
            if start == 0 {
                return Ok(best);
            }
            start = stretch.before(start);
        }
    }

    /// The first place after `place` from which on there are at most `limit` tokens; `fits` is one.
    fn next_after(&mut self, place: usize, fits: usize, limit: usize) -> Result<usize> {
        let mut start = place;
        while start < fits && self.count(start)? > limit {
            start = self.stretch.after(start);
        }
        Ok(start)
    }
}

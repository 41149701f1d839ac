//! The longest prefix of a stretch.
//!
//! Let *D(e)* be the count of the text up to *e*.
//!
//! *Shorter text, same pretokens*: the pretokens of a text up to *e* that end at or before a place *b* are the same for
//! every *e* beyond *b*, if *b* is a boundary of the longest text and not inside a run of blanks that reaches *e*. (To
//! shorten a text takes matches away and adds none, and of the matches the preferred one is still there; only blanks look
//! at what comes after them.) So beyond a boundary that is *firm*, that is, not between two blanks, *D(e)* is
//! at least one more than the count up to there: the search is between two neighbouring firm boundaries.
//!
//! There it goes upwards from about the right place until no longer prefix can fit. Let *r* be the start of a pretoken
//! of the text up to *y*. A longer text has the same pretokens up to one such *r*, and then one that reaches beyond *y*.
//! That one has a token that ends in any window before *y* which no token can span. If for all places *f* of the window
//! the tokens up to *r* and those of the bytes from *r* to *f* are as many as allowed, then the longer text has more. (In
//! a run of blanks this holds for the texts that end in this same run.)

use std::ops::Range;

use super::stretch::{Counter, Stretch};
use crate::bpe::Scratch;
use crate::error::Result;

/// Up to this many bytes all places are tried.
const SHORT: usize = 48;

impl Stretch<'_> {
    /// The length of the longest prefix with at most `limit` tokens, in the data.
    pub fn longest_prefix(&self, limit: usize, scratch: &mut Scratch) -> Result<usize> {
        let mut counter = Counter::new(self, scratch);
        let (mut firm, mut count) = (Vec::new(), 0);
        let mut end = self.length();
        for pretoken in self.pretokens(0..self.length()) {
            let pretoken = pretoken?;
            if self.is_firm(pretoken.start) {
                if count > limit {
                    end = pretoken.start;
                    break;
                }
                firm.push((pretoken.start, count));
                // Often it ends in here, and the rest of a long pretoken need not be counted.
                if pretoken.len() > SHORT.max(limit - count) {
                    let mut search = Search::new(self, &mut counter, pretoken.clone(), limit - count);
                    let place = search.likely_place()?;
                    match search.last_from(place)? {
                        Found { last: Some(last), is_settled: true } => return Ok(self.text.to_data(last)),
                        Found { last: None, is_settled: true } => {
                            end = place;
                            break;
                        }
                        _ => {}
                    }
                }
            }
            count += counter.count(pretoken);
        }
        // Hardly ever more than one is looked at: only where a run of blanks at the end has more tokens by itself.
        while let Some((start, before)) = firm.pop() {
            if let Some(found) = Search::new(self, &mut counter, start..end, limit - before).longest()? {
                return Ok(self.text.to_data(found));
            }
            end = start;
        }
        Ok(0)
    }

    fn is_firm(&self, at: usize) -> bool {
        let is_blank = |c: Option<char>| c.is_some_and(char::is_whitespace);
        !(is_blank(self.char_before(at)) && is_blank(self.char_at(at)))
    }
}

/// The part between two firm boundaries, and the tokens that are left for it.
struct Search<'c, 's, 'a> {
    stretch: &'s Stretch<'a>,
    counter: &'c mut Counter<'s, 'a>,
    part: Range<usize>,
    limit: usize,
}

struct Found {
    /// The last place that was found to fit.
    last: Option<usize>,
    /// Whether no place after those that were looked at fits, be it inside the part or not.
    is_settled: bool,
}

/// A pretoken of a prefix of the part, and the count of those before it.
struct Step {
    start: usize,
    before: usize,
}

impl<'c, 's, 'a> Search<'c, 's, 'a> {
    fn new(stretch: &'s Stretch<'a>, counter: &'c mut Counter<'s, 'a>, part: Range<usize>, limit: usize) -> Self {
        Self { stretch, counter, part, limit }
    }

    /// The last place after the start of the part up to which there are no more tokens than allowed.
    fn longest(&mut self) -> Result<Option<usize>> {
        if self.limit == 0 {
            return Ok(None);
        }
        let first = if self.part.len() <= SHORT { self.part.end } else { self.likely_place()? };
        match self.last_from(first)?.last {
            Some(found) => Ok(Some(found)),
            None => self.last_before(first),
        }
    }

    /// The count up to `end`, or one above the limit; `steps` gets the pretokens.
    fn count(&mut self, end: usize, steps: &mut Vec<Step>) -> Result<usize> {
        steps.clear();
        let mut count = 0;
        let stretch = self.stretch;
        for pretoken in stretch.pretokens(self.part.start..end) {
            let pretoken = pretoken?;
            steps.push(Step { start: pretoken.start, before: count });
            count += self.counter.count_starting(pretoken);
            if count > self.limit {
                break;
            }
        }
        Ok(count)
    }

    /// About where the tokens run out.
    fn likely_place(&mut self) -> Result<usize> {
        let stretch = self.stretch;
        let mut count = 0;
        for pretoken in stretch.pretokens(self.part.clone()) {
            let pretoken = pretoken?;
            let left = self.limit - count;
            if pretoken.len() > SHORT {
                if let Some(end) = self.counter.end_of_first(&pretoken, left) {
                    return Ok(stretch.edge(end).max(pretoken.start));
                }
            }
            let more = self.counter.count_starting(pretoken.clone());
            if more > left {
                return Ok(pretoken.start);
            }
            count += more;
        }
        Ok(self.part.end)
    }

    fn last_before(&mut self, place: usize) -> Result<Option<usize>> {
        let mut end = place;
        let mut steps = Vec::new();
        while end > self.part.start {
            if self.count(end, &mut steps)? <= self.limit {
                return Ok(Some(end));
            }
            end = self.stretch.before(end);
        }
        Ok(None)
    }

    /// The last place that fits, from `place` on.
    fn last_from(&mut self, place: usize) -> Result<Found> {
        let (mut last, mut steps) = (None, Vec::new());
        let mut end = place.max(self.stretch.after(self.part.start));
        // The bytes from here to `end` are the window.
        let mut window = self.stretch.text.to_data(end);
        let mut seen = window;
        while end <= self.part.end {
            if self.count(end, &mut steps)? <= self.limit {
                last = Some(end);
            }
            let data_end = self.stretch.text.to_data(end);
            for place in seen..=data_end {
                if self.counter.merged_starting(self.part.start, place) < self.limit {
                    window = place + 1;
                }
            }
            seen = data_end + 1;
            if self.stretch.is_window(window.min(data_end)..data_end) && self.is_beyond(window..data_end, &steps) {
                if !self.stretch.char_before(end).is_some_and(char::is_whitespace) {
                    return Ok(Found { last, is_settled: true });
                }
                // What ends in this run of blanks has too many tokens; go on with what ends after it.
                while self.stretch.char_at(end).is_some_and(char::is_whitespace) {
                    end = self.stretch.after(end);
                }
                if end == self.stretch.length() {
                    return Ok(Found { last, is_settled: true });
                }
                window = self.stretch.text.to_data(end) + 1;
                seen = window;
            }
            end = self.stretch.after(end);
        }
        Ok(Found { last, is_settled: false })
    }

    /// Whether the limit is reached in the window from each pretoken of `steps` but the first, for which it is known.
    fn is_beyond(&mut self, window: Range<usize>, steps: &[Step]) -> bool {
        steps.iter().skip(1).filter(|step| step.before < self.limit).all(|step| {
            let start = self.stretch.text.to_data(step.start);
            let first = if start < window.start { window.start } else { start + 1 };
            self.stretch.is_window(window.start.max(start)..window.end.max(start))
                && (first..=window.end)
                    .all(|place| step.before + self.counter.merged_starting(step.start, place) >= self.limit)
        })
    }
}

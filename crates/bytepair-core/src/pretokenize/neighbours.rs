//! What plans say about a place in a text from what stands around it, whatever the rest of the text is.
//!
//! Each match of a planned pattern is a match of one alternative, and an alternative is classes in a row. So it is known
//! which two characters a match can take one after the other, and how a match goes on that has come to some place.

use super::plan::{Alternative, Blanks, Cased, Contraction, Plan, Run};
use super::Pretokenizer;

impl Pretokenizer {
    /// Whether some place is a *Planned cut*, as far as the pattern's form tells.
    pub fn has_cuts(&self) -> bool {
        !self.stages.is_empty() && self.stages_are_planned()
    }

    /// The last planned cut of `text` at or before `limit`, if there is one above 0.
    pub fn last_cut(&self, text: &str, limit: usize) -> Option<usize> {
        let mut chars = text[..limit].char_indices().rev();
        let mut after = text[limit..].chars().next().map(|c| (limit, c)).or_else(|| chars.next())?;
        for (start, before) in chars {
            if self.is_cut(before, after.1) {
                return Some(after.0);
            }
            after = (start, before);
        }
        None
    }

    /// Whether all stages have a plan, and read text. Then none looks behind, and the only look-ahead is whether a run of
    /// blanks ends with the text.
    pub fn is_planned(&self) -> bool {
        self.byte_stages.is_empty() && self.stages_are_planned()
    }

    fn stages_are_planned(&self) -> bool {
        self.stages.iter().all(|stage| stage.plan().is_some())
    }

    /// *Planned cut*: the pretokens of `left + right` are those of `left` and then those of `right` wherever `left` ends
    /// in `before`, `right` starts with `after` and this holds.
    ///
    /// In one stage: no match takes both characters, so that none of the whole text crosses the place, and a match
    /// starts or ends there, since one of the two can be matched by itself. What `left` matches alone it matches in the
    /// whole text too; the look-ahead is asked after a blank only, which `before` is not. An earlier stage to which both
    /// characters are nothing has both in one gap of its matches, and in two when they are apart: the next stage cuts
    /// there in either case. So it is with stages that read the byte alphabet: they cut what those before them leave.
    pub fn is_cut(&self, before: char, after: char) -> bool {
        if before.is_whitespace() {
            return false;
        }
        for stage in &self.stages {
            match stage.plan() {
                Some(plan) if plan.cuts(before, after) => return true,
                Some(plan) if plan.ignores(before, after) => {}
                _ => return false,
            }
        }
        false
    }

    /// Where a pretoken may end that started before `at` and goes on after it, wherever it started. May hold places
    /// where none ends; empty if the pattern is not planned, and `at` must be an inner boundary of `text`.
    pub fn ends_across(&self, text: &str, at: usize) -> Vec<usize> {
        // Each stage sees a piece of the one before, which ends at one of these places.
        let mut ends = vec![text.len()];
        for stage in &self.stages {
            let Some(plan) = stage.plan() else { return Vec::new() };
            let mut inner = Vec::new();
            for &end in &ends {
                plan.ends_across(&text[..end], at, &mut inner);
            }
            inner.sort_unstable();
            inner.dedup();
            ends = inner;
        }
        ends
    }
}

impl Plan {
    fn bits(&self, c: char) -> u32 {
        self.table.look(c.encode_utf8(&mut [0; 4]).as_bytes(), 0).map_or(0, |(bits, _)| bits)
    }

    fn cuts(&self, before: char, after: char) -> bool {
        let (before_bits, after_bits) = (self.bits(before), self.bits(after));
        let any = |holds: &dyn Fn(&Alternative) -> bool| self.alternatives.iter().any(holds);
        !any(&|a| a.takes_both((before, before_bits), (after, after_bits)))
            && any(&|a| a.takes_alone(before_bits) || a.takes_alone(after_bits))
    }

    /// Whether no match takes one of the two.
    fn ignores(&self, before: char, after: char) -> bool {
        let contracts = |alternative: &Alternative| {
            matches!(alternative, Alternative::Contraction(_) | Alternative::Cased(Cased { suffix: Some(_), .. }))
        };
        self.bits(before) | self.bits(after) == 0 && !self.alternatives.iter().any(contracts)
    }

    fn ends_across(&self, text: &str, at: usize, ends: &mut Vec<usize>) {
        if at >= text.len() {
            return;
        }
        let text = Look { plan: self, text };
        let before = text.before(at);
        let mut found = Vec::new();
        for alternative in &self.alternatives {
            match alternative {
                Alternative::Run(run) => run.ends_across(text, before, at, &mut found),
                Alternative::Cased(cased) => cased.ends_across(text, before, at, &mut found),
                Alternative::Blanks(blanks) => blanks.ends_across(text, before, at, &mut found),
                Alternative::Contraction(contraction) => contraction.ends_across(text, at, &mut found),
            }
        }
        if !self.alternatives.iter().any(|alternative| alternative.takes_alone(before)) {
            // What is before may be in no match; then a gap goes on to the next one.
            found.extend(text.gap_end(at));
        }
        ends.extend(found.into_iter().filter(|&end| end > at));
    }
}

impl Alternative {
    /// Whether a match may hold the two characters, each given with its bits, one after the other.
    fn takes_both(&self, (before, before_bits): (char, u32), (after, after_bits): (char, u32)) -> bool {
        let are = |first, second| before_bits & first != 0 && after_bits & second != 0;
        match self {
            Self::Run(run) => {
                are(run.prefix, run.body)
                    || (run.most > 1 && are(run.body, run.body))
                    || are(run.body | run.tail, run.tail)
            }
            Self::Cased(cased) => {
                let word = cased.upper | cased.lower;
                are(cased.prefix | cased.upper, word)
                    || are(cased.lower, cased.lower)
                    || cased.suffix.is_some() && (before_bits & word != 0 && after == '\'' || contracts(before, after))
            }
            Self::Blanks(blanks) => are(blanks.blank, blanks.blank),
            Self::Contraction(_) => contracts(before, after),
        }
    }

    fn takes_alone(&self, bits: u32) -> bool {
        match self {
            Self::Run(run) => !run.needs_prefix && bits & run.body != 0,
            Self::Cased(cased) => bits & (cased.upper | cased.lower) != 0,
            Self::Blanks(blanks) => bits & blanks.blank != 0,
            Self::Contraction(_) => false,
        }
    }
}

/// Whether both may stand in `'ll`, in small letters or in any that a pattern takes for the same.
fn contracts(before: char, after: char) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || matches!(c, 'ſ' | '\u{212A}');
    (before == '\'' || is_letter(before)) && is_letter(after)
}

#[derive(Clone, Copy)]
struct Look<'a> {
    plan: &'a Plan,
    text: &'a str,
}

impl Look<'_> {
    /// The bits of the character that ends at `at`.
    fn before(self, at: usize) -> u32 {
        self.text[..at].chars().next_back().map_or(0, |c| self.plan.bits(c))
    }

    fn at(self, at: usize) -> Option<(u32, usize)> {
        self.plan.table.look(self.text.as_bytes(), at)
    }

    fn skip(self, mut at: usize, class: u32) -> usize {
        while let Some((bits, next)) = self.at(at).filter(|(bits, _)| bits & class != 0) {
            debug_assert!(bits & class != 0);
            at = next;
        }
        at
    }

    /// Past the characters that start no match. One that could start a match, but does not, ends nothing.
    fn gap_end(self, at: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut end = at;
        while let Some((bits, next)) = self.at(end) {
            if bits >> self.plan.starts != 0 {
                ends.push(end);
                if self.plan.alternatives.iter().any(|alternative| alternative.takes_alone(bits)) {
                    return ends;
                }
            }
            end = next;
        }
        ends.push(end);
        ends
    }
}

impl Run {
    fn ends_across(&self, text: Look, before: u32, at: usize, ends: &mut Vec<usize>) {
        if before & self.tail != 0 {
            ends.push(text.skip(at, self.tail));
        }
        if before & (self.prefix | self.body) == 0 {
            return;
        }
        if self.most == usize::MAX {
            let body = text.skip(at, self.body);
            // In the body, or in the tail already where the two share characters.
            ends.push(text.skip(body, self.tail));
            return;
        }
        let mut body = at;
        for _ in 0..self.most {
            ends.push(text.skip(body, self.tail));
            match text.at(body) {
                Some((bits, next)) if bits & self.body != 0 => body = next,
                _ => break,
            }
        }
    }
}

impl Cased {
    fn ends_across(&self, text: Look, before: u32, at: usize, ends: &mut Vec<usize>) {
        let first = ends.len();
        if before & self.lower != 0 {
            ends.push(text.skip(at, self.lower));
        }
        if before & (self.prefix | self.upper) != 0 {
            // Where `U*` stops, where it has given back to, and how far `L+` comes from there.
            let mut end = at;
            let mut after_both = None;
            while let Some((bits, next)) = text.at(end).filter(|(bits, _)| bits & self.upper != 0) {
                end = next;
                if bits & self.lower != 0 {
                    after_both = Some(end);
                }
            }
            ends.extend([Some(end), after_both, Some(text.skip(end, self.lower))].into_iter().flatten());
        }
        if let Some(suffix) = &self.suffix {
            let words: Vec<usize> = ends[first..].iter().copied().chain([at]).collect();
            words.into_iter().for_each(|end| suffix.ends_from(text, end, ends));
            suffix.ends_across(text, at, ends);
        }
    }
}

impl Blanks {
    fn ends_across(&self, text: Look, before: u32, at: usize, ends: &mut Vec<usize>) {
        if before & self.blank == 0 {
            return;
        }
        let (mut end, mut last) = (at, at);
        let mut after_line_end = None;
        while let Some((bits, next)) = text.at(end).filter(|(bits, _)| bits & self.blank != 0) {
            (last, end) = (end, next);
            if bits & self.line_end != 0 {
                after_line_end = Some(end);
            }
        }
        let all_but_last = (end < text.text.len()).then_some(last);
        ends.extend([Some(end), all_but_last, after_line_end].into_iter().flatten());
    }
}

impl Contraction {
    /// An apostrophe stands at most as far before `at` as the longest suffix reaches.
    fn ends_across(&self, text: Look, at: usize, ends: &mut Vec<usize>) {
        let longest = self.suffixes.iter().map(String::len).max().unwrap_or(0);
        let before = text.text[..at].char_indices().rev().take(longest + 1);
        let apostrophes: Vec<usize> = before.filter(|&(_, c)| c == '\'').map(|(from, _)| from).collect();
        apostrophes.into_iter().for_each(|from| self.ends_from(text, from, ends));
    }

    /// All ends of a contraction that starts at `from`.
    fn ends_from(&self, text: Look, from: usize, ends: &mut Vec<usize>) {
        if !text.text[from..].starts_with('\'') {
            return;
        }
        let longest = self.suffixes.iter().map(String::len).max().unwrap_or(0);
        let after = text.text[from + 1..].char_indices().take(longest);
        let letters = after.take_while(|&(_, c)| contracts('\'', c));
        ends.extend(letters.map(|(offset, c)| from + 1 + offset + c.len_utf8()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::named::NAMED;
    use proptest::prelude::*;

    fn cut(pretokenizer: &Pretokenizer, text: &str) -> Vec<usize> {
        pretokenizer.ranges(text).map(|range| range.unwrap().end).collect()
    }

    /// With a plan, though no model has them: gaps, single digits, several stages.
    const UNNAMED: [&[&str]; 3] =
        [&[r" ?\p{L}+|\p{N}{1,2}|\s+(?!\S)|\s+"], &[r"\p{N}", r" ?\p{L}+|'(?:s|ll)|\s+"], &[r"\s+"]];

    proptest! {
        #[test]
        fn cuts_and_ends_are_where_they_are_said_to_be(
            text in r"([a-cA-B]|[0-9²]|[ \t\n\r\u{2028}\u{a0}]|['sStTlL/.!$]|[é\u{301}ไ\u{e49}今ナ]|[\x00🌍\u{200d}ſǅ]){1,20}",
            repeated in 1usize..4,
        ) {
            let text = text.repeat(repeated);
            for stages in NAMED.iter().map(|named| named.stages).chain(UNNAMED) {
                let stages: Vec<String> = stages.iter().map(|stage| stage.to_string()).collect();
                let pretokenizer = Pretokenizer::new(&stages).unwrap();
                prop_assert!(pretokenizer.has_cuts());
                let whole = cut(&pretokenizer, &text);
                let edges: Vec<(usize, char)> = text.char_indices().collect();
                for pair in edges.windows(2) {
                    let at = pair[1].0;
                    if pretokenizer.is_cut(pair[0].1, pair[1].1) {
                        let mut joined = cut(&pretokenizer, &text[..at]);
                        joined.extend(cut(&pretokenizer, &text[at..]).into_iter().map(|end| at + end));
                        prop_assert_eq!(&joined, &whole, "{:?} at {}", stages, at);
                    }
                    let ends = pretokenizer.ends_across(&text, at);
                    for &(start, _) in edges.iter().filter(|edge| edge.0 < at) {
                        let chain = cut(&pretokenizer, &text[start..]).into_iter().map(|end| start + end);
                        // What ends at `at` does not go on after it.
                        if let Some(end) = chain.take_while(|&end| end != at).find(|&end| end > at) {
                            prop_assert!(ends.contains(&end), "{:?} from {} across {}: {}", stages, start, at, end);
                        }
                    }
                }
            }
        }
    }
}

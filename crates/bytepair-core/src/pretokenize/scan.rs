//! The fast scanner: follows a [`Plan`], looks a character up in one table, never backtracks.
//!
//! ```text
//! next_end(start):
//!     at = start
//!     until the text ends:
//!         for each alternative that may start with the character at `at`, in the pattern's order:
//!             if it has an end: return at if at > start (a gap is a pretoken), else the end
//!         at += one character
//! ```

use super::class::{ClassTable, Span};
use super::plan::{Alternative, Blanks, Cased, Class, Contraction, Plan, Run};
use super::Scanner;
use crate::error::Result;

pub struct PlanScanner {
    plan: Plan,
}

impl PlanScanner {
    /// None if the pattern needs the general engine.
    pub fn new(pattern: &str) -> Option<Self> {
        Some(Self { plan: Plan::parse(pattern)? })
    }
}

impl Scanner for PlanScanner {
    fn next_end(&self, text: &str, start: usize) -> Result<usize> {
        let mut end = [0];
        self.next_ends(text, start, &mut end)?;
        Ok(end[0])
    }

    fn next_ends(&self, text: &str, start: usize, ends: &mut [usize]) -> Result<usize> {
        let text = &Reader { text: text.as_bytes(), table: &self.plan.table };
        let (mut at, mut count) = (start, 0);
        for end in ends {
            if at == text.text.len() {
                break;
            }
            at = self.match_end(text, at).unwrap_or_else(|| self.gap_end(text, at));
            *end = at;
            count += 1;
        }
        Ok(count)
    }

    fn plan(&self) -> Option<&Plan> {
        Some(&self.plan)
    }
}

// Runs are matched in line, and so is text of ASCII in them. All else is kept out of line: the loop over the pretokens
// needs the registers. What was tried: docs/internals/decisions/001-plan-scanner.md.

impl PlanScanner {
    /// The end of the match that starts at `at`.
    #[inline(always)]
    fn match_end(&self, text: &Reader, at: usize) -> Option<usize> {
        let (bits, next) = text.look(at)?;
        let mut candidates = bits >> self.plan.starts;
        while candidates != 0 {
            let found = match &self.plan.alternatives[candidates.trailing_zeros() as usize] {
                Alternative::Run(run) => run.end(text, bits, next),
                Alternative::Cased(cased) => cased.end(text, at, bits, next),
                Alternative::Blanks(blanks) => Some(blanks.end(text, at)),
                Alternative::Contraction(contraction) => contraction.end(text, at),
            };
            if found.is_some() {
                return found;
            }
            candidates &= candidates - 1;
        }
        None
    }

    /// Where the first match after `at` starts, or the text ends.
    #[inline(never)]
    fn gap_end(&self, text: &Reader, mut at: usize) -> usize {
        while let Some((_, next)) = text.look(at) {
            at = text.skip_while(next, self.plan.gap.as_ref(), |bits| bits >> self.plan.starts == 0);
            if self.match_end(text, at).is_some() {
                break;
            }
        }
        at
    }
}

/// Handed on by reference, for it would take three registers.
struct Reader<'a> {
    text: &'a [u8],
    table: &'a ClassTable,
}

impl Reader<'_> {
    #[inline(always)]
    fn look(&self, at: usize) -> Option<(u32, usize)> {
        self.table.look(self.text, at)
    }

    /// Past the characters of `class` that stand at `at`; `span` is a span of the class.
    #[inline(always)]
    fn skip(&self, at: usize, class: Class, span: Option<&Span>) -> usize {
        let at = self.skip_span(at, span);
        if self.plainly_ends(at, class) {
            at
        } else {
            self.skip_more(at, class, span)
        }
    }

    /// Whether the text or a character of ASCII ends a run of `class` here. False says nothing.
    #[inline(always)]
    fn plainly_ends(&self, at: usize, class: Class) -> bool {
        self.text.get(at).is_none_or(|&byte| self.table.ascii(byte).is_some_and(|bits| bits & class == 0))
    }

    #[inline(never)]
    fn skip_more(&self, at: usize, class: Class, span: Option<&Span>) -> usize {
        self.skip_while(at, span, |bits| bits & class != 0)
    }

    #[inline(always)]
    fn skip_while(&self, mut at: usize, span: Option<&Span>, holds: impl Fn(u32) -> bool) -> usize {
        loop {
            // Text beyond ASCII has no use for the span: stay with the table until it ends.
            while let Some(&lead) = self.text.get(at).filter(|lead| !lead.is_ascii()) {
                match self.table.look_wide(self.text, at, lead) {
                    (bits, next) if holds(bits) => at = next,
                    _ => return at,
                }
            }
            at = self.skip_span(at, span);
            match self.look(at) {
                Some((bits, next)) if holds(bits) => at = next,
                _ => return at,
            }
        }
    }

    /// Past the characters of a span, eight at a time; may stop early near the end of the text.
    #[inline(always)]
    fn skip_span(&self, mut at: usize, span: Option<&Span>) -> usize {
        let Some(span) = span else { return at };
        while let Some(bytes) = self.text.get(at..).and_then(|rest| rest.first_chunk()) {
            let leading = span.leading(*bytes);
            at += leading;
            if leading < bytes.len() {
                break;
            }
        }
        at
    }
}

impl Run {
    /// `bits` are those of the character at the start, and `next` is where it ends.
    #[inline(always)]
    fn end(&self, text: &Reader, bits: u32, next: usize) -> Option<usize> {
        let after_prefix = || {
            let (body, end) = text.look(next).filter(|_| bits & self.prefix != 0)?;
            (body & self.body != 0).then_some(end)
        };
        let first = after_prefix().or_else(|| (!self.needs_prefix && bits & self.body != 0).then_some(next))?;
        if self.most != usize::MAX {
            return Some(self.capped_end(text, first));
        }
        let end = text.skip(first, self.body, self.span.as_ref());
        let ends = self.tail == 0 || text.plainly_ends(end, self.tail);
        Some(if ends { end } else { text.skip_more(end, self.tail, None) })
    }

    /// The same for a body of limited length whose first character ends at `at`.
    #[inline(never)]
    fn capped_end(&self, text: &Reader, mut at: usize) -> usize {
        for _ in 1..self.most {
            match text.look(at) {
                Some((bits, next)) if bits & self.body != 0 => at = next,
                _ => break,
            }
        }
        text.skip_more(at, self.tail, None)
    }
}

/// How a word in two cases ends.
enum Word {
    /// By the first alternative, `U*L+`.
    Lower(usize),
    /// By the second one alone, `U+L*`.
    Upper(usize),
    None,
}

impl Cased {
    #[inline(never)]
    fn end(&self, text: &Reader, at: usize, bits: u32, next: usize) -> Option<usize> {
        let after_prefix = if bits & self.prefix != 0 { self.word(text, next) } else { Word::None };
        let end = if let Word::Lower(end) = after_prefix {
            end
        } else {
            let whole = if bits & (self.upper | self.lower) != 0 { self.word(text, at) } else { Word::None };
            match (after_prefix, whole) {
                (_, Word::Lower(end)) | (Word::Upper(end), _) | (_, Word::Upper(end)) => end,
                _ => return None,
            }
        };
        let suffix = self.suffix.as_ref().and_then(|suffix| suffix.end(text, end));
        Some(suffix.unwrap_or(end))
    }

    /// `U*` takes all it can. If no lower letter follows, it gives back down to the last one that is of both classes
    /// (a mark, a letter without case), and that one is all that `L+` finds. If there is none, `U+` keeps all.
    #[inline(always)]
    fn word(&self, text: &Reader, start: usize) -> Word {
        let (mut at, mut after_both) = (start, None);
        while let Some((bits, next)) = text.look(at) {
            if bits & self.upper == 0 {
                if bits & self.lower != 0 {
                    return Word::Lower(text.skip(next, self.lower, self.span.as_ref()));
                }
                break;
            }
            at = next;
            if bits & self.lower != 0 {
                after_both = Some(at);
            }
        }
        match after_both {
            Some(end) => Word::Lower(end),
            None if at > start => Word::Upper(at),
            None => Word::None,
        }
    }
}

impl Blanks {
    /// The end of what is taken of the run of blanks at `start`.
    #[inline(never)]
    fn end(&self, text: &Reader, start: usize) -> usize {
        let (mut at, mut last, mut after_line_end) = (start, start, None);
        while let Some((bits, next)) = text.look(at) {
            if bits & self.blank == 0 {
                break;
            }
            (last, at) = (at, next);
            if bits & self.line_end != 0 {
                after_line_end = Some(at);
            } else if let spaces @ 1.. = text.skip_span(at, self.span.as_ref()) - at {
                at += spaces;
                last = at - 1;
            }
        }
        let ends_text = at == text.text.len();
        match after_line_end {
            _ if self.to_end && ends_text => at,
            Some(end) if self.through_line_end => end,
            _ if self.all_but_last && !ends_text && last > start => last,
            _ => at,
        }
    }
}

impl Contraction {
    #[inline(never)]
    fn end(&self, text: &Reader, at: usize) -> Option<usize> {
        if text.text.get(at) != Some(&b'\'') {
            return None;
        }
        self.suffixes.iter().find_map(|suffix| self.suffix_end(text.text, at + 1, suffix))
    }

    fn suffix_end(&self, text: &[u8], mut at: usize, suffix: &str) -> Option<usize> {
        for letter in suffix.bytes() {
            at += match (text.get(at)?, letter) {
                (&byte, _) if byte == letter => 1,
                (byte, _) if self.any_case && byte.to_ascii_lowercase() == letter => 1,
                // The only characters beyond ASCII whose case folds to an ASCII letter.
                (_, b's') if self.any_case && text[at..].starts_with("ſ".as_bytes()) => 2,
                (_, b'k') if self.any_case && text[at..].starts_with("\u{212A}".as_bytes()) => 3,
                _ => return None,
            };
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests;

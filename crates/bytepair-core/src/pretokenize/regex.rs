//! Any pattern, through a general engine: always right, slower than the scanners made for one family.

use std::iter;
use std::sync::OnceLock;

use fancy_regex::{Error as EngineError, Regex, RegexBuilder, RuntimeError};

use super::Scanner;
use crate::error::{Error, Result};

/// The engine keeps a stack entry for each character that `\s+` may give back, and refuses a million of them.
/// This alternative stands in most patterns, and is a run of blanks without its last one (whole at the end of the
/// text): that needs no stack, so it is taken out of the expression and matched by hand.
const BLANK_RUN: &str = r"\s+(?!\S)";

/// A pathological expression on one text must be an error, not a hang: a fifth of a second of backtracking, most often.
const BACKTRACK_LIMIT: usize = 2_000_000;

/// The engine counts a step for each place where a match could begin, so a long text without a match needs more.
const STEPS_A_BYTE: usize = 64;

/// Each limit is so many times the one before, which the search is tried with first.
const LIMIT_GROWTH: usize = 4;
const LIMITS: usize = 8;

pub struct RegexScanner {
    pattern: String,
    search: Search,
}

enum Search {
    /// The engine looks for the leftmost match by itself.
    Whole(Engine),
    /// The alternatives at the top, tried in order at one position.
    Alternatives(Vec<Alternative>),
}

enum Alternative {
    /// Neighbouring alternatives, anchored at the position.
    Anchored(Engine),
    BlankRun,
}

impl RegexScanner {
    pub fn new(pattern: &str) -> Result<Self> {
        let whole = Engine::new(pattern, pattern)?;
        let parts = alternatives(pattern);
        let search = if parts.contains(&BLANK_RUN) {
            Search::Alternatives(anchor(pattern, &parts)?)
        } else {
            Search::Whole(whole)
        };
        Ok(Self { pattern: pattern.to_owned(), search })
    }

    /// The leftmost match in `text` that starts at `from` or later, empty or not.
    fn find(&self, text: &str, from: usize) -> Result<Option<(usize, usize)>> {
        match &self.search {
            Search::Whole(regex) => self.run(regex, text, from),
            Search::Alternatives(alternatives) => {
                let mut at = from;
                loop {
                    for alternative in alternatives {
                        let found = match alternative {
                            Alternative::Anchored(regex) => self.run(regex, text, at)?,
                            Alternative::BlankRun => blank_run(text, at).map(|end| (at, end)),
                        };
                        if found.is_some() {
                            return Ok(found);
                        }
                    }
                    match text[at..].chars().next() {
                        Some(c) => at += c.len_utf8(),
                        None => return Ok(None),
                    }
                }
            }
        }
    }

    fn run(&self, engine: &Engine, text: &str, from: usize) -> Result<Option<(usize, usize)>> {
        engine.find(text, from).map_err(|error| Error::PatternLimit {
            pattern: self.pattern.clone(),
            offset: from,
            reason: error.to_string(),
        })
    }
}

/// An expression, compiled with one limit after another: the engine's limit is part of what it compiles.
struct Engine {
    expression: String,
    quick: Regex,
    /// Made when the limit before it was met.
    patient: Vec<OnceLock<Option<Regex>>>,
}

impl Engine {
    fn new(expression: &str, pattern: &str) -> Result<Self> {
        let quick = compile(expression, BACKTRACK_LIMIT)
            .map_err(|error| Error::Pattern { pattern: pattern.to_owned(), reason: error.to_string() })?;
        Ok(Self { expression: expression.to_owned(), quick, patient: vec![OnceLock::new(); LIMITS] })
    }

    fn find(&self, text: &str, from: usize) -> std::result::Result<Option<(usize, usize)>, EngineError> {
        let limits = iter::successors(Some(BACKTRACK_LIMIT), |limit| limit.checked_mul(LIMIT_GROWTH)).skip(1);
        let affordable = text.len().saturating_mul(STEPS_A_BYTE);
        let mut patient = self.patient.iter().zip(limits.take_while(|&limit| limit <= affordable));
        let mut regex = &self.quick;
        loop {
            match regex.find_from_pos(text, from) {
                Ok(found) => return Ok(found.map(|found| (found.start(), found.end()))),
                Err(error @ EngineError::RuntimeError(RuntimeError::BacktrackLimitExceeded)) => {
                    let next = patient
                        .next()
                        .and_then(|(cell, limit)| cell.get_or_init(|| compile(&self.expression, limit).ok()).as_ref());
                    regex = next.ok_or(error)?;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Scanner for RegexScanner {
    fn next_end(&self, text: &str, start: usize) -> Result<usize> {
        let mut from = start;
        while let Some((found, end)) = self.find(text, from)? {
            if end > found {
                return Ok(if found > start { found } else { end });
            }
            match text[found..].chars().next() {
                Some(c) => from = found + c.len_utf8(),
                None => break,
            }
        }
        Ok(text.len())
    }
}

/// Where `\s+(?!\S)` ends when it starts at `at`.
fn blank_run(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let run = rest.len() - rest.trim_start_matches(char::is_whitespace).len();
    let end = if run == rest.len() { run } else { rest[..run].char_indices().next_back().map_or(0, |(last, _)| last) };
    (end > 0).then_some(at + end)
}

fn compile(expression: &str, limit: usize) -> std::result::Result<Regex, EngineError> {
    RegexBuilder::new(expression).backtrack_limit(limit).build()
}

fn anchor(pattern: &str, parts: &[&str]) -> Result<Vec<Alternative>> {
    let mut alternatives = Vec::new();
    for group in parts.chunk_by(|a, b| *a != BLANK_RUN && *b != BLANK_RUN) {
        alternatives.push(if group[0] == BLANK_RUN {
            Alternative::BlankRun
        } else {
            Alternative::Anchored(Engine::new(&format!(r"\G(?:{})", group.join("|")), pattern)?)
        });
    }
    Ok(alternatives)
}

/// The alternatives at the top of a pattern. A pattern that sets flags for what follows, or that counts groups, is one.
pub(super) fn alternatives(pattern: &str) -> Vec<&str> {
    let bytes = pattern.as_bytes();
    let (mut parts, mut start, mut depth, mut class) = (Vec::new(), 0, 0usize, 0usize);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => class += 1,
            b']' => class = class.saturating_sub(1),
            b'(' if class == 0 => {
                depth += 1;
                if !bytes[at..].starts_with(b"(?") || opens_for_the_rest(&pattern[at..]) {
                    return vec![pattern];
                }
            }
            b')' if class == 0 => depth = depth.saturating_sub(1),
            b'|' if class == 0 && depth == 0 => {
                parts.push(&pattern[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&pattern[start..]);
    parts
}

/// `(?i)` and its like hold to the end of the pattern, and a named group can be called from another alternative.
fn opens_for_the_rest(group: &str) -> bool {
    let inside = &group[2..];
    let flags = inside.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-');
    flags.starts_with(')')
        || inside.starts_with("P<")
        || (inside.starts_with('<') && !inside.starts_with("<=") && !inside.starts_with("<!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_cut_at_the_top_only() {
        assert_eq!(alternatives(r"a|(?:b|c)|[|\]]|\||d"), ["a", "(?:b|c)", r"[|\]]", r"\|", "d"]);
        assert_eq!(alternatives(r"(?i)a|b"), [r"(?i)a|b"]);
        assert_eq!(alternatives(r"(a)|b"), [r"(a)|b"]);
    }

    #[test]
    fn the_blank_run_by_hand_is_the_expression() {
        let by_engine = compile(BLANK_RUN, BACKTRACK_LIMIT).unwrap();
        for text in ["", " ", "  ", " x", "  x", "\u{3000}\u{a0}x", "\n \u{2028}", "x ", " \u{200b}"] {
            let found = by_engine.find(text).unwrap().filter(|m| m.start() == 0).map(|m| m.end());
            assert_eq!(blank_run(text, 0), found, "{text:?}");
        }
    }

    #[test]
    fn a_runaway_pattern_is_an_error() {
        let scanner = RegexScanner::new(r"(?=a)(a+a+)+\1$").unwrap();
        let text = "a".repeat(60) + "b";
        assert!(matches!(scanner.next_end(&text, 0), Err(Error::PatternLimit { .. })));
    }

    #[test]
    fn a_long_text_without_a_match_is_no_runaway() {
        let text = "a".repeat(2 * BACKTRACK_LIMIT);
        assert_eq!(RegexScanner::new(r"(?<=x)a").unwrap().next_end(&text, 0).unwrap(), text.len());
    }
}

//! Patterns between our syntax (that of the Rust regex crates) and Oniguruma's, which `tokenizer.json` files are read with.
//!
//! The two agree on nearly everything; this module rewrites where they do not:
//!
//! | meaning | ours | Oniguruma |
//! |---|---|---|
//! | end of the text | `$` or `\z` | `\z` |
//! | start of the text | `^` or `\A` | `\A` |
//! | end, start of a line | `(?m:$)`, `(?m:^)` | `$`, `^` |
//! | n to m times, giving nothing back | `X{n,m}+` | `(?>X{n,m})` |
//! | n to m times, and that repeated | `(?:X{n,m})+` | `X{n,m}+` |
//! | a hexadecimal digit | `[0-9a-fA-F]` | `\h` |
//! | a letter of ASCII, and other POSIX classes | `[[:alpha:]]` | `[a-zA-Z]` |
//! | a letter, and other POSIX classes | `\p{Alphabetic}` | `[[:alpha:]]` |
//! | part of a word | `\w`, with U+200C and U+200D | `\w`, without them |
//!
//! Without case Oniguruma matches more (`(?i:ss)` matches `ß`) or less (`(?i:\p{Lu})` matches no `a`); such a pattern is
//! refused, and so is `\b`.

use super::oniguruma_classes::{self as classes, Ignoring};
use crate::error::{Error, Result};

/// The end and the start of a line in our syntax.
const LINE_EDGES: [&str; 2] = ["(?m:$)", "(?m:^)"];

/// A pattern of ours as Oniguruma reads it.
pub fn write(pattern: &str) -> Result<String> {
    let refused = |what: &str| {
        let what = format!("`{what}` in the pattern `{pattern}`, which its readers take otherwise");
        Err(Error::CannotHold { format: "tokenizer.json", what })
    };
    let mut rewriter = Rewriter::new(pattern);
    let mut ignoring = Ignoring::default();
    while let Some(part) = rewriter.next() {
        if let Some(what) = ignoring.differs(&part, rewriter.rest) {
            return refused(&what);
        }
        match part {
            Part::Atom("$") => rewriter.push(r"\z"),
            Part::Atom("^") => rewriter.push(r"\A"),
            Part::Atom("(?m:$)") => rewriter.push("$"),
            Part::Atom("(?m:^)") => rewriter.push("^"),
            Part::Atom(boundary @ (r"\b" | r"\B")) => return refused(boundary),
            Part::Atom(atom) => rewriter.push(&classes::rewrite(atom, classes::theirs)),
            Part::CountedThenPlus(count) => rewriter.wrap("(?>", count, ")"),
            Part::Flags(flags) if flags.contains(['m', 's', 'x']) => return refused(&format!("(?{flags}")),
            other => rewriter.copy(other),
        }
    }
    Ok(rewriter.out)
}

/// Oniguruma's pattern as one of ours.
pub fn read(pattern: &str) -> Result<String> {
    let mut rewriter = Rewriter::new(pattern);
    while let Some(part) = rewriter.next() {
        match part {
            Part::Atom("$") => rewriter.push(LINE_EDGES[0]),
            Part::Atom("^") => rewriter.push(LINE_EDGES[1]),
            Part::Atom(r"\h") => rewriter.push("[0-9a-fA-F]"),
            Part::Atom(r"\H") => rewriter.push("[^0-9a-fA-F]"),
            // Outside brackets it has these six besides.
            Part::Atom(r"\w") => rewriter.push(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾]"),
            Part::Atom(r"\W") => rewriter.push(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}²³¹¼½¾]"),
            Part::Atom(atom) => rewriter.push(&classes::rewrite(atom, classes::ours)),
            Part::CountedThenPlus(count) => rewriter.wrap("(?:", count, ")+"),
            Part::Flags(flags) if flags.contains(['m', 'x']) => {
                let reason = format!("the flags of `(?{flags}` are not supported");
                return Err(Error::Pattern { pattern: pattern.to_owned(), reason });
            }
            other => rewriter.copy(other),
        }
    }
    Ok(rewriter.out)
}

pub(super) enum Part<'a> {
    /// A character, an escape or a class: what a repetition repeats.
    Atom(&'a str),
    /// `(` and what tells the kind of group.
    Open(&'a str),
    /// The flags of `(?flags)` or `(?flags:`, which come before the group's own text.
    Flags(&'a str),
    Close,
    Other(&'a str),
    /// `{n,m}` of `X{n,m}+`: the plus means different things to the two.
    CountedThenPlus(&'a str),
}

struct Rewriter<'a> {
    rest: &'a str,
    out: String,
    /// Where the last atom or group starts in `out`, and where the open groups do.
    last: usize,
    open: Vec<usize>,
}

impl<'a> Rewriter<'a> {
    fn new(pattern: &'a str) -> Self {
        Self { rest: pattern, out: String::with_capacity(pattern.len() + 16), last: 0, open: Vec::new() }
    }

    fn next(&mut self) -> Option<Part<'a>> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let (length, part): (usize, fn(&'a str) -> Part<'a>) = match first {
            _ if LINE_EDGES.iter().any(|edge| rest.starts_with(edge)) => (LINE_EDGES[0].len(), Part::Atom),
            '\\' => (escape_length(rest), Part::Atom),
            '[' => (class_length(rest), Part::Atom),
            '(' => {
                let flags = rest.strip_prefix("(?").map(|rest| rest.split([':', ')']).next().unwrap_or(""));
                match flags
                    .filter(|flags| !flags.is_empty() && flags.chars().all(|c| c.is_ascii_alphabetic() || c == '-'))
                {
                    Some(flags) if !self.out.ends_with("(?") => {
                        // The opening is copied now, its flags come as the next part.
                        self.open.push(self.out.len());
                        self.out.push_str("(?");
                        self.rest = &rest[2 + flags.len()..];
                        return Some(Part::Flags(flags));
                    }
                    _ => (1, Part::Open),
                }
            }
            ')' => (1, |_| Part::Close),
            '{' => match rest.find('}') {
                Some(end) if is_count(&rest[1..end]) => {
                    if rest[end + 1..].starts_with('+') {
                        self.rest = &rest[end + 2..];
                        return Some(Part::CountedThenPlus(&rest[..=end]));
                    }
                    (end + 1, Part::Other)
                }
                _ => (1, Part::Atom),
            },
            '*' | '+' | '?' | '|' => (1, Part::Other),
            _ => (first.len_utf8(), Part::Atom),
        };
        let (taken, rest) = rest.split_at(length);
        self.rest = rest;
        Some(part(taken))
    }

    fn push(&mut self, text: &str) {
        self.last = self.out.len();
        self.out.push_str(text);
    }

    fn copy(&mut self, part: Part<'_>) {
        match part {
            Part::Atom(text) => self.push(text),
            Part::Open(text) => {
                self.open.push(self.out.len());
                self.out.push_str(text);
            }
            Part::Close => {
                self.last = self.open.pop().unwrap_or(0);
                self.out.push(')');
            }
            Part::Flags(text) | Part::Other(text) => self.out.push_str(text),
            Part::CountedThenPlus(count) => {
                self.out.push_str(count);
                self.out.push('+');
            }
        }
    }

    /// Puts the last atom, repeated by `count`, between `before` and `after`.
    fn wrap(&mut self, before: &str, count: &str, after: &str) {
        self.out.insert_str(self.last, before);
        self.out.push_str(count);
        self.out.push_str(after);
    }
}

fn is_count(inside: &str) -> bool {
    !inside.is_empty()
        && inside.chars().all(|c| c.is_ascii_digit() || c == ',')
        && inside.starts_with(|c: char| c.is_ascii_digit())
}

/// `\p{…}`, `\x{…}` and `\u{…}` are longer than one character.
fn escape_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let Some((at, letter)) = chars.next() else { return rest.len() };
    let end = at + letter.len_utf8();
    match (letter, rest[end..].starts_with('{'), rest.find('}')) {
        ('p' | 'P' | 'x' | 'u', true, Some(close)) => close + 1,
        _ => end,
    }
}

fn class_length(rest: &str) -> usize {
    let (mut depth, mut escaped) = (0, false);
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => depth += 1,
            ']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::named::NAMED;

    #[test]
    fn what_differs_is_rewritten() {
        let written = [
            (r"\s++$|a", r"\s++\z|a"),
            (r"\p{N}{1,3}+|x{2}y", r"(?>\p{N}{1,3})|x{2}y"),
            (r"(?:ab){2}+$", r"(?>(?:ab){2})\z"),
            (r"[$^]{1,2}+\$", r"(?>[$^]{1,2})\$"),
            (r"'(?i:[sdmt]|ll)", r"'(?i:[sdmt]|ll)"),
            (r"[[:alpha:]'\]]|[^[:^digit:]\d]", r"[[a-zA-Z]'\]]|[^[^0-9]\d]"),
            (
                r"\w+|[^\w[:x]]",
                r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}][:x]]",
            ),
            (r"(?i:'s|t|(?-i:ss\p{L}))ss\p{L}", r"(?i:'s|t|(?-i:ss\p{L}))ss\p{L}"),
        ];
        for (ours, theirs) in written {
            assert_eq!(write(ours).unwrap(), theirs);
        }
        let read_back = [
            (r"a$|\h", r"a(?m:$)|[0-9a-fA-F]"),
            (r"\p{N}{1,3}+", r"(?:\p{N}{1,3})+"),
            (r"\s+\z", r"\s+\z"),
            (r"[^[:alpha:]\w]", r"[^[\p{Alphabetic}][\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]]"),
        ];
        for (theirs, ours) in read_back {
            assert_eq!(read(theirs).unwrap(), ours);
        }
        for refused in ["(?s:.)", r"\bx", r"(?i)\p{Lu}", "x(?i:aßb)", "(?i:'SS)", "((?i)a|(b)st)", r"(?i:[\P{L}])"] {
            let error = write(refused).unwrap_err().to_string();
            assert!(error.contains(refused), "{error}");
        }
        assert!(read("(?m:.)").is_err());
    }

    #[test]
    fn what_is_written_reads_as_itself() {
        for named in NAMED {
            for stage in named.stages {
                let written = write(stage).unwrap();
                assert_eq!(read(&written).unwrap(), written, "{}", named.name);
            }
        }
    }
}

//! The `Split` of a `tokenizer.json`, and the steps that are one in disguise, as a pattern.
//!
//! Each of our matches is a pretoken, and so is each stretch between two. In the library that is the behavior `Isolated`;
//! the others join what they have cut. For a pattern *P*, where *…* is a stretch without a match:
//!
//! | behavior | joins | as a pattern |
//! |---|---|---|
//! | `Contiguous` | matches that touch | `P+` |
//! | `MergedWithPrevious` | *…* and the match after it | `P`, or anything up to the end of the next `P` |
//! | `MergedWithNext` | a match and the *…* after it | `P` and anything up to the next `P` |
//! | `Removed` | nothing: it loses the matches | |
//!
//! With `invert` matches and stretches change places. That means nothing to the first two, exchanges the two that merge,
//! and makes `Removed` lose the stretches, of which some patterns leave none.
//!
//! An empty match cuts there and is ignored here. A pattern of which all matches are empty is rewritten; one that
//! matches the empty text or more is refused.

use fancy_regex::Expr;

use super::oniguruma;
use crate::error::{Error, Result};
use crate::pretokenize::named::NAMED;

/// What the step `Punctuation` takes for punctuation: that of ASCII, its symbols included, and what Unicode 8 had. The
/// library's table was made for that version, so that what came or changed later is listed here.
pub const PUNCTUATION: &str = concat!(
    r"[!-/:-@\[-`{-~\p{P}\x{166d}\x{111c9}&&[^",
    r"\x{61d}\x{9fd}\x{a76}\x{c77}\x{c84}\x{1b4e}-\x{1b4f}\x{1b7d}-\x{1b7f}\x{2e43}-\x{2e4f}",
    r"\x{2e52}-\x{2e5d}\x{10d6e}\x{10ead}\x{10f55}-\x{10f59}\x{10f86}-\x{10f89}\x{113d4}-\x{113d5}",
    r"\x{113d7}-\x{113d8}\x{1144b}-\x{1144f}\x{1145a}-\x{1145b}\x{1145d}\x{11660}-\x{1166c}\x{116b9}",
    r"\x{1183b}\x{11944}-\x{11946}\x{119e2}\x{11a3f}-\x{11a46}\x{11a9a}-\x{11a9c}\x{11a9e}-\x{11aa2}",
    r"\x{11b00}-\x{11b09}\x{11be1}\x{11c41}-\x{11c45}\x{11c70}-\x{11c71}\x{11ef7}-\x{11ef8}",
    r"\x{11f43}-\x{11f4f}\x{11fff}\x{12ff1}-\x{12ff2}\x{16d6d}-\x{16d6f}\x{16e97}-\x{16e9a}\x{16fe2}",
    r"\x{1e5ff}\x{1e95e}-\x{1e95f}",
    "]]",
);

/// The pattern of a step that cuts at `regex` (in our syntax) with a behavior, or the reason why there is none.
pub fn pattern(regex: &str, behavior: &str, invert: bool) -> std::result::Result<String, String> {
    let tree = Expr::parse_tree(regex).map_err(|error| format!("the pattern `{regex}` does not compile: {error}"))?;
    let is_empty = matches_only_empty(&tree.expr);
    if !is_empty && may_match_empty(&tree.expr) {
        return Err(format!(
            "the pattern `{regex}` may match the empty text, where the step cuts and a pattern does not"
        ));
    }
    let merges = behavior.starts_with("Merged");
    if merges && has_reference(&tree.expr) {
        return Err(format!("the behavior `{behavior}` of `{regex}`, which refers to a group of its own"));
    }
    let to_next = |ahead: &str| format!(r"[\s\S]+?(?=(?:{ahead})|\z)");
    match behavior {
        "Isolated" if is_empty => Ok(to_next(regex)),
        _ if is_empty => Err(format!("the behavior `{behavior}` of `{regex}`, which matches the empty text alone")),
        "Isolated" => Ok(regex.to_owned()),
        "Contiguous" if is_one_class(regex) => Ok(format!("{regex}+")),
        "Contiguous" => Ok(format!("(?:{regex})+")),
        "MergedWithPrevious" if !invert => Ok(format!(r"(?:{regex})|[\s\S]+?(?:(?:{regex})|\z)")),
        "MergedWithNext" if invert => Ok(format!(r"(?:{regex})|[\s\S]+?(?:(?:{regex})|\z)")),
        "MergedWithPrevious" | "MergedWithNext" => Ok(format!("(?:{regex})(?:(?!{regex}){})?", to_next(regex))),
        // To remove what lies between matches is to keep all where the pattern leaves nothing between them.
        "Removed" if invert && covers_everything(regex) => Ok(regex.to_owned()),
        "Removed" => Err("the behavior `Removed` loses text".to_owned()),
        other => Err(format!("the behavior `{other}` is none that is known")),
    }
}

/// The named patterns of one stage match every text without a gap.
fn covers_everything(regex: &str) -> bool {
    NAMED.iter().any(|named| matches!(named.stages, [stage] if *stage == regex))
}

/// A file's expression as ours; one that we wrote for a named pattern is that pattern again.
pub fn read_regex(regex: &str) -> Result<String> {
    let mut stages = NAMED.iter().flat_map(|named| named.stages).copied();
    match stages.find(|stage| oniguruma::write(stage).is_ok_and(|written| written == regex)) {
        Some(stage) => Ok(stage.to_owned()),
        None => oniguruma::read(regex),
    }
}

/// A pattern that matches `text` and nothing else.
pub fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Refuses what the library would cut at in another way than we do: where it finds an empty match.
pub fn check_written(pattern: &str) -> Result<()> {
    match Expr::parse_tree(pattern) {
        Ok(tree) if may_match_empty(&tree.expr) => {
            let what = format!("the pattern `{pattern}`, which may match the empty text: its readers cut there");
            Err(Error::CannotHold { format: super::huggingface::FORMAT, what })
        }
        _ => Ok(()),
    }
}

fn is_one_class(regex: &str) -> bool {
    let is_one = |expr: &Expr| matches!(expr, Expr::Delegate { .. } | Expr::Any { .. });
    Expr::parse_tree(regex).is_ok_and(|tree| is_one(&tree.expr))
}

/// Whether some match may be empty; where that is not clear, it is said.
fn may_match_empty(expr: &Expr) -> bool {
    match expr {
        Expr::Literal { val, .. } => val.is_empty(),
        Expr::Any { .. } | Expr::Delegate { .. } | Expr::GeneralNewline { .. } | Expr::LiteralBytes { .. } => false,
        Expr::Concat(parts) => parts.iter().all(may_match_empty) || parts.iter().any(drops_what_it_matched),
        Expr::Alt(parts) => parts.iter().any(may_match_empty),
        Expr::Group(child) => may_match_empty(child),
        Expr::AtomicGroup(child) => may_match_empty(child),
        Expr::Repeat { child, lo, .. } => *lo == 0 || may_match_empty(child),
        _ => true,
    }
}

/// Whether every match is empty.
fn matches_only_empty(expr: &Expr) -> bool {
    match expr {
        Expr::Empty | Expr::Assertion(_) | Expr::LookAround(..) => true,
        Expr::Concat(parts) | Expr::Alt(parts) => parts.iter().all(matches_only_empty),
        Expr::Group(child) => matches_only_empty(child),
        Expr::AtomicGroup(child) => matches_only_empty(child),
        _ => false,
    }
}

/// `\K` lets a match start where it stands.
fn drops_what_it_matched(expr: &Expr) -> bool {
    matches!(expr, Expr::KeepOut) || expr.children_iter().any(drops_what_it_matched)
}

fn has_reference(expr: &Expr) -> bool {
    let is_one = matches!(
        expr,
        Expr::Backref { .. }
            | Expr::BackrefWithRelativeRecursionLevel { .. }
            | Expr::BackrefExistsCondition { .. }
            | Expr::SubroutineCall(_)
            | Expr::AstNode(..)
    );
    is_one || expr.children_iter().any(has_reference)
}

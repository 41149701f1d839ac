//! A pattern → a plan: what each alternative takes, if the pattern is of the kind that real models use.
//!
//! Alternatives are known by their syntax, one by one and in any order, not by the pattern as a whole: GPT-2's and
//! DeepSeek's are made of the same four kinds. A kind is a function from a position to an end, and the first alternative
//! that has an end wins, exactly as in the regular expression: nothing follows the alternatives, so nothing can make
//! the engine come back and ask one of them for another end.
//!
//! *Linear*: over a whole text the scanner looks at no character more than a fixed number of times. Within each kind a
//! look beyond what is taken is either one character long or, where it can be long (blanks, words in two cases), is
//! accepted only together with the alternatives that then take what was looked at.

use super::class::{CharSet, ClassTable, Span};
use super::regex::alternatives;
use super::syntax::{items, Item};

/// The bit of a set in [`ClassTable`]; 0 for the set that holds nothing.
pub type Class = u32;

pub struct Plan {
    pub alternatives: Vec<Alternative>,
    pub table: ClassTable,
    /// A character's bits, shifted down by this, have bit `i` where alternative `i` may start with it.
    pub starts: u32,
    /// Some of the characters that no alternative starts with.
    pub gap: Option<Span>,
}

// A tag of its own: one that is hidden in a vector's capacity takes several instructions to read, for each pretoken.
#[repr(u8)]
pub enum Alternative {
    Contraction(Contraction),
    Run(Run),
    Cased(Cased),
    Blanks(Blanks),
}

/// `'(?:[sdmt]|ll|ve|re)` and its spellings: an apostrophe and the first of the suffixes that follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contraction {
    /// ASCII letters, small ones where case is ignored.
    pub suffixes: Vec<String>,
    pub any_case: bool,
}

/// ` ?\p{L}+`, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n]*`: a run of one class, with one character before it and any
/// number of another class after it.
///
/// What stands last takes all that it can, possessive or not. The optional character before gives itself back when it
/// is not followed by the body.
pub struct Run {
    pub prefix: Class,
    pub needs_prefix: bool,
    pub body: Class,
    /// Of the body.
    pub span: Option<Span>,
    pub most: usize,
    pub tail: Class,
}

/// o200k's words: two alternatives, `P?U*L+` and `P?U+L*`, and what may follow both.
///
/// The first one fails after a long look at capital letters, and the second one takes them: so only both together.
pub struct Cased {
    pub prefix: Class,
    pub upper: Class,
    pub lower: Class,
    /// Of the lower letters.
    pub span: Option<Span>,
    pub suffix: Option<Contraction>,
}

/// The alternatives for white space. On a run of blanks the first of these that applies:
///
/// - `\s++$`: all of it, when the text ends with it.
/// - `\s*[\r\n]` or `\s*[\r\n]+`: up to its last line end. (`\s*` takes all and gives back until a line end follows;
///   that is the last one, so the `+` finds no second.)
/// - `\s+(?!\S)`: all but its last character, or all of it at the end of the text.
/// - `\s+`: all of it. After the rule above the run is one character long, and `\s` is the same.
///
/// The looks are as long as the run; a rule that takes less than the run leaves one without line ends, the next one
/// takes all but a character of that, or all.
pub struct Blanks {
    pub blank: Class,
    pub span: Option<Span>,
    pub line_end: Class,
    pub to_end: bool,
    pub through_line_end: bool,
    pub all_but_last: bool,
}

impl Plan {
    /// None if the scanner does not know some part of the pattern completely.
    pub fn parse(pattern: &str) -> Option<Self> {
        let parts = alternatives(pattern);
        let mut builder = Builder::default();
        let mut rest = &parts[..];
        while !rest.is_empty() {
            let used = builder
                .contractions(rest)
                .or_else(|| builder.blanks(rest))
                .or_else(|| builder.cased(rest))
                .or_else(|| builder.run(rest[0]))?;
            rest = &rest[used..];
        }
        builder.finish()
    }
}

/// Collects alternatives, the sets they test, and the sets they may start with.
#[derive(Default)]
struct Builder {
    alternatives: Vec<Alternative>,
    firsts: Vec<CharSet>,
    sets: Vec<CharSet>,
}

impl Builder {
    fn class(&mut self, set: &CharSet) -> Class {
        if set.is_empty() {
            return 0;
        }
        let i = self.sets.iter().position(|known| known == set).unwrap_or_else(|| {
            self.sets.push(set.clone());
            self.sets.len() - 1
        });
        // Past the bits of a word there is no plan: `finish` refuses it.
        1u32.checked_shl(i as u32).unwrap_or(0)
    }

    fn push(&mut self, alternative: Alternative, first: CharSet) {
        self.alternatives.push(alternative);
        self.firsts.push(first);
    }

    fn finish(mut self) -> Option<Plan> {
        let starts = self.sets.len();
        let gap = self.firsts.iter().fold(CharSet::of(""), |any, first| any.union(first)).complement();
        self.sets.append(&mut self.firsts);
        let fits = self.sets.len() <= u32::BITS as usize;
        fits.then(|| Plan {
            alternatives: self.alternatives,
            table: ClassTable::new(&self.sets),
            starts: starts as u32,
            gap: Span::of(&gap),
        })
    }

    /// As many contractions as stand one after the other: `'s|'t|'re`.
    fn contractions(&mut self, parts: &[&str]) -> Option<usize> {
        let mut all = contraction(parts[0])?;
        let mut used = 1;
        while let Some(more) = parts.get(used).and_then(|part| contraction(part)) {
            if more.any_case != all.any_case {
                break;
            }
            all.suffixes.extend(more.suffixes);
            used += 1;
        }
        self.push(Alternative::Contraction(all), CharSet::of("'"));
        Some(used)
    }

    fn blanks(&mut self, parts: &[&str]) -> Option<usize> {
        let rules: Vec<_> = parts.iter().map_while(|part| blank_rule(part)).collect();
        let last = rules.iter().position(|rule| matches!(rule, BlankRule::All | BlankRule::One))?;
        let (last_rule, rules) = (rules[last], &rules[..last]);
        let has = |rule| rules.contains(&rule);
        let all_but_last = has(BlankRule::AllButLast);
        // Without the rule before it `\s` would take one character of a run after a look at all of it, again and again.
        if !rules.is_sorted_by(|a, b| a < b) || last_rule == BlankRule::One && !all_but_last {
            return None;
        }
        let blanks = Blanks {
            blank: self.class(&CharSet::white_space()),
            span: Span::of(&CharSet::white_space()),
            line_end: self.class(&CharSet::of("\r\n")),
            to_end: has(BlankRule::ToEnd),
            through_line_end: has(BlankRule::ThroughLineEnd),
            all_but_last,
        };
        self.push(Alternative::Blanks(blanks), CharSet::white_space());
        Some(last + 1)
    }

    fn cased(&mut self, parts: &[&str]) -> Option<usize> {
        let [first, second, ..] = parts else { return None };
        let (first, suffix) = optional_contraction(first);
        let (second, second_suffix) = optional_contraction(second);
        let (first, second) = (items(first)?, items(second)?);
        let (prefix, [upper, lower]) = optional_prefix(&first)? else { return None };
        let (second_prefix, [second_upper, second_lower]) = optional_prefix(&second)? else { return None };
        let alike = (prefix, &upper.set, &lower.set, &suffix)
            == (second_prefix, &second_upper.set, &second_lower.set, &second_suffix);
        let repeated = upper.is_any_number()
            && lower.is_one_or_more()
            && second_upper.is_one_or_more()
            && second_lower.is_any_number();
        let gives_back = !first.iter().chain(&second).any(|item| item.possessive);
        if !(alike && repeated && gives_back) {
            return None;
        }
        let none = CharSet::of("");
        let prefix = prefix.unwrap_or(&none);
        let cased = Cased {
            prefix: self.class(prefix),
            upper: self.class(&upper.set),
            lower: self.class(&lower.set),
            span: Span::of(&lower.set),
            suffix,
        };
        self.push(Alternative::Cased(cased), prefix.union(&upper.set).union(&lower.set));
        Some(2)
    }

    fn run(&mut self, part: &str) -> Option<usize> {
        let items = items(part)?;
        let (before, rest) = match &items[..] {
            [before, rest @ ..] if before.most == 1 && rest.first().is_some_and(|body| body.least == 1) => {
                (Some(before), rest)
            }
            all => (None, all),
        };
        let (body, tail) = match rest {
            [body] => (body, None),
            [body, tail] if tail.is_any_number() => (body, Some(tail)),
            _ => return None,
        };
        let none = CharSet::of("");
        let prefix = before.map_or(&none, |before| &before.set);
        // A possessive prefix never gives itself back, which shows when it could have been the body.
        let keeps = before.is_some_and(|before| before.possessive) && !prefix.intersection(&body.set).is_empty();
        if body.least != 1 || keeps {
            return None;
        }
        let run = Run {
            prefix: self.class(prefix),
            needs_prefix: before.is_some_and(|before| before.least == 1),
            body: self.class(&body.set),
            span: Span::of(&body.set),
            most: body.most,
            tail: self.class(tail.map_or(&none, |item| &item.set)),
        };
        let first = if run.needs_prefix { prefix.clone() } else { prefix.union(&body.set) };
        self.push(Alternative::Run(run), first);
        Some(1)
    }
}

/// The first item apart, if it is optional, and the others.
fn optional_prefix(items: &[Item]) -> Option<(Option<&CharSet>, &[Item])> {
    let (first, rest) = items.split_first()?;
    Some(if first.is_optional() { (Some(&first.set), rest) } else { (None, items) })
}

/// In the order in which they have to stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BlankRule {
    ToEnd,
    ThroughLineEnd,
    AllButLast,
    All,
    One,
}

fn blank_rule(part: &str) -> Option<BlankRule> {
    let blank = CharSet::white_space();
    if let Some(run) = part.strip_suffix("$") {
        let items = items(run)?;
        return matches!(&items[..], [run] if run.set == blank && run.is_one_or_more()).then_some(BlankRule::ToEnd);
    }
    if let Some(run) = part.strip_suffix(r"(?!\S)") {
        let items = items(run)?;
        // A possessive run cannot give its last character back.
        return matches!(&items[..], [run] if run.set == blank && run.is_one_or_more() && !run.possessive)
            .then_some(BlankRule::AllButLast);
    }
    match &items(part)?[..] {
        [run] if run.set == blank && run.is_one_or_more() => Some(BlankRule::All),
        [one] if one.set == blank && one.most == 1 && one.least == 1 => Some(BlankRule::One),
        [run, end] if run.set == blank && run.is_any_number() && !run.possessive && end.set == CharSet::of("\r\n") => {
            (end.least == 1).then_some(BlankRule::ThroughLineEnd)
        }
        _ => None,
    }
}

/// Takes an optional contraction off the end of a word.
fn optional_contraction(part: &str) -> (&str, Option<Contraction>) {
    let split = || {
        let (word, group) = part.strip_suffix('?')?.split_at(part.rfind("(?")?);
        Some((word, Some(contraction(group)?)))
    };
    split().unwrap_or((part, None))
}

/// `'s`, `'(?:[sdmt]|ll)`, `(?i:'s|'t)`, …
fn contraction(part: &str) -> Option<Contraction> {
    let (quoted, group) = part.strip_prefix('\'').map_or((false, part), |group| (true, group));
    let (any_case, inside) = match group.strip_prefix("(?") {
        Some(group) => {
            let (flags, inside) = group.strip_suffix(')')?.split_once(':')?;
            let any_case = match flags {
                "" => false,
                "i" => true,
                _ => return None,
            };
            (any_case, inside)
        }
        None => (false, group),
    };
    let mut suffixes = Vec::new();
    for option in inside.split('|') {
        let letters = if quoted { option } else { option.strip_prefix('\'')? };
        let class = letters.strip_prefix('[').and_then(|letters| letters.strip_suffix(']'));
        let letters = class.unwrap_or(letters);
        if letters.is_empty() || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let letters = if any_case { letters.to_ascii_lowercase() } else { letters.to_owned() };
        match class {
            Some(_) => suffixes.extend(letters.chars().map(String::from)),
            None => suffixes.push(letters),
        }
    }
    Some(Contraction { suffixes, any_case })
}

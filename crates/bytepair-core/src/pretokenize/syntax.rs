//! The small part of the syntax of regular expressions that the patterns of tokenizers are made of.
//!
//! Whatever is not known here, to the last detail, is None: then the general engine runs the pattern.

use super::class::CharSet;

/// A class of characters and how often it is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub set: CharSet,
    /// 0 or 1.
    pub least: usize,
    pub most: usize,
    /// Never gives back what it took.
    pub possessive: bool,
}

impl Item {
    pub fn is_optional(&self) -> bool {
        (self.least, self.most) == (0, 1)
    }

    pub fn is_any_number(&self) -> bool {
        (self.least, self.most) == (0, usize::MAX)
    }

    pub fn is_one_or_more(&self) -> bool {
        (self.least, self.most) == (1, usize::MAX)
    }
}

/// Classes one after the other, as in ` ?\p{L}+`. None if there is anything else.
pub fn items(mut part: &str) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    while !part.is_empty() {
        let set = element(&mut part)?;
        let (least, most) = repetition(&mut part)?;
        let repeated = (least, most) != (1, 1);
        items.push(Item { set, least, most, possessive: repeated && eat(&mut part, "+") });
    }
    Some(items)
}

fn eat(rest: &mut &str, expected: &str) -> bool {
    match rest.strip_prefix(expected) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

fn next(rest: &mut &str) -> Option<char> {
    let mut chars = rest.chars();
    let c = chars.next()?;
    *rest = chars.as_str();
    Some(c)
}

/// A class, an escape, or a character that stands for itself.
fn element(rest: &mut &str) -> Option<CharSet> {
    if eat(rest, "[") {
        return class(rest);
    }
    match next(rest)? {
        '\\' => escape(rest),
        c if r".^$*+?()[]{}|".contains(c) => None,
        c => Some(CharSet::of(c.encode_utf8(&mut [0; 4]))),
    }
}

/// What follows a backslash.
fn escape(rest: &mut &str) -> Option<CharSet> {
    match next(rest)? {
        'p' if eat(rest, "{") => {
            let (name, after) = rest.split_once('}')?;
            *rest = after;
            CharSet::property(name)
        }
        's' => Some(CharSet::white_space()),
        'S' => Some(CharSet::white_space().complement()),
        'r' => Some(CharSet::of("\r")),
        'n' => Some(CharSet::of("\n")),
        't' => Some(CharSet::of("\t")),
        c if r"\.+*?()|[]{}^$#&-~/".contains(c) => Some(CharSet::of(c.encode_utf8(&mut [0; 4]))),
        _ => None,
    }
}

/// What follows `[`. Of the operations on sets only `[…&&[…]]` is known.
fn class(rest: &mut &str) -> Option<CharSet> {
    let negated = rest.starts_with('^');
    let mut set = members(rest)?;
    if !negated && eat(rest, "&&[") {
        set = set.intersection(&members(rest)?);
        if !eat(rest, "]") {
            return None;
        }
    }
    (eat(rest, "]") && !set.is_empty()).then_some(set)
}

/// One or more members of a class, or all characters but them.
fn members(rest: &mut &str) -> Option<CharSet> {
    let negated = eat(rest, "^");
    let mut set = member(rest)?;
    while !rest.starts_with(']') && !rest.starts_with("&&") {
        set = set.union(&member(rest)?);
    }
    Some(if negated { set.complement() } else { set })
}

/// A character, a range of characters, or an escape.
fn member(rest: &mut &str) -> Option<CharSet> {
    let first = member_end(rest)?;
    if !eat(rest, "-") {
        return Some(first);
    }
    let (first, last) = (first.single()?, member_end(rest)?.single()?);
    (first <= last).then(|| CharSet::new([(first, last)]))
}

fn member_end(rest: &mut &str) -> Option<CharSet> {
    if ["&&", "~~", "-", "[", "]"].iter().any(|operator| rest.starts_with(operator)) {
        return None;
    }
    match next(rest)? {
        '\\' => escape(rest),
        c => Some(CharSet::of(c.encode_utf8(&mut [0; 4]))),
    }
}

/// How often, as least and most. None for the lazy forms, and for counts that do not start at 1.
fn repetition(rest: &mut &str) -> Option<(usize, usize)> {
    let range = if eat(rest, "?") {
        (0, 1)
    } else if eat(rest, "*") {
        (0, usize::MAX)
    } else if eat(rest, "+") {
        (1, usize::MAX)
    } else if eat(rest, "{1,") {
        let (most, after) = rest.split_once('}')?;
        let digits = most.bytes().all(|byte| byte.is_ascii_digit());
        *rest = after;
        (1, most.parse().ok().filter(|most| digits && *most > 1)?)
    } else {
        return Some((1, 1));
    };
    (!rest.starts_with('?')).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_as_the_engine_reads_them() {
        for class in [
            r"\p{L}",
            r"\s",
            r"\S",
            r" ",
            r"[\r\n/]",
            "[\r\n]",
            r"[^\r\n\p{L}\p{N}]",
            r"[^\s\p{L}\p{N}]",
            r"[a-z\-é]",
            "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]",
            "[一-龥\u{3040}-ゟ゠-ヿ]",
            r"[\p{Lu}\p{Lo}&&[^\p{Han}]]",
            r"[^\S\t]",
        ] {
            let items = items(class).unwrap();
            let [Item { set, least: 1, most: 1, possessive: false }] = &items[..] else { panic!("{class}") };
            let engine = fancy_regex::Regex::new(&format!("^{class}$")).unwrap();
            let one = |c: char| CharSet::of(c.encode_utf8(&mut [0; 4]));
            for c in
                ('\0'..'\u{3400}').chain('\u{4DF0}'..'\u{4E10}').chain('\u{9F00}'..'\u{A010}').chain(['\u{10FFFF}'])
            {
                let ours = !set.intersection(&one(c)).is_empty();
                assert_eq!(ours, engine.is_match(c.encode_utf8(&mut [0; 4])).unwrap(), "{class} {c:?}");
            }
        }
    }

    #[test]
    fn repetitions() {
        let read = |part| items(part).map(|items| items.iter().map(|i| (i.least, i.most, i.possessive)).collect());
        let many = usize::MAX;
        let expected =
            vec![(0, 1, false), (0, 1, true), (1, many, false), (1, many, true), (0, many, true), (1, 3, true)];
        assert_eq!(read("a?a?+a+a++a*+a{1,3}+"), Some(expected));
        assert_eq!(read("a{1,3}a"), Some(vec![(1, 3, false), (1, 1, false)]));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for part in [
            "a??",
            "a+?",
            "a{1,3}?",
            "a{2,3}",
            "a{3}",
            "a{1,}",
            "a{1,+3}",
            "a{1,1}",
            "a+*",
            "(a)",
            "^",
            "$",
            ".",
            r"\d",
            r"\b",
            r"\<",
            r"\P{L}",
            r"\pL",
            r"\p{Greek}",
            "[]",
            "[]a]",
            "[a",
            "[a-]",
            "[-a]",
            "[z-a]",
            "[^]",
            "[^]a]",
            r"[^\s\S]",
            "[a--b]",
            "[a~~b]",
            "[a[b]]",
            "[a&&b]",
            "[^a&&[b]]",
            "[a&&[b]",
            "[a&&[b]c]",
            r"[\p{L}-z]",
            r"[\d]",
            "[[:alpha:]]",
            "[a&&[b]]",
            "\\",
            r"\p{L",
        ] {
            assert_eq!(items(part), None, "{part}");
        }
    }
}

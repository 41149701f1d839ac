//! Classes of characters that have one spelling and two meanings, and what ignoring case means to Oniguruma.

use super::oniguruma::Part;

/// A class with each `\w`, `\W` and `[:name:]` in it as `meaning` (of the name) spells it for the other side. Names that
/// `meaning` does not know stay as they are.
pub fn rewrite(class: &str, meaning: fn(&str) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(class.len() + 16);
    let mut rest = class;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix("[:").filter(|_| !out.is_empty()).and_then(|inside| inside.split_once(":]"));
        let (name, taken) = match (&rest.as_bytes()[..rest.len().min(2)], named) {
            (br"\w", _) => ("w", 2),
            (br"\W", _) => ("^w", 2),
            (_, Some((name, _))) => (name, name.len() + 4),
            ([b'\\', ..], _) => ("", 1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
            _ => ("", first.len_utf8()),
        };
        let (negated, name) = name.strip_prefix('^').map_or(("", name), |name| ("^", name));
        match meaning(name) {
            Some(spelled) => out.extend(["[", negated, spelled, "]"]),
            None => out.push_str(&rest[..taken]),
        }
        rest = &rest[taken..];
    }
    out
}

/// What our class of this name holds, as Oniguruma spells it.
pub fn theirs(name: &str) -> Option<&'static str> {
    Some(match name {
        "w" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}",
        "alpha" => "a-zA-Z",
        "digit" => "0-9",
        "alnum" => "0-9a-zA-Z",
        "upper" => "A-Z",
        "lower" => "a-z",
        "space" => r"\t\n\x0B\x0C\r ",
        "blank" => r"\t ",
        "punct" => r"!-/:-@\[-`{-~",
        "word" => "0-9A-Za-z_",
        "cntrl" => r"\x00-\x1F\x7F",
        "graph" => "!-~",
        "print" => " -~",
        "ascii" => r"\x00-\x7F",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// What Oniguruma's class of this name holds, as we spell it.
pub fn ours(name: &str) -> Option<&'static str> {
    Some(match name {
        "w" | "word" => r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
        "alpha" => r"\p{Alphabetic}",
        "digit" => r"\p{Nd}",
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "upper" => r"\p{Uppercase}",
        "lower" => r"\p{Lowercase}",
        "space" => r"\s",
        "blank" => r"\t\p{Zs}",
        "punct" => r"\p{P}\p{S}",
        "cntrl" => r"\p{Cc}",
        _ => return None,
    })
}

/// Two letters that Oniguruma, ignoring case, takes for one: `ß`, `ﬀ`, `ﬁ`, `ﬂ`, `ﬆ`.
const ONE_LETTER: [&str; 5] = ["ss", "ff", "fi", "fl", "st"];

/// Where case is ignored, group by group, and the letter before.
pub struct Ignoring {
    groups: Vec<bool>,
    letter: Option<char>,
}

impl Default for Ignoring {
    fn default() -> Self {
        Self { groups: vec![false], letter: None }
    }
}

impl Ignoring {
    /// Takes in the next part of a pattern; `rest` follows it. Gives what is read otherwise by Oniguruma, if anything is.
    pub fn differs(&mut self, part: &Part<'_>, rest: &str) -> Option<String> {
        let now = self.groups.last().copied().unwrap_or(false);
        let before = self.letter.take();
        match part {
            Part::Open(_) => self.groups.push(now),
            Part::Close => drop(self.groups.pop()),
            Part::Flags(flags) => {
                let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
                let ignoring = (now || on.contains('i')) && !off.contains('i');
                if rest.starts_with(')') {
                    // To the end of the group that holds it.
                    self.groups.pop();
                    self.groups.push(ignoring);
                }
                self.groups.push(ignoring);
            }
            Part::Atom(atom) if now => return self.atom_differs(atom, before),
            _ => {}
        }
        None
    }

    fn atom_differs(&mut self, atom: &str, before: Option<char>) -> Option<String> {
        let named = [r"\p", r"\P", r"\w", r"\W", "[:"].iter().any(|name| atom.contains(name));
        if named || atom.chars().any(|c| !c.is_ascii() && c.is_alphabetic()) {
            return Some(format!("(?i:{atom})"));
        }
        self.letter = atom.chars().next().filter(|_| atom.len() == 1).map(|c| c.to_ascii_lowercase());
        let two: String = before.into_iter().chain(self.letter).collect();
        ONE_LETTER.contains(&&two[..]).then(|| format!("(?i:{two})"))
    }
}

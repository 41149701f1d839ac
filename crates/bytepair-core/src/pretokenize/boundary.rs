//! Where a text may be cut without looking at the rest of it.

use super::unicode::{LETTER, MARK, NUMBER, PUNCTUATION, SYMBOL};

/// *Safe cut*: with every named pattern, the pretokens of `left + right` are those of `left` and then those of `right`
/// wherever `left` ends in `before`, `right` starts with `after` and this holds.
///
/// The reason, for each line: no alternative of a named pattern matches across the two characters, none looks behind,
/// and the only look-ahead (whether a run of blanks ends in the text's end) is asked after a blank, which `before` is not.
pub fn is_safe_cut(before: char, after: char) -> bool {
    if contains(LETTER, before) {
        // A mark may continue a word, an apostrophe may open a contraction that belongs to it.
        return after != '\'' && !contains(LETTER, after) && !contains(MARK, after);
    }
    if contains(NUMBER, before) {
        return !contains(NUMBER, after);
    }
    // Line ends (and nothing else that is blank) may be part of the punctuation before them.
    after.is_whitespace()
        && after != '\r'
        && after != '\n'
        && (contains(PUNCTUATION, before) || contains(SYMBOL, before))
}

/// The last safe cut of `text` at or before `limit`, if there is one above 0.
pub fn last_safe_cut(text: &str, limit: usize) -> Option<usize> {
    let mut chars = text[..limit].char_indices().rev();
    let mut after = text[limit..].chars().next().map(|c| (limit, c)).or_else(|| chars.next())?;
    for (start, before) in chars {
        if is_safe_cut(before, after.1) {
            return Some(after.0);
        }
        after = (start, before);
    }
    None
}

fn contains(class: &[(u32, u32)], c: char) -> bool {
    let code = c as u32;
    let after = class.partition_point(|&(first, _)| first <= code);
    after > 0 && code <= class[after - 1].1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::{named::NAMED, Pretokenizer};
    use proptest::prelude::*;

    fn cut(pretokenizer: &Pretokenizer, text: &str) -> Vec<String> {
        pretokenizer.ranges(text).map(|range| text[range.unwrap()].to_owned()).collect()
    }

    proptest! {
        #[test]
        fn named_patterns_cut_at_every_safe_cut(text in r"([a-cA-B]|[0-9²]|[ \t\n\r\u{2028}\u{a0}]|['sStT/.!$]|[é́ไ้今가]|[\x00🌍\u{200d}ſ]){0,24}") {
            for named in NAMED {
                let stages: Vec<String> = named.stages.iter().map(|stage| stage.to_string()).collect();
                let pretokenizer = Pretokenizer::new(&stages).unwrap();
                let whole = cut(&pretokenizer, &text);
                let chars: Vec<_> = text.char_indices().collect();
                for pair in chars.windows(2) {
                    if is_safe_cut(pair[0].1, pair[1].1) {
                        let (left, right) = text.split_at(pair[1].0);
                        let mut joined = cut(&pretokenizer, left);
                        joined.extend(cut(&pretokenizer, right));
                        prop_assert_eq!(&joined, &whole, "{} at {}", named.name, pair[1].0);
                    }
                }
            }
        }
    }
}

//! A text cut into pieces of so many tokens, where it hurts least.

use std::ops::Range;

use super::edges::Edges;
use super::ruler::Ruler;
use crate::error::{Error, Result, Shown};
use crate::tokenizer::{Input, Tokenizer};

/// Places to cut, the best first.
const PLACES: [fn(&Edges<'_>, usize) -> bool; 4] = [ends_paragraph, ends_line, ends_sentence, ends_word];

/// How many places are tried before the longest one is taken as it is. A shorter piece hardly ever has more
/// tokens than a longer one, so the second is hardly ever asked for.
const TRIES: usize = 16;

impl Tokenizer {
    /// Cuts a text into pieces of whole characters with at most `max_tokens` tokens each.
    ///
    /// A piece ends after a blank line, else after a line, else after a sentence, else before a blank, as long as such
    /// a place lies in the second half of the longest piece that fits; else after any character. Each piece but the
    /// first starts with the longest tail of the one before that has at most `overlap` tokens, or with less of it where
    /// that is a better place to start. Without overlap the pieces joined are the text.
    pub fn chunk_ranges(&self, input: Input<'_>, max_tokens: usize, overlap: usize) -> Result<Vec<Range<usize>>> {
        check(max_tokens, overlap)?;
        let ruler = Ruler::new(self, input)?;
        let mut chunks: Vec<Range<usize>> = Vec::new();
        let (mut start, mut done) = (0, 0);
        while done < ruler.length() {
            let longest = start..ruler.prefix_end(start..ruler.length(), max_tokens)?;
            if longest.end <= done {
                if start == done {
                    return Err(too_small(input, start..ruler.edges.after(start), &ruler, max_tokens)?);
                }
                start = done;
                continue;
            }
            let end = good_end(&ruler, longest, done, max_tokens)?;
            chunks.push(start..end);
            (start, done) = (next_start(&ruler, start..end, overlap)?, end);
        }
        Ok(chunks)
    }
}

/// The best place to end the piece that could be `longest`, and must end after `done`.
fn good_end(ruler: &Ruler<'_>, longest: Range<usize>, done: usize, max_tokens: usize) -> Result<usize> {
    if longest.end == ruler.length() {
        return Ok(longest.end);
    }
    let middle = (longest.start + longest.len() / 2).max(done);
    let ends = || ruler.edges.within(middle + 1..longest.end + 1).rev();
    let fits = |end| Ok(end == longest.end || ruler.fits(longest.start..end, max_tokens)?);
    Ok(first_good(&ruler.edges, ends, fits)?.unwrap_or(longest.end))
}

/// Where the piece after `chunk` starts: in the first half of the longest tail that may be repeated, if there is a good
/// place.
fn next_start(ruler: &Ruler<'_>, chunk: Range<usize>, overlap: usize) -> Result<usize> {
    if overlap == 0 {
        return Ok(chunk.end);
    }
    // Not all of the piece, or it would come again.
    let longest = ruler.suffix_start(ruler.edges.after(chunk.start)..chunk.end, overlap)?;
    let middle = longest + (chunk.end - longest) / 2;
    let starts = || ruler.edges.within(longest..middle);
    let fits = |start| Ok(start == longest || ruler.fits(start..chunk.end, overlap)?);
    Ok(first_good(&ruler.edges, starts, fits)?.unwrap_or(longest))
}

/// The first of `edges` that is a place to cut, of the best kind that is found, and fits.
fn first_good<I: Iterator<Item = usize>>(
    text: &Edges<'_>,
    edges: impl Fn() -> I,
    fits: impl Fn(usize) -> Result<bool>,
) -> Result<Option<usize>> {
    let places = PLACES.iter().flat_map(|place| edges().filter(|&at| place(text, at)));
    for at in places.take(TRIES) {
        if fits(at)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn too_small(input: Input<'_>, character: Range<usize>, ruler: &Ruler<'_>, max_tokens: usize) -> Result<Error> {
    let count = ruler.count(character.clone(), usize::MAX)?;
    let (at, shown) = (character.start, Shown(input.slice(character).bytes()).to_string());
    Ok(Error::Option {
        what: "max_tokens",
        value: max_tokens.to_string(),
        reason: format!("the character {shown} at byte {at} alone has {count} tokens; allow at least that many"),
    })
}

fn check(max_tokens: usize, overlap: usize) -> Result<()> {
    let wrong = |what, value: usize, reason: String| Err(Error::Option { what, value: value.to_string(), reason });
    if max_tokens == 0 {
        return wrong("max_tokens", max_tokens, "a piece has at least one token; allow 1 or more".to_owned());
    }
    if overlap >= max_tokens {
        return wrong("overlap", overlap, format!("it must be less than max_tokens, which is {max_tokens}"));
    }
    Ok(())
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn ends_line(text: &Edges<'_>, at: usize) -> bool {
    let before = text.char_before(at);
    before.is_some_and(is_line_end) && !(before == Some('\r') && text.char_after(at) == Some('\n'))
}

/// After a line with nothing but blanks.
fn ends_paragraph(text: &Edges<'_>, at: usize) -> bool {
    if !ends_line(text, at) {
        return false;
    }
    let mut line = text.before(at);
    if text.char_before(line) == Some('\r') && text.char_after(line) == Some('\n') {
        line = text.before(line);
    }
    loop {
        match text.char_before(line) {
            Some(c) if is_line_end(c) => return true,
            Some(c) if c.is_whitespace() => line = text.before(line),
            _ => return false,
        }
    }
}

/// After a full stop or the like, and the quotes and brackets that close there, before a blank or a character of a
/// script that sets none between sentences.
fn ends_sentence(text: &Edges<'_>, at: usize) -> bool {
    if !text.char_after(at).is_some_and(|c| c.is_whitespace() || is_cjk(c)) {
        return false;
    }
    let mut end = at;
    // Hardly more than two close in one place; a text of brackets alone must not be searched again from each of them.
    for _ in 0..4 {
        match text.char_before(end) {
            Some('.' | '!' | '?' | '。' | '！' | '？' | '…' | '．') => return true,
            Some('"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】') => {
                end = text.before(end)
            }
            _ => return false,
        }
    }
    false
}

/// Before a blank: most vocabularies hold words with the blank before them.
fn ends_word(text: &Edges<'_>, at: usize) -> bool {
    let is_blank = |c: Option<char>| c.is_some_and(char::is_whitespace);
    is_blank(text.char_after(at)) && !is_blank(text.char_before(at))
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, place: fn(&Edges<'_>, usize) -> bool) -> Vec<usize> {
        let edges = Edges::new(Input::Text(text));
        (0..=text.len()).filter(|&at| edges.is_edge(at) && place(&edges, at)).collect()
    }

    #[test]
    fn places_to_cut() {
        assert_eq!(found("a\r\nb\n \t\nc\r\n\r\nd", ends_line), [3, 5, 8, 11, 13]);
        assert_eq!(found("a\r\nb\n \t\nc\r\n\r\nd", ends_paragraph), [8, 13]);
        assert_eq!(found("Pi is 3.14. \"Oh!\" (Yes.) e.g.x", ends_sentence), [11, 17, 24]);
        assert_eq!(found("好。是", ends_sentence), [6]);
        assert_eq!(found("a  b c", ends_word), [1, 4]);
    }
}

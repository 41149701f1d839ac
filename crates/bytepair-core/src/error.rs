//! Everything that can go wrong, one variant for each cause, with the values in the message.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

/// Bytes as people read them in a message: text where it is text, `\xNN` where it is not, cut at 60 characters.
pub struct Shown<'a>(pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = 60;
        f.write_str("`")?;
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if left == 0 {
                    return f.write_str("…`");
                }
                left -= 1;
                if c.is_control() {
                    write!(f, "{}", c.escape_default())?;
                } else {
                    write!(f, "{c}")?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_str("`")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    // The vocabulary
    #[error("the vocabulary has no token for the byte 0x{byte:02x}, so it could not encode every text; add the missing single-byte token")]
    MissingByte { byte: u8 },
    #[error("byte {offset} is 0x{byte:02x}, which occurs in no UTF-8 text and for which this vocabulary has no token")]
    ByteOutsideVocab { byte: u8, offset: usize },
    #[error("the token {} has two ids, {first} and {second}; keep one of them", Shown(.token))]
    DuplicateToken { token: Vec<u8>, first: u32, second: u32 },
    #[error("the id {id} belongs to two tokens, {} and {}", Shown(.first), Shown(.second))]
    DuplicateId { id: u32, first: Vec<u8>, second: Vec<u8> },
    #[error("the id {id} is above {max}, the highest that a vocabulary may hold", max = crate::vocab::MAX_ID)]
    IdTooLarge { id: u64 },
    #[error("merge {index}: {} is no token of the vocabulary, but {} + {} needs it", Shown(.missing), Shown(.left), Shown(.right))]
    MergeOutsideVocab { index: usize, left: Vec<u8>, right: Vec<u8>, missing: Vec<u8> },
    #[error("merge {index}: {} + {} is listed before, as merge {first}", Shown(.left), Shown(.right))]
    DuplicateMerge { index: usize, first: usize, left: Vec<u8>, right: Vec<u8> },
    #[error("merge {index} has an empty part; a merge joins two tokens of at least one byte")]
    EmptyMergePart { index: usize },
    #[error("the id {id} at position {position} is in no token of this vocabulary (highest id: {highest})")]
    UnknownId { id: i128, position: usize, highest: u32 },
    #[error("{} is no token of this vocabulary", Shown(.token))]
    UnknownToken { token: Vec<u8> },
    #[error("a vocabulary of {size} cannot be had: {reason}")]
    VocabSize { size: usize, reason: String },

    // Special tokens
    #[error("the special token at {place} is the empty text, which would match everywhere")]
    EmptySpecial { place: String },
    #[error("the special tokens `{first}` and `{second}` share the id {id}")]
    SpecialIdShared { first: String, second: String, id: u32 },
    #[error("the special token `{text}` is given twice")]
    SpecialTwice { text: String },
    #[error("the special token `{text}` cannot have the id {id}, which is the token {}", Shown(.token))]
    SpecialIdTaken { text: String, id: u32, token: Vec<u8> },
    #[error("`{text}` is no special token of this tokenizer; it has {known}")]
    UnknownSpecial { text: String, known: String },
    #[error("the text holds the special token `{text}` at byte {offset}; pass it in `allowed_special` to encode it as a control token, or leave it out of `disallowed_special` to encode it as text")]
    DisallowedSpecial { text: String, offset: usize },

    // Patterns
    #[error("the pattern {} does not compile: {reason}", Shown(.pattern.as_bytes()))]
    Pattern { pattern: String, reason: String },
    #[error("the pattern is the empty text, which cuts nothing; pass None for no pattern")]
    EmptyPattern,
    #[error("the pattern {} needs too many steps at byte {offset} of the text ({reason}); simplify nested repetitions", Shown(.pattern.as_bytes()))]
    PatternLimit { pattern: String, offset: usize, reason: String },

    // Files
    #[error("{format}: {}{reason}", Place(.line))]
    Format { format: &'static str, line: Option<usize>, reason: String },
    #[error("{format} cannot hold {what}")]
    CannotHold { format: &'static str, what: String },
    #[error("reading failed: {0}")]
    Read(std::io::Error),

    // Training and cutting to size
    #[error("text {text}: byte {offset} is not UTF-8 (errors=\"strict\")")]
    NotUtf8 { text: usize, offset: usize },
    #[error("{what} `{value}`: {reason}")]
    Option { what: &'static str, value: String, reason: String },
    #[error("the unique pretokens take more than {limit} bytes; train on fewer texts, or with a pattern that cuts shorter pretokens")]
    TooMuchText { limit: u64 },
    #[error("stopped")]
    Stopped,
}

struct Place<'a>(&'a Option<usize>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(line) => write!(f, "line {line}: "),
            None => Ok(()),
        }
    }
}

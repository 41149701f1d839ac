//! Texts → counts of pretokens.

use std::io::Read;
use std::sync::Arc;

use super::blocks::{Blocks, Cutter, Part, Source, Texts};
use super::words::MAX_SLOTS;
use super::{workers, Counts};
use crate::error::{Error, Result};
use crate::pretokenize::{Pretokenizer, Text};
use crate::special::{AddedToken, AddedTokens, Allowed, Finder, Piece};

/// What is handed to a worker at once: enough that joining its counts is a small part of making them.
const BLOCK: usize = 8 << 20;

/// How many pretokens go into the counts at once.
const BATCH: usize = 1 << 10;

/// How much is counted between two looks at whether to go on.
const TICK: usize = 1 << 16;

/// Counts the pretokens of texts, special tokens split away first.
///
/// The counts are the same for every number of threads and however a file is cut into blocks, the order of first
/// appearance too. Threads are started for one call and ended with it, so that a process may fork between two calls.
#[derive(Clone)]
pub struct Counter {
    pretokenizer: Pretokenizer,
    special: Arc<Finder>,
    /// The length of the longest special token.
    longest: usize,
    strict: bool,
}

impl Counter {
    pub fn new(pretokenizer: Pretokenizer, special_tokens: &[String]) -> Result<Self> {
        let longest = special_tokens.iter().map(String::len).max().unwrap_or(0);
        let tokens = special_tokens.iter().zip(0..).map(|(text, id)| AddedToken::special(text.clone(), id)).collect();
        let [special, _] = AddedTokens::new(tokens)?.finders(&Allowed::All)?;
        Ok(Self { pretokenizer, special, longest, strict: false })
    }

    /// Whether bytes that are no UTF-8 are refused, with `Error::NotUtf8`, instead of kept.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Adds the pretokens of one text.
    pub fn count_text(&self, data: &[u8], counts: &mut Counts) -> Result<()> {
        self.count_part(&Part::text(0, data), None, counts, &mut |_| Ok(()))
    }

    /// Adds the pretokens of `texts`, over `threads` threads (0: as many as the machine runs at once).
    ///
    /// `progress` gets the number of bytes done, every 50 ms or so; an error from it ends the counting with that error.
    /// After an error `counts` holds a part of the texts.
    pub fn count_texts(
        &self,
        texts: &[&[u8]],
        threads: usize,
        counts: &mut Counts,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let mut source = Texts::new(texts, self.cutter(None), BLOCK);
        self.run(&mut source, None, threads, counts, progress)
    }

    /// Adds the pretokens of all that `reader` gives, which is one text, or with a `separator` the texts between its
    /// occurrences. The rest is as for `count_texts`; in `Error::NotUtf8` the offset is that in the file.
    ///
    /// It is read in blocks, and a block is cut where that changes nothing: with a named pattern between two
    /// pretokens, with any other only at special tokens and separators. Where a file has none of these it is held whole.
    pub fn count_reader(
        &self,
        reader: &mut dyn Read,
        separator: Option<&[u8]>,
        threads: usize,
        counts: &mut Counts,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        self.count_blocks(reader, separator, threads, BLOCK, counts, progress)
    }

    /// `count_reader` with blocks of about `block` bytes.
    #[doc(hidden)]
    pub fn count_blocks(
        &self,
        reader: &mut dyn Read,
        separator: Option<&[u8]>,
        threads: usize,
        block: usize,
        counts: &mut Counts,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        if separator.is_some_and(<[u8]>::is_empty) {
            let reason = "the empty text stands everywhere; pass None for one text a file".to_owned();
            return Err(Error::Option { what: "separator", value: String::new(), reason });
        }
        let mut source = Blocks::new(reader, self.cutter(separator), block);
        self.run(&mut source, separator, threads, counts, progress)
    }

    fn cutter(&self, separator: Option<&[u8]>) -> Cutter {
        Cutter::new(self.pretokenizer.clone(), self.special.clone(), self.longest, separator)
    }

    fn run(
        &self,
        source: &mut dyn Source<'_>,
        separator: Option<&[u8]>,
        threads: usize,
        counts: &mut Counts,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let separator = separator.map(Cutter::searcher);
        let work = |part: &Part, counts: &mut Counts, tick: &mut dyn FnMut(usize) -> Result<()>| {
            self.count_part(part, separator.as_ref(), counts, tick)
        };
        workers::run(source, &work, threads, counts, progress)
    }

    fn count_part(
        &self,
        part: &Part,
        separator: Option<&aho_corasick::AhoCorasick>,
        counts: &mut Counts,
        tick: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        let data = &*part.data;
        let mut start = 0;
        for found in separator.iter().flat_map(|separator| separator.find_iter(data)) {
            self.count_stretch(part, &data[start..found.start()], start, counts, tick)?;
            start = found.end();
            tick(found.len())?;
        }
        self.count_stretch(part, &data[start..], start, counts, tick)
    }

    /// One text, or a part of one between two places where it may be cut.
    fn count_stretch(
        &self,
        part: &Part,
        data: &[u8],
        start: usize,
        counts: &mut Counts,
        tick: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        if self.strict {
            if let Err(error) = std::str::from_utf8(data) {
                return Err(Error::NotUtf8 { text: part.text, offset: part.offset + start + error.valid_up_to() });
            }
        }
        let (mut untold, mut pretokens) = (0, Vec::with_capacity(BATCH));
        for piece in self.special.split(data) {
            let range = match piece {
                Piece::Ordinary(range) => range,
                Piece::Added(_, range) => {
                    untold += range.len();
                    continue;
                }
            };
            let text = Text::new(&data[range]);
            for pretoken in self.pretokenizer.pretokens(&text) {
                let pretoken = &text.data()[pretoken?];
                pretokens.push(pretoken);
                untold += pretoken.len();
                if pretokens.len() == BATCH || untold >= TICK {
                    counts.add_each(&pretokens);
                    pretokens.clear();
                }
                if untold >= TICK {
                    if counts.bytes() as u64 > MAX_SLOTS {
                        return Err(Error::TooMuchText { limit: MAX_SLOTS });
                    }
                    tick(std::mem::take(&mut untold))?;
                }
            }
            counts.add_each(&pretokens);
            pretokens.clear();
        }
        tick(untold)
    }
}

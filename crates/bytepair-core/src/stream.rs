//! Encoding a text that comes in chunks: the ids of the joined text, wherever the chunks are cut.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::normalize::{starts_afresh, Normalization};
use crate::pretokenize::Text;
use crate::special::{Finder, Piece};
use crate::tokenizer::{Input, Specials, Tokenizer};

/// Holds the end of the text that more text could still change, and gives out the ids of what is before it.
///
/// With a planned pattern that is the text since the last *Planned cut*. Another pattern may look at any distance, so
/// the text is held since the last special token, or since its beginning; so it is where a blank is put before each
/// stretch.
pub struct EncodeStream {
    tokenizer: Arc<Tokenizer>,
    specials: Specials,
    finders: [Arc<Finder>; 2],
    held: Vec<u8>,
    /// Nothing before this position of `held` can be cut.
    searched: usize,
    /// The position of `held` in the whole text.
    position: usize,
    has_cuts: bool,
    longest: usize,
}

impl EncodeStream {
    pub fn new(tokenizer: Arc<Tokenizer>, specials: Specials) -> Result<Self> {
        let finders = tokenizer.added.finders(&specials.allowed)?;
        tokenizer.added.refuse(b"", &specials.allowed, &specials.disallowed)?;
        // Where normalization may compose a token out of other characters, its place in the text as given is unknown.
        let composed = tokenizer.normalization.is_some_and(Normalization::composes) && !finders[1].is_blank();
        // Where each stretch gets a blank, a stretch is encoded as a whole.
        let prefixed = tokenizer.normalization.is_some_and(Normalization::prefixes);
        let has_cuts = tokenizer.pretokenizer.has_cuts() && !composed && !prefixed;
        let longest = tokenizer.added.tokens().iter().map(|token| token.text.len()).max().unwrap_or(0);
        Ok(Self { tokenizer, specials, finders, held: Vec::new(), searched: 0, position: 0, has_cuts, longest })
    }

    /// Takes in more text and gives the ids that are settled by it.
    pub fn push(&mut self, data: &[u8]) -> Result<Vec<u32>> {
        self.held.extend_from_slice(data);
        match self.settled() {
            0 => Ok(Vec::new()),
            cut => self.give(cut),
        }
    }

    /// The ids of what is still held. The stream starts afresh.
    pub fn finish(&mut self) -> Result<Vec<u32>> {
        let ids = self.give(self.held.len())?;
        self.position = 0;
        Ok(ids)
    }

    fn give(&mut self, cut: usize) -> Result<Vec<u32>> {
        let ids = self.tokenizer.encode(Input::Data(&self.held[..cut]), &self.specials);
        let ids = ids.map_err(|error| match error {
            Error::DisallowedSpecial { text, offset } => {
                Error::DisallowedSpecial { text, offset: self.position + offset }
            }
            other => other,
        })?;
        self.held.drain(..cut);
        self.position += cut;
        self.searched = self.searched.saturating_sub(cut);
        Ok(ids)
    }

    /// How much of `held` no further text can change.
    fn settled(&mut self) -> usize {
        // A special token, and a character with what composes with it, must be seen whole.
        let limit = self.held.len().saturating_sub(self.longest.max(8));
        if self.has_cuts {
            if limit <= self.searched {
                return 0;
            }
            let cut = self.last_cut(limit);
            if cut == 0 {
                self.searched = character_start(&self.held, limit.saturating_sub(8));
            }
            return cut;
        }
        // All of it has to be searched each time: do so only when it has doubled, or many chunks would cost their square.
        if limit < 2 * self.searched {
            return 0;
        }
        self.searched = limit;
        self.after_last_special(limit)
    }

    fn last_cut(&self, limit: usize) -> usize {
        let text = Text::new(&self.held[self.searched..]);
        let normalizes = self.tokenizer.normalization.is_some_and(Normalization::composes);
        let mut end = text.as_str().len();
        while let Some(cut) = self.tokenizer.pretokenizer.last_cut(text.as_str(), end) {
            let at = self.searched + text.to_data(cut);
            let (left, right) = text.as_str().split_at(cut);
            // The cut must be one of the normalized text too: its neighbours are those that were asked about.
            let kept = || [left.chars().next_back(), right.chars().next()].iter().flatten().all(|&c| starts_afresh(c));
            if at <= limit
                && (!normalizes || kept())
                && !self.finders.iter().any(|finder| finder.crosses(&self.held, at))
                && !self.refused_across(at)
            {
                return at;
            }
            end = left.char_indices().next_back().map_or(0, |(last, _)| last);
        }
        0
    }

    /// A disallowed token must not be cut in two either, or it would not be seen.
    fn refused_across(&self, at: usize) -> bool {
        self.specials.disallowed != crate::special::Allowed::None && self.tokenizer.added.crosses(&self.held, at)
    }

    fn after_last_special(&self, limit: usize) -> usize {
        if self.tokenizer.added.has_flags() {
            return 0;
        }
        let pieces = self.finders[0].split(&self.held);
        let ends = pieces.into_iter().filter_map(|piece| match piece {
            Piece::Added(_, range) if range.end <= limit && !self.refused_across(range.end) => Some(range.end),
            _ => None,
        });
        ends.max().unwrap_or(0)
    }
}

/// `at`, or the start of the character that it is inside of.
fn character_start(data: &[u8], at: usize) -> usize {
    let is_inside = |&at: &usize| matches!(data.get(at), Some(0x80..=0xbf));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
}

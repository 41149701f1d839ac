//! A tokenizer: special tokens, normalization, pretokenizer and model, one after another.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use crate::bpe::{Bpe, Model, Scratch};
use crate::error::{Error, Result};
use crate::measure::Weights;
use crate::normalize::{Normalization, Normalized};
use crate::pretokenize::{Pretokenizer, Text};
use crate::special::{AddedToken, AddedTokens, Allowed, Finder, Piece};
use crate::vocab::{Vocab, MAX_ID};

/// What is encoded: text, or bytes that may not be text.
#[derive(Clone, Copy)]
pub enum Input<'a> {
    Text(&'a str),
    Data(&'a [u8]),
}

impl<'a> Input<'a> {
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Data(data) => data,
        }
    }

    /// A part that starts and ends at the edge of a character, or of an added token.
    pub fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::Text(text) => Self::Text(&text[range]),
            Self::Data(data) => Self::Data(&data[range]),
        }
    }

    pub fn text(self) -> Text<'a> {
        match self {
            Self::Text(text) => Text::valid(text),
            Self::Data(data) => Text::new(data),
        }
    }
}

/// What a call says about special tokens.
#[derive(Clone, Debug, Default)]
pub struct Specials {
    pub allowed: Allowed,
    pub disallowed: Allowed,
}

/// What an input starts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    OfText,
    /// The text goes on that came before: no blank is put between.
    Inside,
}

/// A unit of encoding: ids never depend on more than one.
pub enum Unit<'a> {
    Pretoken(&'a [u8]),
    Added(u32),
}

/// Where a unit stands in the input.
pub struct Place<'a> {
    start: usize,
    normalized: Option<&'a Normalized>,
    /// In the normalized piece that starts at `start`.
    range: Range<usize>,
    /// Whether the first byte of the unit is a blank that was put before `range`, and stands for nothing.
    prefixed: bool,
}

impl Place<'_> {
    /// The bytes of the input that `part`, a range inside the unit, stands for.
    pub fn given(&self, part: Range<usize>) -> Range<usize> {
        let at = |at: usize| self.range.start + at.saturating_sub(usize::from(self.prefixed));
        let range = at(part.start)..at(part.end);
        let given = match self.normalized {
            Some(normalized) => normalized.given(range),
            None => range,
        };
        self.start + given.start..self.start + given.end
    }

    pub fn length(&self) -> usize {
        self.range.len() + usize::from(self.prefixed)
    }
}

pub struct Tokenizer {
    pub(crate) model: Arc<Bpe>,
    pub(crate) pretokenizer: Pretokenizer,
    pub(crate) added: AddedTokens,
    pub(crate) normalization: Option<Normalization>,
    missing_bytes: Vec<u8>,
    /// Made when a text is first measured.
    weights: OnceLock<Weights>,
    /// Scratch space that no thread is using. A lock that is taken (by another thread, or for ever by one that did not
    /// live through a fork) costs a fresh scratch and nothing else.
    idle: Mutex<Vec<Scratch>>,
}

impl Tokenizer {
    pub fn new(
        model: Arc<Bpe>,
        pretokenizer: Pretokenizer,
        added: Vec<AddedToken>,
        normalization: Option<Normalization>,
    ) -> Result<Self> {
        for token in &added {
            if token.id > MAX_ID {
                return Err(Error::IdTooLarge { id: token.id.into() });
            }
            let same = |bytes: &[u8]| !token.special && bytes == token.text.as_bytes();
            if let Some(taken) = model.vocab.token(token.id).filter(|bytes| !same(bytes)) {
                return Err(Error::SpecialIdTaken { text: token.text.clone(), id: token.id, token: taken.to_vec() });
            }
        }
        let missing_bytes = model.vocab.missing_bytes().collect();
        let added = AddedTokens::new(added)?;
        Ok(Self {
            model,
            pretokenizer,
            added,
            normalization,
            missing_bytes,
            weights: OnceLock::new(),
            idle: Mutex::default(),
        })
    }

    pub fn vocab(&self) -> &Vocab {
        &self.model.vocab
    }

    pub fn model(&self) -> &Arc<Bpe> {
        &self.model
    }

    pub fn pretokenizer(&self) -> &Pretokenizer {
        &self.pretokenizer
    }

    pub fn added_tokens(&self) -> &[AddedToken] {
        self.added.tokens()
    }

    pub fn normalization(&self) -> Option<Normalization> {
        self.normalization
    }

    /// How many ids hold a token, special tokens included.
    pub fn len(&self) -> usize {
        let outside = self.added.tokens().iter().filter(|token| self.model.vocab.token(token.id).is_none());
        self.model.vocab.len() + outside.count()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// The highest id + 1: the rows that an embedding needs.
    pub fn bound(&self) -> u32 {
        let added = self.added.tokens().iter().map(|token| token.id + 1).max();
        self.model.vocab.bound().max(added.unwrap_or(0))
    }

    /// The bytes of any token.
    #[inline]
    pub fn token(&self, id: u32) -> Option<&[u8]> {
        self.model.vocab.token(id).or_else(|| self.added.by_id(id).map(|token| token.text.as_bytes()))
    }

    pub fn is_special(&self, id: u32) -> bool {
        self.added.by_id(id).is_some_and(|token| token.special)
    }

    /// The id of a token, of an added one first.
    pub fn id(&self, token: &[u8]) -> Result<u32> {
        let added = std::str::from_utf8(token).ok().and_then(|text| self.added.by_text(text));
        match added.map(|added| added.id).or_else(|| self.model.vocab.id(token)) {
            Some(id) => Ok(id),
            None => Err(Error::UnknownToken { token: token.to_vec() }),
        }
    }

    pub(crate) fn weights(&self) -> &Weights {
        self.weights.get_or_init(|| Weights::new(&self.model.vocab, self.added.tokens()))
    }

    /// Lends scratch space to `work`.
    pub fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let idle = self.idle.try_lock().ok().and_then(|mut idle| idle.pop());
        let mut scratch = idle.unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut idle) = self.idle.try_lock() {
            idle.push(scratch);
        }
        result
    }

    /// Forgets what was cached.
    pub fn clear_cache(&self) {
        if let Ok(mut idle) = self.idle.try_lock() {
            idle.clear();
        }
    }

    /// Visits the units of `input` in order, until `visit` says that it has enough (`false`).
    pub fn walk(
        &self,
        input: Input<'_>,
        finders: &[impl std::ops::Deref<Target = Finder>; 2],
        visit: &mut impl FnMut(Unit<'_>, Place<'_>) -> Result<bool>,
    ) -> Result<()> {
        self.walk_from(input, finders, Start::OfText, visit)
    }

    fn walk_from(
        &self,
        input: Input<'_>,
        finders: &[impl std::ops::Deref<Target = Finder>; 2],
        first: Start,
        visit: &mut impl FnMut(Unit<'_>, Place<'_>) -> Result<bool>,
    ) -> Result<()> {
        self.check_bytes(input)?;
        for piece in finders[0].split(input.bytes()) {
            let go_on = match piece {
                Piece::Added(id, range) => {
                    let (start, range) = (range.start, 0..range.len());
                    visit(Unit::Added(id), Place { start, normalized: None, range, prefixed: false })?
                }
                Piece::Ordinary(range) => {
                    let first = if range.start == 0 { first } else { Start::OfText };
                    self.walk_ordinary(input.slice(range.clone()), range.start, first, &finders[1], visit)?
                }
            };
            if !go_on {
                break;
            }
        }
        Ok(())
    }

    /// Refuses bytes without a token, where the vocabulary leaves out those that are in no UTF-8.
    pub(crate) fn check_bytes(&self, input: Input<'_>) -> Result<()> {
        let (Input::Data(data), false) = (input, self.missing_bytes.is_empty()) else {
            return Ok(());
        };
        match data.iter().zip(0..).find(|(byte, _)| self.missing_bytes.contains(byte)) {
            Some((&byte, offset)) => Err(Error::ByteOutsideVocab { byte, offset }),
            None => Ok(()),
        }
    }

    fn walk_ordinary(
        &self,
        given: Input<'_>,
        start: usize,
        first: Start,
        finder: &Finder,
        visit: &mut impl FnMut(Unit<'_>, Place<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let normalized = self.normalization.and_then(|normalization| normalization.compose(given.bytes()));
        let input = match &normalized {
            Some(normalized) => Input::Data(&normalized.data),
            None => given,
        };
        let place = |range, prefixed| Place { start, normalized: normalized.as_ref(), range, prefixed };
        for piece in finder.split(input.bytes()) {
            match piece {
                Piece::Added(id, range) => {
                    if !visit(Unit::Added(id), place(range, false))? {
                        return Ok(false);
                    }
                }
                Piece::Ordinary(range) => {
                    let begins = range.start > 0 || first == Start::OfText;
                    if begins && self.needs_prefix(&input.bytes()[range.clone()]) {
                        if !self.walk_prefixed(&input.bytes()[range.clone()], range.start, &place, visit)? {
                            return Ok(false);
                        }
                        continue;
                    }
                    let text = input.slice(range.clone()).text();
                    for pretoken in self.pretokenizer.pretokens(&text) {
                        let pretoken = pretoken?;
                        let at = place(range.start + pretoken.start..range.start + pretoken.end, false);
                        if !visit(Unit::Pretoken(&text.data()[pretoken]), at)? {
                            return Ok(false);
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    fn needs_prefix(&self, stretch: &[u8]) -> bool {
        self.normalization.is_some_and(Normalization::prefixes) && stretch.first().is_some_and(|&first| first != b' ')
    }

    /// A stretch that a blank is put before; it starts at `start` of the normalized piece.
    fn walk_prefixed<'a>(
        &self,
        stretch: &[u8],
        start: usize,
        place: &impl Fn(Range<usize>, bool) -> Place<'a>,
        visit: &mut impl FnMut(Unit<'_>, Place<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let data = [b" ", stretch].concat();
        let text = Text::new(&data);
        for pretoken in self.pretokenizer.pretokens(&text) {
            let pretoken = pretoken?;
            let at = |at: usize| start + at.saturating_sub(1);
            let place = place(at(pretoken.start)..at(pretoken.end), pretoken.start == 0);
            if !visit(Unit::Pretoken(&data[pretoken]), place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn encode(&self, input: Input<'_>, specials: &Specials) -> Result<Vec<u32>> {
        self.with_scratch(|scratch| self.encode_with(input, specials, scratch))
    }

    pub fn encode_with(&self, input: Input<'_>, specials: &Specials, scratch: &mut Scratch) -> Result<Vec<u32>> {
        self.added.refuse(input.bytes(), &specials.allowed, &specials.disallowed)?;
        let finders = self.added.finders(&specials.allowed)?;
        // English has about four bytes to a token; too small a guess costs a copy, too large a one nothing but space.
        let mut ids = Vec::with_capacity(input.bytes().len() / 4 + 8);
        self.walk(input, &finders, &mut |unit, _| {
            match unit {
                Unit::Pretoken(pretoken) => self.model.encode(pretoken, scratch, &mut ids),
                Unit::Added(id) => ids.push(id),
            }
            Ok(true)
        })?;
        Ok(ids)
    }

    /// How many ids [`encode`](Self::encode) gives.
    pub fn count(&self, input: Input<'_>, allowed: &Allowed) -> Result<usize> {
        self.with_scratch(|scratch| self.count_with(input, allowed, usize::MAX, scratch))
    }

    /// Whether there are at most `limit` ids; stops at the first that is too much.
    pub fn fits(&self, input: Input<'_>, limit: usize) -> Result<bool> {
        let count = self.with_scratch(|scratch| self.count_with(input, &Allowed::None, limit, scratch))?;
        Ok(count <= limit)
    }

    /// The count, or the first number above `limit` that is reached on the way.
    pub fn count_with(
        &self,
        input: Input<'_>,
        allowed: &Allowed,
        limit: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        self.count_from(input, Start::OfText, allowed, limit, scratch)
    }

    pub(crate) fn count_from(
        &self,
        input: Input<'_>,
        first: Start,
        allowed: &Allowed,
        limit: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        let finders = self.added.finders(allowed)?;
        let mut count = 0;
        self.walk_from(input, &finders, first, &mut |unit, _| {
            count += match unit {
                Unit::Pretoken(pretoken) => self.model.count(pretoken, scratch),
                Unit::Added(_) => 1,
            };
            Ok(count <= limit)
        })?;
        Ok(count)
    }

    /// The pretokens of a text, with no special token turned on; an added token that always matches is one of them.
    pub fn pretokens(&self, input: Input<'_>) -> Result<Vec<Vec<u8>>> {
        let mut pretokens = Vec::new();
        self.walk(input, &self.added.finders(&Allowed::None)?, &mut |unit, _| {
            pretokens.push(match unit {
                Unit::Pretoken(pretoken) => pretoken.to_vec(),
                Unit::Added(id) => {
                    self.added.by_id(id).map(|token| token.text.clone().into_bytes()).unwrap_or_default()
                }
            });
            Ok(true)
        })?;
        Ok(pretokens)
    }

    pub fn normalize(&self, data: &[u8]) -> Vec<u8> {
        let normalized = self.normalization.and_then(|normalization| normalization.compose(data));
        let mut data = normalized.map_or_else(|| data.to_vec(), |normalized| normalized.data);
        if self.needs_prefix(&data) {
            data.insert(0, b' ');
        }
        data
    }
}

//! One pretoken → ids, by byte pair encoding.
//!
//! | module | method | cost | for |
//! |---|---|---|---|
//! | [`naive`] | the definition | n² | the oracle of the tests |
//! | [`short`] | two arrays | n², small constants | the usual pretoken |
//! | [`heap`] | linked list and heap | n · log n | long pretokens |
//! | [`cache`] | ids of pretokens seen before | one probe | all short pretokens, first |

pub mod cache;
pub mod heap;
pub mod merges;
pub mod naive;
pub mod short;

use crate::vocab::Vocab;
use cache::Cache;
use merges::Merges;

/// Pretoken → ids: the door of a model.
pub trait Model: Send + Sync {
    /// Appends the ids of `pretoken`, which is not empty.
    fn encode(&self, pretoken: &[u8], scratch: &mut Scratch, ids: &mut Vec<u32>);
    /// How many ids [`encode`](Model::encode) would append.
    fn count(&self, pretoken: &[u8], scratch: &mut Scratch) -> usize;
}

/// What one thread needs while it encodes. Its contents never change a result.
#[derive(Default)]
pub struct Scratch {
    cache: Cache,
    symbols: Vec<u32>,
}

/// A byte-level BPE model.
#[derive(Clone)]
pub struct Bpe {
    pub vocab: Vocab,
    pub merges: Merges,
    /// A pretoken that is a token is that token, whatever the merges say (tiktoken always; `ignore_merges` in a
    /// `tokenizer.json`).
    pub whole: bool,
}

impl Bpe {
    /// The model of a vocabulary whose ids are ranks, as tiktoken's are. There a pretoken that is a token is looked up;
    /// that matters only where some token never forms by merges.
    pub fn from_ranks(vocab: Vocab) -> Self {
        let merges = Merges::from_ranks(&vocab);
        let longer = vocab.iter().filter(|(_, token)| token.len() > 1).count();
        Self { whole: merges.list().len() < longer, vocab, merges }
    }

    /// The ids of a pretoken, in `scratch.symbols`.
    fn fill(&self, pretoken: &[u8], scratch: &mut Scratch) {
        let symbols = &mut scratch.symbols;
        symbols.clear();
        if self.whole {
            if let Some(id) = self.vocab.id(pretoken) {
                return symbols.push(id);
            }
        }
        symbols.extend(pretoken.iter().map(|&byte| self.vocab.byte_id(byte)));
        short::merge(&self.merges, symbols);
    }
}

impl Model for Bpe {
    fn encode(&self, pretoken: &[u8], scratch: &mut Scratch, ids: &mut Vec<u32>) {
        if scratch.cache.append(pretoken, ids) {
            return;
        }
        self.fill(pretoken, scratch);
        scratch.cache.insert(pretoken, &scratch.symbols);
        ids.extend_from_slice(&scratch.symbols);
    }

    fn count(&self, pretoken: &[u8], scratch: &mut Scratch) -> usize {
        if let Some(count) = scratch.cache.count(pretoken) {
            return count;
        }
        self.fill(pretoken, scratch);
        scratch.cache.insert(pretoken, &scratch.symbols);
        scratch.symbols.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Algorithm = (&'static str, fn(&Merges, &mut Vec<u32>));

    /// A vocabulary of the 256 bytes and some tokens over a small alphabet, of any order and any reachability.
    fn vocab(tokens: &[String]) -> Vocab {
        let bytes: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
        let mut list: Vec<&[u8]> = bytes.iter().map(|byte| &byte[..]).collect();
        for token in tokens {
            if token.len() > 1 && !list.contains(&token.as_bytes()) {
                list.push(token.as_bytes());
            }
        }
        Vocab::new((0..).zip(list)).unwrap()
    }

    proptest! {
        #[test]
        fn ranks_become_merges_that_encode_the_same(
            tokens in prop::collection::vec("[ab]{2,6}|[abc]{2,4}", 0..40),
            text in "[abc]{1,140}",
        ) {
            let vocab = vocab(&tokens);
            let merges = Merges::from_ranks(&vocab);
            let expected = naive::merge_by_ranks(&vocab, text.as_bytes());
            let bytes: Vec<u32> = text.bytes().map(|byte| vocab.byte_id(byte)).collect();
            let algorithms: [Algorithm; 3] =
                [("naive", naive::merge), ("short", short::merge), ("heap", heap::merge)];
            for (name, merge) in algorithms {
                let mut symbols = bytes.clone();
                merge(&merges, &mut symbols);
                prop_assert_eq!(&symbols, &expected, "{}", name);
            }
        }

        #[test]
        fn a_merge_list_encodes_the_same_by_all_algorithms(
            pairs in prop::collection::vec((0usize..30, 0usize..30), 0..60),
            text in "[abc]{1,140}",
        ) {
            // Any list whose parts exist, in an order of ranks that need not be the order of ids.
            let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
            let mut list: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
            for (left, right) in pairs {
                let part = |at: usize| match at { 0..3 => vec![b'a' + at as u8], _ => tokens[tokens.len() - 1 - at % (tokens.len() - 255)].clone() };
                let (left, right) = (part(left), part(right));
                let joined = [&left[..], &right].concat();
                if joined.len() < 40 && !list.contains(&(left.clone(), right.clone())) {
                    if !tokens.contains(&joined) { tokens.push(joined); }
                    list.insert(list.len() / 2, (left, right));
                }
            }
            let vocab = Vocab::new((0..).zip(tokens.iter().map(|token| &token[..]))).unwrap();
            let merges = Merges::from_list(&vocab, list.iter().map(|(left, right)| (&left[..], &right[..]))).unwrap();
            let bytes: Vec<u32> = text.bytes().map(|byte| vocab.byte_id(byte)).collect();
            let mut expected = bytes.clone();
            naive::merge(&merges, &mut expected);
            let algorithms: [Algorithm; 2] = [("short", short::merge), ("heap", heap::merge)];
            for (name, merge) in algorithms {
                let mut symbols = bytes.clone();
                merge(&merges, &mut symbols);
                prop_assert_eq!(&symbols, &expected, "{}", name);
            }
        }
    }
}

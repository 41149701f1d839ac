//! The slow twins: the rules as they stand, against which everything fast is held.

use bytepair_core::bpe::{naive, Bpe};
use bytepair_core::pretokenize::{Pretokenizer, Text};
use bytepair_core::special::{AddedTokens, Allowed, Piece};
use bytepair_core::tokenizer::{Input, Tokenizer};

/// The ids of one pretoken by a merge list.
pub fn by_merges(model: &Bpe, pretoken: &[u8]) -> Vec<u32> {
    if let (true, Some(id)) = (model.whole, model.vocab.id(pretoken)) {
        return vec![id];
    }
    let mut symbols = pretoken.iter().map(|&byte| model.vocab.byte_id(byte)).collect();
    naive::merge(&model.merges, &mut symbols);
    symbols
}

/// The ids of one pretoken by ranks, which are the ids. Here the whole lookup is always on.
pub fn by_ranks(model: &Bpe, pretoken: &[u8]) -> Vec<u32> {
    match model.vocab.id(pretoken) {
        Some(id) => vec![id],
        None => naive::merge_by_ranks(&model.vocab, pretoken),
    }
}

/// The ids of a text by the definition alone: special tokens, normalization, the general regex engine, `one`.
pub fn encode(
    tokenizer: &Tokenizer,
    data: &[u8],
    allowed: &Allowed,
    one: impl Fn(&Bpe, &[u8]) -> Vec<u32>,
) -> Vec<u32> {
    let pretokenizer = Pretokenizer::by_regex(tokenizer.pretokenizer().patterns()).unwrap();
    let finders = AddedTokens::new(tokenizer.added_tokens().to_vec()).unwrap().finders(allowed).unwrap();
    let mut ids = Vec::new();
    for piece in finders[0].split(data) {
        let given = match piece {
            Piece::Added(id, _) => {
                ids.push(id);
                continue;
            }
            Piece::Ordinary(range) => tokenizer.normalize(&data[range]),
        };
        for piece in finders[1].split(&given) {
            match piece {
                Piece::Added(id, _) => ids.push(id),
                Piece::Ordinary(range) => {
                    for pretoken in pretokens(&pretokenizer, &given[range]) {
                        ids.extend(one(tokenizer.model(), &pretoken));
                    }
                }
            }
        }
    }
    ids
}

pub fn pretokens(pretokenizer: &Pretokenizer, data: &[u8]) -> Vec<Vec<u8>> {
    let text = Text::new(data);
    pretokenizer.pretokens(&text).map(|range| data[range.unwrap()].to_vec()).collect()
}

/// Data in the two forms that an input has: text where it is, and bytes always.
pub fn inputs(data: &[u8]) -> Vec<Input<'_>> {
    let text = std::str::from_utf8(data).ok().map(Input::Text);
    text.into_iter().chain([Input::Data(data)]).collect()
}

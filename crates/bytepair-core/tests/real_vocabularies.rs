//! The files of real models, where they are at hand: the sound ones load, the others are refused by name.

mod support;

use std::time::Instant;

use bytepair_core::error::Result;
use bytepair_core::format::{compact, huggingface, tiktoken, Parts};
use bytepair_core::offsets::OffsetUnit;
use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Specials, Tokenizer};
use support::{oracle, shared};

const TEXT: &str =
    "I'll pay $1234.50 for the cat's   hat!!\n\n\tdef f(x):\r\n    return 'ſ'\u{85} 今天西安的天气怎么样？ \
    Ελλάδα हिन्दी ไทย 각 e\u{301} 👩\u{200d}👦 SolidGoldMagikarp <|endoftext|><s><mask> madeupword0000";

fn read_huggingface(name: &str) -> Option<Result<Parts>> {
    let path = shared(&format!("vocabs/huggingface/{name}.json"))?;
    let data = std::fs::read(path).unwrap();
    let start = Instant::now();
    let parts = huggingface::read(&data);
    println!("{name}: {} MB in {:?}", data.len() as f64 / 1e6, start.elapsed());
    Some(parts)
}

fn read_tiktoken(name: &str) -> Option<Parts> {
    let data = std::fs::read(shared(&format!("vocabs/tiktoken/{name}.tiktoken"))?).unwrap();
    let start = Instant::now();
    let model = tiktoken::read(&data).unwrap();
    println!("{name}: {} MB in {:?}", data.len() as f64 / 1e6, start.elapsed());
    Some(Parts { model: model.into(), patterns: vec![], normalization: None, added: vec![] })
}

fn load(name: &str) -> Option<Tokenizer> {
    read_huggingface(name).map(|parts| parts.unwrap().build().unwrap())
}

fn check_definition(tokenizer: &Tokenizer) {
    for allowed in [Allowed::None, Allowed::All] {
        let expected = oracle::encode(tokenizer, TEXT.as_bytes(), &allowed, oracle::by_merges);
        let specials = Specials { allowed, disallowed: Allowed::None };
        assert_eq!(tokenizer.encode(Input::Text(TEXT), &specials).unwrap(), expected);
    }
}

#[test]
fn tokenizer_json_of_byte_level_models() {
    for (name, tokens, normalizes) in [
        ("qwen3", 151_669, true),
        ("deepseek_v3", 128_815, false),
        ("llama3", 128_256, false),
        ("gpt2", 50_257, false),
        ("gpt_neox", 50_277, true),
        ("roberta_base", 50_265, false),
        ("whisper_tiny", 51_865, false),
    ] {
        let Some(tokenizer) = load(name) else { continue };
        assert_eq!(tokenizer.len(), tokens, "{name}");
        assert_eq!(tokenizer.normalization().is_some(), normalizes, "{name}");
        check_definition(&tokenizer);
    }
}

#[test]
fn tokenizer_json_comes_back() {
    for name in ["gpt2", "deepseek_v3"] {
        let Some(parts) = read_huggingface(name) else { continue };
        let parts = parts.unwrap();
        let again = huggingface::read(&huggingface::write(&parts).unwrap()).unwrap();
        assert_eq!(again.patterns, parts.patterns, "{name}");
        assert_eq!(again.added, parts.added, "{name}");
        assert_eq!(compact::write(&again.model), compact::write(&parts.model), "{name}");
    }
}

#[test]
fn tiktoken_files_of_models() {
    for (name, tokens) in [
        ("r50k_base", 50_256),
        ("p50k_base", 50_280),
        ("cl100k_base", 100_256),
        ("o200k_base", 199_998),
        ("qwen", 151_643),
        ("glm4", 151_329),
        ("kimi_k2", 163_584),
        ("llama3", 128_000),
        ("whisper_multilingual", 50_257),
    ] {
        let Some(parts) = read_tiktoken(name) else { continue };
        assert_eq!(parts.model.vocab.len(), tokens, "{name}");
        for word in ["hello", " SolidGoldMagikarp", "今天西安的天气怎么样？", "antidisestablishmentarianism"]
        {
            let expected = oracle::by_ranks(&parts.model, word.as_bytes());
            assert_eq!(oracle::by_merges(&parts.model, word.as_bytes()), expected, "{name}: {word}");
        }
        let small = compact::write(&parts.model);
        let again = compact::read(&small).unwrap();
        assert_eq!(again.merges.list(), parts.model.merges.list(), "{name}");
        assert_eq!(tiktoken::write(&again).unwrap(), tiktoken::write(&parts.model).unwrap(), "{name}");
    }
}

#[test]
fn models_of_other_kinds_are_refused_by_name() {
    for (name, reason) in [
        ("t5_small", "Unigram"),
        ("xlnet_base_cased", "Unigram"),
        ("bert_base_cased", "continuing_subword_prefix"),
        ("gemma3", "byte_fallback"),
        ("mistral_7b_v0.1", "byte_fallback"),
        ("phi_3_mini", "byte_fallback"),
        ("claude_legacy", "NFKC"),
    ] {
        let Some(parts) = read_huggingface(name) else { continue };
        let message = parts.err().expect(name).to_string();
        assert!(message.contains(reason), "{name}: {message}");
    }
}

/// RoBERTa's `<mask>` takes the blanks before it; its `madeupword` tokens are made by no merge.
#[test]
fn the_oddities_of_roberta_and_gpt_neox() {
    let all = Specials { allowed: Allowed::All, disallowed: Allowed::None };
    if let Some(tokenizer) = load("roberta_base") {
        let mask = tokenizer.id(b"<mask>").unwrap();
        let ids = tokenizer.encode(Input::Text("a  <mask> b"), &all).unwrap();
        assert_eq!(ids[1], mask);
        assert_eq!(tokenizer.offsets(Input::Text("a  <mask> b"), &all, OffsetUnit::Byte).unwrap()[1], 1..9);
        assert!(tokenizer.id(b"madeupword0000").is_ok());
    }
    if let Some(tokenizer) = load("gpt_neox") {
        assert_eq!(tokenizer.vocab().missing_bytes().count(), 13);
        assert!(tokenizer.encode(Input::Data(b"a\xff"), &all).is_err());
    }
}

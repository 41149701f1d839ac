//! What the loaders make of files, sound ones and faulty ones: each fault is named, with its place.

mod support;

use base64::engine::general_purpose::STANDARD;
use base64::Engine;
use bytepair_core::format::{byte_alphabet, compact, huggingface, tiktoken, Parts};
use bytepair_core::special::Allowed;
use bytepair_core::tokenizer::{Input, Specials};
use serde_json::{json, Value};

/// The lines of a `.tiktoken` file: the 256 bytes, then `longer`.
fn lines(longer: &[&str]) -> Vec<String> {
    let bytes = (0..=255).map(|byte: u8| vec![byte]);
    let tokens = bytes.chain(longer.iter().map(|token| token.as_bytes().to_vec()));
    tokens.zip(0..).map(|(token, id)| format!("{} {id}", STANDARD.encode(token))).collect()
}

fn tiktoken_fault(lines: &[String]) -> String {
    match tiktoken::read(lines.join("\n").as_bytes()) {
        Ok(_) => panic!("the file was read"),
        Err(error) => error.to_string(),
    }
}

fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{message:?} does not say {part:?}");
    }
}

#[test]
fn tiktoken_in_its_spellings() {
    let expected = tiktoken::write(&tiktoken::read(lines(&["ab", "abc"]).join("\n").as_bytes()).unwrap()).unwrap();
    let mut shuffled = lines(&["ab", "abc"]);
    shuffled.reverse();
    for (name, file) in [
        ("a line end at the end", lines(&["ab", "abc"]).join("\n") + "\n"),
        ("line ends of Windows", lines(&["ab", "abc"]).join("\r\n") + "\r\n"),
        ("empty lines", lines(&["ab", "abc"]).join("\n\n") + "\n\n"),
        ("any order", shuffled.join("\n")),
    ] {
        assert_eq!(tiktoken::write(&tiktoken::read(file.as_bytes()).unwrap()).unwrap(), expected, "{name}");
    }
}

#[test]
fn tiktoken_faults_name_their_line() {
    let good = lines(&["ab", "abc"]);
    let with = |at: usize, line: &str| {
        let mut lines = good.clone();
        lines[at] = line.to_owned();
        tiktoken_fault(&lines)
    };
    assert_says(&with(257, "YWJj"), &[".tiktoken: line 258: ", "`YWJj`", "cut short"]);
    assert_says(&with(257, "YWJj "), &["line 258: ", "the rank in `YWJj `"]);
    assert_says(&with(257, "YWJj -1"), &["line 258: ", "the rank in `YWJj -1`"]);
    assert_says(&with(257, "YWJj 99999999999"), &["line 258: ", "the rank"]);
    assert_says(&with(257, "YWJj 257 more"), &["line 258: ", "expected a token in base64"]);
    assert_says(&with(257, "YW*j 257"), &["line 258: ", "`YW*j 257` is not base64"]);
    assert_says(&with(257, "YWJ 257"), &["line 258: ", "is not base64"]);
    assert_says(&with(257, "YWJj 256"), &["line 258: ", "the id 256", "`ab`", "`abc`"]);
    assert_says(&with(257, "YWI= 257"), &["line 258: ", "`ab` has two ids, 256 and 257"]);
    assert_says(&with(257, "YWJj 99999999"), &["the id 99999999 is above 16777215"]);
    assert_says(&with(97, ""), &["no token for the byte 0x61"]);
    // A line cut anywhere is a fault, or an earlier end of the file, never another token.
    let file = good.join("\n");
    let whole = tiktoken::read(file.as_bytes()).unwrap();
    for end in file.len() - 20..file.len() {
        if let Ok(model) = tiktoken::read(&file.as_bytes()[..end]) {
            assert!(model.vocab.len() < whole.vocab.len(), "cut to {end} bytes");
            assert!(model.vocab.iter().all(|(_, token)| whole.vocab.id(token).is_some()), "cut to {end} bytes");
        }
    }
}

#[test]
fn what_is_no_tiktoken_file() {
    let fault = |data: &[u8]| tiktoken::read(data).err().unwrap().to_string();
    assert_says(&fault(b""), &[".tiktoken: the file holds no tokens"]);
    assert_says(&fault(b"\n\n"), &["the file holds no tokens"]);
    assert_says(&fault(b"\xff\xfe\x00 1\n"), &["line 1: ", r"\xff\xfe"]);
    assert_says(&fault(b"{\"model\": {}}"), &["line 1: "]);
    assert_says(&fault(b"IQ== 0"), &["no token for the byte 0x00"]);
}

/// Whisper's file has a token of no bytes, written as Python's decoder reads it.
#[test]
fn tiktoken_may_hold_an_empty_token() {
    let mut file = lines(&["ab"]);
    file.push("= 257".to_owned());
    let model = tiktoken::read(file.join("\n").as_bytes()).unwrap();
    assert_eq!(model.vocab.token(257), Some(&b""[..]));
    assert_eq!(model.vocab.id(b""), None);
    let written = tiktoken::write(&model).unwrap();
    assert!(written.ends_with(b"\n= 257\n"));
    assert_eq!(tiktoken::read(&written).unwrap().vocab.len(), 258);
    let parts = Parts { model: model.into(), patterns: vec![], normalization: None, added: vec![] };
    assert_eq!(encode(parts, "ab"), [256]);
}

/// Reading must not take time that grows with the square of a token's length.
#[test]
fn tiktoken_with_a_token_of_a_megabyte() {
    let long = "a".repeat(1_000_000);
    let file = lines(&["aa", &long]).join("\n");
    let model = support::within(std::time::Duration::from_secs(20), move || tiktoken::read(file.as_bytes()));
    assert_eq!(model.unwrap().vocab.longest(), 1_000_000);
}

/// A byte that is in no UTF-8 may be missing; a token that needs it never forms.
#[test]
fn tiktoken_without_a_byte_that_text_has_not() {
    let mut file = lines(&["ab"]);
    file.push(format!("{} 257", STANDARD.encode(b"\xc0\xc0")));
    file.push(format!("{} 258", STANDARD.encode(b"a\xc0")));
    file.remove(0xc0);
    let model = tiktoken::read(file.join("\n").as_bytes()).unwrap();
    assert_eq!(model.merges.list().len(), 1);
    assert_eq!(compact::write(&compact::read(&compact::write(&model)).unwrap()), compact::write(&model));
    let tokenizer =
        Parts { model: model.into(), patterns: vec![], normalization: None, added: vec![] }.build().unwrap();
    let refused = tokenizer.encode(Input::Data(b"ab\xc0\xc0"), &Specials::default()).unwrap_err().to_string();
    assert_says(&refused, &["byte 2 is 0xc0"]);
    assert_eq!(tokenizer.encode(Input::Data(b"ab"), &Specials::default()).unwrap(), [256]);
}

/// A small sound file, with a change.
fn tokenizer_json(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut vocab: serde_json::Map<String, Value> =
        (0..=255).map(|byte: u8| (byte_alphabet::write(&[byte]), json!(byte))).collect();
    vocab.extend([("ab".to_owned(), json!(256)), ("abc".to_owned(), json!(257)), ("Ġab".to_owned(), json!(258))]);
    let mut file = json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
        "added_tokens": [{"id": 300, "content": "<s>", "special": true}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocab, "merges": ["a b", "ab c", "Ġ ab"]},
    });
    change(&mut file);
    serde_json::to_vec_pretty(&file).unwrap()
}

fn encode(parts: Parts, text: &str) -> Vec<u32> {
    let specials = Specials { allowed: Allowed::All, disallowed: Allowed::None };
    parts.build().unwrap().encode(Input::Text(text), &specials).unwrap()
}

fn read_and_encode(change: impl FnOnce(&mut Value), text: &str) -> Vec<u32> {
    encode(huggingface::read(&tokenizer_json(change)).unwrap(), text)
}

fn json_fault(change: impl FnOnce(&mut Value)) -> String {
    match huggingface::read(&tokenizer_json(change)) {
        Ok(_) => panic!("the file was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn tokenizer_json_in_its_spellings() {
    let text = "abc ab<s>abab";
    let expected = [257, 258, 300, 256, 256];
    assert_eq!(read_and_encode(|_| {}, text), expected);
    let pairs = json!([["a", "b"], ["ab", "c"], ["Ġ", "ab"]]);
    assert_eq!(read_and_encode(|file| file["model"]["merges"] = pairs, text), expected);
    let blocks = |file: &mut Value| {
        file["truncation"] = json!({"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0});
        file["padding"] = json!({"strategy": {"Fixed": 32}, "direction": "Right", "pad_id": 0, "pad_token": "!"});
        file["post_processor"] = json!({"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}});
    };
    assert_eq!(read_and_encode(blocks, text), expected);
    let listed_twice = |file: &mut Value| file["model"]["vocab"]["<s>"] = json!(300);
    assert_eq!(read_and_encode(listed_twice, text), expected);
    let escaped = String::from_utf8(tokenizer_json(|_| {})).unwrap().replace('Ġ', "\\u0120");
    assert_eq!(encode(huggingface::read(escaped.as_bytes()).unwrap(), text), expected);
    let unused = |file: &mut Value| {
        for name in ["dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"] {
            file["model"][name] = Value::Null;
        }
        file["model"]["end_of_word_suffix"] = json!("");
        file["model"]["dropout"] = json!(0.0);
        file["normalizer"] = json!({"type": "Sequence", "normalizers": []});
    };
    assert_eq!(read_and_encode(unused, text), expected);
}

#[test]
fn what_is_no_tokenizer_json() {
    let fault = |data: &[u8]| huggingface::read(data).err().unwrap().to_string();
    assert_says(&fault(b""), &["tokenizer.json: line 1: column 0: ", "EOF"]);
    assert_says(&fault(b"{\n  \"model\": oops}"), &["line 2: column 12: "]);
    assert_says(&fault(b"{\"model\": \"\xff\"}"), &["line 1: column "]);
    assert_says(&fault(b"IQ== 0\n"), &["line 1: column 1: "]);
    assert_says(&json_fault(|file| drop(file.as_object_mut().unwrap().remove("model"))), &["missing field `model`"]);
    assert_says(
        &json_fault(|file| drop(file["model"].as_object_mut().unwrap().remove("merges"))),
        &["its model has no `merges`"],
    );
    assert_says(&json_fault(|file| file["model"]["vocab"]["a"] = json!("x")), &["line ", "expected u32"]);
    assert_says(&json_fault(|file| file["model"]["vocab"]["a"] = json!(-1)), &["line ", "expected u32"]);
    for merge in [json!("ab"), json!("a b c"), json!(["a"]), json!(["a", "b", "c"]), json!(7)] {
        assert_says(&json_fault(|file| file["model"]["merges"][0] = merge), &["line ", "a merge: two tokens"]);
    }
}

#[test]
fn what_a_tokenizer_json_asks_for_in_vain() {
    let model = |name: &'static str, value: Value| json_fault(move |file| file["model"][name] = value);
    assert_says(&model("type", json!("Unigram")), &["a model of the type `Unigram`", "cannot be represented"]);
    assert_says(&model("type", json!("WordPiece")), &["`WordPiece`"]);
    let unigram = json_fault(|file| file["model"] = json!({"type": "Unigram", "unk_id": 0, "vocab": [["a", -1.5]]}));
    assert_says(&unigram, &["line ", "a list, as that of a Unigram model"]);
    assert_says(&model("byte_fallback", json!(true)), &["`byte_fallback`"]);
    assert_says(&model("dropout", json!(0.1)), &["`dropout`"]);
    assert_says(&model("continuing_subword_prefix", json!("##")), &["`continuing_subword_prefix` (`##`)"]);
    assert_says(&model("end_of_word_suffix", json!("</w>")), &["`end_of_word_suffix` (`</w>`)"]);
    assert_says(&model("something_new", json!(1)), &["line ", "unknown field `something_new`"]);
    let step = |name: &'static str, value: Value| json_fault(move |file| file[name] = value);
    assert_says(&step("something_new", json!(1)), &["line ", "unknown field `something_new`"]);
    assert_says(&step("normalizer", json!({"type": "NFKC"})), &["the normalizer `NFKC`: only NFC"]);
    assert_says(
        &step("normalizer", json!({"type": "Sequence", "normalizers": [{"type": "Lowercase"}]})),
        &["`Lowercase`"],
    );
    assert_says(&step("pre_tokenizer", json!({"type": "Metaspace"})), &["the pre_tokenizer `Metaspace`"]);
    assert_says(&step("pre_tokenizer", json!({"type": "FromTheFuture"})), &["`FromTheFuture`"]);
    assert_says(&step("pre_tokenizer", json!({})), &["`(no type)`"]);
    assert_says(&step("pre_tokenizer", Value::Null), &["no ByteLevel step"]);
    assert_says(&step("pre_tokenizer", json!({"type": "Digits", "individual_digits": true})), &["no ByteLevel step"]);
    assert_says(&step("pre_tokenizer", json!({"type": "ByteLevel"})), &["`add_prefix_space`"]);
}

#[test]
fn contradictions_inside_a_tokenizer_json() {
    let model = |name: &'static str, value: Value| json_fault(move |file| file["model"][name] = value);
    assert_says(&model("merges", json!([])), &["no merges for its 259 tokens"]);
    assert_says(&model("merges", json!(["a b", "ab d"])), &["merge 1: `abd` is no token", "`ab` + `d`"]);
    assert_says(&model("merges", json!(["ab b"])), &["merge 0: `abb` is no token"]);
    assert_says(&model("merges", json!(["a b", "ab c", "a b"])), &["merge 2: `a` + `b` is listed before, as merge 0"]);
    assert_says(&model("merges", json!(["a b", " c"])), &["merge 1 has an empty part"]);
    assert_says(&model("merges", json!(["世 界"])), &["merge 0, `世` + `界`", "outside the byte alphabet"]);
    let vocab = |token: &'static str, id: Value| json_fault(move |file| file["model"]["vocab"][token] = id);
    assert_says(&vocab("世", json!(259)), &["the token `世` (id 259)", "outside the byte alphabet"]);
    assert_says(&vocab("xy", json!(256)), &["the id 256 belongs to two tokens, `ab` and `xy`"]);
    assert_says(&vocab("xy", json!(16_777_216)), &["the id 16777216 is above 16777215"]);
    assert_says(&vocab("<s>", json!(301)), &["the special token `<s>` has the id 300, but 301 in the vocabulary"]);
    let missing = json_fault(|file| drop(file["model"]["vocab"].as_object_mut().unwrap().remove("b")));
    assert_says(&missing, &["no token for the byte 0x62"]);
    // The same token twice in one object is seen, though a map would swallow it.
    let twice = String::from_utf8(tokenizer_json(|_| {})).unwrap().replace("\"ab\": 256,", "\"ab\": 256, \"ab\": 259,");
    assert_says(&huggingface::read(twice.as_bytes()).err().unwrap().to_string(), &["`ab` has two ids, 256 and 259"]);
}

#[test]
fn added_tokens_that_contradict() {
    let built = |tokens: Value| {
        let parts = huggingface::read(&tokenizer_json(|file| file["added_tokens"] = tokens));
        parts.and_then(Parts::build).err().unwrap().to_string()
    };
    let token = |id: u32, text: &str| json!({"id": id, "content": text, "special": true});
    assert_says(&built(json!([token(300, "<s>"), token(300, "<t>")])), &["`<s>` and `<t>` share the id 300"]);
    assert_says(&built(json!([token(300, "<s>"), token(301, "<s>")])), &["`<s>` is given twice"]);
    assert_says(&built(json!([token(300, "")])), &["the empty text"]);
    assert_says(&built(json!([token(256, "<s>")])), &["`<s>` cannot have the id 256, which is the token `ab`"]);
}

/// `abcd` is a token that no merge makes: only a whole lookup gives it.
#[test]
fn a_token_that_no_merge_makes() {
    let none = |model| Parts { model, patterns: vec![], normalization: None, added: vec![] };
    let by_ranks = || none(tiktoken::read(lines(&["abcd"]).join("\n").as_bytes()).unwrap().into());
    assert_eq!(encode(by_ranks(), "abcd"), [256]);
    assert_eq!(encode(by_ranks(), "xabcd"), b"xabcd".map(u32::from));
    for (ignore_merges, expected) in [(true, vec![259]), (false, vec![257, 100])] {
        let orphan = |file: &mut Value| {
            file["model"]["vocab"]["abcd"] = json!(259);
            file["model"]["ignore_merges"] = json!(ignore_merges);
        };
        assert_eq!(read_and_encode(orphan, "abcd"), expected);
        assert_eq!(read_and_encode(orphan, "xabcd"), [&[120], &[257, 100][..]].concat());
    }
    // Where the whole lookup is on, a file may do without merges.
    let written = huggingface::write(&by_ranks()).unwrap();
    assert_eq!(encode(huggingface::read(&written).unwrap(), "abcd"), [256]);
    assert_eq!(encode(huggingface::read(&written).unwrap(), "xabcd"), b"xabcd".map(u32::from));
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let mut parts = huggingface::read(&tokenizer_json(|_| {})).unwrap();
    // The token of ` ab` is written `Ġab`, and a file has one id for a text.
    parts.added.push(bytepair_core::special::AddedToken::special("Ġab", 301));
    assert_says(&huggingface::write(&parts).err().unwrap().to_string(), &["cannot hold", "`Ġab`", "301", "258"]);
    let mut useless = tiktoken::read(lines(&["abcd"]).join("\n").as_bytes()).unwrap();
    useless.whole = false;
    let useless = Parts { model: useless.into(), patterns: vec![], normalization: None, added: vec![] };
    assert_says(&huggingface::write(&useless).err().unwrap().to_string(), &["257 tokens without merges"]);
    let reordered = |file: &mut Value| file["model"]["merges"] = json!(["Ġ a", "a b", "ab c", "Ġa b"]);
    let extended = huggingface::read(&tokenizer_json(|file| {
        reordered(file);
        file["model"]["vocab"]["Ġa"] = json!(259);
    }));
    let refused = tiktoken::write(&extended.unwrap().model).err().unwrap().to_string();
    assert_says(&refused, &[".tiktoken cannot hold these merges", "` a`"]);
    let orphan = huggingface::read(&tokenizer_json(|file| file["model"]["vocab"]["xyz"] = json!(259))).unwrap();
    assert_says(&tiktoken::write(&orphan.model).err().unwrap().to_string(), &["tokens that no merge makes"]);
}

#[test]
fn a_compact_file_cannot_ask_for_gigabytes() {
    let number = |file: &mut Vec<u8>, mut number: u32| {
        while number >= 0x80 {
            file.push(number as u8 | 0x80);
            number >>= 7;
        }
        file.push(number as u8);
    };
    // Each token is twice the one before it.
    let mut file = vec![1, 0, 0];
    number(&mut file, 256 + 60);
    (0..=255).for_each(|byte| file.extend([1, 1, byte]));
    for last in 255..255 + 60 {
        number(&mut file, last + 2);
        number(&mut file, last);
    }
    assert_says(&compact::read(&file).err().unwrap().to_string(), &["more than 268435456 bytes"]);
}

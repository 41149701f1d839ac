//! GPT-2's `vocab.json` and `merges.txt`: each fault is named with its place, and what is written reads as itself.

mod support;

use bytepair_core::format::{byte_alphabet, gpt2, Parts};
use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::named;
use bytepair_core::special::AddedToken;
use proptest::prelude::*;
use serde_json::{json, Map, Value};

fn vocab(longer: &[(&str, u32)]) -> Vec<u8> {
    let mut vocab: Map<String, Value> =
        (0..=255).map(|byte: u8| (byte_alphabet::write(&[byte]), json!(byte))).collect();
    vocab.extend(longer.iter().map(|(text, id)| (text.to_string(), json!(id))));
    Value::Object(vocab).to_string().into_bytes()
}

fn read(vocab: &[u8], merges: &str) -> Result<(Parts, Vec<(String, u32)>), String> {
    let patterns = named::pattern("gpt2").unwrap().stages.iter().map(|stage| stage.to_string()).collect();
    let (model, others) = gpt2::read(vocab, merges.as_bytes(), &[], true).map_err(|error| error.to_string())?;
    let added = others.iter().map(|(text, id)| AddedToken::special(text, *id)).collect();
    Ok((Parts { model: model.into(), patterns, normalization: None, added }, others))
}

fn fault(longer: &[(&str, u32)], merges: &str) -> String {
    read(&vocab(longer), merges).err().unwrap()
}

#[test]
fn what_no_merge_makes_is_told_apart() {
    let file = vocab(&[("<s>", 300), ("ab", 256), ("Ġab", 257), ("xy", 301), ("xyz", 302)]);
    // `xy` is never made, but a merge takes it.
    let (_, others) = read(&file, "#version: 0.2\na b\nĠ ab\nxy z\n").unwrap();
    assert_eq!(others, [("<s>".to_owned(), 300)]);
    let (model, others) = gpt2::read(&file, "a b\nĠ ab\nxy z".as_bytes(), &["xyz".to_owned()], false).unwrap();
    assert_eq!((others.len(), model.vocab.id(b"<s>")), (0, Some(300)));
}

#[test]
fn faults_name_their_line() {
    let longer = [("ab", 256), ("abc", 257)];
    for (merges, says) in [
        ("a b\nab", "merges.txt: line 2: `ab` is no merge"),
        ("#version: 0.2\r\n\r\na b\r\nab c d\r\n", "line 4: `ab c d` is no merge"),
        ("a b\n c", "line 2: ` c` is no merge"),
        ("a b\n\nab d", "line 3: merge 1: `abd` is no token"),
        ("a b\na b", "line 2: merge 1: `a` + `b` is listed before"),
        ("a 世", "line 1: `世` has characters outside"),
    ] {
        let found = fault(&longer, merges);
        assert!(found.contains(says), "{found}");
    }
    let not_utf8 = gpt2::read(&vocab(&[]), b"a \xff", &[], true).err().unwrap().to_string();
    assert!(not_utf8.contains(r"line 1: `a \xff` is no merge"), "{not_utf8}");
    assert!(fault(&[("a</w>", 256)], "").contains("`a</w>` (id 256) has the end-of-word suffix `</w>`"));
    assert!(fault(&[("ab", 5)], "a b").contains("vocab.json: the id 5 belongs to two tokens"));
    assert!(gpt2::read(b"{\n7", b"", &[], true).err().unwrap().to_string().contains("vocab.json: line 2: column 1"));
    // Made by a merge, it is a token like others.
    assert!(
        read(&vocab(&[("</", 256), ("</w", 257), ("</w>", 258), ("a</w>", 259)]), "< /\n</ w\n</w >\na </w>").is_ok()
    );
}

#[test]
fn what_cannot_be_held_is_named() {
    let good = || read(&vocab(&[("ab", 256), ("<s>", 300)]), "a b").unwrap().0;
    assert!(gpt2::write(&good()).is_ok());
    type Change = fn(&mut Parts);
    let changes: [(&str, Change); 5] = [
        ("the pattern `x`", |parts| parts.patterns = vec!["x".to_owned()]),
        ("the normalization `prefix_space`", |parts| parts.normalization = Some(Normalization::PrefixSpace)),
        ("the added token `<s>`, which is not special", |parts| parts.added[0].special = false),
        ("the flags of the special token `<s>`", |parts| parts.added[0].rstrip = true),
        ("the token 256 is written `ab` too", |parts| parts.added[0].text = "ab".to_owned()),
    ];
    for (says, change) in changes {
        let mut parts = good();
        change(&mut parts);
        let found = gpt2::write(&parts).unwrap_err().to_string();
        assert!(found.starts_with("vocab.json and merges.txt cannot hold") && found.contains(says), "{found}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(vocab in ".{0,80}", merges in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = gpt2::read(vocab.as_bytes(), &merges, &[], true);
        let _ = gpt2::read(&self::vocab(&[("ab", 256)]), &merges, &[vocab], false);
    }

    #[test]
    fn what_is_written_reads_as_itself(words in prop::collection::vec("[ab é]{2,4}", 0..12), special in "<[ab]{1,3}>") {
        // Each word grows from its first byte.
        let (mut tokens, mut lines) = (Vec::<Vec<u8>>::new(), Vec::new());
        for word in &words {
            for length in 2..=word.len() {
                let token = word.as_bytes()[..length].to_vec();
                if !tokens.contains(&token) {
                    let (left, right) = token.split_at(length - 1);
                    lines.push(format!("{} {}", byte_alphabet::write(left), byte_alphabet::write(right)));
                    tokens.push(token);
                }
            }
        }
        let texts: Vec<String> = tokens.iter().map(|token| byte_alphabet::write(token)).collect();
        let mut longer: Vec<(&str, u32)> = texts.iter().map(|text| &text[..]).zip(256..).collect();
        longer.push((&special, 5000));
        let (parts, others) = read(&vocab(&longer), &lines.join("\n")).unwrap();
        prop_assert_eq!(others, [(special.clone(), 5000)]);
        let (vocab, merges) = gpt2::write(&parts).unwrap();
        let (again, _) = read(&vocab, std::str::from_utf8(&merges).unwrap()).unwrap();
        prop_assert_eq!(gpt2::write(&again).unwrap(), (vocab, merges));
        prop_assert!(again.model.vocab.iter().eq(parts.model.vocab.iter()));
        prop_assert_eq!(again.model.merges.list(), parts.model.merges.list());
    }
}

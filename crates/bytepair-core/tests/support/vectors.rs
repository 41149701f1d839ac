//! The vectors of `spec/vectors`, read as `spec/README.md` says that they are written.

use bytepair_core::bpe::merges::Merges;
use bytepair_core::bpe::Bpe;
use bytepair_core::normalize::Normalization;
use bytepair_core::pretokenize::Pretokenizer;
use bytepair_core::special::{AddedToken, Allowed};
use bytepair_core::tokenizer::Tokenizer;
use bytepair_core::vocab::Vocab;
use serde_json::Value;

/// Runs `check` on each line of a file, and fails with all the lines for which it gives reasons. `check` says whether
/// the line is a case or a definition.
pub fn run(file: &str, mut check: impl FnMut(&Value) -> Result<Line, String>) {
    let path = super::root().join("spec/vectors").join(file);
    let content = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut cases, mut failures) = (0, Vec::new());
    for (line, number) in content.lines().zip(1..) {
        let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}:{number}: {error}"));
        match check(&value) {
            Ok(Line::Definition) => {}
            Ok(Line::Case) => cases += 1,
            Err(reason) => failures.push(format!("{file}:{number}: {reason}\n    {line}")),
        }
    }
    println!("{file}: {cases} vectors hold, {} fail", failures.len());
    assert!(failures.is_empty(), "{} of the vectors fail:\n{}", failures.len(), failures.join("\n"));
    assert!(cases > 0, "{file} holds no case");
}

pub enum Line {
    Definition,
    Case,
}

/// A text is UTF-8 where it is written as a string, and may be anything as `hex`.
pub fn text(value: &Value) -> Vec<u8> {
    if let Some(text) = value.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(digits) = value["hex"].as_str() {
        return hex(digits);
    }
    let units: Vec<u16> = list(&value["utf16"]).iter().map(|unit| number(unit) as u16).collect();
    String::from_utf16_lossy(&units).into_bytes()
}

pub fn hex(digits: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}"))
}

pub fn string(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a string, not {value}")).to_owned()
}

pub fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| number.try_into().ok()).unwrap_or_else(|| panic!("an id, not {value}"))
}

pub fn ids(value: &Value) -> Vec<u32> {
    list(value).iter().map(number).collect()
}

pub fn stages(value: &Value) -> Vec<String> {
    value.as_array().map_or_else(Vec::new, |stages| stages.iter().map(string).collect())
}

pub fn allowed(value: &Value) -> Allowed {
    match value {
        Value::String(all) if all == "all" => Allowed::All,
        names => match list(names) {
            [] => Allowed::None,
            names => Allowed::Some(names.iter().map(string).collect()),
        },
    }
}

/// The tokenizer of a `tokenizer` line.
pub fn tokenizer(line: &Value) -> Tokenizer {
    let order = line["byte_order"].as_str().map_or_else(|| (0..=255).collect(), hex);
    let mut tokens: Vec<(u32, Vec<u8>)> =
        (number(&line["first_byte"])..).zip(order.into_iter().map(|byte| vec![byte])).collect();
    let pair = |entry: &Value| (hex(&string(&entry[0])), hex(&string(&entry[1])));
    let vocab = |tokens: &[(u32, Vec<u8>)]| Vocab::new(tokens.iter().map(|(id, token)| (*id, &token[..]))).unwrap();
    let model = if let Some(ranks) = line["ranks"].as_array() {
        tokens.extend(ranks.iter().map(|entry| (number(&entry[1]), hex(&string(&entry[0])))));
        Bpe::from_ranks(vocab(&tokens))
    } else {
        let merges: Vec<_> = list(&line["merges"]).iter().map(pair).collect();
        match line["vocab"].as_array() {
            Some(entries) => {
                tokens.extend(entries.iter().map(|entry| (number(&entry[0]), hex(&string(&entry[1])))));
            }
            None => tokens.extend((256..).zip(merges.iter().map(|(left, right)| [&left[..], right].concat()))),
        }
        let vocab = vocab(&tokens);
        let merges = Merges::from_list(&vocab, merges.iter().map(|(left, right)| (&left[..], &right[..]))).unwrap();
        Bpe { vocab, merges, whole: line["ignore_merges"].as_bool().unwrap() }
    };
    let special = line["special_tokens"].as_object().unwrap();
    let added = special.iter().map(|(text, id)| AddedToken::special(text.clone(), number(id))).collect();
    let normalization = line["normalization"].as_str().map(|name| Normalization::from_name(name).unwrap());
    Tokenizer::new(model.into(), Pretokenizer::new(&stages(&line["stages"])).unwrap(), added, normalization).unwrap()
}

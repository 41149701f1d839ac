//! The `normalizer` and `pre_tokenizer` of a `tokenizer.json`, as the stages of ours and back.

use serde_json::{json, Value};

use super::huggingface::{fault, FORMAT};
use super::oniguruma;
use crate::error::{Error, Result};
use crate::normalize::Normalization;
use crate::pretokenize::named::{self, NAMED};

pub(super) fn normalization(normalizer: Option<&Value>) -> Result<Option<Normalization>> {
    let Some(step) = normalizer.filter(|step| !step.is_null()) else { return Ok(None) };
    match kind(step) {
        "NFC" => Ok(Some(Normalization::Nfc)),
        "Sequence" => {
            let mut found = None;
            for step in list(step, "normalizers") {
                found = normalization(Some(step))?.or(found);
            }
            Ok(found)
        }
        other => Err(refused("normalizer", other, "only NFC can be represented")),
    }
}

pub(super) fn write_normalizer(normalization: Option<Normalization>) -> Value {
    match normalization {
        None => Value::Null,
        Some(Normalization::Nfc) => json!({"type": "NFC"}),
    }
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or("(no type)")
}

fn list<'a>(step: &'a Value, name: &str) -> &'a [Value] {
    step[name].as_array().map_or(&[], |steps| steps)
}

fn flag(step: &Value, name: &str, default: bool) -> bool {
    step[name].as_bool().unwrap_or(default)
}

fn refused(step: &str, kind: &str, reason: &str) -> Error {
    fault(format!("the {step} `{kind}`: {reason}"))
}

/// The stages that a `pre_tokenizer` cuts with, and whether it ends in bytes.
pub(super) fn stages(step: Option<&Value>) -> Result<(Vec<String>, bool)> {
    let mut stages = Stages { patterns: Vec::new(), byte_level: false };
    if let Some(step) = step.filter(|step| !step.is_null()) {
        stages.read(step)?;
    }
    Ok((stages.patterns, stages.byte_level))
}

struct Stages {
    patterns: Vec<String>,
    byte_level: bool,
}

impl Stages {
    fn read(&mut self, step: &Value) -> Result<()> {
        let name = kind(step);
        if name == "Sequence" {
            return list(step, "pretokenizers").iter().try_for_each(|step| self.read(step));
        }
        if self.byte_level {
            let reason = "a step after ByteLevel works on bytes written as characters, which a pattern cannot";
            return Err(refused("pre_tokenizer", name, reason));
        }
        match name {
            "ByteLevel" => {
                self.byte_level = true;
                if flag(step, "add_prefix_space", true) {
                    return Err(refused("pre_tokenizer", name, "`add_prefix_space` would change the text"));
                }
                if flag(step, "use_regex", true) {
                    self.push(named::pattern("gpt2").map(|named| named.stages[0].to_owned()).unwrap_or_default());
                }
            }
            "Split" => {
                self.check_behavior(step, "Isolated")?;
                let pattern = &step["pattern"];
                match (pattern["Regex"].as_str(), pattern["String"].as_str()) {
                    (Some(regex), _) => self.push(read_regex(regex)?),
                    (None, Some(text)) => self.push(escape(text)),
                    (None, None) => return Err(refused("pre_tokenizer", name, "it has neither a Regex nor a String")),
                }
            }
            "Digits" => self.push(if flag(step, "individual_digits", false) { r"\p{N}" } else { r"\p{N}+" }.to_owned()),
            "Punctuation" => {
                self.check_behavior(step, "Isolated")?;
                self.push(r"[!-/:-@\[-`{-~\p{P}]".to_owned());
            }
            other => {
                return Err(refused(
                    "pre_tokenizer",
                    other,
                    "it cannot be represented as a pattern that keeps all text",
                ))
            }
        }
        Ok(())
    }

    fn push(&mut self, pattern: String) {
        self.patterns.push(pattern);
    }

    fn check_behavior(&self, step: &Value, default: &str) -> Result<()> {
        let behavior = step["behavior"].as_str().unwrap_or(default);
        // To remove what lies between matches is to keep all where the pattern leaves nothing between them.
        let removes_nothing = behavior == "Removed"
            && flag(step, "invert", false)
            && step["pattern"]["Regex"].as_str().is_some_and(covers_everything);
        if behavior == "Isolated" || removes_nothing {
            return Ok(());
        }
        Err(refused(
            "pre_tokenizer",
            kind(step),
            &format!("the behavior `{behavior}` does not keep each match by itself"),
        ))
    }
}

/// The named patterns of one stage match every text without a gap.
fn covers_everything(regex: &str) -> bool {
    NAMED.iter().any(|named| matches!(named.stages, [stage] if *stage == regex || is_written_as(stage, regex)))
}

fn is_written_as(stage: &str, regex: &str) -> bool {
    oniguruma::write(stage).is_ok_and(|written| written == regex)
}

/// A file's expression as ours; one that we wrote for a named pattern is that pattern again.
fn read_regex(regex: &str) -> Result<String> {
    let stages = NAMED.iter().flat_map(|named| named.stages);
    match stages.copied().find(|stage| is_written_as(stage, regex)) {
        Some(stage) => Ok(stage.to_owned()),
        None => oniguruma::read(regex),
    }
}

fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

pub(super) fn write_stages(patterns: &[String], byte_level: &Value) -> Result<Value> {
    let mut steps = Vec::with_capacity(patterns.len() + 1);
    for pattern in patterns {
        if pattern.is_empty() {
            return Err(Error::CannotHold { format: FORMAT, what: "an empty pattern".to_owned() });
        }
        let regex = oniguruma::write(pattern)?;
        steps.push(json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": false}));
    }
    steps.push(byte_level.clone());
    Ok(json!({"type": "Sequence", "pretokenizers": steps}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_become_stages() {
        let step = json!({"type": "Sequence", "pretokenizers": [
            {"type": "Punctuation"},
            {"type": "Digits", "individual_digits": true},
            {"type": "Split", "pattern": {"String": "a.b"}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]});
        let (patterns, byte_level) = stages(Some(&step)).unwrap();
        assert_eq!(patterns, [r"[!-/:-@\[-`{-~\p{P}]", r"\p{N}", r"a\.b"]);
        assert!(byte_level);
    }

    #[test]
    fn what_cannot_be_represented_is_named() {
        for (step, name) in [
            (json!({"type": "Metaspace"}), "Metaspace"),
            (json!({"type": "ByteLevel"}), "add_prefix_space"),
            (json!({"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Removed"}), "Removed"),
        ] {
            assert!(stages(Some(&step)).unwrap_err().to_string().contains(name));
        }
        assert!(normalization(Some(&json!({"type": "NFKC"}))).unwrap_err().to_string().contains("NFKC"));
    }

    #[test]
    fn named_patterns_come_back() {
        for named in NAMED {
            for stage in named.stages {
                assert_eq!(read_regex(&oniguruma::write(stage).unwrap()).unwrap(), *stage);
            }
        }
    }
}

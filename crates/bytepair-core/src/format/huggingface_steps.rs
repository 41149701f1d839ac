//! The `normalizer` and `pre_tokenizer` of a `tokenizer.json`, as the stages of ours and back.

use serde_json::{json, Value};

use super::huggingface::{fault, FORMAT};
use super::oniguruma;
use super::split_steps::{check_written, escape, pattern, read_regex, PUNCTUATION};
use crate::error::{Error, Result};
use crate::pretokenize::{named, BYTE_ALPHABET};

/// Where a `Split` of ours keeps our own spelling of its pattern, if reading the other one back gives another.
const OWN_SPELLING: &str = "bytepair";

/// Whether a `normalizer` is NFC; any other is refused.
pub(super) fn composes(normalizer: Option<&Value>) -> Result<bool> {
    let Some(step) = normalizer.filter(|step| !step.is_null()) else { return Ok(false) };
    match kind(step) {
        "NFC" => Step::new("normalizer", step, &[]).map(|_| true),
        "Sequence" => {
            let mut found = false;
            for step in Step::new("normalizer", step, &["normalizers"])?.list("normalizers")? {
                found |= composes(Some(step))?;
            }
            Ok(found)
        }
        other => Err(refused("normalizer", other, "only NFC can be represented")),
    }
}

pub(super) fn write_normalizer(composes: bool) -> Value {
    if composes {
        json!({"type": "NFC"})
    } else {
        Value::Null
    }
}

fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or("(no type)")
}

fn refused(part: &str, kind: &str, reason: impl std::fmt::Display) -> Error {
    fault(format!("the {part} `{kind}`: {reason}"))
}

/// A step whose entries are all known.
struct Step<'a> {
    part: &'static str,
    kind: &'a str,
    value: &'a Value,
}

impl<'a> Step<'a> {
    fn new(part: &'static str, value: &'a Value, entries: &[&str]) -> Result<Self> {
        let step = Self { part, kind: kind(value), value };
        let unknown = |name: &&String| *name != "type" && !entries.contains(&name.as_str());
        match value.as_object().and_then(|object| object.keys().find(unknown)) {
            Some(name) => Err(step.refused(format!("its entry `{name}` is unknown"))),
            None => Ok(step),
        }
    }

    fn refused(&self, reason: impl std::fmt::Display) -> Error {
        refused(self.part, self.kind, reason)
    }

    fn wrong(&self, name: &str, expected: &str) -> Error {
        match &self.value[name] {
            Value::Null => self.refused(format!("it lacks `{name}`, {expected}")),
            found => self.refused(format!("`{name}` is `{found}`, not {expected}")),
        }
    }

    fn flag(&self, name: &str) -> Result<bool> {
        self.value[name].as_bool().ok_or_else(|| self.wrong(name, "true or false"))
    }

    fn flag_or(&self, name: &str, default: bool) -> Result<bool> {
        if self.value[name].is_null() {
            Ok(default)
        } else {
            self.flag(name)
        }
    }

    fn text(&self, name: &str) -> Result<&'a str> {
        self.value[name].as_str().ok_or_else(|| self.wrong(name, "a string"))
    }

    fn list(&self, name: &str) -> Result<&'a [Value]> {
        self.value[name].as_array().map(|list| &list[..]).ok_or_else(|| self.wrong(name, "a list"))
    }
}

/// A `pre_tokenizer` as stages of ours.
pub(super) struct PreTokenizer {
    pub patterns: Vec<String>,
    /// Whether a blank is put before each stretch of text.
    pub prefixes: bool,
}

impl PreTokenizer {
    pub fn read(step: Option<&Value>) -> Result<Self> {
        let mut stages = Stages { patterns: Vec::new(), byte_level: false, prefixes: false };
        if let Some(step) = step.filter(|step| !step.is_null()) {
            stages.read(step)?;
        }
        if !stages.byte_level {
            return Err(fault("its pre_tokenizer has no ByteLevel step, so this is no byte-level BPE"));
        }
        Ok(Self { patterns: stages.patterns, prefixes: stages.prefixes })
    }
}

struct Stages {
    patterns: Vec<String>,
    /// Whether the text has become bytes: the steps from here on read the byte alphabet.
    byte_level: bool,
    prefixes: bool,
}

impl Stages {
    fn read(&mut self, value: &Value) -> Result<()> {
        let with = |entries: &[&str]| Step::new("pre_tokenizer", value, entries);
        match kind(value) {
            "Sequence" => with(&["pretokenizers"])?.list("pretokenizers")?.iter().try_for_each(|step| self.read(step)),
            "ByteLevel" => self.byte_level(&with(&["add_prefix_space", "trim_offsets", "use_regex"])?),
            "Split" => {
                let step = with(&["pattern", "behavior", "invert", OWN_SPELLING])?;
                let regex = split_regex(&step)?;
                self.push_split(&step, &regex, step.text("behavior")?, step.flag("invert")?)
            }
            "Digits" => {
                let individual = with(&["individual_digits"])?.flag("individual_digits")?;
                self.push(if individual { r"\p{N}" } else { r"\p{N}+" }.to_owned());
                Ok(())
            }
            "Punctuation" => {
                let step = with(&["behavior"])?;
                let behavior = if step.value["behavior"].is_null() { "Isolated" } else { step.text("behavior")? };
                self.push_split(&step, PUNCTUATION, behavior, false)
            }
            "FixedLength" => {
                let step = with(&["length"])?;
                let length = step.value["length"].as_u64().filter(|length| (1..=1000).contains(length));
                let length = length.ok_or_else(|| step.wrong("length", "a number from 1 to 1000"))?;
                self.push(format!(r"[\s\S]{{1,{length}}}"));
                Ok(())
            }
            other => Err(refused("pre_tokenizer", other, "it cannot be represented as a pattern that keeps all text")),
        }
    }

    fn byte_level(&mut self, step: &Step<'_>) -> Result<()> {
        if self.byte_level {
            return Err(step.refused("it is the second one, and would write as bytes what is bytes already"));
        }
        self.prefixes = step.flag("add_prefix_space")?;
        if self.prefixes && !self.patterns.is_empty() {
            let reason = "`add_prefix_space` after another step would put a blank before each piece that it has cut";
            return Err(step.refused(reason));
        }
        if step.flag_or("use_regex", true)? {
            self.patterns.extend(gpt2().iter().map(|stage| stage.to_string()));
        }
        self.byte_level = true;
        Ok(())
    }

    fn push_split(&mut self, step: &Step<'_>, regex: &str, behavior: &str, invert: bool) -> Result<()> {
        self.push(pattern(regex, behavior, invert).map_err(|reason| step.refused(reason))?);
        Ok(())
    }

    fn push(&mut self, pattern: String) {
        self.patterns.push(if self.byte_level { format!("{BYTE_ALPHABET}{pattern}") } else { pattern });
    }
}

/// What a `Split` looks for, in our syntax.
fn split_regex(step: &Step<'_>) -> Result<String> {
    let found = &step.value["pattern"];
    let regex = match (found["Regex"].as_str(), found["String"].as_str()) {
        (Some(regex), _) => regex,
        (None, Some("")) => return Err(step.refused("it looks for the empty text")),
        (None, Some(text)) => return Ok(escape(text)),
        (None, None) => return Err(step.wrong("pattern", "a Regex or a String")),
    };
    match step.value[OWN_SPELLING].as_str() {
        Some(own) if oniguruma::write(own).is_ok_and(|written| written == regex) => Ok(own.to_owned()),
        _ => read_regex(regex),
    }
}

fn gpt2() -> &'static [&'static str] {
    named::pattern("gpt2").map_or(&[], |named| named.stages)
}

pub(super) fn byte_level(prefixes: bool, gpt2: bool) -> Value {
    json!({"type": "ByteLevel", "add_prefix_space": prefixes, "trim_offsets": false, "use_regex": gpt2})
}

pub(super) fn write_pre_tokenizer(patterns: &[String], prefixes: bool) -> Result<Value> {
    let is_text = |pattern: &&String| !pattern.starts_with(BYTE_ALPHABET);
    let (text, bytes) = patterns.split_at(patterns.iter().take_while(is_text).count());
    // The blank is put before what the step gets, so that no other may come before it.
    let within = prefixes && text == gpt2();
    if prefixes && !text.is_empty() && !within {
        let what = format!("a blank before the text with the pattern `{}`, only with that of GPT-2 or none", text[0]);
        return Err(Error::CannotHold { format: FORMAT, what });
    }
    let before = if within { &[] } else { text };
    let mut steps = before.iter().map(|pattern| write_split(pattern)).collect::<Result<Vec<_>>>()?;
    steps.push(byte_level(prefixes, within));
    for pattern in bytes {
        steps.push(write_split(pattern.trim_start_matches(BYTE_ALPHABET))?);
    }
    Ok(json!({"type": "Sequence", "pretokenizers": steps}))
}

fn write_split(pattern: &str) -> Result<Value> {
    check_written(pattern)?;
    let regex = oniguruma::write(pattern)?;
    let mut step = json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": false});
    if read_regex(&regex)? != pattern {
        step[OWN_SPELLING] = json!(pattern);
    }
    Ok(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::named::NAMED;

    fn read(step: Value) -> Result<Vec<String>> {
        let end = if step.to_string().contains("ByteLevel") { json!([]) } else { json!([byte_level(false, false)]) };
        let mut steps = vec![step];
        steps.extend(end.as_array().cloned().unwrap_or_default());
        let step = json!({"type": "Sequence", "pretokenizers": steps});
        PreTokenizer::read(Some(&step)).map(|read| read.patterns)
    }

    fn split(regex: &str, behavior: &str, invert: bool) -> Value {
        json!({"type": "Split", "pattern": {"Regex": regex}, "behavior": behavior, "invert": invert})
    }

    #[test]
    fn steps_become_stages() {
        let step = json!({"type": "Sequence", "pretokenizers": [
            {"type": "Punctuation"},
            {"type": "Digits", "individual_digits": true},
            {"type": "Split", "pattern": {"String": "a.b"}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
            {"type": "Digits", "individual_digits": false},
            {"type": "FixedLength", "length": 5},
            split("[0-9][0-9][0-9]", "Isolated", false)]});
        let patterns = read(step).unwrap();
        let expected = [
            PUNCTUATION,
            r"\p{N}",
            r"a\.b",
            r"(?#byte alphabet)\p{N}+",
            r"(?#byte alphabet)[\s\S]{1,5}",
            "(?#byte alphabet)[0-9][0-9][0-9]",
        ];
        assert_eq!(patterns, expected);
        assert_eq!(read(write_pre_tokenizer(&patterns, false).unwrap()).unwrap(), expected);
        assert!(PreTokenizer::read(None).is_err());
    }

    #[test]
    fn a_blank_before_the_text() {
        let digits = r"(?#byte alphabet)\p{N}".to_owned();
        let gpt2: Vec<String> = gpt2().iter().map(|stage| stage.to_string()).collect();
        for patterns in [vec![], gpt2.clone(), vec![digits.clone()], [gpt2, vec![digits]].concat()] {
            let written = write_pre_tokenizer(&patterns, true).unwrap();
            let read = PreTokenizer::read(Some(&written)).unwrap();
            assert_eq!((read.patterns, read.prefixes), (patterns, true));
        }
        let error = write_pre_tokenizer(&["a".to_owned()], true).unwrap_err().to_string();
        assert!(error.contains("blank before the text with the pattern `a`"), "{error}");
    }

    #[test]
    fn behaviors_become_patterns() {
        for (regex, behavior, invert, expected) in [
            ("a|bc", "Isolated", true, "a|bc"),
            (r"\d", "Contiguous", false, r"\d+"),
            ("a|bc", "Contiguous", true, "(?:a|bc)+"),
            ("(?=x)", "Isolated", false, r"[\s\S]+?(?=(?:(?=x))|\z)"),
            (r"\s++$", "Isolated", false, r"\s++(?m:$)"),
        ] {
            assert_eq!(read(split(regex, behavior, invert)).unwrap(), [expected]);
        }
        let gpt2 = named::pattern("gpt2").unwrap().stages[0];
        assert_eq!(read(split(&oniguruma::write(gpt2).unwrap(), "Removed", true)).unwrap(), [gpt2]);
        let merges = |behavior, invert| read(split("x|yz", behavior, invert)).unwrap();
        assert_eq!(merges("MergedWithPrevious", true), merges("MergedWithNext", false));
        assert_eq!(merges("MergedWithNext", true), merges("MergedWithPrevious", false));
    }

    #[test]
    fn what_cannot_be_represented_is_named() {
        let changed = |changes: &[(&str, Value)]| {
            let mut step = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true});
            changes.iter().for_each(|(name, value)| step[*name] = value.clone());
            step
        };
        for (step, name) in [
            (json!({"type": "Metaspace"}), "`Metaspace`"),
            (json!({"type": "WhitespaceSplit"}), "`WhitespaceSplit`"),
            (json!({}), "`(no type)`"),
            (
                json!({"type": "Sequence", "pretokenizers": [
                    split("a", "Isolated", false), changed(&[("add_prefix_space", json!(true))])]}),
                "`add_prefix_space` after another step",
            ),
            (changed(&[("add_prefix_space", Value::Null)]), "lacks `add_prefix_space`"),
            (changed(&[("use_regex", json!(1))]), "`use_regex` is `1`"),
            (changed(&[("other", json!(1))]), "its entry `other` is unknown"),
            (json!({"type": "Sequence", "pretokenizers": [changed(&[]), changed(&[])]}), "the second one"),
            (json!({"type": "Sequence"}), "lacks `pretokenizers`"),
            (json!({"type": "Digits"}), "lacks `individual_digits`"),
            (json!({"type": "Punctuation", "behavior": "Removed"}), "`Removed` loses text"),
            (json!({"type": "FixedLength", "length": 0}), "`length` is `0`"),
            (json!({"type": "Split", "pattern": {"String": ""}, "behavior": "Isolated", "invert": false}), "empty"),
            (json!({"type": "Split", "pattern": "a", "behavior": "Isolated", "invert": false}), "`pattern` is `\"a\"`"),
            (json!({"type": "Split", "pattern": {"Regex": "a"}, "invert": false}), "lacks `behavior`"),
            (json!({"type": "Split", "pattern": {"Regex": "a"}, "behavior": "Isolated"}), "lacks `invert`"),
            (split("a", "Removed", false), "`Removed` loses text"),
            (split("a", "Removed", true), "`Removed` loses text"),
            (split("a", "Together", true), "`Together` is none"),
            (split("a*", "Isolated", false), "`a*` may match the empty text"),
            (split("a|(?=b)", "Isolated", false), "may match the empty text"),
            (split("ab\\K", "Isolated", false), "may match the empty text"),
            (split("(?=b)", "Contiguous", false), "matches the empty text alone"),
            (split("(.)\\1", "MergedWithNext", false), "refers to a group"),
            (split("(", "Isolated", false), "does not compile"),
        ] {
            let error = read(step).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        for (step, name) in [
            (json!({"type": "NFKC"}), "NFKC"),
            (json!({"type": "NFC", "more": 1}), "`more`"),
            (json!({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]}), "Lowercase"),
        ] {
            assert!(composes(Some(&step)).unwrap_err().to_string().contains(name));
        }
    }

    #[test]
    fn what_is_written_comes_back() {
        let own = [r"\d{1,2}+|\w+$", r"a\z", r"(?m:^)\S+(?m:$)", "[[:alpha:]]+", r"(?>\p{N}{1,3})"];
        for pattern in NAMED.iter().flat_map(|named| named.stages).chain(&own) {
            assert_eq!(read(write_split(pattern).unwrap()).unwrap(), [*pattern]);
        }
        for pattern in ["a*", "", "(?=x)", "a|b?"] {
            assert!(write_split(pattern).unwrap_err().to_string().contains("may match the empty text"), "{pattern}");
        }
        // Another spelling stands only as long as it is that of the pattern beside it.
        let mut changed = write_split(r"a$").unwrap();
        changed["pattern"]["Regex"] = json!("b");
        assert_eq!(read(changed).unwrap(), ["b"]);
    }
}

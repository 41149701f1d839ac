//! Counting in blocks and over threads gives what counting the whole gives, the order of first appearance too.

use std::io::{self, Read};

use bytepair_core::pretokenize::{named, Pretokenizer};
use bytepair_core::train::{Counter, Counts};
use bytepair_core::Error;
use proptest::prelude::*;

fn stages(name: &str) -> Vec<String> {
    named::pattern(name).unwrap().stages.iter().map(|stage| stage.to_string()).collect()
}

fn counter(stages: &[String], special: &[&str]) -> Counter {
    let special: Vec<String> = special.iter().map(|token| token.to_string()).collect();
    Counter::new(Pretokenizer::new(stages).unwrap(), &special).unwrap()
}

fn listed(counts: &Counts) -> Vec<(Vec<u8>, u64)> {
    counts.iter().map(|(pretoken, count)| (pretoken.to_vec(), count)).collect()
}

/// The judge: the separator by hand, then each text whole.
fn whole(counter: &Counter, data: &[u8], separator: Option<&[u8]>) -> Vec<(Vec<u8>, u64)> {
    let mut counts = Counts::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(separator) = separator.filter(|separator| at + separator.len() <= data.len()) {
        if data[at..].starts_with(separator) {
            counter.count_text(&data[start..at], &mut counts).unwrap();
            at += separator.len();
            start = at;
        } else {
            at += 1;
        }
    }
    counter.count_text(&data[start..], &mut counts).unwrap();
    listed(&counts)
}

fn in_blocks(counter: &Counter, data: &[u8], separator: Option<&[u8]>, threads: usize, block: usize) -> Counts {
    let mut counts = Counts::new();
    counter.count_blocks(&mut &data[..], separator, threads, block, &mut counts, &mut |_| Ok(())).unwrap();
    counts
}

/// Text in which special tokens overlap, stand in each other and straddle blocks, with ill-formed bytes between.
fn data() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(&b"<|a|>"[..]),
        Just(&b"<|a|><|b|>"[..]),
        Just(&b"<|a"[..]),
        Just(&b"|>"[..]),
        Just(&b"a b"[..]),
        Just(&b" "[..]),
        Just(&b"\n\n"[..]),
        Just(&b"\n"[..]),
        Just(&b"word's"[..]),
        Just(&b"12345"[..]),
        Just("é今天🌍".as_bytes()),
        Just(&b"e\xcc\x81"[..]),
        Just(&b"\xff"[..]),
        Just(&b"\xe4\xb8"[..]),
        Just(&b"\xa9!"[..]),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

const SPECIAL: [&[&str]; 5] =
    [&[], &["<|a|>"], &["<|a|>", "<|a|><|b|>", "|>"], &["a b", "b "], &["\n\n", "今天", "d's12"]];
const SEPARATORS: [Option<&[u8]>; 6] = [None, Some(b"\n"), Some(b"\n\n"), Some(b"a|>"), Some(b"\xff"), Some(b"\xb8")];

#[test]
fn blocks_and_threads_change_nothing() {
    let unnamed = vec![r"\w+|\W".to_owned()];
    let mut counters = Vec::new();
    for stages in [stages("gpt2"), stages("o200k"), stages("deepseek_v3"), unnamed, vec![]] {
        counters.extend(SPECIAL.map(|special| counter(&stages, special)));
    }
    proptest!(ProptestConfig::with_cases(40), |(data in data())| {
        for (number, counter) in counters.iter().enumerate() {
            for separator in SEPARATORS {
                let expected = whole(counter, &data, separator);
                for block in [1, 7, 64] {
                    let counts = in_blocks(counter, &data, separator, 1, block);
                    prop_assert_eq!(listed(&counts), &*expected, "counter {}, {:?}, {}", number, separator, block);
                }
            }
        }
    });
}

#[test]
fn threads_join_in_the_order_of_the_file() {
    let counter = counter(&stages("gpt2"), &["<|a|>"]);
    proptest!(ProptestConfig::with_cases(40), |(data in data())| {
        let expected = whole(&counter, &data, Some(b"\n"));
        for (threads, block) in [(2, 1), (3, 7), (8, 3)] {
            prop_assert_eq!(&listed(&in_blocks(&counter, &data, Some(b"\n"), threads, block)), &expected);
        }
    });
}

#[test]
fn texts_in_memory_are_counted_in_order() {
    let counter = counter(&stages("cl100k"), &["<|a|>"]);
    proptest!(ProptestConfig::with_cases(40), |(texts in proptest::collection::vec(data(), 0..6))| {
        let mut expected = Counts::new();
        for text in &texts {
            counter.count_text(text, &mut expected).unwrap();
        }
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        for threads in [0, 1, 2] {
            let mut counts = Counts::new();
            counter.count_texts(&texts, threads, &mut counts, &mut |_| Ok(())).unwrap();
            prop_assert_eq!(listed(&counts), listed(&expected));
        }
    });
}

/// Long enough for several blocks of the usual size.
#[test]
fn a_long_text_is_cut_for_the_workers() {
    let text: Vec<u8> = (0..1_500_000).flat_map(|n| format!("word{} ", n % 5000).into_bytes()).collect();
    let counter = counter(&stages("gpt2"), &[]);
    let mut counts = Counts::new();
    let mut steps = Vec::new();
    let mut progress = |done| {
        steps.push(done);
        Ok(())
    };
    counter.count_texts(&[&text, &text], 2, &mut counts, &mut progress).unwrap();
    assert!(steps.is_sorted() && steps.last() == Some(&(2 * text.len() as u64)));
    assert_eq!((counts.get(b" word"), counts.get(b"4999")), (2 * 1_499_999, 2 * 300));
}

#[test]
fn strict_names_the_byte_in_the_file() {
    let data = "first. 今 second third\n fourth ".repeat(20).into_bytes();
    let at = data.len();
    let data = [&data[..], b"\xe4\xb8 <|a|> and \xff later"].concat();
    let counter = counter(&stages("gpt2"), &["<|a|>"]).strict(true);
    for (threads, block) in [(1, 1), (1, 64), (2, 16), (3, 1 << 20)] {
        let mut counts = Counts::new();
        let result = counter.count_blocks(&mut &data[..], Some(b"\n"), threads, block, &mut counts, &mut |_| Ok(()));
        assert!(matches!(result, Err(Error::NotUtf8 { text: 0, offset }) if offset == at), "{result:?}");
    }
    let result = counter.count_texts(&[b"fine", b"not \xff"], 2, &mut Counts::new(), &mut |_| Ok(()));
    assert!(matches!(result, Err(Error::NotUtf8 { text: 1, offset: 4 })), "{result:?}");
}

#[test]
fn an_error_from_progress_ends_the_counting() {
    let text = "word ".repeat(400_000);
    let counter = counter(&stages("gpt2"), &[]);
    for threads in [1, 2] {
        let mut reader = text.as_bytes();
        let result = counter.count_reader(&mut reader, None, threads, &mut Counts::new(), &mut |_| Err(Error::Stopped));
        assert!(matches!(result, Err(Error::Stopped)), "{result:?}");
    }
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn faults_are_named() {
    let counter = counter(&stages("gpt2"), &[]);
    for threads in [1, 2] {
        let result = counter.count_reader(&mut Broken, None, threads, &mut Counts::new(), &mut |_| Ok(()));
        assert!(matches!(&result, Err(Error::Read(error)) if error.to_string() == "the disk is gone"), "{result:?}");
    }
    let result = counter.count_reader(&mut &b""[..], Some(b""), 1, &mut Counts::new(), &mut |_| Ok(()));
    assert!(matches!(result, Err(Error::Option { what: "separator", .. })), "{result:?}");
    let twice = ["<|a|>".to_owned(), "<|a|>".to_owned()];
    assert!(matches!(Counter::new(Pretokenizer::new(&[]).unwrap(), &twice), Err(Error::SpecialTwice { .. })));
}

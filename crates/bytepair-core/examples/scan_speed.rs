//! How fast the planned scanner cuts a text, beside the general engine, for every named pattern.
//!
//! `cargo run --release --example scan_speed -- english.txt code.txt`
//!
//! The ends of both are compared before anything is timed. Times are of the processor where the system tells them (Linux),
//! for other work on the machine should not count; else they are of the clock.

use std::time::Instant;

use bytepair_core::pretokenize::named::NAMED;
use bytepair_core::pretokenize::Pretokenizer;

/// The general engine is slow: it sees the first part of each text only.
const ENGINE_BYTES: usize = 2_000_000;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:<24} {:<12} {:>9} {:>9} {:>7} {:>8}", "text", "pattern", "plan MB/s", "engine", "ratio", "B/piece");
    for path in std::env::args().skip(1) {
        let text = String::from_utf8(std::fs::read(&path)?)?;
        let boundary = (0..=text.len().min(ENGINE_BYTES)).rev().find(|&at| text.is_char_boundary(at));
        let part = &text[..boundary.unwrap_or(0)];
        for named in NAMED {
            let stages: Vec<String> = named.stages.iter().map(|stage| stage.to_string()).collect();
            let (plan, engine) = (Pretokenizer::new(&stages)?, Pretokenizer::by_regex(&stages)?);
            let (fast, slow) = (ends(&plan, part), ends(&engine, part));
            assert!(fast == slow, "{} cuts {path} otherwise than the engine does", named.name);
            let (pieces, fastest) = best(ROUNDS, &plan, &text);
            let (_, slowest) = best(1, &engine, part);
            let (plan_rate, engine_rate) = (rate(text.len(), fastest), rate(part.len(), slowest));
            println!(
                "{:<24} {:<12} {plan_rate:>9.1} {engine_rate:>9.1} {:>7.1} {:>8.2}",
                path.rsplit('/').next().unwrap_or(&path),
                named.name,
                plan_rate / engine_rate,
                text.len() as f64 / pieces as f64,
            );
        }
    }
    Ok(())
}

fn ends(pretokenizer: &Pretokenizer, text: &str) -> Vec<usize> {
    pretokenizer.ranges(text).map(|range| range.expect("the patterns have names").end).collect()
}

/// The number of pretokens, and the shortest time of a few rounds in nanoseconds.
fn best(rounds: usize, pretokenizer: &Pretokenizer, text: &str) -> (usize, u128) {
    let clock = Instant::now();
    let now = || processor_time().unwrap_or_else(|| clock.elapsed().as_nanos());
    let round = || {
        let started = now();
        let pieces = pretokenizer.ranges(text).filter(Result::is_ok).count();
        (pieces, now() - started)
    };
    (0..rounds).map(|_| round()).min_by_key(|&(_, time)| time).expect("at least one round")
}

/// Nanoseconds that this thread has run.
fn processor_time() -> Option<u128> {
    // A system call brings the count up to date.
    std::thread::yield_now();
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    counts.split(' ').next()?.parse().ok()
}

/// MB/s.
fn rate(bytes: usize, nanoseconds: u128) -> f64 {
    bytes as f64 * 1e3 / nanoseconds as f64
}

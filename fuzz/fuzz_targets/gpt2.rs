#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| bytepair_fuzz::run("gpt2", data));

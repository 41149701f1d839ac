//! What fuzzers found or grew, played again: no fuzzer and no nightly compiler is needed.

use std::path::Path;

use bytepair_fuzz::TARGETS;

#[test]
fn the_corpus_of_each_target_passes() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut played = 0;
        for file in files {
            let path = file.unwrap().path();
            let data = std::fs::read(&path).unwrap();
            eprintln!("{}", path.display()); // shown where it fails
            target(&data);
            played += 1;
        }
        assert!(played > 0, "`{name}` has no corpus");
    }
}

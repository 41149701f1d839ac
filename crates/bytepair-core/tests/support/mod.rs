//! What several of these tests stand on. Each test is a program of its own, and none uses all of it.
#![allow(dead_code)]

pub mod oracle;
pub mod random;
pub mod vectors;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

/// The root of the project.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Real vocabularies, which are not part of the project; `None` (and a line that says so) where they are not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BYTEPAIR_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let path = folder.join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("not run: `{}` is not there; set BYTEPAIR_SHARED to the folder that holds it", path.display());
    None
}

/// What `work` gives, which must come without a panic and within `limit`: a loop that never ends fails a test too.
pub fn within<R: Send + 'static>(limit: Duration, work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::spawn(move || sender.send(work()));
    match receiver.recv_timeout(limit) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("no answer within {limit:?}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => unreachable!("a worker that ends without a panic has sent its result"),
        },
    }
}

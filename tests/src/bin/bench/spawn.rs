//! Timing one process from spawn to its end.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the command with a file as stdin and nothing else attached, and returns how long it took.
pub(crate) fn time(command: &mut Command, stdin: &Path) -> Duration {
    command
        .stdin(Stdio::from(File::open(stdin).expect("stdin")))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the command runs");
    let took = start.elapsed();
    assert!(status.success(), "{command:?}: {status}");
    took
}

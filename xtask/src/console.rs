//! The one place that prints.
//!
//! A write that fails (a closed pipe) is not reported: there is nobody left to tell.

use std::io::Write;

/// Prints a line to stdout and flushes, so that it stands before what a child prints next.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a heading with an empty line above it.
pub(crate) fn heading(text: &str) {
    say(&format!("\n==> {text}"));
}

/// Prints an error and its causes to stderr.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "\nerror: {error:#}").and_then(|()| err.flush());
}

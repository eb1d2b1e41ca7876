//! How a command ends when it does not end well, and with which status.

use std::fmt;
use std::io;

use session_host::paths::Paths;
use session_host::store::StoreError;

use crate::output::Output;

/// The statuses a command can end with; they are in the help text and in docs/cli.md.
pub(crate) mod exit {
    /// All is well.
    pub(crate) const OK: u8 = 0;
    /// It failed, or the answer is no.
    pub(crate) const FAILED: u8 = 1;
    /// The command line is wrong.
    pub(crate) const USAGE: u8 = 2;
    /// A REF names several sessions.
    pub(crate) const AMBIGUOUS: u8 = 3;
    /// `tally signal --strict`: it is not stored yet, and will be taken in.
    pub(crate) const LATER: u8 = 4;
    /// `tally wait`: the time was up, as `timeout` tells it.
    pub(crate) const TIMED_OUT: u8 = 124;
    /// `tally run`: the agent's program cannot be run.
    pub(crate) const NOT_EXECUTABLE: u8 = 126;
    /// `tally run`: there is no such program.
    pub(crate) const NOT_FOUND: u8 = 127;
}

/// An end that a person is told about: what failed, and what may help.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    message: String,
    hints: Vec<String>,
}

impl Failure {
    /// A failure with a status of its own.
    pub(crate) fn new(status: u8, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// A failure with the common status.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(exit::FAILED, message)
    }

    /// Adds something that may help.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// An error and its causes, each once: many a text ends in that of its cause already.
fn told(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |told, cause| {
        let cause = cause.to_string();
        if told.is_empty() {
            cause
        } else if told.ends_with(&cause) {
            told
        } else {
            format!("{told}: {cause}")
        }
    })
}

/// A store that could not be used: which one, and what helps.
pub(crate) fn of_store(error: &StoreError, paths: &Paths) -> Failure {
    let (text, store) = (error.to_string(), paths.store());
    let named = text.contains(&*store.to_string_lossy());
    let failure = Failure::failed(text);
    let failure = if named {
        failure
    } else {
        failure.hint(format!("The store is {}.", store.display()))
    };
    match error {
        StoreError::Busy => failure.hint("Try again in a moment."),
        StoreError::Corrupt(_) => failure.hint(
            "The next signal sets it aside, and work goes on with an empty one; so does: tally up",
        ),
        StoreError::Newer { .. } => failure,
        _ => failure.hint("`tally doctor` tells what is wrong, and how to repair it."),
    }
}

/// Tells of an error and gives the status to end with. A reader that went away is no error: `tally list | head`.
pub(crate) fn report(error: &anyhow::Error, out: &Output) -> u8 {
    let gone = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(gone) {
        return exit::OK;
    }
    out.error(&told(error));
    let failure = error.downcast_ref::<Failure>();
    for hint in failure.iter().flat_map(|failure| &failure.hints) {
        out.note(hint);
    }
    failure.map_or(exit::FAILED, |failure| failure.status)
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;
    use session_host::runtime_dir::RuntimeDirError;

    use super::*;

    #[test]
    fn no_cause_is_told_twice() {
        let io = || io::Error::other("it is a folder");
        let error = RuntimeDirError::Io {
            path: "/run/tally".into(),
            source: io(),
        };
        assert_eq!(
            told(&anyhow::Error::from(error)),
            "/run/tally: it is a folder"
        );
        let wrapped = Err::<(), _>(io()).context("cannot write /x").unwrap_err();
        assert_eq!(told(&wrapped), "cannot write /x: it is a folder");
    }
}

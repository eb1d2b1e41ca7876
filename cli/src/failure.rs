//! How a command ends when it does not end well, and with which status.

use std::fmt;
use std::io;

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
    out.error(&format!("{error:#}"));
    let failure = error.downcast_ref::<Failure>();
    for hint in failure.iter().flat_map(|failure| &failure.hints) {
        out.note(hint);
    }
    failure.map_or(exit::FAILED, |failure| failure.status)
}

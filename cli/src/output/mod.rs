//! The one door out: data to standard output, everything else to standard error.
//!
//! Nothing else in the program prints. Colour is only for terminals, and never where `NO_COLOR` is set.

mod change;
mod document;
mod explanation;
mod list;
mod paint;
mod summary;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use session_host::env::Env;

pub(crate) use change::change;
pub(crate) use document::{
    Document, Ended, ExplainDocument, ListDocument, ServerDocument, StatusDocument,
};
pub(crate) use explanation::explanation;
pub(crate) use list::{
    ListText, list, message, more_than_one_server, place, short_place, state_text, who,
};
pub(crate) use paint::Paint;
pub(crate) use summary::{plain, styled_for_terminal, styled_for_tmux};
pub(crate) use table::{Column, table};

/// Where a command's words go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    colour: bool,
    note_colour: bool,
    columns: Option<usize>,
}

impl Output {
    /// The output of this process.
    pub(crate) fn of_process(env: &Env) -> Self {
        let allowed = env.get("NO_COLOR").is_none() && env.get("TERM") != Some("dumb");
        let stdout = io::stdout();
        Self {
            colour: allowed && stdout.is_terminal(),
            note_colour: allowed && io::stderr().is_terminal(),
            columns: if stdout.is_terminal() {
                terminal_columns(env)
            } else {
                None
            },
        }
    }

    /// Whether data may be coloured.
    pub(crate) const fn colour(&self) -> bool {
        self.colour
    }

    /// The width of the terminal that data goes to; `None` when it goes elsewhere.
    pub(crate) const fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Prints data, with a line break after it.
    ///
    /// # Errors
    /// When it cannot be written, such as to a reader that went away.
    pub(crate) fn data(&self, text: &str) -> io::Result<()> {
        let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
        self.bytes(&[text.as_bytes(), end].concat())
    }

    /// Prints exactly these bytes.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        // Which file it was, only we know; the kind tells a reader that went away.
        written.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot write to standard output: {error}"),
            )
        })
    }

    /// Prints a document.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn json<T: Serialize>(&self, document: &T) -> io::Result<()> {
        self.data(&serde_json::to_string_pretty(document)?)
    }

    /// Tells the person something beside the data. Nobody left to tell is no reason to fail.
    pub(crate) fn note(&self, text: &str) {
        drop(writeln!(io::stderr().lock(), "{text}"));
    }

    /// Tells the person what went wrong.
    pub(crate) fn error(&self, text: &str) {
        let name = Paint::new(self.note_colour).bold("tally:");
        drop(writeln!(io::stderr().lock(), "{name} {text}"));
    }
}

/// A number and what is counted, in words: `1 server`, `2 servers`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn terminal_columns(env: &Env) -> Option<usize> {
    let told = rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col));
    let set = || env.get("COLUMNS")?.parse().ok();
    told.filter(|columns| *columns > 0)
        .or_else(set)
        .or(Some(80))
}

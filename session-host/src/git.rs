//! The `git` program, told the folder it is to work in and nothing else.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What names another repository than the one in the folder (`git rev-parse --local-env-vars`, and what limits the search
/// for it): a command that is given in a hook of git inherits them.
const LOCAL: [&str; 19] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Why git did not do it.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no such program, or it cannot be run.
    #[error("git cannot be run: {0}")]
    NotRun(#[source] std::io::Error),
    /// It refused.
    #[error("git {verb}: {said}")]
    Refused {
        /// What it was to do.
        verb: String,
        /// What it said.
        said: String,
    },
    /// It printed what is not UTF-8, such as the path of a worktree.
    #[error("git {0}: it printed what is not UTF-8")]
    NotText(String),
}

/// git in one folder. Blocking; an operation takes as long as it takes.
#[derive(Clone, Debug)]
pub struct Git {
    folder: PathBuf,
}

impl Git {
    /// git, as `git -C FOLDER`.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Runs a command of git's and gives what it printed.
    ///
    /// # Errors
    /// When git is not there, or refuses.
    pub fn run<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<String, GitError> {
        let verb = || {
            let first = words
                .iter()
                .take(2)
                .map(|word| word.as_ref().to_string_lossy());
            first.collect::<Vec<_>>().join(" ")
        };
        let mut command = Command::new("git");
        for name in LOCAL {
            command.env_remove(name);
        }
        let output = command
            .env("LC_ALL", "C.UTF-8")
            .env("GIT_TERMINAL_PROMPT", "0")
            .arg("-C")
            .arg(&self.folder)
            .args(words)
            .stdin(Stdio::null())
            .output()
            .map_err(GitError::NotRun)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(GitError::Refused {
                verb: verb(),
                said: session_core::view::clean(said.trim(), 1000),
            });
        }
        String::from_utf8(output.stdout).map_err(|_| GitError::NotText(verb()))
    }

    /// As [`Git::run`], for a question: its lines, none when git says no.
    ///
    /// # Errors
    /// When git is not there.
    pub fn ask<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<Option<String>, GitError> {
        match self.run(words) {
            Ok(printed) => Ok(Some(printed.trim_end().to_owned())),
            Err(GitError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

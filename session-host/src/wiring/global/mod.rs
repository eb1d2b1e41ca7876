//! An agent's own configuration: wired when a person asks for that, so that a plain launch reports too, and given back
//! to the byte.
//!
//! Our own record ([`Record`]) says what was written where. It is saved before a file is replaced and again after, so
//! that an end at any point leaves a file that is the old one or the new one, and a record that knows ours in either.
//! Nothing is written for an agent that is not installed, and nothing where there is a doubt. An agent's trust in hooks
//! is read and never given.

mod activate;
mod book;
mod changed;
mod deactivate;
mod error;
mod foreign;
mod in_place;
mod installed;
mod record;
mod standing;
mod switch;
mod target;
mod trust;
mod version;

pub use book::Book;
pub use deactivate::Left;
pub use error::{GlobalError, RecordError};
pub use foreign::Change;
pub use in_place::in_place;
pub use record::{Record, What, Written};
pub use standing::{InstallState, Problem, Standing, standing};
pub use target::{Content, Target, targets};
pub use version::Version;

use std::path::Path;

use session_core::Time;
use session_core::manifest::Manifest;

use crate::env::Env;

/// Who wires, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Wirer<'w> {
    /// The environment: the agent's own variables say where its configuration is.
    pub env: &'w Env,
    /// The path that wired commands call.
    pub program: &'w Path,
    /// This program's own path, which is never taken for an agent.
    pub own: &'w Path,
    /// The time.
    pub now: Time,
    /// Only tell what would change.
    pub dry_run: bool,
    /// Also where an agent is too old, and over a file of ours that was edited, of which a backup is kept.
    pub force: bool,
}

/// What was done for one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The files, as they were and as they are now.
    pub changes: Vec<Change>,
    /// What the person should know.
    pub notes: Vec<String>,
    /// What was left as it is.
    pub left: Vec<Left>,
}

/// Answers for the environment, as manifests ask for it.
pub(crate) fn asked(env: &Env) -> impl Fn(&str) -> Option<String> + '_ {
    |name| env.get(name).map(str::to_owned)
}

/// Refuses an agent whose own configuration cannot be wired.
fn refuse_unknown(manifest: &Manifest) -> Result<(), GlobalError> {
    if manifest.is_global() {
        Ok(())
    } else {
        Err(GlobalError::NotGlobal(manifest.name.to_string()))
    }
}

#[cfg(test)]
mod tests;

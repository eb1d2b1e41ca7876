//! Runs the commands of an event that is waited for: the caller goes on when they have ended.

use std::path::Path;
use std::time::Duration;

use session_core::happening::{Happening, variables};

use super::command::{Limits, run};
use super::table::HookTable;
use crate::env::Env;

/// A command of an awaited event failed; those after it were not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hook {command:?} failed ({failure})")]
pub struct HookFailed {
    /// The command.
    pub command: String,
    /// What went wrong, in a few words.
    pub failure: String,
    /// Its exit status; `None` when it ran out of time, or a signal ended it.
    pub exit: Option<i32>,
    /// The end of its standard error.
    pub stderr_tail: String,
}

/// Runs the commands of what happened, in order, in a folder. The first that fails stops the rest. Such an event has no
/// number: `TALLY_SEQ` is 0.
///
/// # Errors
/// When a command fails or runs out of time.
pub fn run_awaited(
    happening: &Happening,
    folder: &Path,
    table: &HookTable,
    env: &Env,
) -> Result<(), HookFailed> {
    let variables = variables(happening, 0);
    for command in table.of(happening.event) {
        let limits = Limits {
            timeout: Duration::from_millis(command.timeout_ms),
            folder: Some(folder),
        };
        let ran = run(&command.run, &variables, env, limits);
        if let Some(failure) = ran.failure {
            return Err(HookFailed {
                command: command.run.clone(),
                failure,
                exit: ran.exit,
                stderr_tail: ran.stderr,
            });
        }
    }
    Ok(())
}

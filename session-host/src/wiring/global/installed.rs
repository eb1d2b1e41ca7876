//! Whether an agent is there at all.

use std::path::Path;

use session_core::manifest::Manifest;

use super::Wirer;
use super::error::GlobalError;
use crate::wiring::find_executable;

/// Refuses an agent that is not installed: there is neither its program nor its configuration (case E12).
///
/// # Errors
/// When it is not.
pub(super) fn refuse_absent(
    manifest: &Manifest,
    home: &Path,
    wirer: &Wirer<'_>,
) -> Result<(), GlobalError> {
    let command = &manifest.executable.command;
    if home.is_dir() || find_executable(wirer.env, command, wirer.own).is_ok() {
        return Ok(());
    }
    Err(GlobalError::NotInstalled {
        command: command.clone(),
        home: home.to_owned(),
    })
}

//! Which plugins a session has, as far as it tells without being asked.

use std::fs;

use session_host::process::ProcessTable;

use super::metadata::{Metadata, metadata_file};
use crate::discover::Found;

/// The locations of the plugins that have a pane in a session. Reads its metadata file, which is at most a second old;
/// `None` where there is none, or none that can be read. Blocking, and asks nobody.
#[must_use]
pub fn plugins(found: &Found, processes: &dyn ProcessTable) -> Option<Vec<String>> {
    let name = found.name.as_deref()?;
    let file = metadata_file(processes, found.server.pid, name)?;
    let metadata = Metadata::read(&fs::read_to_string(file).ok()?)?;
    Some(metadata.plugins)
}

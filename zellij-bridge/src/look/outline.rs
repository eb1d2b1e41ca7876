//! What a session holds, as far as it tells without being asked.

use std::fs;

use session_host::process::ProcessTable;

use super::metadata::{Metadata, metadata_file};
use crate::discover::Found;

/// What a session holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The locations of the plugins that have a pane.
    pub plugins: Vec<String>,
    /// How many panes with a terminal there are.
    pub panes: usize,
}

/// Reads a session's metadata file, which is at most a second old; `None` where there is none, or none that can be read.
/// Blocking, and asks nobody.
#[must_use]
pub fn outline(found: &Found, processes: &dyn ProcessTable) -> Option<Outline> {
    let name = found.name.as_deref()?;
    let file = metadata_file(processes, found.server.pid, name)?;
    let metadata = Metadata::read(&fs::read_to_string(file).ok()?)?;
    Some(Outline {
        panes: metadata.facts.layout.panes.len(),
        plugins: metadata.plugins,
    })
}

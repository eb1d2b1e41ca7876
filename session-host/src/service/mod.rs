//! The daemon: one per user, woken by signals and by the bridges.
//!
//! The keeper is the daemon without its event loop: it applies events to records, in the store's
//! transactions. Around it the event loop waits for datagrams, for what the bridges see, for the ends of processes,
//! for changes of the agents' registries and for the time, and draws a new picture when something has changed.

mod bridges;
mod control;
mod debts;
mod elsewhere;
mod error;
mod exits;
mod hooks;
mod keeper;
mod lock;
mod looks;
mod memory;
mod panes;
mod registries;
mod run;
mod sockets;
#[cfg(test)]
mod tests;
mod ticks;
mod vacancy;

use std::ffi::OsString;
use std::sync::Arc;

pub use control::{ControlError, Reply, Request, Status, ask};
pub use error::ServiceError;
pub use run::run;
use session_core::{MachineId, Policy};
pub use vacancy::Vacancy;

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
    /// The command that runs an errand of the hooks, without its number.
    pub hook_runner: Vec<OsString>,
}

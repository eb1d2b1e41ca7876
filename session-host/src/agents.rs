//! What the host has to know about agents, whatever it is read from.

use session_core::AgentName;
use session_core::manifest::{Coverage, Manifest, ProcessMatch};

use crate::manifests;

/// A source of manifests. The embedded ones are enough for `tally signal`; the daemon and the command line may
/// add the person's own.
pub trait AgentSource: Send + Sync {
    /// One agent's manifest.
    fn manifest(&self, agent: &str) -> Option<Manifest>;

    /// How each known agent's process is recognised.
    fn processes(&self) -> Vec<(AgentName, ProcessMatch)>;

    /// What an agent can report; nothing for an unknown one.
    fn coverage(&self, agent: &AgentName) -> Coverage {
        self.manifest(agent.as_str())
            .map(|manifest| manifest.coverage)
            .unwrap_or_default()
    }
}

/// The extensions embedded in this build.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedAgents;

impl AgentSource for EmbeddedAgents {
    fn manifest(&self, agent: &str) -> Option<Manifest> {
        manifests::find(agent)
    }

    fn processes(&self) -> Vec<(AgentName, ProcessMatch)> {
        manifests::processes()
    }

    fn coverage(&self, agent: &AgentName) -> Coverage {
        manifests::coverage(agent)
    }
}

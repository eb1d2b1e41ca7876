//! Which agents a command is about.

use session_core::manifest::Manifest;
use session_host::manifests;

use super::known;
use crate::args::Whose;
use crate::failure::Failure;

/// The word for all agents.
const ALL: &str = "hooks";

/// The agents.
#[derive(Debug)]
pub(super) struct Choice {
    /// Each once.
    pub(super) agents: Vec<Manifest>,
    /// Whether they were named: then what cannot be done for one of them is a failure.
    pub(super) named: bool,
}

impl Choice {
    /// The agents that were named, or all.
    ///
    /// # Errors
    /// When there is no such agent.
    pub(super) fn of(whose: &Whose) -> Result<Self, Failure> {
        if whose.all || whose.agents.iter().any(|agent| agent == ALL) {
            return Ok(Self {
                agents: manifests::all().to_vec(),
                named: false,
            });
        }
        let mut agents: Vec<Manifest> = Vec::new();
        for name in &whose.agents {
            let agent = known(name)?;
            if agents.iter().all(|known| known.name != agent.name) {
                agents.push(agent);
            }
        }
        Ok(Self {
            agents,
            named: true,
        })
    }
}

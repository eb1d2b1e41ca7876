//! What an agent can report at all (case F4).

use serde::{Deserialize, Serialize};

use crate::state::State;

/// How an agent's `blocked` is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockedCoverage {
    /// By a structured event.
    Structured,
    /// By a match on a text.
    Heuristic,
    /// Not at all.
    #[default]
    None,
}

/// The states an agent can report, and how far they can be believed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The states its signals can express; what is missing here comes from other evidence.
    #[serde(default)]
    pub reportable: Vec<State>,
    /// How its `blocked` is known.
    #[serde(default)]
    pub blocked: BlockedCoverage,
    /// Whether the mapping has not been verified against the agent itself.
    #[serde(default)]
    pub experimental: bool,
    /// The agent's versions the mapping was verified against.
    #[serde(default)]
    pub verified: Vec<String>,
}

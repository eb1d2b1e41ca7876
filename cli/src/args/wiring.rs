//! What can be typed to wire agents and to take the wiring out.

use clap::Args;

/// `tally extension activate`, `deactivate` and `reinstall`.
#[derive(Debug, Args)]
pub(crate) struct WiringArgs {
    /// Whose wiring.
    #[command(flatten)]
    pub whose: Whose,
    /// Print the exact difference as a unified diff, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Also where the agent is too old, and over a file of ours that was edited: it is saved beside.
    #[arg(long, requires = "global")]
    pub force: bool,
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// `tally extension diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// Whose wiring.
    #[command(flatten)]
    pub whose: Whose,
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// Which agents, and which of their wirings.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// The agents; `hooks` is all of them.
    #[arg(value_name = "AGENT", required_unless_present = "all")]
    pub agents: Vec<String>,
    /// All agents.
    #[arg(long, conflicts_with = "agents")]
    pub all: bool,
    /// The agent's own configuration, so that it also reports when it is started without Tallylight.
    #[arg(long)]
    pub global: bool,
}

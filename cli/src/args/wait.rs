//! What can be typed to wait for sessions.

use clap::Args;

/// `tally wait`.
#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    /// The sessions.
    #[arg(required = true, value_name = "REF")]
    pub references: Vec<String>,
    /// The states, one of which is waited for: blocked, done, idle, … or gone, which is the end of the session.
    #[arg(
        long,
        required = true,
        value_delimiter = ',',
        value_name = "STATE[,STATE]"
    )]
    pub until: Vec<String>,
    /// Until one of the sessions is there; otherwise until all are at the same time.
    #[arg(long, conflicts_with = "all")]
    pub any: bool,
    /// Until all of the sessions are there at the same time, which is what is meant without it.
    #[arg(long)]
    pub all: bool,
    /// The longest wait, such as 90s or 2h; then the status is 124.
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
}

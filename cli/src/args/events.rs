//! What can be typed to read the journal.

use clap::Args;

/// `tally events`.
#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    /// Go on with what comes, until nobody reads it any more.
    #[arg(long, short)]
    pub follow: bool,
    /// Begin with what came after the event of this number; without it, with the oldest that is kept.
    #[arg(long, value_name = "SEQ")]
    pub since: Option<u64>,
    /// Print a JSON document for each event, each on a line of its own (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

//! More about one session.

use session_core::{Explanation, SessionId, State};

/// More about one session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Detail {
    /// The session.
    pub session: SessionId,
    /// Why it shows what it shows.
    pub why: Explanation,
    /// What has become of it lately, the latest first.
    pub journal: Vec<Row>,
    /// What its pane shows, a line a row, cleaned; or why that is not known.
    pub screen: Result<Vec<String>, String>,
}

/// A row of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// When it was, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
    /// Why, in a few words.
    pub reason: String,
}

//! The people's clients of a server.

use session_core::{ClientFact, ClientId, MuxSessionId};

use super::fields::Record;
use crate::error::TmuxError;
use crate::mark::Mark;

pub(super) fn format(mark: &Mark) -> String {
    mark.record_format(
        'C',
        &[
            "pane_id",
            "client_activity",
            "session_id",
            "client_flags",
            "client_pid",
        ],
        &["client_name"],
    )
}

/// A person at a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The client and the pane it shows.
    pub fact: ClientFact,
    /// The mux session it is attached to.
    pub mux_session: MuxSessionId,
    /// When it was last used, in seconds since the Unix epoch.
    pub active_at: i64,
    /// The client's process, which may itself run in a pane of another server.
    pub pid: u32,
}

/// The person behind a client; `None` for a program that follows the server, and for a client without a pane.
///
/// Control mode alone makes nobody a program: whoever uses iTerm2's integration is such a client. One that wants no
/// output shows nothing to anybody (facts §3).
pub(super) fn person(record: &Record) -> Result<Option<Person>, TmuxError> {
    let flags: String = record.field(3)?;
    let has = |wanted: &str| flags.split(',').any(|flag| flag == wanted);
    let Some(pane) = record.optional(0)? else {
        return Ok(None);
    };
    if has("no-output") {
        return Ok(None);
    }
    Ok(Some(Person {
        fact: ClientFact {
            client: ClientId(record.free(0)?),
            pane,
            focused: has("focused") && !has("suspended"),
        },
        mux_session: record.field(2)?,
        active_at: record.field(1)?,
        pid: record.field(4)?,
    }))
}

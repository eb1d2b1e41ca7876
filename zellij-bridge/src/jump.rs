//! Brings the person to a pane.

use session_core::{ClientId, PaneId, ServerView};

use crate::error::ZellijError;
use crate::zellij::{Address, DEADLINE};

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// The client that was used last shows the pane.
    Switched,
    /// Nobody is attached; this shows the pane.
    Attach {
        /// The session to attach to.
        session: String,
    },
}

/// Shows the pane to the session's person. zellij moves the client that was used last, and goes to the pane's tab as well
/// (facts §3). With nobody attached it succeeds and changes nothing, so that is found out first, from what the daemon
/// has seen. Blocking.
///
/// # Errors
/// When the session is not there, or does not answer in time.
pub fn jump(
    session: &Address,
    pane: PaneId,
    clients: Option<&[ClientId]>,
) -> Result<Jump, ZellijError> {
    if clients.is_some_and(<[ClientId]>::is_empty) {
        return Ok(Jump::Attach {
            session: session.name().to_owned(),
        });
    }
    session.action(
        &["focus-pane-id", &format!("terminal_{}", pane.0)],
        DEADLINE,
    )?;
    Ok(Jump::Switched)
}

/// The clients of a view.
#[must_use]
pub fn clients(view: &ServerView) -> Vec<ClientId> {
    view.clients
        .iter()
        .map(|fact| fact.client.clone())
        .collect()
}

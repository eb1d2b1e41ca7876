//! What a pane shows, for a preview.

use std::time::Duration;

use session_core::PaneId;

use crate::command::{Batch, Line, Target, Tmux};
use crate::error::TmuxError;

/// The visible screen of a pane, one line a row, without its colours. Only read: no mode is entered and nothing is
/// typed. Blocking.
///
/// The text is what whoever runs in the pane wrote, and has to be cleaned before it is shown.
///
/// # Errors
/// When the pane is not there, or tmux does not answer within the limit.
pub fn screen(tmux: &Tmux, pane: PaneId, limit: Duration) -> Result<String, TmuxError> {
    let capture = Line::new("capture-pane")
        .flag("-p")
        .target(&Target::Pane(pane));
    let printed = tmux.run(&Batch::from(capture), limit)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

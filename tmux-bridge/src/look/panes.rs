//! The panes of a server, each once.

use std::collections::BTreeMap;

use session_core::view::clean;
use session_core::{Exit, MuxSessionId, PaneId, PanePlace};

use super::fields::Record;
use super::{Depth, ours};
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::version::Version;

/// More of a name is of no use to anybody.
const LONGEST_NAME: usize = 80;

pub(super) fn format(mark: &Mark, depth: Depth) -> String {
    let mut fields = vec![
        "pane_id",
        "pane_pid",
        "pane_dead",
        "pane_dead_status",
        "pane_dead_signal",
        "pane_active",
        "window_id",
        "window_index",
        "session_id",
    ];
    let ours = ours::in_pane();
    if depth == Depth::Full {
        fields.extend(ours.iter().map(String::as_str));
    }
    let free: &[&str] = match depth {
        Depth::Quick => &["window_name", "session_name"],
        Depth::Full => &[
            "window_name",
            "session_name",
            "pane_current_command",
            "pane_current_path",
        ],
    };
    mark.record_format('P', &fields, free)
}

/// Collects panes: tmux lists those of a grouped or linked window once for each mux session.
#[derive(Debug, Default)]
pub(super) struct Panes {
    known: BTreeMap<PaneId, PanePlace>,
    untold: Vec<u32>,
}

impl Panes {
    pub(super) fn add(&mut self, record: &Record, version: Version) -> Result<(), TmuxError> {
        let pane: PaneId = record.field(0)?;
        let session: MuxSessionId = record.field(8)?;
        let text = |index: usize| record.free(index).map(|text| version.printed(&text));
        let name = |index: usize| text(index).map(|text| clean(&text, LONGEST_NAME));
        if let Some(known) = self.known.get_mut(&pane) {
            if known.mux_sessions.iter().all(|(id, _)| *id != session) {
                known.mux_sessions.push((session, name(1)?));
            }
            return Ok(());
        }
        let pid = record.field(1).ok().filter(|pid| *pid != 0);
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let dead = if record.yes(2) {
            let exit = exit(record, pid, version)?;
            if exit.is_none() {
                self.untold.extend(pid);
            }
            exit
        } else {
            None
        };
        let place = PanePlace {
            pane,
            pid,
            dead,
            window: record.field(6)?,
            window_name: name(0)?,
            window_index: record.field(7)?,
            mux_sessions: vec![(session, name(1)?)],
            active: record.yes(5),
            command: name(2).ok().and_then(some),
            cwd: text(3).ok().and_then(some),
        };
        self.known.insert(pane, place);
        Ok(())
    }

    /// The panes, and the processes of those that are dead without a word about how they ended.
    pub(super) fn done(self) -> (Vec<PanePlace>, Vec<u32>) {
        (self.known.into_values().collect(), self.untold)
    }
}

/// How a dead pane's process ended. `None` for a pane that never had one, and for the moment between the end of the
/// pane's terminal and that of its process; the hook `pane-died` brings another look.
fn exit(record: &Record, pid: Option<u32>, version: Version) -> Result<Option<Exit>, TmuxError> {
    Ok(match (record.optional(3)?, record.optional(4)?) {
        (_, Some(signal)) => Some(Exit::Signal(signal)),
        (Some(status), None) => Some(Exit::Status(status)),
        // Before 3.3 the signal is not told: no status is all there is to see.
        (None, None) => (pid.is_some() && !version.has_dead_signal()).then_some(Exit::Signal(0)),
    })
}

//! Sessions, tabs and pictures for tests.

use session_core::wire::{Down, Lamp, Tally, WIRE_VERSION};
use session_core::{BlockedKind, PaneId, State};

use crate::layout::{Layout, Pane, Tab};

/// The time of the tests, in milliseconds.
pub(crate) const NOW: i64 = 1_760_000_000_000;

/// A session of Claude Code that has been in its state for three minutes.
pub(crate) fn lamp(pane: u32, state: State) -> Lamp {
    Lamp {
        pane: PaneId(pane),
        state,
        kind: (state == State::Blocked).then_some(BlockedKind::Permission),
        error: None,
        agent: Some("claude".parse().unwrap()),
        name: None,
        since_ms: NOW - 180_000,
        message: (state == State::Blocked).then(|| "Bash: rm -r build".to_owned()),
        window: None,
    }
}

/// A picture of these sessions, the machine having no others.
pub(crate) fn picture(sessions: Vec<Lamp>) -> Down {
    let tally = Tally::of(&sessions);
    Down {
        v: WIRE_VERSION,
        run: 1,
        seq: 1,
        at_ms: NOW,
        sessions,
        mux_session: tally,
        machine: tally,
        ..Down::default()
    }
}

/// Tabs with these names and panes, the first of them active.
pub(crate) fn layout(tabs: &[(&str, &[u32])]) -> Layout {
    let mut layout = Layout::default();
    for (position, (name, panes)) in (0..).zip(tabs) {
        layout.tabs.push(Tab {
            id: position + 10,
            position,
            name: (*name).to_owned(),
            active: position == 0,
            ..Tab::default()
        });
        for id in *panes {
            layout.panes.push(Pane {
                id: PaneId(*id),
                tab: position,
                focused: false,
                exited: false,
                exit_status: None,
            });
        }
    }
    layout.panes.sort_by_key(|pane| pane.id);
    layout
}

//! One line of the list.

use session_core::wire::{Down, Elsewhere, Lamp};
use session_core::{Mux, State, URGENCY};

use crate::layout::Layout;
use crate::paint::Target;

/// A session and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The session.
    pub lamp: Lamp,
    /// Its place in words.
    pub place: String,
    /// How to go there; none for a session outside every multiplexer.
    pub target: Option<Target>,
}

/// All sessions, most urgent first, then longest in that state.
#[must_use]
pub fn entries(picture: &Down, elsewhere: &[Elsewhere], layout: &Layout) -> Vec<Entry> {
    let here = picture.sessions.iter().map(|lamp| here(lamp, layout));
    let there = elsewhere
        .iter()
        .flat_map(|group| group.sessions.iter().map(|lamp| there(lamp, group)));
    let mut entries: Vec<Entry> = here.chain(there).collect();
    let order: &[State] = match picture.theme.urgency.as_slice() {
        [] => &URGENCY,
        order => order,
    };
    entries.sort_by_key(|entry| (entry.lamp.state.urgency(order), entry.lamp.since_ms));
    entries
}

fn here(lamp: &Lamp, layout: &Layout) -> Entry {
    let tab = layout.pane(lamp.pane).and_then(|pane| layout.tab(pane.tab));
    let place = tab.map(|tab| format!("{} {}", tab.position + 1, tab.name));
    Entry {
        lamp: lamp.clone(),
        place: place.unwrap_or_default(),
        target: Some(Target::Pane(lamp.pane)),
    }
}

fn there(lamp: &Lamp, group: &Elsewhere) -> Entry {
    let mut place = match group.mux {
        Some(Mux::Tmux) => "tmux ".to_owned(),
        Some(Mux::Zellij) | None => String::new(),
    };
    place.push_str(&group.mux_session);
    if let Some(window) = &lamp.window {
        place.push_str(": ");
        place.push_str(window);
    }
    let pane = lamp.pane;
    let target = group.mux.map(|mux| match mux {
        Mux::Zellij => Target::Away {
            session: group.mux_session.clone(),
            pane,
        },
        Mux::Tmux => Target::Beyond {
            server_pid: group.server_pid,
            pane,
        },
    });
    Entry {
        lamp: lamp.clone(),
        place,
        target,
    }
}

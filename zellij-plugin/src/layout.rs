//! The tabs and panes of the session, as zellij told them last.

use session_core::wire::{Down, Lamp, Tally};
use session_core::{PaneId, State, WindowId};

/// A tab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tab {
    /// Its stable id.
    pub id: u32,
    /// Its place in the row, from 0.
    pub position: u32,
    /// Its name, cleaned.
    pub name: String,
    /// Whether this instance's client shows it.
    pub active: bool,
    /// Whether one pane takes all of it.
    pub fullscreen: bool,
    /// Whether what is typed goes to all its panes.
    pub sync: bool,
    /// Whether a bell rang in it.
    pub bell: bool,
}

impl Tab {
    /// Its id as the core writes it.
    #[must_use]
    pub const fn window(&self) -> WindowId {
        WindowId(self.id)
    }
}

/// A terminal pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pane {
    /// Its id.
    pub id: PaneId,
    /// The position of its tab.
    pub tab: u32,
    /// Whether a client has its focus here.
    pub focused: bool,
    /// Whether its process has ended.
    pub exited: bool,
    /// The status it ended with.
    pub exit_status: Option<i32>,
}

/// The tabs and panes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The tabs by position.
    pub tabs: Vec<Tab>,
    /// The terminal panes by id.
    pub panes: Vec<Pane>,
}

impl Layout {
    /// The pane with an id.
    #[must_use]
    pub fn pane(&self, id: PaneId) -> Option<&Pane> {
        let index = self.panes.binary_search_by_key(&id, |pane| pane.id).ok()?;
        self.panes.get(index)
    }

    /// The tab at a position.
    #[must_use]
    pub fn tab(&self, position: u32) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.position == position)
    }

    /// Whether a session's pane is there, as far as is known.
    #[must_use]
    pub fn holds(&self, lamp: &Lamp) -> bool {
        self.panes.is_empty() || self.pane(lamp.pane).is_some()
    }

    /// The lamps of each tab, by position; one that is missing has no sessions.
    #[must_use]
    pub fn lamps(&self, picture: &Down) -> Vec<(u32, TabLamp)> {
        let mut lamps: Vec<(u32, TabLamp)> = Vec::new();
        for lamp in &picture.sessions {
            let Some(pane) = self.pane(lamp.pane) else {
                continue;
            };
            match lamps.iter_mut().find(|(tab, _)| *tab == pane.tab) {
                Some((_, known)) => known.tally.add(lamp.state),
                None => lamps.push((pane.tab, TabLamp::new(lamp))),
            }
        }
        lamps
    }
}

/// What a tab's lamp says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TabLamp {
    /// The most urgent state in the tab.
    pub state: State,
    /// The pane that is longest in it.
    pub pane: PaneId,
    /// How many sessions are in each state.
    pub tally: Tally,
}

impl TabLamp {
    /// The pictures are in order of urgency, so that a tab's first session speaks for it.
    fn new(first: &Lamp) -> Self {
        let mut tally = Tally::default();
        tally.add(first.state);
        Self {
            state: first.state,
            pane: first.pane,
            tally,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{lamp, layout, picture};

    #[test]
    fn case_j6_a_tabs_lamp_takes_state_and_pane_from_its_most_urgent_session() {
        let layout = layout(&[("code", &[1, 2, 3]), ("web", &[4]), ("empty", &[5])]);
        let picture = picture(vec![
            lamp(2, State::Blocked),
            lamp(4, State::Working),
            lamp(1, State::Done),
            lamp(9, State::Done),
        ]);
        let lamps = layout.lamps(&picture);
        assert_eq!(lamps.len(), 2);
        let (tab, first) = lamps[0];
        assert_eq!(
            (tab, first.state, first.pane),
            (0, State::Blocked, PaneId(2))
        );
        assert_eq!((first.tally.blocked, first.tally.done), (1, 1));
        assert_eq!((lamps[1].0, lamps[1].1.state), (1, State::Working));
    }
}

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
///
/// zellij tells them one after the other, and names a pane's tab by its position. Between the two, after a tab was
/// moved, opened or closed, panes seem to be in tabs where they are not: [`is_whole`](Self::is_whole) says when not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The tabs by position.
    pub tabs: Vec<Tab>,
    /// The terminal panes by id.
    pub panes: Vec<Pane>,
    /// The position of the tab with the plugin's own pane.
    home: Option<u32>,
    awaits_tabs: bool,
    awaits_panes: bool,
}

/// What zellij tells about panes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panes {
    /// The terminal panes by id.
    pub terminals: Vec<Pane>,
    /// The position of the tab with the plugin's own pane.
    pub home: Option<u32>,
}

impl From<Vec<Pane>> for Panes {
    fn from(terminals: Vec<Pane>) -> Self {
        Self {
            terminals,
            home: None,
        }
    }
}

impl Layout {
    /// Takes all tabs; whether anything about them is new.
    pub fn take_tabs(&mut self, tabs: Vec<Tab>) -> bool {
        let places =
            |tabs: &[Tab]| -> Vec<_> { tabs.iter().map(|tab| (tab.id, tab.position)).collect() };
        let awaited = std::mem::take(&mut self.awaits_tabs);
        self.awaits_panes |= !awaited && places(&self.tabs) != places(&tabs);
        let news = self.tabs != tabs;
        self.tabs = tabs;
        news
    }

    /// Takes all panes; whether anything about them is new.
    pub fn take_panes(&mut self, panes: Panes) -> bool {
        let places =
            |panes: &[Pane]| -> Vec<_> { panes.iter().map(|pane| (pane.id, pane.tab)).collect() };
        let awaited = std::mem::take(&mut self.awaits_panes);
        self.awaits_tabs |= !awaited && places(&self.panes) != places(&panes.terminals);
        self.home = panes.home.or(self.home);
        let news = self.panes != panes.terminals;
        self.panes = panes.terminals;
        news
    }

    /// What is known is old: both tabs and panes will be told anew.
    pub const fn expect_both(&mut self) {
        self.awaits_tabs = true;
        self.awaits_panes = true;
    }

    /// Whether tabs and panes are of the same time.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        !self.awaits_tabs && !self.awaits_panes
    }

    /// The tab with the plugin's own pane.
    #[must_use]
    pub fn home(&self) -> Option<WindowId> {
        Some(self.tab(self.home?)?.window())
    }

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
    fn a_layout_is_whole_when_both_halves_have_come() {
        let before = layout(&[("code", &[1]), ("web", &[2])]);
        let mut layout = before.clone();
        let mut moved = before.clone();
        moved.tabs[0].id = 11;
        moved.tabs[1].id = 10;
        moved.panes[0].tab = 1;
        moved.panes[1].tab = 0;
        assert!(layout.take_tabs(moved.tabs.clone()));
        assert!(!layout.is_whole());
        assert!(!layout.take_tabs(moved.tabs.clone()));
        assert!(!layout.is_whole(), "the same half again");
        assert!(layout.take_panes(moved.panes.into()));
        assert!(layout.is_whole());

        moved.tabs[0].name = "renamed".into();
        assert!(layout.take_tabs(moved.tabs));
        assert!(layout.is_whole(), "a name has no other half");
    }

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

//! From a picture to the options, without tmux.

#![allow(clippy::unwrap_used, reason = "this is test code, outside the functions that are known to be tests")]

mod support;

use proptest::prelude::*;
use session_core::{
    Mux, MuxSessionId, PaneId, PanePlace, ServerId, ServerView, State, URGENCY, WindowId,
};
use support::option;
use support::picture::{Lit, lit, picture};
use tmux_bridge::Scope;
use tmux_bridge::publish::{Change, Published, changes, wanted};

/// Six panes in three windows; the last window is in both mux sessions.
fn view(socket: &str, pid: u32) -> ServerView {
    let place = |pane: u32| {
        let window = pane / 2;
        let one = (MuxSessionId(0), "one".to_owned());
        let two = (MuxSessionId(1), "two".to_owned());
        PanePlace {
            pane: PaneId(pane),
            pid: Some(100 + pane),
            dead: None,
            window: WindowId(window),
            window_name: "w".to_owned(),
            window_index: window,
            mux_sessions: if window == 2 { vec![one, two] } else { vec![one] },
            active: pane % 2 == 1,
            command: None,
            cwd: None,
        }
    };
    ServerView {
        server: ServerId { mux: Mux::Tmux, socket: socket.to_owned(), pid, started: 1 },
        version: "3.3a".to_owned(),
        panes: (0..6).map(place).collect(),
        clients: Vec::new(),
        stale_since: None,
    }
}

fn published(panes: &[Lit]) -> Published {
    let view = view("/s", 1);
    wanted(&picture(std::slice::from_ref(&view), panes), &view).unwrap()
}

#[test]
fn case_j6_a_window_shows_its_most_urgent_pane_and_that_panes_kind() {
    let shown = published(&[lit(2, State::Working, 5), lit(3, State::Blocked, 9), lit(4, State::Done, 1)]);
    let window = Scope::Window(WindowId(1));
    assert_eq!(shown.get(window, &option("window")), Some("blocked"));
    assert_eq!(shown.get(window, &option("state")), Some("blocked"));
    assert_eq!(shown.get(window, &option("window_since")), Some("9"));
    assert_eq!(shown.get(window, &option("window_kind")), Some("permission"));
    assert_eq!(shown.get(Scope::Window(WindowId(0)), &option("window")), None);
    assert_eq!(shown.get(Scope::Window(WindowId(2)), &option("window_kind")), None);
    let (one, two) = (Scope::MuxSession(MuxSessionId(0)), Scope::MuxSession(MuxSessionId(1)));
    assert_eq!(shown.get(one, &option("session")), Some("blocked"));
    assert_eq!(shown.get(one, &option("session_working")), Some("1"));
    assert_eq!(shown.get(two, &option("session")), Some("done"));
    assert_eq!(shown.get(two, &option("session_blocked")), Some("0"));
    assert_eq!(shown.get(Scope::Global, &option("blocked_since")), Some("9"));
}

#[test]
fn nothing_is_published_on_a_server_that_the_picture_does_not_know() {
    let (known, unknown) = (view("/s", 1), view("/s", 2));
    assert_eq!(wanted(&picture(&[known], &[]), &unknown), None);
}

#[test]
fn the_machines_counts_are_those_of_all_servers() {
    let servers = [view("/a", 1), view("/b", 2)];
    let panes = [lit(0, State::Blocked, 1), Lit { server: 1, ..lit(0, State::Blocked, 1) }];
    let picture = picture(&servers, &panes);
    let shown = wanted(&picture, &servers[1]).unwrap();
    assert_eq!(shown.get(Scope::Global, &option("blocked")), Some("1"));
    assert_eq!(shown.get(Scope::Global, &option("machine_blocked")), Some("2"));
}

#[test]
fn what_the_server_has_lost_is_forgotten_and_not_unset() {
    let before = published(&[lit(0, State::Done, 1), lit(4, State::Working, 1)]);
    let mut less = view("/s", 1);
    less.panes.retain(|pane| pane.pane != PaneId(0) && pane.pane != PaneId(1));
    let after = wanted(&picture(std::slice::from_ref(&less), &[]), &less).unwrap();
    let changed = changes(&before, &after, &less);
    let in_scope = |scope: Scope| changed.iter().filter(|change| change.scope == scope).count();
    assert_eq!((in_scope(Scope::Pane(PaneId(0))), in_scope(Scope::Window(WindowId(0)))), (0, 0));
    assert!(in_scope(Scope::Pane(PaneId(4))) > 0 && in_scope(Scope::Window(WindowId(2))) > 0);
    assert!(changed.iter().filter(|change| change.scope != Scope::Global).all(|change| change.value.is_none()));
}

fn states() -> impl Strategy<Value = Vec<Lit>> {
    let state = proptest::sample::select(URGENCY.to_vec());
    let pane = (0_u32..6, state, 1_i64..1000).prop_map(|(pane, state, since)| lit(pane, state, since));
    proptest::collection::vec(pane, 0..8)
}

/// Whether a value is a word of ours, a number or an agent's name.
fn is_closed(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-')
}

proptest! {
    #[test]
    fn case_g1_the_same_picture_changes_nothing(panes in states()) {
        let shown = published(&panes);
        prop_assert_eq!(changes(&shown, &shown, &view("/s", 1)), Vec::<Change>::new());
    }

    #[test]
    fn the_changes_lead_from_one_picture_to_the_next(before in states(), after in states()) {
        let (before, after) = (published(&before), published(&after));
        let changed = changes(&before, &after, &view("/s", 1));
        for change in &changed {
            prop_assert_eq!(after.get(change.scope, change.name), change.value.as_deref());
            prop_assert_ne!(before.get(change.scope, change.name), change.value.as_deref());
        }
        let there_and_back = changes(&after, &before, &view("/s", 1));
        prop_assert_eq!(changed.len(), there_and_back.len());
    }

    #[test]
    fn case_k1_only_closed_values_are_published(panes in states()) {
        for change in changes(&Published::default(), &published(&panes), &view("/s", 1)) {
            prop_assert!(change.value.as_deref().is_some_and(is_closed), "{:?}", change);
        }
    }

    #[test]
    fn case_j6_the_order_of_the_panes_does_not_matter(panes in states()) {
        // One session a pane, as in life.
        let mut panes = panes;
        panes.sort_by_key(|lit| lit.pane);
        panes.dedup_by_key(|lit| lit.pane);
        let words = |panes: &[Lit]| {
            let shown = published(panes);
            let scopes = (0..3).map(|id| Scope::Window(WindowId(id))).chain([Scope::Global]);
            scopes.map(|scope| shown.get(scope, &option("state")).map(str::to_owned)).collect::<Vec<_>>()
        };
        let turned: Vec<Lit> = panes.iter().rev().copied().collect();
        prop_assert_eq!(words(&panes), words(&turned));
    }
}

//! The picture of everything, cut down to what one zellij server shows.

use std::collections::BTreeMap;

use super::WIRE_VERSION;
use super::down::{Down, Elsewhere, Lamp, Theme, Top};
use crate::ids::{Mux, PaneId, ServerId};
use crate::snapshot::{SessionView, Snapshot};
use crate::state::State;
use crate::view::clean;

impl Down {
    /// The line for one server. [`run`](Down::run), [`seq`](Down::seq), [`up_pipe`](Down::up_pipe) and
    /// [`ask`](Down::ask) are the sender's to fill in; [`elsewhere`](Down::elsewhere) is complete, and its to take out
    /// where nothing has changed.
    #[must_use]
    pub fn of(snapshot: &Snapshot, server: &ServerId, theme: Theme) -> Self {
        let live = || snapshot.sessions.iter().filter(|view| view.gone.is_none());
        let here = |view: &SessionView| {
            view.pane
                .as_ref()
                .is_some_and(|pane| pane.mux == server.mux && pane.server_pid == server.pid)
        };
        let mux_session = snapshot
            .servers
            .iter()
            .find(|rollup| rollup.server == *server)
            .map(|rollup| rollup.rollup.counts);
        let top = live()
            .next()
            .filter(|view| !here(view) && view.state != State::None);
        Self {
            v: WIRE_VERSION,
            at_ms: snapshot.at_ms,
            server_pid: server.pid,
            theme,
            sessions: live().filter(|view| here(view)).map(lamp).collect(),
            mux_session: mux_session.unwrap_or_default().into(),
            machine: snapshot.rollup.counts.into(),
            top: top.map(|view| Top {
                mux: mux_of(view),
                server_pid: server_of(view),
                mux_session: mux_session_of(view),
                lamp: elsewhere_lamp(view),
            }),
            elsewhere: Some(elsewhere(live().filter(|view| !here(view)))),
            ..Self::default()
        }
    }
}

/// Groups by mux session, in the order in which the most urgent session of each comes.
fn elsewhere<'v>(views: impl Iterator<Item = &'v SessionView>) -> Vec<Elsewhere> {
    let mut groups: Vec<Elsewhere> = Vec::new();
    let mut index: BTreeMap<(Option<Mux>, u32, String), usize> = BTreeMap::new();
    for view in views {
        let (mux, server_pid) = (mux_of(view), server_of(view));
        let mux_session = mux_session_of(view);
        let at = *index
            .entry((mux, server_pid, mux_session.clone()))
            .or_insert(groups.len());
        if at == groups.len() {
            groups.push(Elsewhere {
                mux,
                server_pid,
                mux_session,
                sessions: Vec::new(),
            });
        }
        if let Some(group) = groups.get_mut(at) {
            group.sessions.push(elsewhere_lamp(view));
        }
    }
    groups
}

fn lamp(view: &SessionView) -> Lamp {
    let short = |text: &String, max: usize| Some(clean(text, max)).filter(|text| !text.is_empty());
    // A bar has room for what waits, and for nothing that merely goes on.
    let message = view
        .message
        .as_ref()
        .filter(|_| matches!(view.state, State::Blocked | State::Error));
    Lamp {
        pane: view.pane.as_ref().map_or(PaneId(0), |pane| pane.pane_id),
        state: view.state,
        kind: view.blocked_kind,
        error: view.error_kind,
        agent: view.agent.clone(),
        name: view
            .name
            .as_ref()
            .and_then(|name| short(name, Lamp::MAX_NAME)),
        since_ms: view.state_since_ms,
        message: message.and_then(|message| short(message, Lamp::MAX_MESSAGE)),
        window: None,
    }
}

fn elsewhere_lamp(view: &SessionView) -> Lamp {
    let window = view
        .pane
        .as_ref()
        .and_then(|pane| pane.window_name.as_ref());
    Lamp {
        window: window.map(|name| clean(name, Lamp::MAX_NAME)),
        ..lamp(view)
    }
}

fn mux_of(view: &SessionView) -> Option<Mux> {
    view.pane.as_ref().map(|pane| pane.mux)
}

fn server_of(view: &SessionView) -> u32 {
    view.pane.as_ref().map_or(0, |pane| pane.server_pid)
}

/// zellij's sessions are servers, and named by their socket until they have been looked at.
fn mux_session_of(view: &SessionView) -> String {
    let Some(pane) = &view.pane else {
        return String::new();
    };
    let name = match (&pane.mux_session, pane.mux) {
        (Some(name), _) => name.as_str(),
        (None, Mux::Zellij) => pane.server.as_str(),
        (None, Mux::Tmux) => "",
    };
    clean(name, Lamp::MAX_NAME)
}

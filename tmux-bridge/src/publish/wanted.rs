//! What should be published on a server.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use session_core::{
    Counts, PaneId, Rollup, ServerRollup, ServerView, SessionId, SessionView, Snapshot, State,
};

use super::{
    AGENT, BLOCKED_SINCE, COUNTED, CountNames, KIND, MACHINE_COUNTS, PANE, Published, SERVER,
    SERVER_COUNTS, SESSION, SESSION_COUNTS, SINCE, STATE, WINDOW, WINDOW_KIND, WINDOW_SINCE,
    scopes,
};
use crate::options::Scope;

/// What should be published on the server, by the picture and by what the server has.
///
/// `None` while the picture does not know the server yet: what is there then stays.
#[must_use]
pub fn wanted(picture: &Snapshot, view: &ServerView) -> Option<Published> {
    let rollups = picture
        .servers
        .iter()
        .find(|rollups| rollups.server == view.server)?;
    let there = scopes(view);
    let mine: Vec<&SessionView> = here(picture, view).collect();
    let mut published = Published::default();
    for (pane, session) in panes(&mine, &there) {
        put_pane(&mut published, pane, session);
    }
    put_windows(&mut published, rollups, &mine, &there);
    put_mux_sessions(&mut published, rollups, &there);
    put_server(&mut published, picture, rollups, &mine);
    Some(published)
}

/// The sessions of the server's panes: the most urgent one, where a pane has several.
fn panes<'p>(
    mine: &[&'p SessionView],
    there: &BTreeSet<Scope>,
) -> BTreeMap<PaneId, &'p SessionView> {
    let mut panes = BTreeMap::new();
    for session in mine {
        let pane = session.pane.as_ref().map(|pane| pane.pane_id);
        if let Some(pane) = pane.filter(|pane| there.contains(&Scope::Pane(*pane))) {
            panes.entry(pane).or_insert(*session);
        }
    }
    panes
}

/// The sessions in the server's panes, most urgent first.
fn here<'p>(picture: &'p Snapshot, view: &ServerView) -> impl Iterator<Item = &'p SessionView> {
    picture.sessions.iter().filter(|session| {
        session.gone.is_none()
            && session.state != State::None
            && session.pane.as_ref().is_some_and(|pane| {
                pane.mux == view.server.mux
                    && pane.server == view.server.socket
                    && pane.server_pid == view.server.pid
            })
    })
}

fn put_pane(published: &mut Published, pane: PaneId, session: &SessionView) {
    let scope = Scope::Pane(pane);
    published.put(scope, STATE, &session.state);
    published.put(scope, PANE, &session.state);
    published.put(scope, SINCE, &secs(session.state_since_ms));
    if let Some(kind) = kind(session) {
        published.put(scope, KIND, &kind);
    }
    if let Some(agent) = &session.agent {
        published.put(scope, AGENT, agent);
    }
}

fn put_windows(
    published: &mut Published,
    rollups: &ServerRollup,
    mine: &[&SessionView],
    there: &BTreeSet<Scope>,
) {
    let kinds: HashMap<SessionId, &str> = mine
        .iter()
        .filter_map(|session| Some((session.id, kind(session)?)))
        .collect();
    for (window, rollup) in &rollups.windows {
        let scope = Scope::Window(*window);
        if rollup.state == State::None || !there.contains(&scope) {
            continue;
        }
        published.put(scope, STATE, &rollup.state);
        published.put(scope, WINDOW, &rollup.state);
        if let Some(since) = rollup.since_ms {
            published.put(scope, WINDOW_SINCE, &secs(since));
        }
        if let Some(kind) = rollup.session.and_then(|top| kinds.get(&top)) {
            published.put(scope, WINDOW_KIND, kind);
        }
    }
}

fn put_mux_sessions(published: &mut Published, rollups: &ServerRollup, there: &BTreeSet<Scope>) {
    for (id, rollup) in &rollups.mux_sessions {
        let scope = Scope::MuxSession(*id);
        if rollup.state != State::None && there.contains(&scope) {
            put_rollup(published, scope, SESSION, rollup);
            put_counts(published, scope, &SESSION_COUNTS, &rollup.counts);
        }
    }
}

fn put_server(
    published: &mut Published,
    picture: &Snapshot,
    rollups: &ServerRollup,
    mine: &[&SessionView],
) {
    if rollups.rollup.state != State::None {
        put_rollup(published, Scope::Global, SERVER, &rollups.rollup);
    }
    put_counts(
        published,
        Scope::Global,
        &SERVER_COUNTS,
        &rollups.rollup.counts,
    );
    put_counts(
        published,
        Scope::Global,
        &MACHINE_COUNTS,
        &picture.rollup.counts,
    );
    let blocked = mine
        .iter()
        .filter(|session| session.state == State::Blocked);
    if let Some(since) = blocked.map(|session| session.state_since_ms).min() {
        published.put(Scope::Global, BLOCKED_SINCE, &secs(since));
    }
}

fn put_rollup(published: &mut Published, scope: Scope, own_name: &'static str, rollup: &Rollup) {
    published.put(scope, STATE, &rollup.state);
    published.put(scope, own_name, &rollup.state);
}

fn put_counts(published: &mut Published, scope: Scope, names: &CountNames, counts: &Counts) {
    for (name, state) in names.iter().zip(COUNTED) {
        published.put(scope, name, &counts.of(state));
    }
}

fn kind(session: &SessionView) -> Option<&'static str> {
    match session.state {
        State::Blocked => session.blocked_kind.map(session_core::BlockedKind::word),
        State::Error => session.error_kind.map(session_core::ErrorKind::word),
        _ => None,
    }
}

const fn secs(ms: i64) -> i64 {
    ms.div_euclid(1000)
}

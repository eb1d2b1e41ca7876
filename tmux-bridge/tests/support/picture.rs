//! Pictures as the service draws them, from panes and their states.

use std::collections::BTreeMap;

use session_core::manifest::Coverage;
use session_core::{
    AgentName, BlockedKind, Corroboration, ErrorKind, EvidenceSource, MachineId, PaneView, Rollup,
    SNAPSHOT_SCHEMA, ServerRollup, ServerView, SessionId, SessionView, Snapshot, State, URGENCY,
};

/// One pane with an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lit {
    /// Which of the servers.
    pub(crate) server: usize,
    pub(crate) pane: u32,
    pub(crate) state: State,
    pub(crate) since: i64,
}

/// A pane of the first server.
pub(crate) fn lit(pane: u32, state: State, since: i64) -> Lit {
    Lit {
        server: 0,
        pane,
        state,
        since,
    }
}

/// The picture of these servers.
pub(crate) fn picture(servers: &[ServerView], panes: &[Lit]) -> Snapshot {
    let mut sessions: Vec<SessionView> = panes
        .iter()
        .enumerate()
        .map(|(number, lit)| session(number, lit, &servers[lit.server]))
        .collect();
    sessions.sort_by_key(|session| {
        (
            session.state.urgency(&URGENCY),
            session.state_since_ms,
            session.id,
        )
    });
    let member = |session: &SessionView| (session.state, session.state_since_ms, session.id);
    let of_server = |session: &&SessionView, view: &ServerView| {
        session
            .pane
            .as_ref()
            .is_some_and(|pane| pane.server_pid == view.server.pid)
    };
    let rollups = servers
        .iter()
        .map(|view| {
            let mut windows: BTreeMap<_, Vec<_>> = BTreeMap::new();
            let mut mux_sessions: BTreeMap<_, Vec<_>> = BTreeMap::new();
            for session in sessions.iter().filter(|session| of_server(session, view)) {
                let Some(place) = session
                    .pane
                    .as_ref()
                    .and_then(|pane| view.pane(pane.pane_id))
                else {
                    continue;
                };
                windows
                    .entry(place.window)
                    .or_default()
                    .push(member(session));
                for (id, _) in &place.mux_sessions {
                    mux_sessions.entry(*id).or_default().push(member(session));
                }
            }
            ServerRollup {
                server: view.server.clone(),
                rollup: Rollup::of(
                    sessions
                        .iter()
                        .filter(|session| of_server(session, view))
                        .map(member),
                    &URGENCY,
                ),
                windows: windows
                    .into_iter()
                    .map(|(id, of)| (id, Rollup::of(of, &URGENCY)))
                    .collect(),
                mux_sessions: mux_sessions
                    .into_iter()
                    .map(|(id, of)| (id, Rollup::of(of, &URGENCY)))
                    .collect(),
            }
        })
        .collect();
    Snapshot {
        schema: SNAPSHOT_SCHEMA,
        machine: MachineId("here".to_owned()),
        at_ms: 0,
        seq: 0,
        servers: rollups,
        repos: BTreeMap::new(),
        rollup: Rollup::of(sessions.iter().map(member), &URGENCY),
        sessions,
    }
}

fn session(number: usize, lit: &Lit, view: &ServerView) -> SessionView {
    let place = view.pane(session_core::PaneId(lit.pane));
    SessionView {
        id: SessionId(uuid::Uuid::from_u128(number as u128 + 1)),
        name: None,
        machine: MachineId("here".to_owned()),
        agent: Some("claude".parse::<AgentName>().unwrap()),
        reports_as: None,
        state: lit.state,
        blocked_kind: (lit.state == State::Blocked).then_some(BlockedKind::Permission),
        blocked_heuristic: false,
        error_kind: (lit.state == State::Error).then_some(ErrorKind::RateLimit),
        exit: None,
        state_source: EvidenceSource::Signal,
        state_reason: String::new(),
        state_since_ms: lit.since * 1000,
        state_age_ms: 0,
        turn: 1,
        message: Some("#(touch /tmp/never)".to_owned()),
        tools: 0,
        subagents: 0,
        pane: Some(PaneView {
            mux: view.server.mux,
            server: view.server.socket.clone(),
            server_pid: view.server.pid,
            pane_id: session_core::PaneId(lit.pane),
            window_id: place.map(|place| place.window),
            window_name: place.map(|place| place.window_name.clone()),
            mux_session: None,
            mux_sessions: Vec::new(),
            cwd: None,
        }),
        repo: None,
        pid: None,
        agent_session: None,
        viewed: false,
        acknowledged: false,
        away: None,
        settles_at_ms: None,
        coverage: Coverage::default(),
        corroboration: Corroboration::Unknown,
        stale_since_ms: None,
        gone: None,
    }
}

//! What the picture shows of sessions, panes and windows.

use uuid::Uuid;

use crate::{
    Act, ClientFact, ClientId, Event, MachineId, Mux, MuxSessionId, PaneId, PaneKey, PanePlace,
    Policy, ServerId, ServerView, Session, SessionId, Signal, SignalSource, Snapshot, State, Time,
    ToolRef, WindowId, apply, snapshot,
};

fn server(socket: &str) -> ServerId {
    ServerId {
        mux: Mux::Tmux,
        socket: socket.into(),
        pid: 100,
        started: 1,
    }
}

fn place(pane: u32, window: u32) -> PanePlace {
    PanePlace {
        pane: PaneId(pane),
        pid: Some(1_000 + pane),
        dead: None,
        window: WindowId(window),
        window_name: format!("w{window}"),
        window_index: window,
        mux_sessions: vec![
            (MuxSessionId(0), "main".into()),
            (MuxSessionId(1), "grouped".into()),
        ],
        active: true,
        command: None,
        cwd: None,
    }
}

fn view(socket: &str, panes: &[(u32, u32)]) -> ServerView {
    ServerView {
        server: server(socket),
        version: "3.3a".into(),
        panes: panes
            .iter()
            .map(|(pane, window)| place(*pane, *window))
            .collect(),
        clients: vec![ClientFact {
            client: ClientId("c".into()),
            pane: PaneId(1),
            focused: true,
        }],
        stale_since: None,
    }
}

fn session(socket: &str, pane: u32, acts: &[Act]) -> Session {
    let id = SessionId(Uuid::from_u128(u128::from(pane)));
    let key = PaneKey {
        server: server(socket),
        pane: PaneId(pane),
    };
    let mut session = Session::new(id, MachineId("here".into()), Some(key), Time(0));
    for (step, act) in acts.iter().enumerate() {
        let at = Time::from_ms(i64::try_from(step).unwrap() * 100 + i64::from(pane));
        let signal = Signal {
            at,
            source: SignalSource::Script,
            act: act.clone(),
            actor: None,
            agent: None,
            agent_session: None,
            message: None,
            event: "test".into(),
            fingerprint: u64::try_from(step).unwrap(),
        };
        apply(&mut session, Event::Signal(signal), &Policy::default(), at);
    }
    session
}

fn blocked() -> Vec<Act> {
    vec![
        Act::Work,
        Act::Ask {
            kind: None,
            tool: ToolRef::default(),
            heuristic: false,
            settle_ms: 0,
        },
    ]
}

fn picture(sessions: &[Session], servers: &[ServerView]) -> Snapshot {
    snapshot(
        &MachineId("here".into()),
        0,
        sessions,
        servers,
        |_| Default::default(),
        &Policy::default(),
        Time::from_ms(1_000),
    )
}

#[test]
fn case_b7_a_pane_that_moves_takes_its_state_to_the_new_window() {
    let sessions = [session("/s", 3, &blocked())];
    let before = picture(&sessions, &[view("/s", &[(1, 1), (2, 2), (3, 1)])]);
    let after = picture(&sessions, &[view("/s", &[(1, 1), (2, 2), (3, 2)])]);
    let windows = |picture: &Snapshot| -> Vec<(WindowId, State)> {
        picture.servers[0]
            .windows
            .iter()
            .map(|(id, rollup)| (*id, rollup.state))
            .collect()
    };
    assert_eq!(windows(&before), [(WindowId(1), State::Blocked)]);
    assert_eq!(windows(&after), [(WindowId(2), State::Blocked)]);
    assert_eq!(
        before.sessions[0].state_since_ms,
        after.sessions[0].state_since_ms
    );
}

#[test]
fn case_b6_the_same_pane_id_on_two_servers_is_two_panes() {
    let sessions = [session("/a", 0, &blocked()), session("/b", 0, &[Act::Work])];
    let picture = picture(&sessions, &[view("/a", &[(0, 0)]), view("/b", &[(0, 0)])]);
    let states: Vec<_> = picture
        .servers
        .iter()
        .map(|server| (server.server.socket.as_str(), server.rollup.state))
        .collect();
    assert_eq!(states, [("/a", State::Blocked), ("/b", State::Working)]);
    assert_eq!(picture.rollup.state, State::Blocked);
}

#[test]
fn case_j6_a_neighbours_ordinary_work_does_not_hide_a_block() {
    let servers = [view("/s", &[(1, 1), (2, 1)])];
    for neighbour in [
        vec![Act::Work],
        vec![Act::Interrupt],
        vec![Act::Stop {
            background: None,
            settle_ms: 0,
        }],
    ] {
        let picture = picture(
            &[session("/s", 1, &blocked()), session("/s", 2, &neighbour)],
            &servers,
        );
        assert_eq!(
            picture.servers[0].windows[&WindowId(1)].state,
            State::Blocked
        );
    }
}

#[test]
fn every_mux_session_that_shows_a_window_rolls_it_up() {
    let picture = picture(&[session("/s", 1, &blocked())], &[view("/s", &[(1, 1)])]);
    let mux_sessions: Vec<_> = picture.servers[0]
        .mux_sessions
        .values()
        .map(|rollup| rollup.state)
        .collect();
    assert_eq!(mux_sessions, [State::Blocked, State::Blocked]);
    assert_eq!(
        picture.sessions[0].pane.as_ref().unwrap().mux_sessions,
        ["main", "grouped"]
    );
}

#[test]
fn sessions_come_most_urgent_first_and_then_longest_in_that_state() {
    let stop = vec![Act::Stop {
        background: None,
        settle_ms: 0,
    }];
    let sessions = [
        session("/s", 1, &stop),
        session("/s", 9, &blocked()),
        session("/s", 5, &blocked()),
    ];
    let picture = picture(&sessions, &[view("/s", &[(1, 1), (5, 1), (9, 1)])]);
    let panes: Vec<_> = picture
        .sessions
        .iter()
        .map(|view| view.pane.as_ref().unwrap().pane_id.0)
        .collect();
    assert_eq!(panes, [5, 9, 1]);
}

#[test]
fn the_json_form_has_the_documented_fields() {
    let picture = picture(&[session("/s", 1, &blocked())], &[view("/s", &[(1, 1)])]);
    let json = serde_json::to_value(&picture.sessions[0]).unwrap();
    for field in [
        "id",
        "agent",
        "reports_as",
        "state",
        "blocked_kind",
        "error_kind",
        "state_source",
        "state_since_ms",
        "state_age_ms",
        "turn",
        "message",
        "pane",
        "viewed",
        "acknowledged",
        "coverage",
        "corroboration",
        "stale_since_ms",
    ] {
        assert!(json.get(field).is_some(), "{field}");
    }
    for field in [
        "mux",
        "server",
        "pane_id",
        "window_id",
        "window_name",
        "mux_session",
        "mux_sessions",
        "cwd",
    ] {
        assert!(json["pane"].get(field).is_some(), "{field}");
    }
}

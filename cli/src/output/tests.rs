//! What the renderings look like.

use session_core::manifest::{BlockedCoverage, Coverage};
use session_core::{
    Act, BlockedKind, ErrorKind, Event, GoneWhy, MachineId, Mux, MuxSessionId, PaneId, PaneKey,
    PanePlace, Policy, ServerId, ServerView, Session, Signal, SignalSource, Snapshot, State, Time,
    ToolRef, WindowId, apply, explain, snapshot,
};
use session_host::config::Look;

use super::*;

const NOW: i64 = 10_000_000;

fn server(socket: &str) -> ServerId {
    ServerId {
        mux: Mux::Tmux,
        socket: format!("/tmp/tmux-1000/{socket}"),
        pid: 7,
        started: 1,
    }
}

fn view(socket: &str, panes: &[(u32, &str)]) -> ServerView {
    let place = |(pane, window): &(u32, &str)| PanePlace {
        pane: PaneId(*pane),
        pid: Some(100),
        dead: None,
        window: WindowId(*pane),
        window_name: (*window).to_owned(),
        window_index: *pane,
        mux_sessions: vec![(MuxSessionId(0), "main".to_owned())],
        active: true,
        command: None,
        cwd: None,
    };
    ServerView {
        server: server(socket),
        version: "3.4".to_owned(),
        panes: panes.iter().map(place).collect(),
        clients: Vec::new(),
        stale_since: None,
    }
}

fn session(number: u128, socket: &str, pane: u32, acts: &[(i64, Act, Option<&str>)]) -> Session {
    let id = format!("{number:032x}").parse().unwrap();
    let key = PaneKey {
        server: server(socket),
        pane: PaneId(pane),
    };
    let mut session = Session::new(id, MachineId("m".to_owned()), Some(key), Time::default());
    session.agent = "claude".parse().ok();
    for (ago_s, act, message) in acts {
        let at = Time::from_ms(NOW - ago_s * 1_000);
        let signal = Signal {
            at,
            source: SignalSource::Wired,
            act: act.clone(),
            actor: None,
            agent: None,
            agent_session: None,
            message: message.map(str::to_owned),
            event: "Event".to_owned(),
            fingerprint: at.0.unsigned_abs(),
        };
        apply(&mut session, Event::Signal(signal), &Policy::default(), at);
    }
    session
}

fn ask() -> Act {
    Act::Ask {
        kind: Some(BlockedKind::Permission),
        tool: ToolRef::default(),
        heuristic: false,
        settle_ms: 0,
    }
}

fn sessions() -> Vec<Session> {
    let mut named = session(3, "work", 4, &[(7_200, Act::Prompt, None)]);
    named.name = Some("deploy".to_owned());
    named.turn.tools.push(session_core::ToolInFlight {
        tool: ToolRef::default(),
        actor: None,
        since: Time::default(),
    });
    let mut ended = session(4, "default", 9, &[(500, Act::Prompt, None)]);
    apply(
        &mut ended,
        Event::Gone(GoneWhy::AgentExited),
        &Policy::default(),
        Time::from_ms(NOW - 60_000),
    );
    let waiting = "Bash: cargo test --workspace -- --nocapture 'a rather long filter'";
    vec![
        session(
            1,
            "default",
            1,
            &[(300, Act::Prompt, None), (240, ask(), Some(waiting))],
        ),
        session(
            2,
            "default",
            2,
            &[
                (30, Act::Prompt, None),
                (
                    20,
                    Act::Fail {
                        kind: ErrorKind::RateLimit,
                    },
                    Some("API Error: 429"),
                ),
            ],
        ),
        named,
        ended,
    ]
}

fn picture(sessions: &[Session]) -> Snapshot {
    let servers = [
        view("default", &[(1, "api"), (2, "日本語")]),
        view("work", &[(4, "infra")]),
    ];
    let coverage = |_: &_| Coverage {
        reportable: vec![State::Idle, State::Working, State::Blocked],
        blocked: BlockedCoverage::Structured,
        ..Coverage::default()
    };
    let machine = MachineId("m".to_owned());
    snapshot(
        &machine,
        1,
        sessions,
        &servers,
        coverage,
        &Policy::default(),
        Time::from_ms(NOW),
    )
}

fn listed(columns: Option<usize>) -> String {
    listed_with(&sessions(), false, columns)
}

fn listed_with(sessions: &[Session], ids: bool, columns: Option<usize>) -> String {
    let picture = picture(sessions);
    let views: Vec<_> = picture.sessions.iter().collect();
    list(&ListText {
        sessions: &views,
        now_ms: NOW,
        ids,
        look: &Look::default(),
        paint: Paint::new(false),
        columns,
    })
}

#[test]
fn the_list_has_a_line_for_each_session() {
    insta::assert_snapshot!(listed(None), @r#"
    STATE                   AGE  AGENT            PANE                    MESSAGE
    ◉ blocked (permission)   4m  claude           %1 default/main:api     Bash: cargo test --workspace -- --nocapture 'a rather long filter'
    ✗ error (rate_limit)    20s  claude           %2 default/main:日本語  API Error: 429
    ⟳ working                2h  deploy (claude)  %4 work/main:infra
      ended                  1m  claude           %9 default              agent exited
    "#);
}

#[test]
fn the_list_fits_a_narrow_terminal() {
    insta::assert_snapshot!(listed(Some(72)), @r#"
    STATE                   AGE  AGENT    PANE              MESSAGE
    ◉ blocked (permission)   4m  claude   %1 default/main…  Bash: cargo tes…
    ✗ error (rate_limit)    20s  claude   %2 default/main…  API Error: 429
    ⟳ working                2h  deploy…  %4 work/main:in…
      ended                  1m  claude   %9 default        agent exited
    "#);
}

/// A popup is narrow, and what an agent waits for is what one looks for in it.
#[test]
fn a_list_without_room_keeps_the_states_with_their_kinds() {
    insta::assert_snapshot!(listed(Some(44)), @r#"
    STATE                   AGE  AGENT   PANE
    ◉ blocked (permission)   4m  claude  %1 def…
    ✗ error (rate_limit)    20s  claude  %2 def…
    ⟳ working                2h  deplo…  %4 wor…
      ended                  1m  claude  %9 def…
    "#);
    insta::assert_snapshot!(listed(Some(30)), @r#"
    STATE                   PANE
    ◉ blocked (permission)  %1 …
    ✗ error (rate_limit)    %2 …
    ⟳ working               %4 …
      ended                 %9 …
    "#);
    for columns in 22..120 {
        let text = listed(Some(columns));
        assert!(
            text.contains("blocked (permission)") && text.contains("error (rate_limit)"),
            "{columns}:\n{text}"
        );
    }
}

/// What is shown of an id can be given as a REF, and is not longer than that takes.
#[test]
fn the_list_of_all_shows_of_each_id_what_tells_it_from_the_others() {
    let mut sessions = sessions();
    for (session, id) in sessions.iter_mut().zip([
        "01908f5e-0001-7000-8000-000000000001",
        "01908f5e-0002-7000-8000-000000000002",
        "01908f5f-0001-7000-8000-000000000003",
        "01908f60-0001-7000-8000-00000000000a",
    ]) {
        session.id = id.parse().unwrap();
    }
    insta::assert_snapshot!(listed_with(&sessions, true, Some(120)), @r#"
    STATE                   AGE  AGENT            PANE                    ID             MESSAGE
    ◉ blocked (permission)   4m  claude           %1 default/main:api     01908f5e-0001  Bash: cargo test --workspace -- --…
    ✗ error (rate_limit)    20s  claude           %2 default/main:日本語  01908f5e-0002  API Error: 429
    ⟳ working                2h  deploy (claude)  %4 work/main:infra      01908f5f
      ended                  1m  claude           %9 default              01908f60       agent exited
    "#);
    for session in &sessions {
        let text = listed_with(&sessions, true, None);
        let shown: Vec<&str> = text
            .split_whitespace()
            .filter(|word| word.starts_with("01908f"))
            .collect();
        assert_eq!(shown.len(), sessions.len());
        let of_it = |shown: &&&str| session.id.to_string().starts_with(**shown);
        let found: Vec<_> = shown.iter().filter(of_it).collect();
        assert_eq!(found.len(), 1, "{text}");
        assert!(session_host::query::resolve(found[0], &sessions).is_ok());
    }
}

#[test]
fn case_k3_the_list_holds_no_control_character_but_line_breaks() {
    let mut sessions = sessions();
    let evil = "a\u{1b}[31m\rb\nc\u{7}".to_owned();
    for session in &mut sessions {
        session.name = Some(evil.clone());
        session.cwd = Some(evil.clone());
    }
    let picture = picture(&sessions);
    let views: Vec<_> = picture.sessions.iter().collect();
    let text = ListText {
        sessions: &views,
        now_ms: NOW,
        ids: true,
        look: &Look::default(),
        paint: Paint::new(false),
        columns: Some(100),
    };
    assert!(
        list(&text)
            .chars()
            .all(|char| char == '\n' || !char.is_control())
    );
    let why = explain(&sessions[0], &Policy::default(), Time::from_ms(NOW));
    let told = explanation(views[0], &why, NOW, &Look::default(), Paint::new(false));
    assert!(
        told.chars().all(|char| char == '\n' || !char.is_control()),
        "{told:?}"
    );
}

#[test]
fn an_explanation_names_the_evidence() {
    let sessions = sessions();
    let picture = picture(&sessions);
    let why = explain(&sessions[0], &Policy::default(), Time::from_ms(NOW));
    let told = explanation(
        &picture.sessions[0],
        &why,
        NOW,
        &Look::default(),
        Paint::new(false),
    );
    insta::assert_snapshot!(told, @r#"
    ◉ blocked (permission) for 4m: waits for a permission
      Bash: cargo test --workspace -- --nocapture 'a rather long filter'

    session    00000000-0000-0000-0000-000000000001
    agent      claude
    pane       %1 default/main:api
    turn       1, not acknowledged
    can report idle, working, blocked; blocked by a structured event

    RANK  EVIDENCE  AGE  USED  SAYS
       1  signal     4m  yes   turn 1 open, waiting for the person: 1; last: Event
       7  stall      4m  no    last sign of life; the quiet window is 10 s (the turn waits for the person, however long that takes)
    "#);
}

//! The lines as they are on the pipe, and what readers make of those of another version.

use proptest::prelude::*;
use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::view::GlyphSet;
use crate::{
    Act, BlockedKind, ClientFact, ClientId, ErrorKind, Event, Exit, MachineId, Mux, MuxSessionId,
    PaneId, PaneKey, PanePlace, Policy, ServerId, ServerView, Session, SessionId, Signal,
    SignalSource, State, Time, ToolRef, URGENCY, WindowId, apply, snapshot,
};

fn lamp(pane: u32, state: State) -> Lamp {
    Lamp {
        pane: PaneId(pane),
        state,
        kind: None,
        error: None,
        agent: Some("claude".parse().unwrap()),
        name: None,
        since_ms: 1_760_000_000_000,
        message: None,
        window: None,
    }
}

/// What an agent says goes over the pipe as one line, and comes out as it went in: whatever a shell, a format or another
/// line would make of it.
#[rstest]
#[case("a'b$(touch X)")]
#[case("\"; do shell script \"touch X\"")]
#[case("`touch X`; #(touch X) #{pid} %H:%M #[fg=red]")]
#[case("ends with a backslash\\")]
#[case("two\nlines\r\n{\"v\":1}")]
fn case_k1_a_hostile_text_is_one_line_and_stays_what_it_is(#[case] text: &str) {
    let mut down = full_down();
    for lamp in &mut down.sessions {
        lamp.message = Some(text.to_owned());
        lamp.name = Some(text.to_owned());
        lamp.window = Some(text.to_owned());
    }
    let line = down.line().unwrap();
    assert_eq!(line.trim_end_matches('\n').lines().count(), 1, "{line}");
    assert_eq!(Down::read(&line).unwrap(), down);
}

fn full_down() -> Down {
    let blocked = Lamp {
        kind: Some(BlockedKind::Permission),
        message: Some("Bash: rm -r build".into()),
        ..lamp(5, State::Blocked)
    };
    let failed = Lamp {
        error: Some(ErrorKind::RateLimit),
        name: Some("docs".into()),
        window: Some("editor".into()),
        ..lamp(1, State::Error)
    };
    Down {
        v: WIRE_VERSION,
        run: 1_760_000_000_000_000,
        seq: 42,
        at_ms: 1_760_000_060_000,
        server_pid: 4711,
        up_pipe: Some("0c5fd1f6".into()),
        ask: Some(3),
        bye: false,
        theme: Theme {
            glyphs: GlyphSet::Ascii,
            colours: [("blocked".into(), "brightred".into())].into(),
            urgency: vec![State::Blocked, State::Done],
        },
        sessions: vec![blocked, lamp(2, State::Working)],
        mux_session: Tally {
            blocked: 1,
            working: 1,
            ..Tally::default()
        },
        machine: Tally {
            blocked: 1,
            error: 1,
            working: 1,
            ..Tally::default()
        },
        top: Some(Top {
            mux: Some(Mux::Tmux),
            server_pid: 99,
            mux_session: "main".into(),
            lamp: failed.clone(),
        }),
        elsewhere: Some(vec![Elsewhere {
            mux: Some(Mux::Tmux),
            server_pid: 99,
            mux_session: "main".into(),
            sessions: vec![failed],
        }]),
    }
}

fn full_up() -> Up {
    Up {
        re: Some(3),
        hello: Some(Hello {
            zellij: "0.45.1".into(),
            session: "work".into(),
            pipe: "0c5fd1f6".into(),
            tmpdir: Some("/var/tmp".into()),
        }),
        focus: Some(Focus {
            tab: WindowId(1),
            pane: Some(PaneId(5)),
        }),
        layout: Some(Layout {
            tabs: vec![TabFact {
                id: WindowId(1),
                position: 0,
                name: "code".into(),
            }],
            panes: vec![
                PaneFact {
                    id: PaneId(5),
                    tab: WindowId(1),
                    pid: Some(1234),
                    exited: false,
                    exit: None,
                },
                PaneFact {
                    id: PaneId(6),
                    tab: WindowId(1),
                    pid: None,
                    exited: true,
                    exit: Some(Exit::Status(3)),
                },
            ],
        }),
        closed: vec![PaneId(4)],
        go: Some(Go {
            server_pid: 99,
            pane: PaneId(1),
        }),
        ..Up::from(4711, 1, 2, 7)
    }
}

#[test]
fn a_full_line_down_is_written_as_it_always_was() {
    insta::assert_snapshot!(full_down().line().unwrap());
}

#[test]
fn a_full_line_up_is_written_as_it_always_was() {
    insta::assert_snapshot!(full_up().line().unwrap());
}

#[test]
fn what_is_not_there_costs_nothing_on_the_pipe() {
    let down = Down {
        v: 1,
        run: 1,
        seq: 2,
        at_ms: 3,
        sessions: vec![lamp(5, State::Working)],
        ..Down::default()
    };
    insta::assert_snapshot!(down.line().unwrap());
    insta::assert_snapshot!(
        Up {
            absent: true,
            ..Up::from(4711, 1, 2, 8)
        }
        .line()
        .unwrap()
    );
}

#[test]
fn what_is_written_is_read() {
    assert_eq!(
        Down::read(&full_down().line().unwrap()).unwrap(),
        full_down()
    );
    assert_eq!(Up::read(&full_up().line().unwrap()).unwrap(), full_up());
    assert_eq!(
        Down::read("  {\"v\":1,\"run\":1,\"seq\":2,\"at_ms\":3}\r\n")
            .unwrap()
            .seq,
        2
    );
}

/// An old reader meets new data.
#[test]
fn fields_and_words_of_a_later_time_are_passed_over() {
    let line = r#"{"v":1,"run":1,"seq":2,"at_ms":3,"weather":{"rain":true},
        "theme":{"glyphs":"emoji","urgency":["dreaming","done"],"fonts":[1]},
        "sessions":[{"pane":"%5","state":"dreaming","kind":"sleep","error":"nightmare","agent":"claude","since_ms":9,"mood":"good"}],
        "mux_session":{"dreaming":4,"blocked":1},
        "elsewhere":[{"mux":"screen","server_pid":3,"mux_session":"x"}]}"#;
    let down = Down::read(line).unwrap();
    let session = &down.sessions[0];
    assert_eq!(
        (session.state, session.kind, session.error),
        (State::Unknown, None, None)
    );
    assert_eq!(down.theme.glyphs, GlyphSet::default());
    assert_eq!(down.theme.urgency, [State::Done]);
    assert_eq!(down.mux_session.blocked, 1);
    assert_eq!(down.elsewhere.unwrap()[0].mux, None);

    let up = Up::read(r#"{"v":1,"server_pid":1,"client":1,"plugin":2,"seq":3,"smell":"roses"}"#);
    assert_eq!(up.unwrap(), Up::from(1, 1, 2, 3));
}

/// A new reader meets old data: the least that the first version wrote.
#[test]
fn the_shortest_lines_of_version_1_are_read() {
    let down = Down::read(r#"{"v":1,"run":1,"seq":2,"at_ms":3}"#).unwrap();
    assert_eq!((down.v, down.sessions.len(), down.elsewhere), (1, 0, None));
    assert!(Up::read(r#"{"v":1,"server_pid":1,"client":1,"plugin":2,"seq":3}"#).is_ok());
}

#[rstest]
#[case(r#"{"v":2,"run":1,"seq":2,"at_ms":3}"#)]
#[case(r#"{"v":2,"picture":"of another form altogether"}"#)]
fn a_line_of_a_later_version_is_refused_by_name(#[case] line: &str) {
    assert!(matches!(Down::read(line), Err(WireError::Newer(2))));
    assert!(matches!(Up::read(line), Err(WireError::Newer(2))));
}

#[test]
fn what_is_no_line_is_refused() {
    for line in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"v":1}"#,
        "zjstatus::pipe::pipe_a::x",
    ] {
        assert!(
            matches!(Down::read(line), Err(WireError::Form(_))),
            "{line}"
        );
        assert!(matches!(Up::read(line), Err(WireError::Form(_))), "{line}");
    }
    let long = " ".repeat(3) + &"x".repeat(MAX_LINE + 1);
    assert!(matches!(Down::read(&long), Err(WireError::Long(_))));
}

fn zellij(name: &str, pid: u32) -> ServerId {
    ServerId {
        mux: Mux::Zellij,
        socket: name.into(),
        pid,
        started: 1,
    }
}

fn view(server: &ServerId, panes: &[u32], now_called: &str) -> ServerView {
    ServerView {
        server: server.clone(),
        version: "0.45.1".into(),
        panes: panes
            .iter()
            .map(|pane| PanePlace {
                pane: PaneId(*pane),
                pid: None,
                dead: None,
                window: WindowId(0),
                window_name: "tab".into(),
                window_index: 0,
                mux_sessions: vec![(MuxSessionId(0), now_called.into())],
                active: true,
                command: None,
                cwd: None,
            })
            .collect(),
        clients: vec![ClientFact {
            client: ClientId("1".into()),
            pane: PaneId(0),
            focused: true,
        }],
        stale_since: None,
    }
}

fn session(number: u128, server: &ServerId, pane: u32, act: Act) -> Session {
    let key = PaneKey {
        server: server.clone(),
        pane: PaneId(pane),
    };
    let at = Time::from_ms(i64::from(pane));
    let id = SessionId(Uuid::from_u128(number));
    let mut session = Session::new(id, MachineId("here".into()), Some(key), at);
    let signal = Signal {
        at,
        source: SignalSource::Script,
        act,
        actor: None,
        agent: Some("claude".parse().unwrap()),
        agent_session: None,
        message: Some("may I\u{1b}[31m?".into()),
        event: "test".into(),
        fingerprint: 1,
    };
    apply(&mut session, Event::Signal(signal), &Policy::default(), at);
    session
}

#[test]
fn a_line_holds_one_server_and_names_the_rest_by_mux_session() {
    let (ours, theirs) = (zellij("work", 10), zellij("old-name", 20));
    let servers = [
        view(&ours, &[1, 2], "work"),
        view(&theirs, &[1], "new-name"),
    ];
    let sessions = [
        session(1, &ours, 2, Act::Prompt),
        session(
            2,
            &theirs,
            1,
            Act::Ask {
                kind: None,
                tool: ToolRef::default(),
                heuristic: false,
                settle_ms: 0,
            },
        ),
    ];
    let picture = snapshot(
        &MachineId("here".into()),
        9,
        &sessions,
        &servers,
        |_| crate::manifest::Coverage::default(),
        &Policy::default(),
        Time::from_ms(5_000),
    );
    let down = Down::of(&picture, &ours, Theme::default());
    assert_eq!(down.sessions.len(), 1);
    assert_eq!(down.sessions[0].pane, PaneId(2));
    assert_eq!((down.mux_session.working, down.mux_session.blocked), (1, 0));
    assert_eq!((down.machine.working, down.machine.blocked), (1, 1));
    assert_eq!(down.top.unwrap().mux_session, "new-name");
    let elsewhere = down.elsewhere.unwrap();
    assert_eq!(elsewhere.len(), 1);
    assert_eq!(elsewhere[0].mux_session, "new-name");
    assert_eq!(elsewhere[0].sessions[0].message.as_deref(), Some("may I?"));
    assert_eq!(elsewhere[0].sessions[0].window.as_deref(), Some("tab"));
}

prop_compose! {
    fn any_lamp()(
        pane in any::<u32>(),
        state in prop::sample::select(URGENCY.to_vec()),
        since_ms in any::<i64>(),
        message in prop::option::of("\\PC{0,20}"),
        name in prop::option::of("\\PC{0,9}"),
    ) -> Lamp {
        Lamp { message, name, since_ms, ..lamp(pane, state) }
    }
}

proptest! {
    #[test]
    fn any_picture_survives_the_pipe(sessions in prop::collection::vec(any_lamp(), 0..6), seq in any::<u64>()) {
        let down = Down { v: WIRE_VERSION, seq, sessions, ..Down::default() };
        let line = down.line().unwrap();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Down::read(&line).unwrap(), down);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC*|\\{\"v\":[0-9]{1,3},.{0,30}\\}") {
        let _ = (Down::read(&text), Up::read(&text));
    }
}

//! References to sessions, as people write them.

use std::path::Path;

use session_core::{Mux, PaneId, PaneKey, Session, SessionId, Time};

/// Where the name stands among the ways to find a session.
const BY_NAME: usize = 0;

/// The shortest prefix of an id that is taken for one.
const PREFIX_MIN: usize = 4;

/// A reference that does not name exactly one session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefError {
    /// It names none.
    #[error("{}", unknown(.0))]
    Unknown(String),
    /// It begins as that of a pane, and does not go on as one.
    #[error("{0:?} is not a pane: give tmux:SERVER:%5 or zellij:SESSION:3")]
    NotAPane(String),
    /// It names several.
    #[error("{reference:?} names {} sessions", candidates.len())]
    Ambiguous {
        /// The reference.
        reference: String,
        /// The sessions.
        candidates: Vec<SessionId>,
    },
}

fn unknown(reference: &str) -> String {
    let is_pane = reference.parse::<PaneId>().is_ok() || prefixed(reference).is_some();
    if is_pane {
        format!("there is no session in the pane {reference}")
    } else {
        format!("no session is called {reference:?}")
    }
}

/// The multiplexer of a reference to a pane, and what comes after it.
fn prefixed(reference: &str) -> Option<(Mux, &str)> {
    let of = |mux, prefix| Some((mux, reference.strip_prefix(prefix)?));
    of(Mux::Tmux, "tmux:").or_else(|| of(Mux::Zellij, "zellij:"))
}

/// The multiplexer, the server and the pane that a reference to a pane names in full: `zellij:work:3`.
#[must_use]
pub fn pane_of_server(reference: &str) -> Option<(Mux, &str, PaneId)> {
    let (mux, rest) = prefixed(reference)?;
    let (server, pane) = server_and_pane(rest)?;
    Some((mux, server, pane))
}

/// The multiplexer and the server that a reference names, as it names them: `tmux:work:%5`, and also `tmux:work`.
#[must_use]
pub fn server_of(reference: &str) -> Option<(Mux, &str)> {
    let (mux, rest) = prefixed(reference)?;
    let server = rest.rsplit_once(':').map_or(rest, |(server, _)| server);
    (!server.is_empty()).then_some((mux, server))
}

/// Whether that is what a server with this socket (tmux) or session name (zellij) is called: by the whole of it, or by
/// the last part of its path.
#[must_use]
pub fn is_called(socket: &str, server: &str) -> bool {
    socket == server || socket.rsplit('/').next() == Some(server)
}

/// The server and the pane of what comes after the multiplexer.
fn server_and_pane(rest: &str) -> Option<(&str, PaneId)> {
    let (server, pane) = rest.rsplit_once(':')?;
    Some((server, pane_of(pane)?))
}

/// Finds the session that a reference means: its id or a prefix of at least four characters, `%5`,
/// `tmux:SOCKETNAME:%5`, `zellij:SESSION:3`, or a name.
///
/// One that is live comes before all that are over; of those that were in the same pane it is the last one.
///
/// # Errors
/// When it names no session, or several.
pub fn resolve<'s>(reference: &str, sessions: &'s [Session]) -> Result<&'s Session, RefError> {
    let by_name = |session: &Session| session.name.as_deref() == Some(reference);
    let by_pane = |session: &Session| in_pane(session, reference);
    let by_id = |session: &Session| {
        reference.len() >= PREFIX_MIN
            && session
                .id
                .to_string()
                .starts_with(&reference.to_ascii_lowercase())
    };
    let ways: [&dyn Fn(&Session) -> bool; 3] = [&by_name, &by_pane, &by_id];
    let is_pane = reference.parse::<PaneId>().is_ok() || prefixed(reference).is_some();
    for (index, way) in ways.into_iter().enumerate() {
        let found = sessions.iter().filter(|session| way(session)).collect();
        let mut found = live_before_over(found);
        if is_pane {
            found = last_of_each_pane(found);
        }
        // A name is given on: of those that are over it is the last one's.
        if index == BY_NAME && found.iter().all(|session| session.gone.is_some()) {
            found = found
                .into_iter()
                .max_by_key(|session| last(session))
                .into_iter()
                .collect();
        }
        match found.as_slice() {
            [] => {}
            [session] => return Ok(session),
            _ => {
                let candidates = found.iter().map(|session| session.id).collect();
                return Err(RefError::Ambiguous {
                    reference: reference.to_owned(),
                    candidates,
                });
            }
        }
    }
    match prefixed(reference) {
        Some((_, rest)) if server_and_pane(rest).is_none() => {
            Err(RefError::NotAPane(reference.to_owned()))
        }
        _ => Err(RefError::Unknown(reference.to_owned())),
    }
}

/// The session in a pane of the tmux server with this socket: the live one, else the last one that was there.
#[must_use]
pub fn in_pane_of<'s>(socket: &Path, pane: PaneId, sessions: &'s [Session]) -> Option<&'s Session> {
    last_in(sessions, |key| {
        key.server.mux == Mux::Tmux && key.pane == pane && Path::new(&key.server.socket) == socket
    })
}

/// The session in a pane of the zellij server with this process id: the live one, else the last one that was there.
#[must_use]
pub fn in_zellij_pane(server: u32, pane: PaneId, sessions: &[Session]) -> Option<&Session> {
    last_in(sessions, |key| {
        key.server.mux == Mux::Zellij && key.pane == pane && key.server.pid == server
    })
}

fn last_in(sessions: &[Session], is_there: impl Fn(&PaneKey) -> bool) -> Option<&Session> {
    let is_there = |session: &&Session| session.pane.as_ref().is_some_and(&is_there);
    let found = live_before_over(sessions.iter().filter(is_there).collect());
    found.into_iter().max_by_key(|session| last(session))
}

/// Those that are live, where any is.
fn live_before_over(found: Vec<&Session>) -> Vec<&Session> {
    let (live, over): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|session| session.gone.is_none());
    if live.is_empty() { over } else { live }
}

/// Of those that were in the same pane of the same socket, whatever server was behind it, the last one.
fn last_of_each_pane(mut found: Vec<&Session>) -> Vec<&Session> {
    let place = |session: &Session| {
        let key = session.pane.as_ref();
        key.map(|key| (key.server.mux, key.server.socket.clone(), key.pane))
    };
    found.sort_by_key(|session| std::cmp::Reverse(last(session)));
    let mut places = Vec::new();
    found.retain(|session| {
        let place = place(session);
        let new = !places.contains(&place);
        places.push(place);
        new
    });
    found.sort_by_key(|session| session.id);
    found
}

/// What orders the sessions of one pane.
fn last(session: &Session) -> (bool, Option<Time>, SessionId) {
    let end = session.gone.map(|gone| gone.at);
    (end.is_none(), end, session.id)
}

/// Whether the reference is the session's pane: alone, or with its multiplexer and server.
fn in_pane(session: &Session, reference: &str) -> bool {
    let Some(key) = &session.pane else {
        return false;
    };
    let Some((mux, rest)) = prefixed(reference) else {
        return reference.parse() == Ok(key.pane);
    };
    server_and_pane(rest).is_some_and(|(server, pane)| {
        let socket = key.server.socket.as_str();
        key.server.mux == mux && is_called(socket, server) && pane == key.pane
    })
}

fn pane_of(text: &str) -> Option<PaneId> {
    text.parse().ok().or_else(|| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| text.parse().ok().map(PaneId))?
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use session_core::{Gone, GoneWhy, MachineId, PaneKey, ServerId};
    use uuid::Uuid;

    use super::*;

    fn session(id: u128, mux: Mux, socket: &str, pane: u32, name: Option<&str>) -> Session {
        let server = ServerId {
            mux,
            socket: socket.to_owned(),
            pid: 1,
            started: 1,
        };
        let key = PaneKey {
            server,
            pane: PaneId(pane),
        };
        let mut session = Session::new(
            SessionId(Uuid::from_u128(id)),
            MachineId("m".into()),
            Some(key),
            Time(0),
        );
        session.name = name.map(str::to_owned);
        session
    }

    fn sessions() -> Vec<Session> {
        vec![
            session(
                0x1111_aaaa << 96,
                Mux::Tmux,
                "/tmp/tmux-1000/default",
                5,
                None,
            ),
            session(
                0x1111_bbbb << 96,
                Mux::Tmux,
                "/tmp/tmux-1000/work",
                5,
                Some("api"),
            ),
            session(0x2222_cccc << 96, Mux::Zellij, "work", 3, None),
            session(
                0x3333_dddd << 96,
                Mux::Tmux,
                "/tmp/tmux-1000/work",
                6,
                Some("2222"),
            ),
        ]
    }

    #[rstest]
    #[case("1111aaaa", 0)]
    #[case("1111AAAA", 0)]
    #[case("1111bbbb-0000-0000-0000-000000000000", 1)]
    #[case("tmux:default:%5", 0)]
    #[case("tmux:work:%5", 1)]
    #[case("tmux:/tmp/tmux-1000/work:%5", 1)]
    #[case("tmux:work:5", 1)]
    #[case("zellij:work:3", 2)]
    #[case("%3", 2)]
    #[case("%6", 3)]
    #[case("api", 1)]
    #[case::a_name_comes_before_a_prefix("2222", 3)]
    fn a_reference_means_one_session(#[case] reference: &str, #[case] index: usize) {
        let sessions = sessions();
        assert_eq!(
            resolve(reference, &sessions).map(|session| session.id),
            Ok(sessions[index].id),
            "{reference}"
        );
    }

    #[rstest]
    #[case("")]
    #[case("111")]
    #[case("nobody")]
    #[case("%9")]
    #[case("5")]
    #[case("tmux:other:%5")]
    #[case("zellij:default:%5")]
    fn a_reference_can_mean_nothing(#[case] reference: &str) {
        assert_eq!(
            resolve(reference, &sessions()).unwrap_err(),
            RefError::Unknown(reference.to_owned())
        );
    }

    #[rstest]
    #[case("tmux:work:%5", Some((Mux::Tmux, "work")))]
    #[case("tmux:/a:b/work:5", Some((Mux::Tmux, "/a:b/work")))]
    #[case("zellij:work", Some((Mux::Zellij, "work")))]
    #[case("tmux:", None)]
    #[case("%5", None)]
    #[case("work", None)]
    fn a_reference_may_name_a_server(#[case] reference: &str, #[case] server: Option<(Mux, &str)>) {
        assert_eq!(server_of(reference), server);
    }

    #[rstest]
    #[case("tmux:")]
    #[case("tmux:work")]
    #[case("tmux:work:")]
    #[case("zellij:main:x")]
    fn what_begins_as_a_pane_and_is_none_is_told_as_such(#[case] reference: &str) {
        assert_eq!(
            resolve(reference, &sessions()).unwrap_err(),
            RefError::NotAPane(reference.to_owned())
        );
    }

    #[test]
    fn what_is_not_there_is_told_by_what_was_asked_for() {
        let told = |reference: &str| resolve(reference, &sessions()).unwrap_err().to_string();
        assert_eq!(told("%9"), "there is no session in the pane %9");
        assert_eq!(
            told("tmux:work:%9"),
            "there is no session in the pane tmux:work:%9"
        );
        assert_eq!(told("x"), "no session is called \"x\"");
    }

    #[test]
    fn case_b6_a_pane_of_two_servers_is_ambiguous() {
        let sessions = sessions();
        for reference in ["%5", "1111"] {
            let error = resolve(reference, &sessions).unwrap_err();
            let candidates = vec![sessions[0].id, sessions[1].id];
            assert_eq!(
                error,
                RefError::Ambiguous {
                    reference: reference.to_owned(),
                    candidates
                }
            );
        }
    }

    fn over(mut session: Session, at: i64) -> Session {
        session.gone = Some(Gone {
            at: Time(at),
            why: GoneWhy::PaneClosed,
        });
        session
    }

    fn in_work(id: u128, pane: u32) -> Session {
        session(id << 96, Mux::Tmux, "/tmp/tmux-1000/work", pane, None)
    }

    #[test]
    fn a_live_session_comes_before_those_that_are_over_and_of_those_the_last_one() {
        let live = in_work(1, 5);
        let mut sessions = vec![
            over(in_work(2, 5), 20),
            over(in_work(3, 5), 30),
            over(in_work(4, 5), 10),
        ];
        let newest = sessions[1].id;
        let references = ["%5", "tmux:work:%5", "tmux:/tmp/tmux-1000/work:%5"];
        let found = |sessions: &[Session]| {
            let ids = references.map(|reference| resolve(reference, sessions).unwrap().id);
            let socket = Path::new("/tmp/tmux-1000/work");
            let here = in_pane_of(socket, PaneId(5), sessions).unwrap().id;
            assert!(ids.iter().all(|id| *id == here));
            here
        };
        assert_eq!(found(&sessions), newest);
        sessions.push(live.clone());
        assert_eq!(found(&sessions), live.id);
    }

    #[test]
    fn a_name_is_the_live_sessions_or_that_of_the_last_one_that_is_over() {
        let named = |id: u128, name: &str| session(id << 96, Mux::Tmux, "/s", 5, Some(name));
        let mut sessions = vec![over(named(2, "api"), 20), over(named(3, "api"), 30)];
        assert_eq!(resolve("api", &sessions).unwrap().id, sessions[1].id);
        sessions.push(named(4, "api"));
        assert_eq!(resolve("api", &sessions).unwrap().id, sessions[2].id);
        sessions.push(named(5, "api"));
        assert!(matches!(
            resolve("api", &sessions),
            Err(RefError::Ambiguous { .. })
        ));
    }

    #[test]
    fn panes_of_two_servers_that_are_over_stay_two_and_so_do_ids() {
        let other = session(9 << 96, Mux::Tmux, "/tmp/tmux-1000/default", 5, None);
        let sessions = [
            over(in_work(2, 5), 20),
            over(in_work(3, 5), 30),
            over(other, 5),
        ];
        let candidates = |reference: &str| match resolve(reference, &sessions) {
            Err(RefError::Ambiguous { candidates, .. }) => candidates.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(candidates("%5"), 2);
        assert_eq!(candidates("0000"), 3);
    }
}

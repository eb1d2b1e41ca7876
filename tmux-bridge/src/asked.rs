//! Who asks to be brought to a pane, and what their terminal shows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use session_core::{ClientId, PaneId};

use crate::command::Tmux;
use crate::jump::JumpError;
use crate::look::{Depth, Look, Person, look};

/// Who asked, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The client the person named.
    pub client: Option<ClientId>,
    /// The socket and the pane the command was given in; a popup has no pane.
    pub from: Option<(PathBuf, Option<PaneId>)>,
}

/// What the client shows that a jump would switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The server's socket, as the server itself calls it.
    pub socket: String,
    /// The pane.
    pub pane: PaneId,
    /// When the client was last used, in seconds since the Unix epoch.
    pub active_at: i64,
    /// The client's process.
    pub client_pid: u32,
    /// Whether it is another terminal than the one the person asks from.
    pub elsewhere: bool,
}

/// Asks the server what the client shows that [`jump`](crate::jump()) would switch; `None` where nobody is attached.
/// Blocking.
///
/// # Errors
/// When the client is not there, or tmux does not answer within the limit.
pub fn shown(tmux: &Tmux, asked: &Asked, limit: Duration) -> Result<Option<Shown>, JumpError> {
    let seen = look(tmux, Depth::Quick, limit)?;
    let socket = &seen.view.server.socket;
    let chosen = choose(&seen, Path::new(socket), asked)?;
    Ok(chosen.map(|(person, elsewhere)| Shown {
        socket: socket.clone(),
        pane: person.fact.pane,
        active_at: person.active_at,
        client_pid: person.pid,
        elsewhere,
    }))
}

/// The client to switch, and whether it is another one than the one the person looks at.
pub(crate) fn choose<'l>(
    seen: &'l Look,
    socket: &Path,
    asked: &Asked,
) -> Result<Option<(&'l Person, bool)>, JumpError> {
    let from = asked
        .from
        .as_ref()
        .filter(|(asked_on, _)| same(asked_on, socket))
        .map(|(_, pane)| pane);
    if let Some(named) = &asked.client {
        let mut people = seen.people.iter();
        if let Some(person) = people.find(|person| person.fact.client == *named) {
            return Ok(Some((person, false)));
        }
        // Asked on another server, it is a client of that one, which can show nothing of this one.
        if asked.from.is_none() || from.is_some() {
            return Err(JumpError::NoClient(named.0.clone()));
        }
    }
    let latest =
        |people: &mut dyn Iterator<Item = &'l Person>| people.max_by_key(|person| person.active_at);
    let shown = from.copied().flatten().and_then(|pane| {
        let shows = |person: &&Person| person.fact.pane == pane;
        latest(&mut seen.people.iter().filter(shows)).or_else(|| {
            // The pane it was asked in is not the active one any more: then whoever has its window's session.
            let sessions = &seen.view.pane(pane)?.mux_sessions;
            latest(
                &mut seen
                    .people
                    .iter()
                    .filter(|person| sessions.iter().any(|(id, _)| *id == person.mux_session)),
            )
        })
    });
    Ok(match shown.or_else(|| latest(&mut seen.people.iter())) {
        Some(person) => Some((person, from.is_none())),
        None => None,
    })
}

fn same(one: &Path, other: &Path) -> bool {
    one == other
        || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use session_core::{ClientFact, Mux, MuxSessionId, PanePlace, ServerId, ServerView, WindowId};

    use super::*;

    fn place(pane: u32, sessions: &[u32]) -> PanePlace {
        PanePlace {
            pane: PaneId(pane),
            pid: None,
            dead: None,
            window: WindowId(pane),
            window_name: String::new(),
            window_index: 0,
            mux_sessions: sessions
                .iter()
                .map(|id| (MuxSessionId(*id), String::new()))
                .collect(),
            active: true,
            command: None,
            cwd: None,
        }
    }

    fn person(client: &str, pane: u32, mux_session: u32, active_at: i64) -> Person {
        let fact = ClientFact {
            client: ClientId(client.to_owned()),
            pane: PaneId(pane),
            focused: true,
        };
        Person {
            fact,
            mux_session: MuxSessionId(mux_session),
            active_at,
            pid: 1,
        }
    }

    fn seen(people: Vec<Person>) -> Look {
        let server = ServerId {
            mux: Mux::Tmux,
            socket: "/s".to_owned(),
            pid: 1,
            started: 1,
        };
        let panes = vec![place(0, &[0]), place(1, &[0, 1]), place(2, &[1])];
        let view = ServerView {
            server,
            version: String::new(),
            panes,
            clients: Vec::new(),
            stale_since: None,
        };
        Look {
            view,
            people,
            hooks: String::new(),
            untold: Vec::new(),
            began: std::time::Instant::now(),
            ours: None,
        }
    }

    fn chosen(
        seen: &Look,
        client: Option<&str>,
        from: Option<(&str, Option<u32>)>,
    ) -> Option<(String, bool)> {
        let asked = Asked {
            client: client.map(|name| ClientId(name.to_owned())),
            from: from.map(|(socket, pane)| (PathBuf::from(socket), pane.map(PaneId))),
        };
        let (person, elsewhere) = choose(seen, Path::new("/s"), &asked).unwrap()?;
        Some((person.fact.client.0.clone(), elsewhere))
    }

    #[test]
    fn the_person_who_asks_is_the_one_who_is_moved() {
        let seen = seen(vec![
            person("a", 0, 0, 10),
            person("b", 1, 1, 30),
            person("c", 1, 1, 20),
        ]);
        let found = |name: &str, elsewhere| Some((name.to_owned(), elsewhere));
        assert_eq!(
            chosen(&seen, Some("c"), Some(("/s", Some(0)))),
            found("c", false)
        );
        assert_eq!(
            chosen(&seen, None, Some(("/s", Some(0)))),
            found("a", false)
        );
        assert_eq!(
            chosen(&seen, None, Some(("/s", Some(1)))),
            found("b", false)
        );
        assert_eq!(
            chosen(&seen, None, Some(("/s", Some(2)))),
            found("b", false),
            "by the pane's session"
        );
        assert_eq!(
            chosen(&seen, None, Some(("/s", None))),
            found("b", false),
            "from a popup"
        );
        assert_eq!(
            chosen(&seen, None, Some(("/other", Some(0)))),
            found("b", true),
            "from another server"
        );
        assert_eq!(chosen(&seen, None, None), found("b", true));
    }

    #[test]
    fn a_client_that_is_not_there_is_an_error_and_no_client_at_all_is_not() {
        let asked = |from: Option<&str>| Asked {
            client: Some(ClientId("x".to_owned())),
            from: from.map(|socket| (PathBuf::from(socket), None)),
        };
        let nobody = seen(Vec::new());
        for from in [None, Some("/s")] {
            assert!(matches!(
                choose(&nobody, Path::new("/s"), &asked(from)),
                Err(JumpError::NoClient(_))
            ));
        }
        assert_eq!(chosen(&nobody, None, None), None);
    }

    #[test]
    fn the_name_of_a_client_of_another_server_says_nothing_on_this_one() {
        let seen = seen(vec![person("a", 0, 0, 10), person("b", 1, 1, 30)]);
        assert_eq!(
            chosen(&seen, Some("x"), Some(("/other", None))),
            Some(("b".to_owned(), true))
        );
    }
}

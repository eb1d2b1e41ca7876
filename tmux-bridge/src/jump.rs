//! Brings the person to a pane.

use std::path::{Path, PathBuf};

use session_core::{ClientId, MuxSessionId, PaneId, PanePlace};

use crate::command::{Batch, Line, Target, Tmux};
use crate::error::TmuxError;
use crate::look::{Depth, Look, Person, look};
use crate::run::DEADLINE;

/// Who asked, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The client the person named.
    pub client: Option<ClientId>,
    /// The socket and the pane the command was given in; a popup has no pane.
    pub from: Option<(PathBuf, Option<PaneId>)>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A client shows the pane now.
    Switched {
        /// The client.
        client: ClientId,
        /// Whether it is another terminal than the one the command was given in.
        elsewhere: bool,
    },
    /// Nobody is attached to the server. The pane is the chosen one of its window, and that of its mux session, so that
    /// whoever attaches next sees it; this command for a shell attaches.
    Chosen {
        /// The mux session's name.
        mux_session: String,
        /// The command.
        attach: String,
    },
}

/// Why there was no jump.
#[derive(Debug, thiserror::Error)]
pub enum JumpError {
    /// The server has no such pane.
    #[error("the tmux server has no pane {0} any more")]
    NoPane(PaneId),
    /// The server has no such client.
    #[error("no terminal {0:?} is attached to the tmux server; 'tmux list-clients' names them")]
    NoClient(String),
    /// tmux did not do it.
    #[error(transparent)]
    Tmux(#[from] TmuxError),
}

/// Shows the pane to the person who asked: in the client they named, else in the one they ask from, else in the one
/// that was used last. Blocking.
///
/// The mux session is the one the client shows already if the pane is there too; tmux alone would choose freely when
/// a window is linked twice. A zoomed window stays zoomed (facts §9).
///
/// # Errors
/// When the pane or the client is not there, or tmux does not answer.
pub fn jump(tmux: &Tmux, pane: PaneId, asked: &Asked) -> Result<Jump, JumpError> {
    let seen = look(tmux, Depth::Quick, DEADLINE)?;
    let place = seen.view.pane(pane).ok_or(JumpError::NoPane(pane))?;
    let Some((person, elsewhere)) = choose(&seen, Path::new(&seen.view.server.socket), asked)?
    else {
        let session = session(place, None);
        tmux.run(&choose_pane(session, place).into_iter().collect(), DEADLINE)?;
        return Ok(Jump::Chosen {
            mux_session: name_of(session, place),
            attach: attach(&seen.view.server.socket, place),
        });
    };
    tmux.run(&switch(person, place), DEADLINE)?;
    Ok(Jump::Switched {
        client: person.fact.client.clone(),
        elsewhere,
    })
}

/// The client to switch, and whether it is another one than the one the person looks at.
fn choose<'l>(
    seen: &'l Look,
    socket: &Path,
    asked: &Asked,
) -> Result<Option<(&'l Person, bool)>, JumpError> {
    if let Some(named) = &asked.client {
        let person = seen
            .people
            .iter()
            .find(|person| person.fact.client == *named);
        return person
            .map(|person| Some((person, false)))
            .ok_or_else(|| JumpError::NoClient(named.0.clone()));
    }
    let from = asked
        .from
        .as_ref()
        .filter(|(asked_on, _)| same(asked_on, socket))
        .map(|(_, pane)| pane);
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

fn switch(person: &Person, place: &PanePlace) -> Batch {
    let session = session(place, Some(person.mux_session));
    let client = Line::new("switch-client")
        .flag("-Z")
        .client(&person.fact.client)
        .target(&Target::MuxSession(session));
    std::iter::once(client)
        .chain(choose_pane(session, place))
        .collect()
}

/// Makes the pane the one that a mux session shows.
fn choose_pane(session: MuxSessionId, place: &PanePlace) -> [Line; 2] {
    [
        Line::new("select-window").target(&Target::WindowOf(session, place.window)),
        Line::new("select-pane")
            .flag("-Z")
            .target(&Target::Pane(place.pane)),
    ]
}

fn name_of(session: MuxSessionId, place: &PanePlace) -> String {
    let named = place.mux_sessions.iter().find(|(id, _)| *id == session);
    named.map_or_else(|| session.to_string(), |(_, name)| name.clone())
}

/// The mux session to show the pane in.
fn session(place: &PanePlace, preferred: Option<MuxSessionId>) -> MuxSessionId {
    let mut sessions = place.mux_sessions.iter().map(|(id, _)| *id);
    let preferred =
        preferred.filter(|preferred| place.mux_sessions.iter().any(|(id, _)| id == preferred));
    preferred
        .or_else(|| sessions.next())
        .unwrap_or(MuxSessionId(0))
}

fn attach(socket: &str, place: &PanePlace) -> String {
    let session = session(place, None);
    format!(
        "tmux -S {} attach-session -t '{session}' \\; select-window -t '{session}:{}' \\; select-pane -Z -t '{}'",
        quoted(socket),
        place.window,
        place.pane
    )
}

fn quoted(text: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "/._-".contains(char);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use session_core::{ClientFact, Mux, ServerId, ServerView, WindowId};

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
        let asked = Asked {
            client: Some(ClientId("x".to_owned())),
            from: None,
        };
        assert!(matches!(
            choose(&seen(Vec::new()), Path::new("/s"), &asked),
            Err(JumpError::NoClient(_))
        ));
        assert_eq!(chosen(&seen(Vec::new()), None, None), None);
        assert_eq!(
            attach("/tmp/it's", &place(1, &[4])),
            r"tmux -S '/tmp/it'\''s' attach-session -t '$4' \; select-window -t '$4:@1' \; select-pane -Z -t '%1'"
        );
    }

    #[test]
    fn a_linked_window_is_shown_in_the_session_the_person_is_in() {
        assert_eq!(
            session(&place(1, &[0, 1]), Some(MuxSessionId(1))),
            MuxSessionId(1)
        );
        assert_eq!(
            session(&place(1, &[0, 1]), Some(MuxSessionId(7))),
            MuxSessionId(0)
        );
    }
}

//! Brings the person to a pane.

use std::path::Path;

use session_core::{ClientId, MuxSessionId, PaneId, PanePlace};

use crate::asked::{Asked, choose};
use crate::command::{Batch, Line, Target, Tmux};
use crate::error::TmuxError;
use crate::look::{Depth, Person, look};
use crate::run::DEADLINE;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A client shows the pane now.
    Switched {
        /// The client.
        client: ClientId,
        /// Its process.
        client_pid: u32,
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
        client_pid: person.pid,
        elsewhere,
    })
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
    use session_core::WindowId;

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

    #[test]
    fn the_command_that_attaches_is_quoted_for_a_shell() {
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

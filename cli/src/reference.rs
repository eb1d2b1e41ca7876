//! From a REF to a session.

use session_core::{Mux, PaneId, Session, SessionId};
use session_host::clock::Clock as _;
use session_host::query::{RefError, in_pane_of, in_zellij_pane, pane_of_server, resolve};
use zellij_bridge::{Finder, Found};

use crate::absent;
use crate::context::{Context, Inside};
use crate::failure::{Failure, exit};
use crate::output::short_place;

/// The session that a reference means; without one, the session of this pane.
///
/// Inside tmux or zellij, a bare pane id means the server that the command was given in, and no other.
///
/// # Errors
/// When it means none, or several.
pub(crate) fn find<'s>(
    reference: Option<&str>,
    sessions: &'s [Session],
    context: &Context,
) -> Result<&'s Session, Failure> {
    let here = Here::of(context);
    let Some(reference) = reference else {
        let given = context.env.get("TALLY_SESSION");
        return own(sessions, here.as_ref(), given).ok_or_else(|| {
            Failure::failed(match here.as_ref().map(Here::pane) {
                Some(Some(pane)) => format!("there is no session in this pane, {pane}"),
                Some(None) => "this is in no pane, as in a popup or a key binding".to_owned(),
                None => {
                    "this is outside of tmux and zellij, so that no session can be meant".to_owned()
                }
            })
            .hint("Name one: `tally list` shows them.")
        });
    };
    if let (Some(here), Ok(pane)) = (&here, reference.parse()) {
        return here.session(pane, sessions).ok_or_else(|| {
            let (server, form) = match here {
                Here::Tmux(_) => ("tmux server", "tmux:SERVER:%5"),
                Here::Zellij(..) => ("zellij session", "zellij:SESSION:5"),
            };
            Failure::failed(format!(
                "there is no session in the pane {pane} of this {server}"
            ))
            .hint(format!(
                "`tally list` shows what there is; {form} names a pane of another server."
            ))
        });
    }
    if let Some((Mux::Zellij, name, pane)) = pane_of_server(reference) {
        let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
        let server = called_now(name, &found);
        if let Some(session) = server.and_then(|pid| in_zellij_pane(pid, pane, sessions)) {
            return Ok(session);
        }
    }
    resolve(reference, sessions).map_err(|error| {
        let no_server = || absent::server(reference, context);
        failure(&error, no_server, sessions)
    })
}

/// The process of the zellij session that has this name now: it may have been renamed, and a later one may have taken
/// its first name, by which alone the records know it.
fn called_now(name: &str, found: &[Found]) -> Option<u32> {
    let now = found
        .iter()
        .find(|found| found.name.as_deref() == Some(name));
    now.map(|found| found.server.pid)
}

/// Where the command was given: of two multiplexers, in the inner one.
enum Here {
    Tmux(Inside),
    /// The server's process and the pane.
    Zellij(u32, PaneId),
}

impl Here {
    fn of(context: &Context) -> Option<Self> {
        match context.zellij_pane() {
            Some((server, pane)) => Some(Self::Zellij(server, pane)),
            None => context.inside().map(Self::Tmux),
        }
    }

    fn pane(&self) -> Option<PaneId> {
        match self {
            Self::Tmux(inside) => inside.pane,
            Self::Zellij(_, pane) => Some(*pane),
        }
    }

    /// The session in a pane of the same server.
    fn session<'s>(&self, pane: PaneId, sessions: &'s [Session]) -> Option<&'s Session> {
        match self {
            Self::Tmux(inside) => in_pane_of(&inside.socket, pane, sessions),
            Self::Zellij(server, _) => in_zellij_pane(*server, pane, sessions),
        }
    }
}

fn own<'s>(
    sessions: &'s [Session],
    here: Option<&Here>,
    given: Option<&str>,
) -> Option<&'s Session> {
    let given: Option<SessionId> = given.and_then(|id| id.parse().ok());
    let by_id = given.and_then(|id| sessions.iter().find(|session| session.id == id));
    by_id.or_else(|| {
        let here = here?;
        here.session(here.pane()?, sessions)
    })
}

fn failure(
    error: &RefError,
    no_server: impl FnOnce() -> Option<String>,
    sessions: &[Session],
) -> Failure {
    match error {
        RefError::Unknown(_) | RefError::NotAPane(_) => {
            let told = match no_server() {
                Some(why) => format!("{error}; {why}"),
                None => error.to_string(),
            };
            Failure::failed(told).hint("`tally list` shows what there is.")
        }
        RefError::Ambiguous { candidates, .. } => {
            let known = |id: &SessionId| sessions.iter().find(|session| session.id == *id);
            let lines = candidates
                .iter()
                .filter_map(known)
                .map(|session| format!("  {}", short_place(session)));
            lines.fold(
                Failure::new(exit::AMBIGUOUS, format!("{error}; it can be:")),
                Failure::hint,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use session_core::{Gone, GoneWhy, MachineId, Mux, PaneId, PaneKey, ServerId, Time};

    use super::*;

    fn session(id: u128, socket: &str, pane: u32) -> Session {
        let id = format!("{id:032x}").parse().unwrap();
        let server = ServerId {
            mux: Mux::Tmux,
            socket: socket.to_owned(),
            pid: 1,
            started: 1,
        };
        let pane = PaneKey {
            server,
            pane: PaneId(pane),
        };
        Session::new(id, MachineId("m".to_owned()), Some(pane), Time::default())
    }

    #[test]
    fn the_session_of_this_pane_is_the_one_on_this_server() {
        let mut sessions = [
            session(1, "/a", 0),
            session(2, "/b", 0),
            session(3, "/z", 0),
        ];
        if let Some(pane) = &mut sessions[2].pane {
            pane.server.mux = Mux::Zellij;
            pane.server.pid = 77;
        }
        let tmux = |pane| {
            Here::Tmux(Inside {
                socket: "/b".into(),
                pane,
            })
        };
        let here = tmux(Some(PaneId(0)));
        assert_eq!(own(&sessions, Some(&here), None), Some(&sessions[1]));
        let given = sessions[0].id.to_string();
        assert_eq!(
            own(&sessions, Some(&here), Some(&given)),
            Some(&sessions[0])
        );
        assert_eq!(own(&sessions, None, None), None);
        assert_eq!(own(&sessions, Some(&tmux(None)), None), None, "a popup");
        let zellij = |server| Here::Zellij(server, PaneId(0));
        assert_eq!(own(&sessions, Some(&zellij(77)), None), Some(&sessions[2]));
        assert_eq!(own(&sessions, Some(&zellij(78)), None), None);
    }

    #[test]
    fn several_candidates_are_listed_and_have_a_status_of_their_own() {
        let mut sessions = [session(1, "/tmp/a", 0), session(2, "/tmp/b", 0)];
        sessions[0].agent = "claude".parse().ok();
        sessions[1].gone = Some(Gone {
            at: Time::default(),
            why: GoneWhy::AgentExited,
        });
        let candidates = sessions.iter().map(|session| session.id).collect();
        let failure = failure(
            &RefError::Ambiguous {
                reference: "%0".to_owned(),
                candidates,
            },
            || None,
            &sessions,
        );
        let text = format!("{failure:?}");
        assert!(
            text.contains("status: 3")
                && text.contains("tmux:/tmp/a:%0 claude")
                && text.contains("tmux:/tmp/b:%0"),
            "{text}"
        );
        assert_eq!(text.matches("(ended: agent exited)").count(), 1, "{text}");
    }
}

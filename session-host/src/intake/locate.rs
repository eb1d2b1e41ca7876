//! Which pane a delivery is from: what its environment names, believed only as far as the processes bear it out.

use session_core::{Mux, PaneKey, ServerId, Session};

use super::deliver::Desk;
use super::delivery::Probed;
use crate::identity::{Place, not_an_ancestor};
use crate::store::{Row, StoreError};

/// How far the start of a server's process, as the process table tells it, may lie from the time that the server
/// itself tells, in seconds; the clock may have been set in between.
const START_SLACK_S: i64 = 3;
/// Where a delivery belongs.
pub(super) enum Located {
    /// In this pane, which may have a session.
    Pane { key: PaneKey, row: Option<Box<Row>> },
    /// In no pane that is believed, for this reason.
    Nowhere(String),
    /// The multiplexer has to be asked first.
    AskFirst,
}

impl Located {
    fn of(row: Box<Row>) -> Self {
        match row.session.pane.clone() {
            Some(key) => Self::Pane {
                key,
                row: Some(row),
            },
            None => Self::Nowhere("the session has no pane".to_owned()),
        }
    }
}

/// What others say about a pane.
enum Asked {
    /// This server has it, with the process that it should have.
    Yes(ServerId),
    /// It is not so, for this reason.
    No(String),
    /// Nobody can tell.
    NoAnswer,
    /// The multiplexer could.
    NotYet,
}

impl Desk<'_> {
    /// Finds the pane, and makes sure that its process is among our ancestors: by the session's row, by what the
    /// daemon has seen, by the multiplexer's own word. One that does not answer proves nothing.
    pub(super) fn locate(&self, place: &Place, probed: Probed) -> Result<Located, StoreError> {
        let mut rows =
            self.book
                .live_in_pane(self.machine, place.mux, place.server_pid, place.pane)?;
        let mut pick = |fits: &dyn Fn(&Session, &PaneKey) -> bool| {
            let index = rows.iter().position(|row| {
                row.session
                    .pane
                    .as_ref()
                    .is_some_and(|key| fits(&row.session, key))
            });
            index.map(|index| Box::new(rows.swap_remove(index)))
        };
        let known = pick(&|session, key| {
            same_server(key, place)
                && (place.pane_pid.is_none() || session.pane_pid == place.pane_pid)
        });
        if let Some(row) = known {
            return Ok(Located::of(row));
        }
        let pane = place.pane;
        Ok(match self.ask(place, probed)? {
            Asked::Yes(server) => {
                let row = pick(&|_, key| {
                    key.server == server
                        || (key.server.started == 0 && key.server.mux == server.mux)
                });
                Located::Pane {
                    key: PaneKey { server, pane },
                    row,
                }
            }
            Asked::NoAnswer => match pick(&|_, key| same_server(key, place)) {
                // Its process is another than it was: respawned, or this is not the pane.
                Some(row)
                    if row
                        .session
                        .pane_pid
                        .is_some_and(|pid| self.is_child(pid, place.server_pid)) =>
                {
                    Located::Nowhere(not_an_ancestor(&pane))
                }
                Some(row) => Located::of(row),
                None => {
                    let seen = self.book.server(place.mux, place.server_pid)?;
                    let server = seen.map_or_else(|| unverified(place), |view| view.server);
                    Located::Pane {
                        key: PaneKey { server, pane },
                        row: None,
                    }
                }
            },
            Asked::No(why) => Located::Nowhere(why),
            Asked::NotYet => Located::AskFirst,
        })
    }

    fn ask(&self, place: &Place, probed: Probed) -> Result<Asked, StoreError> {
        if let Some(view) = self.book.server(place.mux, place.server_pid)? {
            let seen = view.pane(place.pane).and_then(|pane| pane.pid);
            if seen.is_some() && (place.pane_pid.is_none() || seen == place.pane_pid) {
                return Ok(Asked::Yes(view.server));
            }
        }
        if place.mux == Mux::Zellij {
            // Its server is among the ancestors; more cannot be asked from here.
            return Ok(Asked::NoAnswer);
        }
        Ok(match probed {
            Probed::NotAsked => Asked::NotYet,
            Probed::NoAnswer => Asked::NoAnswer,
            Probed::NoSuchPane => {
                Asked::No(format!("the server has no pane {} any more", place.pane))
            }
            Probed::Pane(pane) if pane.server_pid != place.server_pid => Asked::No(format!(
                "another server has taken the socket {} over",
                place.socket
            )),
            Probed::Pane(pane) if place.pane_pid.is_some_and(|pid| pid != pane.pid) => {
                Asked::No(not_an_ancestor(&place.pane))
            }
            Probed::Pane(pane) => Asked::Yes(ServerId {
                mux: place.mux,
                socket: place.socket.clone(),
                pid: pane.server_pid,
                started: pane.server_started,
            }),
        })
    }

    fn is_child(&self, pid: u32, parent: u32) -> bool {
        self.processes
            .stat(pid)
            .is_ok_and(|stat| stat.parent == parent && !stat.zombie)
    }
}

/// Whether a session is in the server that a signal names, not in an earlier one with the same process id. The socket
/// is not compared: a process has one, whatever path leads to it.
fn same_server(key: &PaneKey, place: &Place) -> bool {
    let known = key.server.started;
    known == 0
        || place
            .server_started
            .is_none_or(|started| (started - known).abs() <= START_SLACK_S)
}

/// A server whose start time nobody has told: 0, until a look at it tells.
fn unverified(place: &Place) -> ServerId {
    let started = match place.mux {
        Mux::Tmux => 0,
        Mux::Zellij => place.server_started.unwrap_or(0),
    };
    ServerId {
        mux: place.mux,
        socket: place.socket.clone(),
        pid: place.server_pid,
        started,
    }
}

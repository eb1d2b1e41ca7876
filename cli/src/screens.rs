//! What the terminals show that a jump would switch, asked of the tmux servers themselves.
//!
//! What the daemon stored of them is as old as its last look, and a person who presses a key twice is quicker.

use std::collections::BTreeMap;
use std::time::Duration;

use session_core::{Mux, PaneId, PaneView, ServerView, SessionId, SessionView};
use tmux_bridge::{Asked, JumpError, Shown, Tmux, shown};

use crate::context::Context;
use crate::nest::{DEEPEST, Nest};

/// How long a server may take to answer: somebody waits at their keys, and others may be blocked elsewhere.
const LIMIT: Duration = Duration::from_millis(500);

/// The terminals, each asked once.
pub(crate) struct Screens<'s> {
    asked: Asked,
    context: &'s Context,
    nest: Nest<'s>,
    seen: BTreeMap<String, Result<Option<Shown>, JumpError>>,
}

impl<'s> Screens<'s> {
    /// The terminals of whoever asks.
    pub(crate) fn new(asked: Asked, servers: &'s [ServerView], context: &'s Context) -> Self {
        Self {
            asked,
            context,
            nest: Nest::new(servers, context),
            seen: BTreeMap::new(),
        }
    }

    /// What is shown of the server with this socket; `None` where nobody is attached.
    fn of(&mut self, socket: &str) -> &Result<Option<Shown>, JumpError> {
        let (asked, env) = (&self.asked, &self.context.env);
        self.seen
            .entry(socket.to_owned())
            .or_insert_with(|| shown(&Tmux::at(socket, env), asked, LIMIT))
    }

    /// The session that the person is at: where they asked, else where they were last.
    pub(crate) fn here(&mut self, sessions: &[&SessionView]) -> Option<SessionId> {
        let sockets: Vec<String> = match &self.asked.from {
            Some((socket, _)) => vec![socket.to_string_lossy().into_owned()],
            None => sessions
                .iter()
                .filter_map(|view| in_tmux(view))
                .map(|pane| pane.server.clone())
                .collect(),
        };
        for socket in &sockets {
            self.of(socket);
        }
        let screen = sockets
            .iter()
            .filter_map(|socket| self.seen.get(socket)?.as_ref().ok()?.as_ref())
            .max_by_key(|shown| shown.active_at);
        // Where no terminal is attached, the person is where the command was given.
        let given = || match &self.asked.from {
            Some((socket, Some(pane))) => Some((socket.to_str()?, *pane)),
            _ => None,
        };
        let place = screen.map(|shown| (shown.socket.as_str(), shown.pane));
        let (socket, pane) = place.or_else(given)?;
        let at = sessions
            .iter()
            .find(|view| in_tmux(view).is_some_and(|known| is_at(known, socket, pane)));
        at.map(|view| view.id)
    }

    /// Whether the terminal that a jump to the pane would switch shows it already. Where that is itself a pane of
    /// another server, this has to be shown as well, unless the person asks from inside.
    ///
    /// # Errors
    /// In words, when the server cannot be asked.
    pub(crate) fn shows(&mut self, pane: &PaneView) -> Result<bool, String> {
        if pane.mux != Mux::Tmux {
            return Ok(false);
        }
        let (mut socket, mut pane) = (pane.server.clone(), pane.pane_id);
        for _ in 0..DEEPEST {
            let shown = match self.of(&socket) {
                Ok(Some(shown)) if shown.socket == socket && shown.pane == pane => shown,
                Ok(_) => return Ok(false),
                Err(error) => return Err(error.to_string()),
            };
            let (elsewhere, client) = (shown.elsewhere, shown.client_pid);
            match elsewhere.then(|| self.nest.host(client)).flatten() {
                Some(host) if host.server.mux == Mux::Tmux => {
                    (socket, pane) = (host.server.socket, host.pane);
                }
                // zellij is not asked: that takes longer than going there.
                _ => return Ok(true),
            }
        }
        Ok(true)
    }
}

fn in_tmux(view: &SessionView) -> Option<&PaneView> {
    view.pane.as_ref().filter(|pane| pane.mux == Mux::Tmux)
}

fn is_at(known: &PaneView, socket: &str, pane: PaneId) -> bool {
    known.server == socket && known.pane_id == pane
}

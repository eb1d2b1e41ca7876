//! What the terminals show that a jump would switch, asked of the tmux servers themselves.
//!
//! What the daemon stored of them is as old as its last look, and a person who presses a key twice is quicker.

use std::collections::BTreeMap;
use std::time::Duration;

use session_core::{Mux, PaneId, PaneView, SessionId, SessionView};
use session_host::env::Env;
use tmux_bridge::{Asked, JumpError, Shown, Tmux, shown};

/// How long a server may take to answer: somebody waits at their keys, and others may be blocked elsewhere.
const LIMIT: Duration = Duration::from_millis(500);

/// The terminals, each asked once.
pub(crate) struct Screens<'s> {
    asked: Asked,
    env: &'s Env,
    seen: BTreeMap<String, Result<Option<Shown>, JumpError>>,
}

impl<'s> Screens<'s> {
    /// The terminals of whoever asks.
    pub(crate) fn new(asked: Asked, env: &'s Env) -> Self {
        Self {
            asked,
            env,
            seen: BTreeMap::new(),
        }
    }

    /// What is shown of the server with this socket; `None` where nobody is attached.
    fn of(&mut self, socket: &str) -> &Result<Option<Shown>, JumpError> {
        let (asked, env) = (&self.asked, self.env);
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

    /// Whether the terminal that a jump to the pane would switch shows it already.
    ///
    /// # Errors
    /// In words, when the server cannot be asked.
    pub(crate) fn shows(&mut self, pane: &PaneView) -> Result<bool, String> {
        if pane.mux != Mux::Tmux {
            return Ok(false);
        }
        match self.of(&pane.server) {
            Ok(screen) => Ok(screen
                .as_ref()
                .is_some_and(|shown| is_at(pane, &shown.socket, shown.pane))),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn in_tmux(view: &SessionView) -> Option<&PaneView> {
    view.pane.as_ref().filter(|pane| pane.mux == Mux::Tmux)
}

fn is_at(known: &PaneView, socket: &str, pane: PaneId) -> bool {
    known.server == socket && known.pane_id == pane
}

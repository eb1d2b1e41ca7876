//! A window as people name it: `@3`, or `tmux:SERVER:@3` from outside of its server.

use std::path::Path;

use session_core::{Rollup, ServerId, ServerView, Snapshot, URGENCY, WindowId};

use crate::failure::{Failure, exit};

/// The window that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked<'a> {
    id: WindowId,
    server: Server<'a>,
}

/// Where it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Server<'a> {
    /// On the server with this socket, by its name or path.
    Named(&'a str),
    /// On the server that the command was given in.
    Here(&'a Path),
    /// On any.
    Any,
}

impl<'a> Asked<'a> {
    /// Reads what was typed; `here` is the socket of the server that it was typed in.
    ///
    /// # Errors
    /// When it names no window.
    pub(crate) fn new(text: &'a str, here: Option<&'a Path>) -> Result<Self, Failure> {
        let (server, id) = match text.strip_prefix("tmux:").map(|rest| rest.rsplit_once(':')) {
            Some(Some((server, id))) => (Server::Named(server), id),
            _ => (here.map_or(Server::Any, Server::Here), text),
        };
        let id = id.parse().map_err(|_| {
            Failure::new(
                exit::USAGE,
                format!("{text:?} is not a window: give @3, or tmux:SERVER:@3"),
            )
        })?;
        Ok(Self { id, server })
    }

    /// The servers that can be meant and have such a window.
    pub(crate) fn among(self, servers: &[ServerView]) -> impl Iterator<Item = &ServerView> {
        let can_be_meant = move |view: &&ServerView| match self.server {
            Server::Named(name) => {
                let socket = &view.server.socket;
                socket == name || socket.rsplit('/').next() == Some(name)
            }
            Server::Here(socket) => Path::new(&view.server.socket) == socket,
            Server::Any => true,
        };
        let has_it = move |view: &&ServerView| view.panes.iter().any(|pane| pane.window == self.id);
        servers.iter().filter(can_be_meant).filter(has_it)
    }

    /// The name that was given for a server, where no server is called so.
    fn unknown_server(self, servers: &[ServerView]) -> Option<&'a str> {
        let Server::Named(name) = self.server else {
            return None;
        };
        let is_called_so = |view: &ServerView| {
            let socket = &view.server.socket;
            socket == name || socket.rsplit('/').next() == Some(name)
        };
        (!servers.iter().any(is_called_so)).then_some(name)
    }

    /// The one server that has it.
    ///
    /// # Errors
    /// When none has, or several.
    pub(crate) fn one_of(self, servers: &[ServerView]) -> Result<&ServerView, Failure> {
        let found: Vec<&ServerView> = self.among(servers).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                if let Some(name) = self.unknown_server(servers) {
                    return Err(Failure::failed(format!("there is no tmux server {name:?}"))
                        .hint("`tally tmux status` lists the servers."));
                }
                let place = match self.server {
                    Server::Named(name) => format!("the tmux server {name:?} has"),
                    Server::Here(socket) => {
                        format!("the tmux server on {} has", socket.display())
                    }
                    Server::Any => "no tmux server that can be seen has".to_owned(),
                };
                let not = if self.server == Server::Any {
                    "a"
                } else {
                    "no"
                };
                Err(Failure::failed(format!("{place} {not} window {}", self.id))
                    .hint("`tally tmux status` lists the servers."))
            }
            _ => {
                let names = found
                    .iter()
                    .map(|view| format!("  tmux:{}:{}", view.server.socket, self.id));
                let several = Failure::new(
                    exit::AMBIGUOUS,
                    format!(
                        "{} servers have a window {}; it can be:",
                        found.len(),
                        self.id
                    ),
                );
                Err(names.fold(several, Failure::hint))
            }
        }
    }

    /// What the window shows; nothing where no agent is in it.
    pub(crate) fn rollup(self, snapshot: &Snapshot, server: &ServerId) -> Rollup {
        let rollups = snapshot
            .servers
            .iter()
            .find(|known| known.server == *server);
        let rollup = rollups.and_then(|rollups| rollups.windows.get(&self.id));
        rollup.copied().unwrap_or_else(|| Rollup::of([], &URGENCY))
    }
}

#[cfg(test)]
mod tests {
    use session_core::{Mux, MuxSessionId, PaneId, PanePlace};

    use super::*;

    fn server(socket: &str, windows: &[u32]) -> ServerView {
        let pane = |window: &u32| PanePlace {
            pane: PaneId(*window),
            pid: None,
            dead: None,
            window: WindowId(*window),
            window_name: String::new(),
            window_index: 0,
            mux_sessions: vec![(MuxSessionId(0), String::new())],
            active: true,
            command: None,
            cwd: None,
        };
        ServerView {
            server: ServerId {
                mux: Mux::Tmux,
                socket: socket.to_owned(),
                pid: 1,
                started: 1,
            },
            version: String::new(),
            panes: windows.iter().map(pane).collect(),
            clients: Vec::new(),
            stale_since: None,
        }
    }

    #[test]
    fn a_window_is_looked_for_here_or_on_the_server_that_is_named_or_on_all() {
        let servers = [server("/tmp/t/a", &[1, 2]), server("/tmp/t/b", &[2])];
        let found = |text: &str, here: Option<&str>| {
            Asked::new(text, here.map(Path::new))
                .and_then(|asked| asked.one_of(&servers))
                .map(|view| view.server.socket.as_str())
                .map_err(|failure| format!("{failure:?}"))
        };
        assert_eq!(found("@1", None).as_deref(), Ok("/tmp/t/a"));
        assert_eq!(found("@2", Some("/tmp/t/b")).as_deref(), Ok("/tmp/t/b"));
        assert_eq!(
            found("tmux:a:@2", Some("/tmp/t/b")).as_deref(),
            Ok("/tmp/t/a")
        );
        assert_eq!(found("tmux:/tmp/t/b:@2", None).as_deref(), Ok("/tmp/t/b"));
        let several = found("@2", None).unwrap_err();
        assert!(
            several.contains("status: 3") && several.contains("tmux:/tmp/t/b:@2"),
            "{several}"
        );
        for (text, here, why) in [
            (
                "@9",
                None,
                "no tmux server that can be seen has a window @9",
            ),
            (
                "@1",
                Some("/tmp/t/b"),
                "the tmux server on /tmp/t/b has no window @1",
            ),
            ("tmux:c:@1", None, "there is no tmux server \\\"c\\\""),
            (
                "tmux:a:@9",
                None,
                "the tmux server \\\"a\\\" has no window @9",
            ),
            ("3", None, "status: 2"),
            ("tmux:@3", None, "status: 2"),
        ] {
            let failure = found(text, here).unwrap_err();
            assert!(failure.contains(why), "{text}: {failure}");
        }
    }
}

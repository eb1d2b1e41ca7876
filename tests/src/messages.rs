//! The commands that clients have given to a tmux server, as the server remembers them.

use std::collections::BTreeSet;

use crate::tmux::Tmux;

/// One command, and the client that gave it: a process of its own for each call of tmux.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The client, such as `client-4711`.
    pub client: String,
    /// The command.
    pub command: String,
}

impl Message {
    /// Has a server remember as many of them as a test needs.
    pub fn remember_all(server: &Tmux) {
        server.run(["set-option", "-s", "message-limit", "1000000"]);
    }

    /// All of them, the oldest first.
    #[must_use]
    pub fn of(server: &Tmux) -> Vec<Self> {
        let shown = server.run(["show-messages"]);
        let read = |line: &str| {
            let (before, command) = line.split_once(" command: ")?;
            let client = before.rsplit(' ').next()?.to_owned();
            Some(Self {
                client,
                command: command.to_owned(),
            })
        };
        let mut messages: Vec<Self> = shown.lines().filter_map(read).collect();
        // tmux tells the newest first; should another version not, the first one that it was told to remember says so.
        let first = messages
            .iter()
            .position(|message| message.command.contains("message-limit"));
        if first.is_some_and(|first| first > messages.len() / 2) {
            messages.reverse();
        }
        messages
    }

    /// Whether it writes an option.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.command.starts_with("set")
    }

    /// The clients that gave them.
    #[must_use]
    pub fn clients<'m>(messages: impl IntoIterator<Item = &'m Self>) -> BTreeSet<&'m str> {
        let clients = messages.into_iter();
        clients.map(|message| message.client.as_str()).collect()
    }
}

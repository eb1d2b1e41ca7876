//! What goes out.

use session_core::{PaneId, WindowId};

/// zellij, as much of it as the plugin asks and tells.
pub trait Host {
    /// The time, in milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64;
    /// A variable of the server's environment.
    fn variable(&self, name: &str) -> Option<String>;
    /// A small file, if it is there.
    fn read(&self, path: &str) -> Option<String>;
    /// Whether a file is there.
    fn exists(&self, path: &str) -> bool;
    /// Makes an empty file; whether it was not there before.
    fn claim(&self, path: &str) -> bool;
    /// Writes a small file.
    fn write(&self, path: &str, text: &str);
    /// Does nothing for so many milliseconds.
    fn rest(&self, ms: u64);
    /// Removes a file.
    fn remove(&self, path: &str);
    /// Where this instance's client is; none when that client has left.
    fn focused(&self) -> Option<Focused>;
    /// The process that zellij started in a pane.
    fn pane_pid(&self, pane: PaneId) -> Option<u32>;
    /// Does something.
    fn run(&self, command: Command);
}

/// Who this instance is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// The plugin, the same for each client of a pane.
    pub plugin: u32,
    /// The client.
    pub client: u16,
    /// The zellij server.
    pub server_pid: u32,
}

/// Where a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focused {
    /// The tab it shows.
    pub tab: WindowId,
    /// The terminal pane that has its focus; none for a plugin's.
    pub pane: Option<PaneId>,
}

/// Something that zellij is told to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Send the events that the plugin needs, among them keys for a list.
    Subscribe {
        /// Whether keys are needed.
        keys: bool,
    },
    /// Ask the person for the one set of permissions.
    RequestPermission,
    /// Let the focus pass over the plugin's pane, or not.
    Selectable(bool),
    /// Keep a pipe's process waiting, so that it prints what it is sent.
    Block(String),
    /// Print a line through a pipe's process.
    Print {
        /// The pipe's id.
        pipe: String,
        /// The line, with its end.
        line: String,
    },
    /// Send an event in so many seconds.
    Wake(f64),
    /// Go to a pane of this session.
    GoToPane(PaneId),
    /// Go to a tab of this session, by position.
    GoToTab(u32),
    /// Go to a pane of another session.
    GoToSession {
        /// The session's name.
        session: String,
        /// The pane.
        pane: PaneId,
    },
    /// Load the plugin's pane anew.
    Reload,
    /// Name the plugin's pane.
    Title(&'static str),
    /// Close the plugin's pane.
    Close,
    /// Write a line to zellij's log.
    Log(String),
}

//! tmux servers of a test's own.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "the helpers of a test may fail or skip it"
)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Home, Outcome, outcome};

/// A home with tmux servers, which end with it.
pub(crate) struct Servers {
    pub(crate) home: Home,
    names: Vec<&'static str>,
}

impl Servers {
    /// Starts servers by these names.
    pub(crate) fn start(names: &[&'static str]) -> Self {
        let tmux = Command::new("tmux").arg("-V").output();
        assert!(
            tmux.is_ok(),
            "tmux is needed: `cargo xtask test` installs it"
        );
        let home = Home::new();
        std::os::unix::fs::symlink(Home::tally(), home.path("bin/tally")).unwrap();
        let servers = Self {
            home,
            names: names.to_vec(),
        };
        for name in names {
            let started = servers.tmux(
                name,
                &[
                    "-f",
                    "/dev/null",
                    "new-session",
                    "-d",
                    "-x",
                    "120",
                    "-y",
                    "20",
                    "sh",
                ],
            );
            assert_eq!(started.status, Some(0), "{started:?}");
        }
        servers
    }

    /// Runs a command of tmux on one of them.
    pub(crate) fn tmux(&self, name: &str, args: &[&str]) -> Outcome {
        let mut command = self.home.command("tmux");
        command.args(["-u", "-L", name]).args(args);
        outcome(command, b"")
    }

    /// Types a command into a pane and waits until it has run.
    pub(crate) fn type_in(&self, name: &str, pane: &str, line: &str) {
        let done = self.home.path(&format!("done-{}", std::process::id()));
        drop(std::fs::remove_file(&done));
        let line = format!("{line}; : > '{}'", done.display());
        assert_eq!(
            self.tmux(name, &["send-keys", "-t", pane, &line, "Enter"])
                .status,
            Some(0)
        );
        wait(&line, || done.exists());
    }

    /// The list, as a document.
    pub(crate) fn list(&self) -> Value {
        let list = self.home.run(&["list", "--json"]);
        assert_eq!(list.status, Some(0), "{list:?}");
        serde_json::from_str(&list.stdout).unwrap()
    }

    /// The states by server and pane.
    pub(crate) fn states(&self) -> Vec<(String, String, String)> {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = self.list();
        let sessions = list
            .get("sessions")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let mut states: Vec<_> = sessions
            .iter()
            .map(|session| {
                let pane = session.get("pane").unwrap();
                let socket = word(pane.get("server").unwrap());
                let name = socket.rsplit('/').next().unwrap_or_default().to_owned();
                (
                    name,
                    word(pane.get("pane_id").unwrap()),
                    word(session.get("state").unwrap()),
                )
            })
            .collect();
        states.sort();
        states
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.home.run(&["down"]);
        for name in &self.names {
            self.tmux(name, &["kill-server"]);
        }
    }
}

/// A terminal, attached to one server from the first pane of another, which a person looks at.
pub(crate) struct Terminal<'s> {
    person: Child,
    servers: &'s Servers,
    outer: &'static str,
    server: &'static str,
    /// What its server calls it.
    pub(crate) name: String,
}

impl<'s> Terminal<'s> {
    pub(crate) fn attach(servers: &'s Servers, outer: &'static str, server: &'static str) -> Self {
        let attach = format!("unset TMUX TMUX_PANE; exec tmux -u -L {server} attach-session");
        servers.tmux(outer, &["respawn-pane", "-k", "-t", "%0", &attach]);
        let clients = |of: &str| servers.tmux(of, &["list-clients", "-F", "#{client_name}"]);
        let name = || clients(server);
        wait("the terminal", || !name().stdout.trim().is_empty());
        // Somebody in control mode is a person as well, and needs no terminal.
        let mut person = servers.home.command("tmux");
        person.args(["-u", "-L", outer, "-C", "attach-session"]);
        person.stdin(Stdio::piped()).stdout(Stdio::null());
        let person = person.spawn().unwrap();
        wait("the person", || !clients(outer).stdout.trim().is_empty());
        Self {
            person,
            servers,
            outer,
            server,
            name: name().stdout.trim().to_owned(),
        }
    }

    /// What is on it.
    pub(crate) fn screen(&self) -> String {
        let captured = self
            .servers
            .tmux(self.outer, &["capture-pane", "-p", "-t", "%0"]);
        captured.stdout
    }

    /// Waits until a text is on it.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        wait(text, || self.screen().contains(text));
    }

    /// Presses a key.
    pub(crate) fn press(&self, key: &str) {
        self.servers
            .tmux(self.outer, &["send-keys", "-t", "%0", key]);
    }

    /// The name of the window that it shows.
    pub(crate) fn shows(&self) -> String {
        let shown = self
            .servers
            .tmux(self.server, &["list-clients", "-F", "#{window_name}"]);
        shown.stdout.trim().to_owned()
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        drop(self.person.kill());
        drop(self.person.wait());
    }
}

/// Opens a window in which a script waits for the person.
pub(crate) fn blocked(servers: &Servers, server: &str, window: &str) -> String {
    let opened = servers.tmux(
        server,
        &[
            "new-window",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-n",
            window,
            "sh",
        ],
    );
    let pane = opened.stdout.trim().to_owned();
    servers.type_in(server, &pane, "tally signal --state blocked");
    pane
}

/// The process of a server.
pub(crate) fn pid(servers: &Servers, server: &str) -> String {
    let told = servers.tmux(server, &["display-message", "-p", "#{pid}"]);
    told.stdout.trim().to_owned()
}

/// The path of its socket.
pub(crate) fn socket(servers: &Servers, server: &str) -> String {
    let told = servers.tmux(server, &["display-message", "-p", "#{socket_path}"]);
    told.stdout.trim().to_owned()
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "waited for: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

//! tmux servers of a test's own.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "the helpers of a test may fail or skip it"
)]

use std::process::Command;
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

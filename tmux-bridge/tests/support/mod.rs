//! Real tmux on private sockets. Never the default one: every command names its socket.

#![allow(dead_code, reason = "each test file uses its own part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "this is test code, outside the functions that are known to be tests"
)]

pub(crate) mod picture;
pub(crate) mod service;

use std::ffi::OsStr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use session_host::env::Env;
use tempfile::TempDir;
use tmux_bridge::Tmux;

/// How long anything may take before a test gives up; far more than it should.
pub(crate) const LIMIT: Duration = Duration::from_secs(15);

/// The prefix of the options in this build.
pub(crate) const PREFIX: &str = if cfg!(debug_assertions) {
    "@tally_dev_"
} else {
    "@tally_"
};
/// The hook index of this build.
pub(crate) const INDEX: u32 = if cfg!(debug_assertions) { 8472 } else { 8471 };

/// The name of an option of ours.
pub(crate) fn option(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The channel that wakes the follower of a server.
pub(crate) fn channel(server_pid: u32) -> String {
    format!("{}-{server_pid}", session_host::paths::FLAVOUR)
}

/// A home and a folder of sockets of the test's own.
pub(crate) struct World {
    dir: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        // A socket's path has to be short.
        let dir = tempfile::Builder::new()
            .prefix("tl")
            .tempdir_in("/tmp")
            .unwrap();
        let user = rustix::process::geteuid().as_raw();
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(dir.path().join(format!("tmux-{user}")))
            .unwrap();
        Self { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The environment that everything here runs in.
    pub(crate) fn env(&self) -> Env {
        self.env_with(&[])
    }

    pub(crate) fn env_with(&self, more: &[(&str, &str)]) -> Env {
        let path = std::env::var_os("PATH").unwrap();
        let dir = self.path().as_os_str();
        let mut pairs = vec![
            (OsStr::new("HOME"), dir),
            (OsStr::new("TMUX_TMPDIR"), dir),
            (OsStr::new("PATH"), path.as_os_str()),
            (OsStr::new("TERM"), OsStr::new("screen")),
            (OsStr::new("SHELL"), OsStr::new("/bin/sh")),
            (OsStr::new("PS1"), OsStr::new("$ ")),
        ];
        pairs.extend(
            more.iter()
                .map(|(name, value)| (OsStr::new(*name), OsStr::new(*value))),
        );
        pairs.into_iter().collect()
    }

    /// Whether a command hidden in a text, `touch marker`, was run by a server of this world.
    pub(crate) fn was_marked(&self) -> bool {
        // A job of tmux may need a moment.
        std::thread::sleep(Duration::from_millis(200));
        self.path().join("marker").exists()
    }

    /// Where tmux puts the socket for `-L NAME`.
    pub(crate) fn named_socket(&self, name: &str) -> PathBuf {
        let user = rustix::process::geteuid().as_raw();
        self.path().join(format!("tmux-{user}")).join(name)
    }

    /// A server with one session of 100 by 30, in the folder of sockets.
    pub(crate) fn server(&self, name: &str) -> Server {
        Server::start(self.named_socket(name), self.env())
    }

    /// The same, on a socket somewhere else.
    pub(crate) fn server_at(&self, file: &str) -> Server {
        Server::start(self.path().join(file), self.env())
    }

    /// A server without any session yet, on a socket that no bridge of this world looks at.
    pub(crate) fn outer(&self) -> Server {
        let env = self.env_with(&[("HOME", "/nonexistent")]);
        let outer = Server::start(self.path().join("o"), env);
        outer.run(&["set-option", "-g", "status", "off"]);
        outer
    }
}

/// A tmux server that is killed with its test.
pub(crate) struct Server {
    pub(crate) socket: PathBuf,
    env: Env,
}

impl Server {
    pub(crate) fn start(socket: PathBuf, env: Env) -> Self {
        let server = Self { socket, env };
        server.new_session("one");
        server
    }

    /// A server that runs already.
    pub(crate) fn running(socket: PathBuf, env: Env) -> Self {
        Self { socket, env }
    }

    /// What the bridge's own functions take.
    pub(crate) fn tmux(&self) -> Tmux {
        Tmux::at(&self.socket, &self.env)
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command
            .env_clear()
            .envs(self.env.iter())
            .current_dir(self.env.path("TMUX_TMPDIR").unwrap())
            .stdin(Stdio::null())
            .args(["-u", "-f", "/dev/null", "-S"])
            .arg(&self.socket);
        command
    }

    pub(crate) fn attempt<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        self.command()
            .args(args)
            .output()
            .expect("these tests need tmux: install it")
    }

    /// Runs a command, which must succeed, and returns what it printed.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let output = self.attempt(args);
        assert!(
            output.status.success(),
            "tmux {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout)
            .trim_end_matches('\n')
            .to_owned()
    }

    pub(crate) fn new_session(&self, name: &str) {
        self.run(&[
            "new-session",
            "-d",
            "-s",
            name,
            "-x",
            "100",
            "-y",
            "30",
            "exec sleep 1000",
        ]);
    }

    /// Adds a window without going there, and returns its pane.
    pub(crate) fn new_window(&self, name: &str) -> String {
        let format = "#{pane_id}";
        self.run(&[
            "new-window",
            "-d",
            "-P",
            "-F",
            format,
            "-t",
            "=one:",
            "-n",
            name,
            "exec sleep 1000",
        ])
    }

    pub(crate) fn format(&self, target: &str, format: &str) -> String {
        self.run(&["display-message", "-p", "-t", target, format])
    }

    pub(crate) fn pid(&self) -> u32 {
        self.format("=one:", "#{pid}").parse().unwrap()
    }

    /// An option as it is set there and nowhere else; empty when it is not.
    pub(crate) fn shown(&self, flags: &str, target: &str, name: &str) -> String {
        self.run(&["show-options", flags, "-t", target, &option(name)])
    }

    pub(crate) fn pane_option(&self, pane: &str, name: &str) -> String {
        self.shown("-pqv", pane, name)
    }

    pub(crate) fn window_option(&self, window: &str, name: &str) -> String {
        self.shown("-wqv", window, name)
    }

    pub(crate) fn global(&self, name: &str) -> String {
        self.run(&["show-options", "-gqv", name])
    }

    pub(crate) fn global_option(&self, name: &str) -> String {
        self.global(&option(name))
    }

    /// All hooks.
    pub(crate) fn hooks(&self) -> String {
        self.run(&["show-hooks", "-g"]) + "\n" + &self.run(&["show-hooks", "-gw"])
    }

    /// The commands that clients have sent, as the server remembers them, the oldest first.
    pub(crate) fn commands(&self) -> Vec<String> {
        let messages = self.run(&["show-messages"]);
        let mut commands: Vec<String> = messages
            .lines()
            .filter_map(|line| Some(line.split_once(" command: ")?.1.to_owned()))
            .collect();
        // tmux tells the newest first, and this very question is the newest.
        if commands
            .first()
            .is_some_and(|first| first == "show-messages")
        {
            commands.reverse();
        }
        commands
    }

    pub(crate) fn alive(&self) -> bool {
        self.attempt(&["has-session", "-t", "=one"])
            .status
            .success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.attempt(&["kill-server"]);
    }
}

/// A person's terminal: a pane of an outer server that runs `tmux attach`.
pub(crate) struct Client<'s> {
    outer: Server,
    server: &'s Server,
    pub(crate) name: String,
}

impl<'s> Client<'s> {
    pub(crate) fn attach(world: &World, server: &'s Server, session: &str) -> Self {
        let outer = world.outer();
        let attach = format!(
            "exec env -u TMUX -u TMUX_PANE tmux -u -S '{}' attach-session -t '={session}'",
            server.socket.display()
        );
        outer.run(&["respawn-pane", "-k", "-t", "%0", &attach]);
        let tty = outer.format("%0", "#{pane_tty}");
        wait_for("the client to attach", || {
            server
                .run(&["list-clients", "-F", "#{client_tty}"])
                .lines()
                .any(|line| line == tty)
        });
        Self {
            outer,
            server,
            name: tty,
        }
    }

    /// Makes the person's terminal that wide.
    pub(crate) fn resize(&self, columns: u16) {
        self.outer
            .run(&["resize-window", "-t", "%0", "-x", &columns.to_string()]);
    }

    /// Makes the person's terminal of that size.
    pub(crate) fn resize_to(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.outer
            .run(&["resize-window", "-t", "%0", "-x", &columns, "-y", &rows]);
    }

    /// The screen as the person sees it.
    pub(crate) fn screen(&self) -> String {
        self.outer.run(&["capture-pane", "-p", "-t", "%0"])
    }

    pub(crate) fn screen_styled(&self) -> String {
        self.outer.run(&["capture-pane", "-pe", "-t", "%0"])
    }

    pub(crate) fn status_line(&self) -> String {
        self.screen().lines().last().unwrap_or_default().to_owned()
    }

    pub(crate) fn pane_shown(&self) -> String {
        let clients = self
            .server
            .run(&["list-clients", "-F", "#{client_tty} #{pane_id}"]);
        let pane = clients
            .lines()
            .filter_map(|line| line.split_once(' '))
            .find(|(tty, _)| *tty == self.name);
        pane.map(|(_, pane)| pane.to_owned()).unwrap_or_default()
    }

    pub(crate) fn outer(&self) -> &Server {
        &self.outer
    }
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_for(what: &str, mut so: impl FnMut() -> bool) {
    let until = Instant::now() + LIMIT;
    while !so() {
        assert!(Instant::now() < until, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(15));
    }
}

/// What `ps` tells of all processes: id, state and command line.
fn processes() -> Vec<(u32, String, String)> {
    let printed = Command::new("ps")
        .args(["-axww", "-o", "pid=,state=,command="])
        .output();
    let printed = printed.expect("these tests need ps: install procps").stdout;
    let printed = String::from_utf8_lossy(&printed).into_owned();
    printed
        .lines()
        .filter_map(|line| {
            let (pid, rest) = line.trim_start().split_once(' ')?;
            let (state, command) = rest.trim_start().split_once(' ')?;
            Some((pid.parse().ok()?, state.to_owned(), command.to_owned()))
        })
        .filter(|(_, state, _)| !state.starts_with('Z'))
        .collect()
}

/// Whether a process has not ended.
pub(crate) fn is_alive(pid: u32) -> bool {
    processes().iter().any(|(known, _, _)| *known == pid)
}

/// The processes whose command line contains both texts.
pub(crate) fn processes_with(one: &str, other: &str) -> Vec<u32> {
    let all = processes().into_iter();
    all.filter(|(_, _, command)| command.contains(one) && command.contains(other))
        .map(|(pid, _, _)| pid)
        .collect()
}

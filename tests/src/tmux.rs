//! A private tmux server on a socket of the test's own, killed when it is dropped.

use std::ffi::{OsStr, OsString};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::pane::Pane;
use crate::world::World;

/// The width of a session unless a test asks for another.
pub const WIDTH: u16 = 110;
/// The height of a session.
pub const HEIGHT: u16 = 36;

/// A way to talk to one tmux server. Never the default one: each command names its socket.
#[derive(Clone, Debug)]
pub struct Tmux {
    socket: PathBuf,
    config: PathBuf,
    env: Vec<(OsString, OsString)>,
    cwd: PathBuf,
}

/// A tmux server that ends with its test.
#[derive(Debug)]
pub struct TmuxServer(Tmux);

impl TmuxServer {
    /// A server by this name, where tmux itself would put it for `-L NAME`, without a
    /// configuration file. It starts with its first session.
    #[must_use]
    pub fn new(world: &World, name: &str) -> Self {
        Self::at(
            world,
            world.tmux_sockets().join(name),
            Path::new("/dev/null"),
        )
    }

    /// A server on that socket with that configuration file.
    ///
    /// # Panics
    ///
    /// When the socket's path would be too long.
    #[must_use]
    pub fn at(world: &World, socket: PathBuf, config: &Path) -> Self {
        assert!(
            socket.as_os_str().len() < 100,
            "too long for a socket: {}",
            socket.display()
        );
        Self(Tmux {
            socket,
            config: config.to_owned(),
            env: world.env().to_vec(),
            cwd: world.project(),
        })
    }
}

impl Deref for TmuxServer {
    type Target = Tmux;

    fn deref(&self) -> &Tmux {
        &self.0
    }
}

impl Drop for TmuxServer {
    fn drop(&mut self) {
        // One that never started, or is gone already, is fine.
        let _ = self.command(["kill-server"]).output();
    }
}

impl Tmux {
    /// The path of the socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The tmux command with these arguments, to be run.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new("tmux");
        command
            .env_clear()
            .envs(self.env.iter().cloned())
            .current_dir(&self.cwd)
            .arg("-u")
            .arg("-S")
            .arg(&self.socket)
            .arg("-f")
            .arg(&self.config)
            .args(args);
        command
    }

    /// Runs a tmux command, whatever comes of it.
    ///
    /// # Panics
    ///
    /// When tmux is not installed: real tmux is what these tests are about.
    pub fn attempt<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.command(args).output().expect("tmux is installed")
    }

    /// Runs a tmux command, which must succeed, and returns what it printed.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub fn run<const N: usize>(&self, args: [&str; N]) -> String {
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

    /// Makes a session of the usual size whose first window runs the default shell.
    #[must_use]
    pub fn new_session(&self, name: &str, window: &str) -> Pane {
        let (width, height) = (WIDTH.to_string(), HEIGHT.to_string());
        let id = self.run([
            "new-session",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-s",
            name,
            "-n",
            window,
            "-x",
            &width,
            "-y",
            &height,
        ]);
        // A window keeps the name it was given, and its place in the status line.
        self.run(["set-option", "-g", "automatic-rename", "off"]);
        Pane::new(self.clone(), id)
    }

    /// Makes a window that runs the default shell, without going there.
    #[must_use]
    pub fn new_window(&self, session: &str, window: &str) -> Pane {
        let target = format!("={session}:");
        let id = self.run([
            "new-window",
            "-d",
            "-P",
            "-F",
            "#{pane_id}",
            "-t",
            &target,
            "-n",
            window,
        ]);
        Pane::new(self.clone(), id)
    }

    /// What a format says about a target.
    #[must_use]
    pub fn format(&self, target: &str, format: &str) -> String {
        self.run(["display-message", "-p", "-t", target, format])
    }
}

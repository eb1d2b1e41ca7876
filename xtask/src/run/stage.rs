//! A private world for the rehearsal: home, runtime folder, two tmux servers and a daemon of its
//! own. Nothing of the person's is read or touched, and all of it ends with the value.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::agent;
use super::scene;
use super::shell::Shell;
use super::tmux::Tmux;
use crate::console;
use crate::program::Program;
use crate::workspace::Workspace;

const WIDTH: &str = "100";
const HEIGHT: &str = "16";

#[derive(Debug)]
pub(super) struct Stage {
    tally: PathBuf,
    env: Vec<(String, String)>,
    /// The server that has Tallylight.
    inner: Tmux,
    /// The server that plays the person's terminal: its only pane is a client of the inner one.
    outer: Tmux,
    /// The window the agent runs in, and the one the person is in meanwhile.
    pub(super) agent_window: String,
    pub(super) other_window: String,
    folder: TempDir,
}

impl Stage {
    /// Starts the servers and the client, and nothing of ours yet.
    pub(super) fn set(workspace: &Workspace, tally: &Path) -> Result<Self> {
        // A socket's path has a limit of about 100 bytes, which $TMPDIR of macOS nearly fills.
        let folder = tempfile::Builder::new()
            .prefix("tally-")
            .tempdir_in("/tmp")?;
        let root = folder.path().canonicalize()?;
        for name in ["bin", "home", "run", "tmux"] {
            make_private_folder(&root.join(name))?;
        }
        agent::install(workspace, &root.join("bin"), &scene::payloads())?;
        let env = environment(&root, tally)?;
        let bin = root.join("bin");
        let activation = format!(
            "PS1='$ '\nunset HISTFILE\n{}\nexport PATH={}:\"$PATH\"",
            Shell::Bash.activation(tally.parent().context("the built binary has no folder")?),
            bin.display()
        );
        let shell = Shell::Bash.command(&root.join("shell"), &activation)?;
        // Where tmux itself would put it, so that it is found the way any server is.
        let sockets = root.join("tmux").join(format!("tmux-{}", user_id()?));
        make_private_folder(&sockets)?;
        let mut stage = Self {
            tally: tally.to_path_buf(),
            inner: Tmux::private(&sockets.join("default"), &env),
            outer: Tmux::private(&root.join("terminal"), &env),
            env,
            agent_window: String::new(),
            other_window: String::new(),
            folder,
        };
        stage.open_windows(&shell)?;
        stage.attach_client()?;
        Ok(stage)
    }

    fn open_windows(&mut self, shell: &str) -> Result<()> {
        let size = ["-x", WIDTH, "-y", HEIGHT];
        let print = ["-d", "-P", "-F", "#{window_id}"];
        let first = [
            &["new-session"][..],
            &print,
            &size,
            &["-s", "work", "-n", "agent", shell],
        ];
        self.agent_window = self.inner.read(&first.concat())?;
        let second = [
            &["new-window"][..],
            &print,
            &["-t", "=work:", "-n", "editor", shell],
        ];
        self.other_window = self.inner.read(&second.concat())?;
        self.go_to(&self.other_window)
    }

    fn attach_client(&self) -> Result<()> {
        let socket = self
            .inner
            .read(&["display-message", "-p", "#{socket_path}"])?;
        let attach = format!("exec env -u TMUX tmux -u -S '{socket}' attach-session -t =work");
        self.outer
            .read(&["new-session", "-d", "-x", WIDTH, "-y", HEIGHT, &attach])?;
        self.outer
            .read(&["set-option", "-g", "status", "off"])
            .map(drop)
    }

    /// `tally` with these arguments, as typed in a pane of the inner server.
    pub(super) fn tally(&self, args: &[&str]) -> Result<Program> {
        let mut tally = Program::new(&self.tally)
            .clean_env()
            .folder(self.folder.path());
        for (name, value) in &self.env {
            tally = tally.quiet_env(name, value);
        }
        Ok(tally.quiet_env("TMUX", self.inner.variable()?).args(args))
    }

    /// Types into the agent's window.
    pub(super) fn type_line(&self, text: &str) -> Result<()> {
        self.inner
            .read(&["send-keys", "-t", &self.agent_window, "-l", text])?;
        self.press("Enter")
    }

    /// Presses a key in the agent's window.
    pub(super) fn press(&self, key: &str) -> Result<()> {
        self.inner
            .read(&["send-keys", "-t", &self.agent_window, key])
            .map(drop)
    }

    /// The person goes to a window.
    pub(super) fn go_to(&self, window: &str) -> Result<()> {
        self.inner.read(&["select-window", "-t", window]).map(drop)
    }

    /// The state that is published for the agent's window.
    pub(super) fn state(&self) -> Result<String> {
        self.inner.read(&[
            "show-options",
            "-wqv",
            "-t",
            &self.agent_window,
            "@tally_state",
        ])
    }

    /// How the agent's window should look in the status line, styles included.
    pub(super) fn expected_entry(&self) -> Result<String> {
        let print = ["display-message", "-p", "-t", &self.agent_window];
        self.inner
            .read(&[&print[..], &["#{T:window-status-format}"]].concat())
    }

    /// The whole screen of the client.
    pub(super) fn screen(&self) -> Result<String> {
        self.outer.read(&["capture-pane", "-p"])
    }

    /// The status line that the client shows.
    pub(super) fn status_line(&self) -> Result<String> {
        let screen = self.screen()?;
        Ok(screen
            .lines()
            .last()
            .unwrap_or_default()
            .trim_end()
            .to_owned())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Ok(tally) = self.tally(&["down"])
            && let Err(error) = tally.read()
        {
            console::complain(&error.context("the rehearsal's daemon may still run"));
        }
        for server in [&self.outer, &self.inner] {
            // A server that never started needs no end.
            let _ = server.read(&["kill-server"]);
        }
    }
}

/// The environment of everything on the stage; nothing else is passed on.
pub(crate) fn environment(root: &Path, tally: &Path) -> Result<Vec<(String, String)>> {
    let tally_folder = tally.parent().context("the built binary has no folder")?;
    let path = std::env::var("PATH").context("PATH is not set")?;
    let bin = root.join("bin");
    let at = |name: &str| root.join(name).display().to_string();
    let mut env = vec![(
        "PATH",
        format!("{}:{}:{path}", bin.display(), tally_folder.display()),
    )];
    env.extend([
        ("HOME", at("home")),
        ("XDG_CACHE_HOME", at("home/.cache")),
        ("XDG_CONFIG_HOME", at("home/.config")),
        ("XDG_DATA_HOME", at("home/.local/share")),
        ("XDG_STATE_HOME", at("home/.local/state")),
        ("XDG_RUNTIME_DIR", at("run")),
        ("TMUX_TMPDIR", at("tmux")),
    ]);
    let fixed = [
        ("LANG", "C.UTF-8"),
        ("SHELL", "/bin/bash"),
        ("TERM", "xterm-256color"),
        ("USER", "someone"),
    ];
    env.extend(fixed.map(|(name, value)| (name, value.to_owned())));
    Ok(env
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect())
}

/// Makes a folder for nobody else.
pub(crate) fn make_private_folder(folder: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    let made = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder);
    made.with_context(|| format!("failed to make {}", folder.display()))
}

fn user_id() -> Result<String> {
    Program::new("id").arg("-u").read()
}

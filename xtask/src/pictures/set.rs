//! The set: a home, a server with the agents' panes, and a terminal to look with.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tempfile::TempDir;

use crate::console;
use crate::program::Program;
use crate::run::shell::write;
use crate::run::stage::{environment, make_private_folder};
use crate::run::tmux::Tmux;

/// An agent: its window, repository and branch, and what it reports, one signal after the other.
struct Role {
    window: &'static str,
    repo: &'static str,
    branch: &'static str,
    says: &'static str,
    signals: &'static [&'static str],
}

const DIALOG: &str = " Bash command\n\n   rm -rf build/ && cargo build --release\n\n Do you want to proceed?\n > 1. Yes\n   2. No, and tell Claude what to do differently\n";

const ROLES: [Role; 6] = [
    Role {
        window: "build",
        repo: "api",
        branch: "main",
        says: DIALOG,
        signals: &[
            "--agent claude --state working",
            "--agent claude --state blocked --kind permission --message 'Bash: rm -rf build/ && cargo build --release'",
        ],
    },
    Role {
        window: "deploy",
        repo: "infra",
        branch: "release-4",
        says: "Deploy to production?\n",
        signals: &[
            "--agent codex --state working",
            "--agent codex --state blocked --kind question --message 'Deploy to production?'",
        ],
    },
    Role {
        window: "login",
        repo: "web",
        branch: "feature/login",
        says: "API Error: 429\n",
        signals: &[
            "--agent pi --state working",
            "--agent pi --state error --kind rate_limit --message 'API Error: 429, try again later'",
        ],
    },
    Role {
        window: "tests",
        repo: "api",
        branch: "main",
        says: "",
        signals: &["--agent claude --state working --message 'Reading the failing test'"],
    },
    Role {
        window: "forms",
        repo: "web",
        branch: "feature/login",
        says: "",
        signals: &["--agent opencode --state working"],
    },
    Role {
        window: "docs",
        repo: "web",
        branch: "feature/login",
        says: "",
        signals: &[
            "--agent claude --state working",
            "--agent claude --state done --message 'The chapter on deployment is written.'",
        ],
    },
];

/// What stands for the home in a picture: as long as its path, so that nothing moves.
const HOME: &str = "/home/somebody/code";
/// How long all agents may take to report.
const LIMIT: Duration = Duration::from_secs(30);

/// The set. All of it ends with the value.
pub(super) struct Set {
    tally: PathBuf,
    env: Vec<(String, String)>,
    agents: Tmux,
    folder: TempDir,
}

impl Set {
    /// Builds it, with nobody on it yet.
    pub(super) fn build(tally: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("tly").tempdir_in("/tmp")?;
        let root = folder.path().canonicalize()?;
        let user = Program::new("id").arg("-u").read()?;
        let sockets = root.join("tmux").join(format!("tmux-{user}"));
        for name in ["home", "run", "bin", "tmux"] {
            make_private_folder(&root.join(name))?;
        }
        make_private_folder(&sockets)?;
        let env = environment(&root, tally)?;
        Ok(Self {
            tally: tally.to_owned(),
            agents: Tmux::private(&sockets.join("default"), &env),
            env,
            folder,
        })
    }

    /// Has every agent report what it reports.
    pub(super) fn play(&self) -> Result<()> {
        let home = self.folder.path().join("home");
        for (number, role) in ROLES.iter().enumerate() {
            let repo = home.join(role.repo);
            write(
                &repo.join(".git/HEAD"),
                &format!("ref: refs/heads/{}\n", role.branch),
            )?;
            let signals: String = role
                .signals
                .iter()
                .map(|signal| format!("tally signal {signal}; sleep 0.3\n"))
                .collect();
            let script = self.folder.path().join(format!("role-{number}"));
            // The first one waits longest, so that it is the one at the top.
            let said = format!("cat <<'END'\n{}END\nsleep {}\n", role.says, number.min(1));
            write(&script, &format!("clear\n{said}{signals}exec sleep 600\n"))?;
            let run = format!("exec sh '{}'", script.display());
            let folder = repo.display().to_string();
            let place = ["-n", role.window, "-c", &folder, &run];
            let open: &[&str] = if number == 0 {
                &["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]
            } else {
                &["new-window", "-d", "-t", "=work:"]
            };
            self.agents.read(&[open, &place].concat())?;
        }
        self.tally(&["up"]).read()?;
        let begun = Instant::now();
        let last = ["2 blocked", "1 error", "2 working", "1 done"];
        loop {
            let shown = self.tally(&["status"]).read()?;
            if last.iter().all(|part| shown.contains(part)) {
                return Ok(());
            }
            if begun.elapsed() > LIMIT {
                bail!("the agents have not all reported: {shown}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Runs a command in a terminal of this size.
    pub(super) fn terminal(&self, command: &str, size: (u16, u16)) -> Result<Terminal> {
        let (columns, rows) = (size.0.to_string(), size.1.to_string());
        let root = self.folder.path();
        let terminal = Terminal {
            tmux: Tmux::private(&root.join(format!("t{columns}x{rows}")), &self.env),
            home: root.join("home").display().to_string(),
        };
        let run = format!("exec {command}");
        let open = ["new-session", "-d", "-x", &columns, "-y", &rows, &run];
        terminal.tmux.read(&open)?;
        terminal.tmux.read(&["set-option", "-g", "status", "off"])?;
        let resize = ["resize-window", "-x", &columns, "-y", &rows];
        terminal.tmux.read(&resize)?;
        Ok(terminal)
    }

    fn tally(&self, args: &[&str]) -> Program {
        let mut tally = Program::new(&self.tally)
            .clean_env()
            .folder(self.folder.path());
        for (name, value) in &self.env {
            tally = tally.quiet_env(name, value);
        }
        tally.args(args)
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        if let Err(error) = self.tally(&["down"]).read() {
            console::complain(&error.context("the daemon of the pictures may still run"));
        }
        // A server that never started needs no end.
        let _ = self.agents.read(&["kill-server"]);
    }
}

/// A terminal that somebody looks at. It ends with the value.
pub(super) struct Terminal {
    tmux: Tmux,
    home: String,
}

impl Terminal {
    /// Presses a key in it.
    pub(super) fn press(&self, key: &str) -> Result<()> {
        self.tmux.read(&["send-keys", key]).map(drop)
    }

    /// What it shows, with its colours as escape sequences or without.
    pub(super) fn screen(&self, coloured: bool) -> Result<String> {
        let flags = if coloured { "-pe" } else { "-p" };
        let screen = self.tmux.read(&["capture-pane", flags])?;
        Ok(screen.replace(&self.home, HOME))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux.read(&["kill-server"]);
    }
}

//! Command lines for zellij: built here and nowhere else.
//!
//! Every line that talks to a session names it with `-s`, and inherits neither the session nor the pane of whoever
//! started us: a stale `ZELLIJ_SESSION_NAME` makes a line wait for ever (facts §3). The folder of the sockets is
//! always told, so that a session is found that was started with other variables than ours.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use session_host::child::{Failure, output};
use session_host::env::Env;

use crate::error::ZellijError;
use crate::version::Version;

/// How long the daemon waits for an answer.
pub const DEADLINE: Duration = Duration::from_secs(2);

/// How often a session is tried again that is said not to be there, and the pause before.
const TRIES: usize = 2;
const PAUSE: Duration = Duration::from_millis(150);

/// What zellij needs of our environment: the places of its files and the character set.
const KEPT: [&str; 12] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "PATH",
    "TERM",
    "TMPDIR",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// The zellij program, and the environment it is run in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zellij {
    program: Arc<PathBuf>,
    env: Arc<Vec<(OsString, OsString)>>,
}

impl Zellij {
    /// The `zellij` that is on the environment's `PATH`.
    #[must_use]
    pub fn on_path(env: &Env) -> Self {
        let kept = |name: &str| KEPT.contains(&name);
        let kept = env
            .iter()
            .filter(|(name, _)| name.to_str().is_some_and(kept));
        Self {
            program: Arc::new(program(env)),
            env: Arc::new(
                kept.map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            ),
        }
    }

    /// The same environment, with another program: the one that a server runs speaks its language for sure.
    #[must_use]
    pub fn with_program(&self, program: impl Into<PathBuf>) -> Self {
        Self {
            program: Arc::new(program.into()),
            env: Arc::clone(&self.env),
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A way to talk to one session.
    #[must_use]
    pub fn session(&self, name: impl Into<String>, sockets: impl Into<PathBuf>) -> Address {
        Address {
            zellij: self.clone(),
            name: name.into(),
            sockets: sockets.into(),
        }
    }

    /// The program's version. Blocking.
    ///
    /// # Errors
    /// When it does not start, or prints none.
    pub fn version(&self) -> Result<Version, ZellijError> {
        let mut command = self.command();
        command.arg("--version");
        let printed = run(command, "", DEADLINE)?;
        let printed = String::from_utf8_lossy(&printed);
        printed
            .parse()
            .map_err(|_| ZellijError::Answer(session_core::view::clean(&printed, 80)))
    }

    /// What `zellij setup WORDS` prints. Blocking.
    ///
    /// # Errors
    /// When it does not start, or refuses.
    pub fn setup(&self, words: &[&str]) -> Result<Vec<u8>, ZellijError> {
        let mut command = self.command();
        command.arg("setup").args(words);
        run(command, "", DEADLINE)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program.as_path());
        command
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }
}

/// A session by its name, and the program that talks to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    zellij: Zellij,
    name: String,
    sockets: PathBuf,
}

impl Address {
    /// The session's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command that runs these words in the session.
    #[must_use]
    pub fn command<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.zellij.command();
        command
            .env("ZELLIJ_SOCKET_DIR", &self.sockets)
            .arg("-s")
            .arg(&self.name)
            .args(words);
        command
    }

    /// Runs `zellij action WORDS` in the session, and returns what it printed. Blocking.
    ///
    /// zellij asks the server first whether it lives, and on a busy machine takes a late answer for none. So a session
    /// that is said not to be there while its socket is, is tried again.
    ///
    /// # Errors
    /// When the session is not there, does not answer in time, or refuses.
    pub fn action(&self, words: &[&str], limit: Duration) -> Result<Vec<u8>, ZellijError> {
        let act = || {
            let words = std::iter::once("action").chain(words.iter().copied());
            run(self.command(words), &self.name, limit)
        };
        for _ in 0..TRIES {
            match act() {
                Err(ZellijError::NoSession { .. }) if self.has_socket() => sleep(PAUSE),
                ended => return ended,
            }
        }
        act()
    }

    /// Whether there is a socket by the session's name.
    fn has_socket(&self) -> bool {
        let versions = std::fs::read_dir(&self.sockets).into_iter().flatten();
        versions
            .flatten()
            .any(|folder| folder.path().join(&self.name).exists())
            || self.sockets.join(&self.name).exists()
    }

    /// Sends one line to all plugins of the session. Blocking.
    ///
    /// # Errors
    /// When the session is not there, or a plugin does not take the line in time.
    pub(crate) fn pipe(&self, name: &str, line: &str, limit: Duration) -> Result<(), ZellijError> {
        let words = ["pipe", "--name", name, "--", line];
        run(self.command(words), &self.name, limit).map(drop)
    }
}

fn run(command: Command, name: &str, limit: Duration) -> Result<Vec<u8>, ZellijError> {
    let name = || name.to_owned();
    let output = output(command, limit).map_err(|failure| match failure {
        Failure::Io(err) if err.kind() == std::io::ErrorKind::NotFound => ZellijError::NotInstalled,
        Failure::Io(err) => ZellijError::Spawn(err),
        Failure::Deadline => ZellijError::Deadline {
            name: name(),
            limit,
        },
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(if output.stderr.is_empty() {
        &output.stdout
    } else {
        &output.stderr
    });
    let said = session_core::view::clean(&said, 200);
    // With the names of the other sessions behind it, or "There is no active session!".
    if said.contains("not found") || said.contains("no active session") {
        return Err(ZellijError::NoSession { name: name() });
    }
    Err(ZellijError::Refused(if said.is_empty() {
        "without a word".to_owned()
    } else {
        said
    }))
}

/// The program by its full path, looked up once.
fn program(env: &Env) -> PathBuf {
    env.search_path()
        .map(|folder| folder.join("zellij"))
        .find(|program| program.is_absolute() && program.is_file())
        .unwrap_or_else(|| PathBuf::from("zellij"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_its_session_and_inherits_no_other() {
        let env: Env = [
            ("PATH", "/nowhere"),
            ("HOME", "/home/me"),
            ("ZELLIJ_SESSION_NAME", "stale"),
            ("ZELLIJ_PANE_ID", "3"),
            ("ZELLIJ", "0"),
            ("ZELLIJ_SOCKET_DIR", "/elsewhere"),
            ("TMUX", "/tmp/x,1,0"),
        ]
        .into_iter()
        .collect();
        let address = Zellij::on_path(&env).session("my work", "/run/me/zellij");
        let command = address.command(["action", "list-panes"]);
        let words: Vec<_> = command.get_args().collect();
        assert_eq!(words, ["-s", "my work", "action", "list-panes"]);
        let set: Vec<_> = command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        let expected = [
            ("HOME", "/home/me"),
            ("PATH", "/nowhere"),
            ("ZELLIJ_SOCKET_DIR", "/run/me/zellij"),
        ];
        assert_eq!(
            set,
            expected.map(|(name, value)| (OsStr::new(name), OsStr::new(value)))
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_told_by_its_name() {
        let env: Env = [("PATH", "/nowhere")].into_iter().collect();
        let error = Zellij::on_path(&env).version().unwrap_err();
        assert!(matches!(error, ZellijError::NotInstalled), "{error}");
        assert!(error.to_string().contains("0.44.2"));
    }
}

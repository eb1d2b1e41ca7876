//! Runs tmux with a deadline and a clean environment.
//!
//! Blocking; the tasks of the bridge call it on a thread for such work.

use std::io::ErrorKind;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) use session_host::child::{Failure, output};

use crate::command::{Batch, Tmux};
use crate::error::TmuxError;

/// How long the daemon waits for a server.
pub const DEADLINE: Duration = Duration::from_secs(2);

impl Tmux {
    /// The command that runs this program with arguments, in a clean environment.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command
            .args(self.prefix())
            .env_clear()
            .envs(self.env().iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Runs the commands and returns what they printed.
    ///
    /// # Errors
    /// When the server does not answer in time, is not there, or refuses a command.
    pub fn run(&self, batch: &Batch, limit: Duration) -> Result<Vec<u8>, TmuxError> {
        let mut printed = Vec::new();
        for call in batch.calls()? {
            let mut command = self.command();
            command.args(call);
            let output = output(command, limit).map_err(|failure| match failure {
                Failure::Io(err) if err.kind() == ErrorKind::NotFound => TmuxError::NotInstalled,
                Failure::Io(err) => TmuxError::Spawn(err),
                Failure::Deadline => TmuxError::Deadline {
                    socket: self.socket().to_owned(),
                    limit,
                },
            })?;
            if !output.status.success() {
                return Err(self.refusal(&output.stderr));
            }
            if printed.is_empty() {
                printed = output.stdout;
            } else {
                printed.extend_from_slice(&output.stdout);
            }
        }
        Ok(printed)
    }

    fn refusal(&self, stderr: &[u8]) -> TmuxError {
        let said = String::from_utf8_lossy(stderr).trim().to_owned();
        let unreachable = [
            "error connecting to",
            "no server running",
            "server exited",
            "lost server",
            "server not found",
        ];
        if unreachable.iter().any(|words| said.starts_with(words)) {
            TmuxError::NotReachable {
                socket: self.socket().to_owned(),
                why: without_socket(&said).to_owned(),
            }
        } else {
            TmuxError::Refused(if said.is_empty() {
                "without a word".to_owned()
            } else {
                said
            })
        }
    }
}

/// What tmux says of a socket names it, and so does who tells of it.
fn without_socket(said: &str) -> &str {
    let in_brackets = || said.strip_suffix(')')?.rsplit_once('(');
    match said.split_once(" on /") {
        Some((before, _)) => before,
        None => in_brackets().map_or(said, |(_, why)| why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_does_not_name_the_socket_again() {
        for (said, why) in [
            (
                "error connecting to /tmp/s (x) (Connection refused)",
                "Connection refused",
            ),
            ("no server running on /tmp/s", "no server running"),
            ("server exited unexpectedly", "server exited unexpectedly"),
            ("lost server", "lost server"),
        ] {
            assert_eq!(without_socket(said), why);
        }
    }
}

//! The client that waits.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout};

use super::Form;
use super::control::{ControlReader, Notice};
use crate::command::Tmux;

/// How long a client in control mode may take to notice that its input has ended.
const LAST_WORD: Duration = Duration::from_millis(500);

/// What a client had to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// It was notified, and goes on.
    Notified,
    /// It ended because its channel was signalled.
    Woken,
    /// It ended for another reason.
    Lost,
}

#[derive(Debug)]
pub(super) struct Client {
    child: Child,
    /// In control mode: its end is the end of the client, or of the guard and its client.
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    reader: ControlReader,
    /// Since when it waits, or has had nothing to say.
    pub(super) since: Instant,
}

impl Client {
    pub(super) fn start(tmux: &Tmux, channel: &str, form: &Form) -> std::io::Result<Self> {
        let mut command = match form {
            Form::Guarded(hold) => {
                let (guard, words) = hold.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
                let mut command = Command::new(guard);
                command.args(words).arg(tmux.program()).args(tmux.prefix());
                command.env_clear().envs(tmux.env().iter().map(|(name, value)| (name, value)));
                command
            }
            Form::Plain | Form::Control => Command::from(tmux.command()),
        };
        // A guard that is killed could not end its client any more; the end of its input ends both.
        command.stderr(Stdio::null()).kill_on_drop(!matches!(form, Form::Guarded(_)));
        if *form == Form::Plain {
            command.stdin(Stdio::null()).stdout(Stdio::null());
        } else {
            command.arg("-C").stdin(Stdio::piped()).stdout(Stdio::piped());
        }
        let mut child = command.args(["wait-for", channel]).spawn()?;
        Ok(Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            child,
            reader: ControlReader::default(),
            since: Instant::now(),
        })
    }

    /// Waits for the next word. May be dropped at any point and called again.
    pub(super) async fn word(&mut self) -> Word {
        let Some(stdout) = &mut self.stdout else {
            return match self.child.wait().await {
                Ok(status) if status.success() => Word::Woken,
                _ => Word::Lost,
            };
        };
        let mut buffer = [0; 8 << 10];
        loop {
            match stdout.read(&mut buffer).await {
                Ok(0) | Err(_) => return Word::Lost,
                Ok(count) => {
                    let notices = self.reader.read(buffer.get(..count).unwrap_or_default());
                    if notices.iter().any(|notice| matches!(notice, Notice::Changed(_))) {
                        return Word::Notified;
                    }
                }
            }
        }
    }

    pub(super) async fn end(mut self) {
        drop(self.stdin.take());
        if self.stdout.is_none() || timeout(LAST_WORD, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

//! The client that looks and then waits.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout, timeout_at};

use super::Form;
use super::control::{ControlReader, Notice};
use crate::command::{Batch, Line, Tmux};
use crate::error::TmuxError;
use crate::look::{Answer, Depth, Look};
use crate::run::DEADLINE;

/// How long a client in control mode may take to notice that its input has ended.
const LAST_WORD: Duration = Duration::from_millis(500);

/// What a client had to say.
#[derive(Debug)]
pub(super) enum Word {
    /// It looked, and waits.
    Looked(Result<Box<Look>, TmuxError>),
    /// It has not been let in for too long, and goes on trying.
    Hung,
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
    job: Job,
    /// Since when it waits, or has had nothing to say.
    pub(super) since: Instant,
}

/// What the client does.
#[derive(Debug)]
enum Job {
    /// It prints a look first.
    Look {
        answer: Answer,
        printed: Vec<u8>,
        hung: bool,
    },
    /// It waits for its channel.
    Wait,
    /// It is notified.
    Listen(ControlReader),
}

impl Client {
    pub(super) fn start(tmux: &Tmux, channel: &str, form: &Form) -> Result<Self, TmuxError> {
        let mut command = match form {
            Form::Guarded(hold) => {
                let (guard, words) = hold.split_first().ok_or(TmuxError::NotInstalled)?;
                let mut command = Command::new(guard);
                command.args(words).arg(tmux.program()).args(tmux.prefix());
                command
                    .env_clear()
                    .envs(tmux.env().iter().map(|(name, value)| (name, value)));
                command
            }
            Form::Plain | Form::Control => Command::from(tmux.command()),
        };
        // A guard that is killed could not end its client any more; the end of its input ends both.
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(!matches!(form, Form::Guarded(_)));
        let wait = Line::new("wait-for").value(channel);
        let (job, batch) = if *form == Form::Plain {
            let answer = Answer::new(Depth::Quick);
            let mut batch = answer.question();
            batch.push(wait);
            (
                Job::Look {
                    answer,
                    printed: Vec::new(),
                    hung: false,
                },
                batch,
            )
        } else {
            command.arg("-C").stdin(Stdio::piped());
            (Job::Listen(ControlReader::default()), Batch::from(wait))
        };
        let mut child = command
            .args(batch.calls()?.concat())
            .spawn()
            .map_err(TmuxError::Spawn)?;
        Ok(Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            child,
            job,
            since: Instant::now(),
        })
    }

    /// Waits for the next word. May be dropped at any point and called again.
    pub(super) async fn word(&mut self) -> Word {
        let Some(stdout) = &mut self.stdout else {
            return Word::Lost;
        };
        let mut buffer = [0; 16 << 10];
        loop {
            let patience = match &self.job {
                Job::Look { hung: false, .. } => Some(self.since + DEADLINE),
                _ => None,
            };
            let read = match patience {
                Some(until) => timeout_at(until, stdout.read(&mut buffer)).await,
                None => Ok(stdout.read(&mut buffer).await),
            };
            let count = match read {
                Ok(Ok(count)) => count,
                Ok(Err(_)) => 0,
                Err(_) => {
                    if let Job::Look { hung, .. } = &mut self.job {
                        *hung = true;
                    }
                    return Word::Hung;
                }
            };
            if count == 0 {
                let ended = self.child.wait().await;
                let woken =
                    matches!(self.job, Job::Wait) && ended.is_ok_and(|status| status.success());
                return if woken { Word::Woken } else { Word::Lost };
            }
            let bytes = buffer.get(..count).unwrap_or_default();
            match &mut self.job {
                Job::Look {
                    answer, printed, ..
                } => {
                    printed.extend_from_slice(bytes);
                    if answer.is_complete(printed) {
                        let look = answer.read(printed);
                        self.job = Job::Wait;
                        self.since = Instant::now();
                        return Word::Looked(look.map(Box::new));
                    }
                }
                Job::Wait => {}
                Job::Listen(reader) => {
                    if reader
                        .read(bytes)
                        .iter()
                        .any(|notice| matches!(notice, Notice::Changed(_)))
                    {
                        return Word::Notified;
                    }
                }
            }
        }
    }

    pub(super) async fn end(mut self) {
        drop(self.stdin.take());
        if !matches!(self.job, Job::Listen(_))
            || timeout(LAST_WORD, self.child.wait()).await.is_err()
        {
            let _ = self.child.kill().await;
        }
    }
}

//! One `zellij pipe` process that reads lines from us.

use std::io;
use std::io::PipeReader;
use std::os::fd::{AsFd, OwnedFd};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use crate::zellij::Address;

/// How often it is looked whether a line has been read; the pauses between the looks grow up to the second.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// How long a process that has lost its input may take to say so to the plugin.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Why a line was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotTaken {
    /// The process has ended.
    #[error("zellij has ended")]
    Ended,
    /// It does not read: it still waits for the plugins to take the line before.
    #[error("the plugins have not taken the line before")]
    Hung,
    /// It could not be started or written to.
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[derive(Debug)]
pub(super) struct Held {
    child: Child,
    input: pipe::Sender,
    /// Our own end for reading, to ask how much the process has left in it.
    unread: PipeReader,
}

impl Held {
    pub(super) fn start(session: &Address, pipe_name: &str) -> io::Result<Self> {
        let (unread, input) = io::pipe()?;
        let mut command = Command::from(session.command(["pipe", "--name", pipe_name]));
        let child = command
            .stdin(Stdio::from(unread.try_clone()?))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let input = pipe::Sender::from_owned_fd(OwnedFd::from(input))?;
        Ok(Self {
            child,
            input,
            unread,
        })
    }

    /// Sends a line, and waits until the process has read it: which it does when all plugins have taken the line
    /// before.
    pub(super) async fn send(&mut self, line: &str, limit: Duration) -> Result<(), NotTaken> {
        let text = format!("{line}\n");
        let sent = async {
            self.input
                .write_all(text.as_bytes())
                .await
                .map_err(NotTaken::Io)?;
            let [mut pause, longest] = LOOKS;
            while rustix::io::ioctl_fionread(self.unread.as_fd()).is_ok_and(|left| left > 0) {
                sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
            Ok(())
        };
        tokio::select! {
            sent = timeout(limit, sent) => sent.unwrap_or(Err(NotTaken::Hung)),
            _ = self.child.wait() => Err(NotTaken::Ended),
        }
    }

    /// Returns when the process has ended.
    pub(super) async fn ended(&mut self) {
        let _ = self.child.wait().await;
    }

    /// Ends the process; the plugin is not told.
    pub(super) async fn kill(mut self) {
        let _ = self.child.kill().await;
    }

    /// Ends the input, which the process tells the plugin before it ends itself.
    pub(super) async fn close(self) {
        let Self {
            mut child,
            input,
            unread,
        } = self;
        drop((input, unread));
        if timeout(LAST_WORD, child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
    }
}

//! The pipe from the plugins of a session.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use session_core::wire::{Up, WireError};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{sleep, timeout};

use super::lines::Lines;
use super::pause::Pause;
use crate::zellij::Address;

/// What the plugin reads as our introduction.
const HELLO: &str = "hello";

/// How long the first line may take: longer means that nobody takes the pipe, and that it hangs.
const FIRST_LINE: Duration = Duration::from_secs(4);

/// The pause after a pipe that carried something: the plugin was reloaded, or it crashed.
const RELOAD: Duration = Duration::from_millis(100);

/// The pause after a pipe that carried nothing, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));

/// The least time between two attempts, whoever asks for one.
const LEAST: Duration = Duration::from_secs(1);

/// What came of the pipe.
#[derive(Debug)]
pub(crate) enum Heard {
    /// An instance of the plugin said something.
    Line(Box<Up>),
    /// A plugin said something that this program is too old for, or that is no line at all.
    Unreadable(WireError),
    /// The pipe is gone, after it carried lines.
    Lost,
    /// No plugin took the pipe.
    Nobody,
    /// The pipe hung: some plugin of the session waits for its permission.
    Hung,
}

/// Listens to the plugins of the session until nobody wants to hear it. `again` shortens the pause between two attempts:
/// something has changed.
pub(crate) async fn up(
    session: watch::Receiver<Address>,
    pipe_name: String,
    heard: mpsc::Sender<Heard>,
    again: Arc<Notify>,
) {
    let mut pause = Pause::new(PAUSES.0, PAUSES.1);
    loop {
        let address = session.borrow().clone();
        let outcome = match start(&address, &pipe_name) {
            Ok(child) => listen(child, &heard).await,
            Err(error) => {
                tracing::debug!(%error, session = address.name(), "the up pipe did not start");
                Heard::Nobody
            }
        };
        let (least, rest) = if matches!(outcome, Heard::Lost) {
            pause.reset();
            (RELOAD, Duration::ZERO)
        } else {
            (LEAST, pause.after_failure().saturating_sub(LEAST))
        };
        if heard.send(outcome).await.is_err() {
            return;
        }
        sleep(least).await;
        tokio::select! {
            () = sleep(rest) => {}
            () = again.notified() => pause.reset(),
        }
    }
}

fn start(session: &Address, pipe_name: &str) -> std::io::Result<Child> {
    Command::from(session.command(["pipe", "--name", pipe_name, "--", HELLO]))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

async fn listen(mut child: Child, heard: &mpsc::Sender<Heard>) -> Heard {
    let Some(mut stdout) = child.stdout.take() else {
        return Heard::Nobody;
    };
    let mut lines = Lines::default();
    let mut any = false;
    loop {
        let read = read(&mut stdout, &mut lines);
        let read = if any {
            Some(read.await)
        } else {
            timeout(FIRST_LINE, read).await.ok()
        };
        let Some(read) = read else {
            let _ = child.kill().await;
            return Heard::Hung;
        };
        let Some(read) = read else { break };
        for line in read.iter().filter(|line| !line.trim().is_empty()) {
            any = true;
            let heard_line = match Up::read(line) {
                Ok(up) => Heard::Line(Box::new(up)),
                Err(error) => Heard::Unreadable(error),
            };
            if heard.send(heard_line).await.is_err() {
                break;
            }
        }
    }
    // Its output has ended, and so has its use.
    let _ = child.kill().await;
    if any { Heard::Lost } else { Heard::Nobody }
}

/// The lines of the next piece of output; `None` at its end.
async fn read(stdout: &mut ChildStdout, lines: &mut Lines) -> Option<Vec<String>> {
    let mut buffer = [0; 8 << 10];
    match stdout.read(&mut buffer).await {
        Ok(0) | Err(_) => None,
        Ok(count) => Some(lines.read(buffer.get(..count).unwrap_or_default())),
    }
}

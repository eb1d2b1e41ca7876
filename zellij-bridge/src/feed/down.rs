//! The pipe to the plugins of a session.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::allowance::Allowance;
use super::held::{Held, NotTaken};
use super::pause::Pause;
use crate::zellij::Address;

/// What is to be sent: the newest line, or nothing, when nobody is there to read it.
pub(crate) type Line = Option<Arc<str>>;

/// How long a line may wait for the one before it.
const LIMIT: Duration = Duration::from_secs(3);

/// The pause after a failure, and the longest one.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(20));

/// Sends each line to all plugins of the session, the newest one only when there are several, until the sender of the
/// lines is dropped.
///
/// The process is started with the first line, under the name the session has then; it stays when the session is
/// renamed.
pub(crate) async fn down(
    session: watch::Receiver<Address>,
    pipe_name: String,
    mut lines: watch::Receiver<Line>,
) {
    let mut held: Option<Held> = None;
    let mut pause = Pause::new(PAUSES.0, PAUSES.1);
    let mut allowance = Allowance::default();
    loop {
        let line = lines.borrow_and_update().clone();
        let sent = match &line {
            Some(line) => send(&mut held, &session, &pipe_name, line).await,
            None => {
                end(&mut held).await;
                Ok(())
            }
        };
        let again = match sent {
            Ok(()) => {
                pause.reset();
                None
            }
            Err(why) => {
                tracing::debug!(
                    ?why,
                    pipe = pipe_name,
                    session = session.borrow().name(),
                    "a line was not taken"
                );
                end(&mut held).await;
                Some(pause.after_failure())
            }
        };
        let closed = match (again, &line) {
            // A newer line does not shorten the pause: it would hang just as well.
            (Some(pause), _) => {
                sleep(pause).await;
                lines.has_changed().is_err()
            }
            (None, Some(_)) => {
                sleep(allowance.use_up(Instant::now())).await;
                next(&mut lines, &mut held).await
            }
            (None, None) => next(&mut lines, &mut held).await,
        };
        if closed {
            break;
        }
    }
    if let Some(held) = held.take() {
        held.close().await;
    }
}

async fn send(
    held: &mut Option<Held>,
    session: &watch::Receiver<Address>,
    pipe_name: &str,
    line: &str,
) -> Result<(), NotTaken> {
    let pipe = match held {
        Some(pipe) => pipe,
        None => {
            let session = session.borrow().clone();
            held.insert(Held::start(&session, pipe_name)?)
        }
    };
    pipe.send(line, LIMIT).await
}

/// Waits for the next line. Returns whether there will be none.
async fn next(lines: &mut watch::Receiver<Line>, held: &mut Option<Held>) -> bool {
    loop {
        let ended = async {
            match held.as_mut() {
                Some(held) => held.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = lines.changed() => return changed.is_err(),
            // The next line starts another one.
            () = ended => *held = None,
        }
    }
}

async fn end(held: &mut Option<Held>) {
    if let Some(held) = held.take() {
        held.kill().await;
    }
}

//! The daemon's control socket: one JSON line asks, one JSON line answers.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::{mpsc, oneshot};

use super::elsewhere::{Elsewhere, daemon_of_store, elsewhere};
use crate::paths::Paths;
use crate::runtime_dir;

/// The longest line that is read.
const MAX_LINE: u64 = 64 * 1024;
/// How long a caller may take to ask.
const PATIENCE: Duration = Duration::from_secs(2);

/// A request to the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// How it is.
    Status,
    /// End.
    Stop,
}

/// How the daemon is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Its process id.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// Since when it runs, in milliseconds since the Unix epoch.
    pub since_ms: i64,
    /// How many live sessions it follows.
    pub sessions: usize,
    /// How many servers it follows.
    pub servers: usize,
    /// The sockets of the servers that can only be polled, since they send every follower away.
    #[serde(default)]
    pub polled: Vec<String>,
    /// The newest journal row.
    pub seq: u64,
}

/// The daemon's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Reply {
    /// How it is.
    Status(Status),
    /// It ends.
    Stopping,
    /// It did not understand.
    Refused {
        /// Why.
        why: String,
    },
}

/// The daemon gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// None is running.
    #[error("no daemon is running")]
    NotRunning,
    /// One runs on the same store, and cannot be reached where it is.
    #[error(
        "a daemon runs (pid {pid}) with another runtime folder, {folder}: set XDG_RUNTIME_DIR as it has it, or end it first",
        folder = runtime.display()
    )]
    Elsewhere {
        /// Its process.
        pid: u32,
        /// Its runtime folder.
        runtime: PathBuf,
    },
    /// It is there, and takes too long: it may be stopped.
    #[error(
        "the daemon{} did not answer within {} ms",
        pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default(),
        limit.as_millis()
    )]
    Silent {
        /// Its process, when it could be found out.
        pid: Option<u32>,
        /// How long was waited.
        limit: Duration,
    },
    /// The runtime folder is not ours alone.
    #[error(transparent)]
    RuntimeDir(#[from] runtime_dir::RuntimeDirError),
    /// It did not answer in time, or not in a form this build knows.
    #[error("the daemon does not answer: {0}")]
    NoAnswer(String),
}

/// The control socket.
#[must_use]
pub(super) fn socket(paths: &Paths) -> PathBuf {
    paths.runtime.join("control.sock")
}

/// Asks the daemon, and waits for at most `wait`. One that serves the same store from another runtime folder is asked
/// there, when that folder is ours alone.
///
/// # Errors
/// When none runs, or it does not answer.
pub fn ask(paths: &Paths, request: Request, wait: Duration) -> Result<Reply, ControlError> {
    let asked = ask_here(paths, request, wait);
    if !matches!(asked, Err(ControlError::NotRunning)) {
        return asked;
    }
    let Some(Elsewhere { pid, runtime }) = elsewhere(paths) else {
        return asked;
    };
    let there = Paths {
        runtime,
        ..paths.clone()
    };
    match ask_here(&there, request, wait) {
        Err(ControlError::NotRunning | ControlError::RuntimeDir(_)) => {
            Err(ControlError::Elsewhere {
                pid,
                runtime: there.runtime,
            })
        }
        asked => asked,
    }
}

/// Asks the daemon of this very runtime folder.
fn ask_here(paths: &Paths, request: Request, wait: Duration) -> Result<Reply, ControlError> {
    let path = socket(paths);
    match runtime_dir::check(&paths.runtime) {
        Err(runtime_dir::RuntimeDirError::Io { source, .. })
            if source.kind() == ErrorKind::NotFound =>
        {
            return Err(ControlError::NotRunning);
        }
        checked => checked?,
    }
    let failed = |error: std::io::Error| ControlError::NoAnswer(error.to_string());
    if !runtime_dir::own_socket(&path).map_err(failed)? {
        return Err(ControlError::NotRunning);
    }
    let mut stream = match UnixStream::connect(&path) {
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::ConnectionRefused
            ) =>
        {
            return Err(ControlError::NotRunning);
        }
        connected => connected.map_err(failed)?,
    };
    let line = serde_json::to_string(&request)
        .map_err(|error| ControlError::NoAnswer(error.to_string()))?;
    let limit = wait.max(Duration::from_millis(1));
    let wait = Some(limit);
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => ControlError::Silent {
            pid: daemon_of_store(paths),
            limit,
        },
        _ => failed(error),
    };
    stream
        .set_read_timeout(wait)
        .and_then(|()| stream.set_write_timeout(wait))
        .map_err(failed)?;
    // One that hangs up has ended while it was asked.
    let cut = |error: std::io::Error| match error.kind() {
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => ControlError::NotRunning,
        _ => failed(error),
    };
    writeln!(stream, "{line}").map_err(cut)?;
    let mut answer = String::new();
    let read = BufReader::new(stream.take(MAX_LINE))
        .read_line(&mut answer)
        .map_err(cut)?;
    if read == 0 {
        return Err(ControlError::NotRunning);
    }
    serde_json::from_str(&answer).map_err(|error| ControlError::NoAnswer(error.to_string()))
}

/// A request on its way to the event loop.
pub(super) type Asked = (Request, oneshot::Sender<Reply>);

/// Serves one caller: reads a line, has the event loop answer, writes a line.
pub(super) async fn serve(stream: tokio::net::UnixStream, asked: mpsc::Sender<Asked>) {
    let _ = tokio::time::timeout(PATIENCE, answer(stream, asked)).await;
}

async fn answer(
    mut stream: tokio::net::UnixStream,
    asked: mpsc::Sender<Asked>,
) -> std::io::Result<()> {
    let mut line = String::new();
    let (reader, mut writer) = stream.split();
    tokio::io::BufReader::new(reader.take(MAX_LINE))
        .read_line(&mut line)
        .await?;
    let reply = match serde_json::from_str::<Request>(&line) {
        Ok(request) => {
            let (sender, reply) = oneshot::channel();
            let sent = asked.send((request, sender)).await;
            match (sent, reply.await) {
                (Ok(()), Ok(reply)) => reply,
                _ => Reply::Stopping,
            }
        }
        Err(error) => Reply::Refused {
            why: error.to_string(),
        },
    };
    let mut line = serde_json::to_vec(&reply)?;
    line.push(b'\n');
    writer.write_all(&line).await
}

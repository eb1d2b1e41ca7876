//! The daemon's two sockets: datagrams that wake it, and lines that ask it.

use std::io;
use std::os::unix::net::{UnixDatagram as StdDatagram, UnixListener as StdListener};
use std::path::PathBuf;

use rustix::net::{SocketType, listen};
use tokio::net::{UnixDatagram, UnixListener};

use super::error::ServiceError;
use crate::nudge::{MAX_BYTES, Nudge};
use crate::paths::Paths;
use crate::runtime_dir::bind_socket;

/// How many who ask may wait.
const BACKLOG: i32 = 16;

/// The sockets; their files go with them.
pub(super) struct Sockets {
    pub(super) nudges: Nudges,
    pub(super) control: UnixListener,
    _files: Files,
}

/// The datagrams.
pub(super) struct Nudges {
    socket: UnixDatagram,
    buffer: Vec<u8>,
}

struct Files([PathBuf; 2]);

impl Sockets {
    /// Binds both in the runtime folder, which must have been checked.
    ///
    /// # Errors
    /// When one cannot be bound.
    pub(super) fn bind(paths: &Paths) -> Result<Self, ServiceError> {
        let files = Files([paths.nudge_socket(), super::control::socket(paths)]);
        let [nudges, control] = &files.0;
        let io = |path: &PathBuf, source| ServiceError::Io {
            path: path.clone(),
            source,
        };
        let datagrams =
            UnixDatagram::from_std(StdDatagram::from(bind_socket(nudges, SocketType::DGRAM)?))
                .map_err(|source| io(nudges, source))?;
        let lines = bind_socket(control, SocketType::STREAM)?;
        listen(&lines, BACKLOG).map_err(|source| io(control, source.into()))?;
        let lines = UnixListener::from_std(StdListener::from(lines))
            .map_err(|source| io(control, source))?;
        let nudges = Nudges {
            socket: datagrams,
            buffer: vec![0; MAX_BYTES],
        };
        Ok(Self {
            nudges,
            control: lines,
            _files: files,
        })
    }
}

impl Nudges {
    /// The next nudge. What cannot be read is a nudge all the same.
    ///
    /// # Errors
    /// When the socket fails.
    pub(super) async fn next(&mut self) -> io::Result<Nudge> {
        self.socket.readable().await?;
        let length = match self.socket.try_recv(&mut self.buffer) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Nudge::Look),
            Err(error) => return Err(error),
        };
        Ok(self.read(length))
    }

    /// Further nudges that have come by now.
    pub(super) fn also(&mut self) -> Option<Nudge> {
        let length = self.socket.try_recv(&mut self.buffer).ok()?;
        Some(self.read(length))
    }

    fn read(&self, length: usize) -> Nudge {
        self.buffer
            .get(..length)
            .and_then(|bytes| serde_json::from_slice(bytes).ok())
            .unwrap_or(Nudge::Look)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = std::fs::remove_file(file);
        }
    }
}

//! The datagram that wakes the daemon. It never blocks, never makes anything, and follows nothing that is not ours.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixDatagram;

use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use session_core::SessionId;

use crate::intake::Delivery;
use crate::paths::Paths;
use crate::runtime_dir::{self, RuntimeDirError};

/// The largest datagram that is sent or taken.
pub(crate) const MAX_BYTES: usize = 64 * 1024;

/// What the daemon is told.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nudge {
    /// A session has changed in the store.
    Changed(SessionId),
    /// Something has changed, in the store or in the spool.
    Look,
    /// A signal that may not have been written anywhere.
    Delivery(Box<Delivery>),
}

/// What came of a nudge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nudged {
    /// The daemon has it.
    Heard,
    /// No daemon listens.
    Nobody,
    /// The daemon has more nudges waiting than it can hold; it will look anyway.
    Full,
    /// We may not, as in a sandbox (case D8).
    Forbidden,
    /// The runtime folder is not ours alone, so it is not used (case K5).
    NotOurs,
    /// It could not be sent.
    Failed,
}

/// Wakes the daemon.
#[must_use]
pub fn nudge(paths: &Paths, nudge: &Nudge) -> Nudged {
    let path = paths.nudge_socket();
    let ours = match runtime_dir::check(&paths.runtime) {
        Ok(()) => runtime_dir::own_socket(&path),
        Err(RuntimeDirError::Io { source, .. }) => Err(source),
        Err(_) => return Nudged::NotOurs,
    };
    match ours {
        Ok(true) => {}
        Ok(false) => return Nudged::Nobody,
        Err(error) => return came_of(&error),
    }
    let Ok(bytes) = serde_json::to_vec(nudge) else {
        return Nudged::Failed;
    };
    let sent = UnixDatagram::unbound().and_then(|socket| {
        socket.set_nonblocking(true)?;
        socket.send_to(&bytes, &path)
    });
    sent.map_or_else(|error| came_of(&error), |_| Nudged::Heard)
}

fn came_of(error: &io::Error) -> Nudged {
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => Nudged::Nobody,
        ErrorKind::PermissionDenied => Nudged::Forbidden,
        ErrorKind::WouldBlock => Nudged::Full,
        _ if is(Errno::NOBUFS) => Nudged::Full,
        _ => Nudged::Failed,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::net::SocketType;

    use super::*;
    use crate::runtime_dir::{bind_socket, ensure};

    fn paths(folder: &tempfile::TempDir) -> Paths {
        let at = |name: &str| folder.path().join(name);
        Paths {
            config: at("config"),
            state: at("state"),
            runtime: at("run"),
        }
    }

    #[test]
    fn a_daemon_that_listens_is_told_and_one_that_has_gone_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(&folder);
        assert_eq!(nudge(&paths, &Nudge::Look), Nudged::Nobody);
        assert!(!paths.runtime.exists(), "a nudge makes nothing");
        ensure(&paths.runtime).unwrap();
        let socket =
            UnixDatagram::from(bind_socket(&paths.nudge_socket(), SocketType::DGRAM).unwrap());
        assert_eq!(nudge(&paths, &Nudge::Look), Nudged::Heard);
        let mut bytes = [0; 64];
        let length = socket.recv(&mut bytes).unwrap();
        assert!(matches!(
            serde_json::from_slice(&bytes[..length]),
            Ok(Nudge::Look)
        ));
        drop(socket);
        assert_eq!(nudge(&paths, &Nudge::Look), Nudged::Nobody);
    }

    #[test]
    fn a_daemon_that_does_not_read_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(&folder);
        ensure(&paths.runtime).unwrap();
        let _socket = bind_socket(&paths.nudge_socket(), SocketType::DGRAM).unwrap();
        let full = (0..100_000)
            .map(|_| nudge(&paths, &Nudge::Look))
            .find(|nudged| *nudged != Nudged::Heard);
        assert_eq!(full, Some(Nudged::Full));
    }

    #[test]
    fn case_k5_a_symlink_in_the_runtime_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(&folder);
        ensure(&paths.runtime).unwrap();
        let elsewhere = folder.path().join("elsewhere.sock");
        let socket = UnixDatagram::from(bind_socket(&elsewhere, SocketType::DGRAM).unwrap());
        symlink(&elsewhere, paths.nudge_socket()).unwrap();
        assert_eq!(nudge(&paths, &Nudge::Look), Nudged::Nobody);
        assert_eq!(
            socket.recv(&mut [0; 64]).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
    }
}

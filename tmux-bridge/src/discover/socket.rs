//! Whether a socket is the user's own, and whether anybody serves it.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::fd::OwnedFd;
use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};

/// Whether the folder is the user's, is not a link, and lets nobody else in to write (case K5).
pub(super) fn is_trusted_folder(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder)
        .is_ok_and(|meta| meta.is_dir() && meta.uid() == user() && meta.mode() & 0o022 == 0)
}

/// Whether there is a socket of the user's.
pub(crate) fn is_trusted(socket: &Path) -> bool {
    std::fs::metadata(socket).is_ok_and(|meta| meta.file_type().is_socket() && meta.uid() == user())
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether a process of the user's listens on the socket, even one that does not answer. Never blocks.
pub(crate) fn is_served(path: &Path) -> bool {
    let Ok(address) = SocketAddrUnix::new(path) else {
        return false;
    };
    let Ok(end) = end() else { return false };
    match connect(&end, &address) {
        Ok(()) => is_own(&end),
        // So many wait to be let in that the server can only be hung.
        Err(rustix::io::Errno::AGAIN) => true,
        Err(_) => false,
    }
}

/// The process that listens on the socket, as far as the system tells; also one that does not answer. Never blocks.
pub(crate) fn listener(path: &Path) -> Option<u32> {
    let end = end().ok()?;
    connect(&end, &SocketAddrUnix::new(path).ok()?).ok()?;
    peer(&end)
}

/// An end that never blocks; not every system can make it so at once.
fn end() -> rustix::io::Result<OwnedFd> {
    let end = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    fcntl_setfd(&end, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&end, true)?;
    Ok(end)
}

/// Whether the other end is a process of the user's: whoever can make a socket by that name could be anybody.
#[cfg(target_os = "linux")]
fn is_own(end: &OwnedFd) -> bool {
    rustix::net::sockopt::socket_peercred(end).is_ok_and(|peer| peer.uid.as_raw() == user())
}

#[cfg(not(target_os = "linux"))]
fn is_own(_: &OwnedFd) -> bool {
    true
}

#[cfg(target_os = "linux")]
fn peer(end: &OwnedFd) -> Option<u32> {
    let peer = rustix::net::sockopt::socket_peercred(end).ok()?;
    u32::try_from(peer.pid.as_raw_nonzero().get()).ok()
}

#[cfg(not(target_os = "linux"))]
fn peer(_: &OwnedFd) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn case_b6_a_socket_file_that_nobody_listens_on_is_not_served() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        assert!(!is_served(&socket) && !is_trusted(&socket));
        let listener = UnixListener::bind(&socket).unwrap();
        assert!(is_served(&socket) && is_trusted(&socket));
        drop(listener);
        assert!(!is_served(&socket) && is_trusted(&socket));
    }

    /// Linux alone tells a full house from an empty one.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_server_that_lets_nobody_in_is_served_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let _listener = UnixListener::bind(&socket).unwrap();
        let address = SocketAddrUnix::new(&socket).unwrap();
        let mut waiting = Vec::new();
        loop {
            let end = end().unwrap();
            if connect(&end, &address).is_err() {
                break;
            }
            waiting.push(end);
        }
        assert!(is_served(&socket));
    }
}

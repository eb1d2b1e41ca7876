//! Whether a socket is the user's own, and whether anybody serves it.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

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
pub(crate) fn is_served(socket: &Path) -> bool {
    let Ok(address) = SocketAddrUnix::new(socket) else { return false };
    let Ok(end) = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC, None)
    else {
        return false;
    };
    match connect(&end, &address) {
        Ok(()) => is_own(&end),
        // So many wait to be let in that the server can only be hung.
        Err(rustix::io::Errno::AGAIN) => true,
        Err(_) => false,
    }
}

/// Whether the other end is a process of the user's: whoever can make a socket by that name could be anybody.
#[cfg(target_os = "linux")]
fn is_own(end: &rustix::fd::OwnedFd) -> bool {
    rustix::net::sockopt::socket_peercred(end).is_ok_and(|peer| peer.uid.as_raw() == user())
}

#[cfg(not(target_os = "linux"))]
fn is_own(_: &rustix::fd::OwnedFd) -> bool {
    true
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

    #[test]
    fn a_server_that_lets_nobody_in_is_served_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let _listener = UnixListener::bind(&socket).unwrap();
        let address = SocketAddrUnix::new(&socket).unwrap();
        let mut waiting = Vec::new();
        loop {
            let end = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::NONBLOCK, None).unwrap();
            if connect(&end, &address).is_err() {
                break;
            }
            waiting.push(end);
        }
        assert!(is_served(&socket));
    }
}

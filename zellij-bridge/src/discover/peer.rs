//! Who listens on a socket.

use std::path::Path;

/// The process that listens on the socket, as the kernel tells it to whoever connects. `None` when nobody does, or
/// where the system does not tell.
///
/// The server sees a client that comes and goes; `zellij list-sessions` does the same to each of them.
#[cfg(target_os = "linux")]
pub(super) fn listener(socket: &Path) -> Option<u32> {
    let stream = std::os::unix::net::UnixStream::connect(socket).ok()?;
    let peer = rustix::net::sockopt::socket_peercred(&stream).ok()?;
    u32::try_from(peer.pid.as_raw_nonzero().get()).ok()
}

/// The process that listens on the socket: here the system does not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn listener(_: &Path) -> Option<u32> {
    None
}

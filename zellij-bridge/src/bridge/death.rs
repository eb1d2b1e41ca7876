//! Hears of a server's end.

use session_core::ProcessRef;

/// Returns when the process has ended; at once when it has ended already or was replaced. Where the system does not
/// tell, it never returns, and the regular look finds it out.
#[cfg(target_os = "linux")]
pub(super) async fn death(process: ProcessRef, is_alive: impl Fn(ProcessRef) -> Option<bool>) {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    use tokio::net::unix::pipe::Receiver;

    let pid = i32::try_from(process.pid).ok().and_then(Pid::from_raw);
    let opened = pid.map(|pid| pidfd_open(pid, PidfdFlags::NONBLOCK));
    // The descriptor may be that of a successor with the same number.
    if is_alive(process) == Some(false) {
        return;
    }
    let Some(Ok(descriptor)) = opened else {
        return std::future::pending().await;
    };
    // Of all that tokio waits for, a pipe asks least of its descriptor: whether it can be read, which here says that
    // the process has ended.
    match Receiver::from_owned_fd_unchecked(descriptor) {
        Ok(descriptor) => drop(descriptor.readable().await),
        Err(_) => std::future::pending().await,
    }
}

/// Returns when the process has ended; here the system does not tell, and the regular look finds it out.
#[cfg(not(target_os = "linux"))]
pub(super) async fn death(process: ProcessRef, is_alive: impl Fn(ProcessRef) -> Option<bool>) {
    if is_alive(process) != Some(false) {
        std::future::pending().await
    }
}

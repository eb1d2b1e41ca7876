//! Ends the followers that an earlier daemon left behind when it was killed.

use std::ffi::OsStr;

use rustix::process::{Pid, Signal, kill_process};

use crate::command::Tmux;
use crate::hooks::channel;
use crate::processes::tmux_processes;

/// Ends every process that waits on this server's channel: while we do not follow it, none of them is of use.
/// Blocking.
pub(crate) fn end_leftovers(tmux: &Tmux, server_pid: u32) {
    let channel = channel(server_pid);
    let is_ours = |argv: &[std::ffi::OsString]| {
        let end: Vec<&OsStr> = argv.iter().rev().take(2).map(std::ffi::OsString::as_os_str).collect();
        end == [OsStr::new(&channel), OsStr::new("wait-for")] && argv.iter().any(|word| word == tmux.socket())
    };
    for process in tmux_processes().filter(|process| is_ours(&process.argv)) {
        if let Some(pid) = i32::try_from(process.pid).ok().and_then(Pid::from_raw) {
            tracing::info!(process.pid, "ending a follower that was left behind");
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

//! The user's zellij server processes.

use std::path::PathBuf;

use session_core::Time;
use session_host::process::{ProcessStat, ProcessTable, zellij_socket};

/// A zellij server: `zellij --server PATH`.
#[derive(Clone, Debug)]
pub(super) struct ServerProcess {
    pub(super) stat: ProcessStat,
    /// The socket it was started on: its file may have been renamed since.
    pub(super) socket: PathBuf,
}

/// All zellij servers of the user.
pub(super) fn server_processes(table: &dyn ProcessTable) -> Vec<ServerProcess> {
    without_forks(
        zellij_processes()
            .into_iter()
            .filter_map(|pid| server(table, pid))
            .collect(),
    )
}

/// Leaves out what a server has forked and what has not become another program yet.
fn without_forks(servers: Vec<ServerProcess>) -> Vec<ServerProcess> {
    let pids: Vec<u32> = servers.iter().map(|server| server.stat.pid).collect();
    servers
        .into_iter()
        .filter(|server| !pids.contains(&server.stat.parent))
        .collect()
}

pub(super) fn server(table: &dyn ProcessTable, pid: u32) -> Option<ServerProcess> {
    let stat = table.stat(pid).ok().filter(|stat| !stat.zombie)?;
    let socket = zellij_socket(&stat.comm, &table.argv(pid))?;
    Some(ServerProcess { stat, socket })
}

/// How long a session is starting.
const START_SECS: i64 = 10;

/// What a zellij process is told that neither is a session nor starts one.
const HELPERS: [&str; 4] = ["action", "pipe", "setup", "list-sessions"];

/// Whether a session is starting that `is_ours`: a zellij process of a few seconds, be it a server or the client that
/// will start one.
pub(super) fn is_starting(
    table: &dyn ProcessTable,
    now: Time,
    is_ours: impl Fn(u32) -> bool,
) -> bool {
    zellij_processes()
        .into_iter()
        .filter(|pid| is_ours(*pid))
        .any(|pid| {
            let started = table
                .stat(pid)
                .ok()
                .and_then(|stat| table.started_epoch(&stat));
            let is_young = started.is_some_and(|started| now.secs() - started < START_SECS);
            is_young
                && !table
                    .argv(pid)
                    .iter()
                    .any(|word| HELPERS.contains(&word.as_str()))
        })
}

/// The processes of the user that are called zellij.
#[cfg(target_os = "linux")]
pub(crate) fn zellij_processes() -> Vec<u32> {
    use std::fs;
    use std::os::unix::fs::MetadataExt as _;

    let user = rustix::process::geteuid().as_raw();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let folder = entry.path();
            // The name is the cheapest to read.
            let is_zellij =
                fs::read(folder.join("comm")).is_ok_and(|name| name.starts_with(b"zellij"));
            (is_zellij && fs::metadata(&folder).ok()?.uid() == user).then_some(pid)
        })
        .collect()
}

/// The processes of the user that are called zellij.
#[cfg(not(target_os = "linux"))]
pub(crate) fn zellij_processes() -> Vec<u32> {
    use std::process::{Command, Stdio};

    let user = rustix::process::geteuid().as_raw();
    let mut command = Command::new("/bin/ps");
    command
        .args(["-axww", "-o", "pid=,uid=,comm="])
        .stdin(Stdio::null());
    let printed = session_host::child::output(command, crate::DEADLINE).map(|output| output.stdout);
    let printed = String::from_utf8_lossy(&printed.unwrap_or_default()).into_owned();
    printed
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let pid = words.next()?.parse().ok()?;
            let is_ours = words.next()?.parse() == Ok(user);
            let is_zellij = words.next()?.rsplit('/').next()?.starts_with("zellij");
            (is_ours && is_zellij).then_some(pid)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use session_host::process::FakeProcesses;

    use super::*;

    #[test]
    fn what_a_server_has_just_forked_is_no_server() {
        let table = FakeProcesses::default()
            .with(7, 1, "zellij --server /a/b/c")
            .with(8, 7, "zellij --server /a/b/c")
            .with(9, 1, "zellij --server /a/b/d");
        let servers = [7, 8, 9]
            .into_iter()
            .filter_map(|pid| server(&table, pid))
            .collect();
        let left: Vec<u32> = without_forks(servers)
            .iter()
            .map(|server| server.stat.pid)
            .collect();
        assert_eq!(left, [7, 9]);
    }
}

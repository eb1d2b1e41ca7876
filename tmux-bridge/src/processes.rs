//! The user's tmux processes: the servers and clients whose sockets nobody told us about.

use std::ffi::OsString;
use std::path::PathBuf;

use rustix::process::{Pid, test_kill_process};
use session_host::env::Env;

/// A tmux process of the user.
#[derive(Debug)]
pub(crate) struct TmuxProcess {
    pub(crate) pid: u32,
    pub(crate) argv: Vec<OsString>,
    /// Where it was started, as far as the system tells.
    pub(crate) cwd: Option<PathBuf>,
    /// The environment it was started with, as far as the system tells.
    pub(crate) env: Option<Env>,
}

/// All tmux processes of the user; blocking.
pub(crate) fn tmux_processes() -> impl Iterator<Item = TmuxProcess> {
    platform::tmux_processes()
}

/// The environment a process was started with, as far as the system tells.
pub(crate) fn env_of(pid: u32) -> Option<Env> {
    platform::env_of(pid)
}

/// Whether a process has not ended yet; one that has and is not reaped does not count.
pub(crate) fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return false;
    };
    let there = !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
    there && !platform::is_zombie(pid)
}

/// Whether a process has ended and its parent has not noticed.
pub(crate) fn is_zombie(pid: u32) -> bool {
    i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .is_some_and(platform::is_zombie)
}

#[cfg(target_os = "linux")]
mod platform {
    use std::ffi::OsString;
    use std::fs;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};

    use rustix::process::Pid;
    use session_host::env::Env;

    use super::TmuxProcess;

    pub(super) fn tmux_processes() -> impl Iterator<Item = TmuxProcess> {
        let user = rustix::process::geteuid().as_raw();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(move |entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let folder = entry.path();
            // tmux names its processes `tmux: server` and `tmux: client`; the name is the cheapest to read.
            let is_tmux = fs::read(folder.join("comm")).is_ok_and(|name| name.starts_with(b"tmux"));
            if !is_tmux || fs::metadata(&folder).ok()?.uid() != user {
                return None;
            }
            Some(TmuxProcess {
                pid,
                argv: words(&folder.join("cmdline"))?,
                cwd: fs::read_link(folder.join("cwd")).ok(),
                env: env_of(pid),
            })
        })
    }

    pub(super) fn env_of(pid: u32) -> Option<Env> {
        let words = words(&PathBuf::from(format!("/proc/{pid}/environ")))?;
        Some(words.into_iter().filter_map(pair).collect())
    }

    pub(super) fn is_zombie(pid: Pid) -> bool {
        let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state follows the name, which may hold anything but ends with the last bracket.
        let state = stat
            .iter()
            .rposition(|byte| *byte == b')')
            .and_then(|at| stat.get(at + 2));
        matches!(state, Some(b'Z' | b'X'))
    }

    fn pair(word: OsString) -> Option<(OsString, OsString)> {
        let mut name = word.into_vec();
        let equals = name.iter().position(|byte| *byte == b'=')?;
        let value = name.split_off(equals + 1);
        name.pop();
        Some((OsString::from_vec(name), OsString::from_vec(value)))
    }

    fn words(path: &Path) -> Option<Vec<OsString>> {
        let mut bytes = fs::read(path).ok()?;
        if bytes.last() == Some(&0) {
            bytes.pop();
        }
        Some(
            bytes
                .split(|byte| *byte == 0)
                .map(|word| OsString::from_vec(word.to_vec()))
                .collect(),
        )
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use rustix::process::Pid;
    use session_host::env::Env;

    use super::TmuxProcess;

    /// Reads `ps`, which tells arguments apart by blanks only: a socket's path with a blank is not found this way.
    pub(super) fn tmux_processes() -> impl Iterator<Item = TmuxProcess> {
        let user = rustix::process::geteuid().as_raw();
        let mut command = Command::new("/bin/ps");
        command
            .args(["-axww", "-o", "pid=,uid=,command="])
            .stdin(Stdio::null());
        let printed =
            crate::run::output(command, Duration::from_secs(2)).map(|output| output.stdout);
        let printed = String::from_utf8_lossy(&printed.unwrap_or_default()).into_owned();
        let processes: Vec<_> = printed
            .lines()
            .filter_map(|line| process(line, user))
            .collect();
        processes.into_iter()
    }

    fn process(line: &str, user: u32) -> Option<TmuxProcess> {
        let mut words = line.split_whitespace();
        let pid = words.next()?.parse().ok()?;
        if words.next()?.parse() != Ok(user) {
            return None;
        }
        let argv: Vec<_> = words.map(std::ffi::OsString::from).collect();
        let program = std::path::Path::new(argv.first()?).file_name()?.to_str()?;
        program.starts_with("tmux").then_some(TmuxProcess {
            pid,
            argv,
            cwd: None,
            env: None,
        })
    }

    pub(super) fn env_of(_: u32) -> Option<Env> {
        None
    }

    pub(super) fn is_zombie(_: Pid) -> bool {
        false
    }
}

//! Linux: the process table is `/proc`.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use rustix::time::{ClockId, clock_gettime};

use super::table::{ProcessGone, ProcessStat, ProcessTable};

/// The largest `/proc/<pid>/stat` that is read: its name part is at most 64 bytes, the rest are numbers.
const STAT_MAX: usize = 1024;

/// The process table of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemProcesses;

impl ProcessTable for SystemProcesses {
    fn stat(&self, pid: u32) -> Result<ProcessStat, ProcessGone> {
        let mut buffer = [0_u8; STAT_MAX];
        let read =
            File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read(&mut buffer));
        match read {
            Ok(length) => {
                parse(pid, buffer.get(..length).unwrap_or_default()).ok_or(ProcessGone::Unreadable)
            }
            Err(error) => Err(why(pid, &error)),
        }
    }

    fn exe(&self, pid: u32) -> Option<PathBuf> {
        let path = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
        // The kernel's mark for a program that was replaced while it runs, as an update does.
        match path
            .to_str()
            .and_then(|path| path.strip_suffix(" (deleted)"))
        {
            Some(path) => Some(PathBuf::from(path)),
            None => Some(path),
        }
    }

    fn argv(&self, pid: u32) -> Vec<String> {
        let bytes = read(&format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let bytes = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
        if bytes.is_empty() {
            return Vec::new();
        }
        bytes
            .split(|byte| *byte == 0)
            .map(|arg| String::from_utf8_lossy(arg).into_owned())
            .collect()
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        let bytes = read(&format!("/proc/{pid}/environ")).ok()?;
        bytes.split(|byte| *byte == 0).find_map(|entry| {
            let value = entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
            Some(String::from_utf8_lossy(value).into_owned())
        })
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return Vec::new();
        };
        let mut children = Vec::new();
        for thread in threads.flatten() {
            match fs::read_to_string(thread.path().join("children")) {
                Ok(line) => children.extend(
                    line.split_ascii_whitespace()
                        .filter_map(|child| child.parse::<u32>().ok()),
                ),
                // The thread has ended, or this kernel has no such file.
                Err(_)
                    if !Path::new("/proc/self/task")
                        .join(own_thread())
                        .join("children")
                        .exists() =>
                {
                    return self.children_by_scan(pid);
                }
                Err(_) => {}
            }
        }
        children
    }

    fn all(&self) -> Vec<u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    fn started_epoch(&self, stat: &ProcessStat) -> Option<i64> {
        let hertz = i64::try_from(rustix::param::clock_ticks_per_second())
            .ok()
            .filter(|hertz| *hertz > 0)?;
        let started = i64::try_from(stat.started).ok()?;
        Some((booted(hertz) + started).div_euclid(hertz))
    }
}

impl SystemProcesses {
    /// Looks at every process: for kernels that do not list children.
    fn children_by_scan(self, pid: u32) -> Vec<u32> {
        let mut all = self.all();
        all.retain(|other| self.stat(*other).is_ok_and(|stat| stat.parent == pid));
        all
    }
}

/// Reads a file that is made as it is read, and tells no size beforehand.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    let mut buffer = [0_u8; 4096];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(bytes),
            length => bytes.extend_from_slice(buffer.get(..length).unwrap_or_default()),
        }
    }
}

/// When the machine was booted, in ticks since the Unix epoch. Rounded to a tick, for two clocks cannot be read at the
/// same moment: whoever asks, and whenever, is told the same.
fn booted(hertz: i64) -> i64 {
    let nanos = |clock: ClockId| {
        let time = clock_gettime(clock);
        i128::from(time.tv_sec) * 1_000_000_000 + i128::from(time.tv_nsec)
    };
    let tick = 1_000_000_000 / i128::from(hertz);
    let booted = nanos(ClockId::Realtime) - nanos(ClockId::Boottime);
    i64::try_from((booted + tick / 2).div_euclid(tick)).unwrap_or_default()
}

fn own_thread() -> String {
    rustix::thread::gettid().as_raw_nonzero().to_string()
}

/// Tells a process that is gone from one that is hidden, as `hidepid` does with those of other users.
fn why(pid: u32, error: &io::Error) -> ProcessGone {
    let gone = error.kind() == io::ErrorKind::NotFound
        || error.raw_os_error() == Some(Errno::SRCH.raw_os_error());
    let raw = i32::try_from(pid).ok().and_then(Pid::from_raw);
    match raw.map(test_kill_process) {
        Some(Err(Errno::SRCH)) | None if gone => ProcessGone::Gone,
        _ => ProcessGone::Unreadable,
    }
}

/// Reads one line of `/proc/<pid>/stat` (proc_pid_stat(5)). The name may hold anything, parentheses and spaces too.
fn parse(pid: u32, line: &[u8]) -> Option<ProcessStat> {
    let line = String::from_utf8_lossy(line);
    let (head, rest) = line.rsplit_once(')')?;
    let (_, comm) = head.split_once('(')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().unwrap_or(0);
    let _session = fields.next()?;
    let terminal = fields
        .next()?
        .parse::<i64>()
        .map_or(0, |number| u32::try_from(number & 0xffff_ffff).unwrap_or(0));
    let foreground = fields.next()?.parse().ok();
    let started = fields.nth(13)?.parse().ok()?;
    Some(ProcessStat {
        pid,
        parent,
        group,
        terminal,
        foreground,
        started,
        comm: comm.to_owned(),
        zombie: matches!(state, "Z" | "X"),
        stopped: matches!(state, "T" | "t"),
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_line_of_the_table_is_read_whatever_the_name_holds() {
        let line = b"4242 (a) (b c) S 1 4200 4100 34816 4300 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3";
        let stat = parse(4242, line).unwrap();
        assert_eq!(
            (stat.comm.as_str(), stat.parent, stat.group, stat.terminal),
            ("a) (b c", 1, 4200, 34816)
        );
        assert_eq!(
            (stat.foreground, stat.started, stat.zombie),
            (Some(4300), 987_654, false)
        );
        let without_terminal = b"1 (x) Z 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0";
        let stat = parse(1, without_terminal).unwrap();
        assert_eq!(
            (stat.foreground, stat.terminal, stat.zombie),
            (None, 0, true)
        );
        assert_eq!(parse(1, b"1 (x) S 0"), None);
        assert_eq!(parse(1, b""), None);
    }

    #[test]
    fn the_own_process_is_found_with_its_arguments_and_age() {
        let table = SystemProcesses;
        let own = table.stat(table.own_pid()).unwrap();
        assert_eq!(own.parent, std::os::unix::process::parent_id());
        assert_eq!(table.argv(own.pid), std::env::args().collect::<Vec<_>>());
        assert_eq!(table.exe(own.pid), std::env::current_exe().ok());
        assert_eq!(table.alive(own.reference()), Some(true));
        assert_eq!(
            table.alive(session_core::ProcessRef {
                started: own.started + 1,
                ..own.reference()
            }),
            Some(false)
        );
        let age = clock_gettime(ClockId::Realtime).tv_sec - table.started_epoch(&own).unwrap();
        assert!((-2..3600).contains(&age), "{age}");
    }

    #[test]
    fn a_child_is_listed_with_its_environment_and_missed_when_it_is_gone() {
        let table = SystemProcesses;
        let mut child = Command::new("sleep")
            .arg("60")
            .env("TALLY_PROBE", "a=b")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let pid = child.id();
        assert!(table.children(table.own_pid()).contains(&pid));
        assert!(table.children_by_scan(table.own_pid()).contains(&pid));
        let reference = table.stat(pid).unwrap().reference();
        // The spawn waits until the exec is certain, not until the kernel has laid the new program's
        // environment out: for a moment the file is empty.
        while fs::read(format!("/proc/{pid}/environ")).unwrap().is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(table.variable(pid, "TALLY_PROBE").as_deref(), Some("a=b"));
        assert_eq!(table.variable(pid, "TALLY_PROB"), None);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(table.stat(pid), Err(ProcessGone::Gone));
        assert_eq!(table.alive(reference), Some(false));
    }

    #[test]
    fn a_process_that_waits_to_be_reaped_is_not_alive() {
        let table = SystemProcesses;
        let mut child = Command::new("true").spawn().unwrap();
        let stat = loop {
            match table.stat(child.id()) {
                Ok(stat) if !stat.zombie => std::thread::yield_now(),
                other => break other.unwrap(),
            }
        };
        assert_eq!(table.alive(stat.reference()), Some(false));
        child.wait().unwrap();
    }

    #[test]
    fn the_start_of_a_process_is_the_same_whenever_it_is_asked_for() {
        let stat = SystemProcesses.stat(SystemProcesses.own_pid()).unwrap();
        let first = SystemProcesses.started_epoch(&stat);
        for _ in 0..200 {
            std::thread::sleep(std::time::Duration::from_millis(7));
            assert_eq!(SystemProcesses.started_epoch(&stat), first);
        }
    }
}

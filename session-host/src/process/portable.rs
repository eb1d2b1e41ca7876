//! Everywhere else: the process table as `sysinfo` tells it. It does not tell the foreground group of a terminal, so
//! the foreground of a pane is looked for among all that descends from the pane's process.

#![cfg_attr(
    target_os = "linux",
    expect(unreachable_pub, reason = "on Linux it is built for its tests only")
)]

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sysinfo::{
    Pid, Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System, UpdateKind,
};

use super::table::{ProcessGone, ProcessStat, ProcessTable};

/// For how long one scan of the whole table answers questions about children.
const SCAN_HOLDS: Duration = Duration::from_millis(500);

/// The process table of this machine.
#[derive(Debug)]
pub struct SystemProcesses {
    scan: Mutex<Scan>,
}

#[derive(Debug)]
struct Scan {
    /// `None` where the platform tells nothing.
    system: Option<System>,
    at: Option<Instant>,
}

impl Default for SystemProcesses {
    fn default() -> Self {
        Self {
            scan: Mutex::new(Scan {
                system: System::new().ok(),
                at: None,
            }),
        }
    }
}

impl SystemProcesses {
    fn scan(&self) -> MutexGuard<'_, Scan> {
        self.scan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The processes that are wanted, from one scan of the table.
    fn select(&self, wanted: impl Fn(&Process) -> bool) -> Vec<u32> {
        let mut scan = self.scan();
        let Scan {
            system: Some(system),
            at,
        } = &mut *scan
        else {
            return Vec::new();
        };
        if at.is_none_or(|at| at.elapsed() > SCAN_HOLDS) {
            system.refresh_processes_specifics(
                ProcessesToUpdate::All,
                true,
                ProcessRefreshKind::nothing(),
            );
            *at = Some(Instant::now());
        }
        system
            .processes()
            .values()
            .filter(|process| process.thread_kind().is_none() && wanted(process))
            .map(|process| process.pid().as_u32())
            .collect()
    }

    fn ask<T>(
        &self,
        pid: u32,
        what: ProcessRefreshKind,
        answer: impl FnOnce(&Process) -> T,
    ) -> Option<T> {
        let mut scan = self.scan();
        let system = scan.system.as_mut()?;
        let pid = Pid::from_u32(pid);
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, what);
        system.process(pid).map(answer)
    }
}

impl ProcessTable for SystemProcesses {
    fn stat(&self, pid: u32) -> Result<ProcessStat, ProcessGone> {
        let stat = self.ask(pid, ProcessRefreshKind::nothing(), |process| ProcessStat {
            pid,
            parent: process.parent().map_or(0, Pid::as_u32),
            started: process.start_time(),
            comm: process.name().to_string_lossy().into_owned(),
            zombie: matches!(
                process.status(),
                ProcessStatus::Zombie | ProcessStatus::Dead
            ),
            stopped: process.status() == ProcessStatus::Stop,
            ..ProcessStat::default()
        });
        match stat {
            Some(stat) => Ok(stat),
            None if self.scan().system.is_none() => Err(ProcessGone::Unreadable),
            None => Err(ProcessGone::Gone),
        }
    }

    fn exe(&self, pid: u32) -> Option<PathBuf> {
        let what = ProcessRefreshKind::nothing().with_exe(UpdateKind::Always);
        self.ask(pid, what, |process| process.exe().map(ToOwned::to_owned))?
    }

    fn argv(&self, pid: u32) -> Vec<String> {
        let what = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);
        self.ask(pid, what, |process| {
            process
                .cmd()
                .iter()
                .map(|arg| arg.to_string_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default()
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        let what = ProcessRefreshKind::nothing().with_environ(UpdateKind::Always);
        self.ask(pid, what, |process| {
            process.environ().iter().find_map(|entry| {
                entry
                    .to_str()?
                    .strip_prefix(name)?
                    .strip_prefix('=')
                    .map(str::to_owned)
            })
        })?
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        let parent = Pid::from_u32(pid);
        self.select(|process| process.parent() == Some(parent))
    }

    fn all(&self) -> Vec<u32> {
        self.select(|_| true)
    }

    fn started_epoch(&self, stat: &ProcessStat) -> Option<i64> {
        i64::try_from(stat.started).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_own_process_and_its_child_are_found() {
        let table = SystemProcesses::default();
        let own = table.stat(table.own_pid()).unwrap();
        assert_eq!(own.parent, std::os::unix::process::parent_id());
        assert_eq!(table.argv(own.pid), std::env::args().collect::<Vec<_>>());
        let mut child = Command::new("sleep")
            .arg("60")
            .env("TALLY_PROBE", "x")
            .spawn()
            .unwrap();
        assert!(table.children(own.pid).contains(&child.id()));
        assert_eq!(
            table.variable(child.id(), "TALLY_PROBE").as_deref(),
            Some("x")
        );
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(table.stat(child.id()), Err(ProcessGone::Gone));
    }
}

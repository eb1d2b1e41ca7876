//! The port to the process table.

use std::path::PathBuf;

use session_core::ProcessRef;

/// Why a process could not be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessGone {
    /// There is no such process.
    #[error("no such process")]
    Gone,
    /// It may be there, but it cannot be looked at: that proves nothing.
    #[error("the process table cannot be read")]
    Unreadable,
}

/// One process, as one look at it tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessStat {
    /// Its process id.
    pub pid: u32,
    /// Its parent's; 0 for none.
    pub parent: u32,
    /// Its process group; 0 where it is not told.
    pub group: u32,
    /// Its controlling terminal as a number; 0 for none.
    pub terminal: u32,
    /// The foreground group of its controlling terminal; `None` without a terminal, or where it is not told.
    pub foreground: Option<u32>,
    /// Its start time in the platform's unit (Linux: clock ticks since boot).
    pub started: u64,
    /// Its short name.
    pub comm: String,
    /// Whether it has ended and only waits to be reaped.
    pub zombie: bool,
    /// Whether it is stopped, as by Ctrl-Z.
    pub stopped: bool,
}

impl ProcessStat {
    /// The process, never mistaken for a later one with the same number.
    #[must_use]
    pub const fn reference(&self) -> ProcessRef {
        ProcessRef {
            pid: self.pid,
            started: self.started,
        }
    }
}

/// Looks at processes.
pub trait ProcessTable: Send + Sync {
    /// One process.
    ///
    /// # Errors
    /// When it is gone, or when it cannot be looked at.
    fn stat(&self, pid: u32) -> Result<ProcessStat, ProcessGone>;

    /// The path of its executable.
    fn exe(&self, pid: u32) -> Option<PathBuf>;

    /// Its arguments, with the name it was started by.
    fn argv(&self, pid: u32) -> Vec<String>;

    /// A variable of the environment it was started with.
    fn variable(&self, pid: u32, name: &str) -> Option<String>;

    /// Its children.
    fn children(&self, pid: u32) -> Vec<u32>;

    /// All processes. A look at every one of them: not for anything that happens often.
    fn all(&self) -> Vec<u32>;

    /// When it started, in seconds since the Unix epoch.
    fn started_epoch(&self, stat: &ProcessStat) -> Option<i64>;

    /// This process.
    fn own_pid(&self) -> u32 {
        std::process::id()
    }

    /// Whether the process is there and stopped, as by Ctrl-Z.
    fn is_stopped(&self, process: ProcessRef) -> bool {
        self.stat(process.pid)
            .is_ok_and(|stat| stat.started == process.started && stat.stopped)
    }

    /// Whether the process still runs; `None` when that cannot be known.
    fn alive(&self, process: ProcessRef) -> Option<bool> {
        match self.stat(process.pid) {
            Ok(stat) => Some(stat.started == process.started && !stat.zombie),
            Err(ProcessGone::Gone) => Some(false),
            Err(ProcessGone::Unreadable) => None,
        }
    }
}

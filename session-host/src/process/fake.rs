//! A process table for tests.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::table::{ProcessGone, ProcessStat, ProcessTable};

/// A process table that holds what a test puts into it.
#[derive(Clone, Debug, Default)]
pub struct FakeProcesses {
    processes: BTreeMap<u32, Fake>,
    own: u32,
    unreadable: bool,
}

#[derive(Clone, Debug, Default)]
struct Fake {
    stat: ProcessStat,
    exe: Option<PathBuf>,
    argv: Vec<String>,
    variables: BTreeMap<String, String>,
}

impl FakeProcesses {
    /// Adds a process: its command line in words, the first being the name it was started by. Its start time is its
    /// number, its group its own, its terminal that of its parent.
    #[must_use]
    pub fn with(mut self, pid: u32, parent: u32, command: &str) -> Self {
        let argv: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let comm = argv
            .first()
            .map_or("", |name| name.rsplit('/').next().unwrap_or(name))
            .trim_start_matches('-')
            .to_owned();
        let above = self
            .processes
            .get(&parent)
            .map(|parent| parent.stat.clone())
            .unwrap_or_default();
        let stat = ProcessStat {
            pid,
            parent,
            group: pid,
            terminal: above.terminal,
            foreground: above.foreground,
            started: u64::from(pid),
            comm,
            zombie: false,
            stopped: false,
        };
        self.processes.insert(
            pid,
            Fake {
                stat,
                exe: None,
                argv,
                variables: BTreeMap::new(),
            },
        );
        self
    }

    /// Sets the executable of a process.
    #[must_use]
    pub fn exe(mut self, pid: u32, path: &str) -> Self {
        self.of(pid).exe = Some(PathBuf::from(path));
        self
    }

    /// Sets the short name of a process.
    #[must_use]
    pub fn comm(mut self, pid: u32, comm: &str) -> Self {
        comm.clone_into(&mut self.of(pid).stat.comm);
        self
    }

    /// Stops a process, or has it go on.
    #[must_use]
    pub fn stopped(mut self, pid: u32, stopped: bool) -> Self {
        self.of(pid).stat.stopped = stopped;
        self
    }

    /// Sets the start time of a process.
    #[must_use]
    pub fn started(mut self, pid: u32, started: u64) -> Self {
        self.of(pid).stat.started = started;
        self
    }

    /// Sets a variable of a process.
    #[must_use]
    pub fn variable(mut self, pid: u32, name: &str, value: &str) -> Self {
        self.of(pid)
            .variables
            .insert(name.to_owned(), value.to_owned());
        self
    }

    /// Puts a process into a group.
    #[must_use]
    pub fn group(mut self, pid: u32, group: u32) -> Self {
        self.of(pid).stat.group = group;
        self
    }

    /// Gives a process and what is added below it later a terminal, with a group in its foreground.
    #[must_use]
    pub fn terminal(mut self, pid: u32, terminal: u32, foreground: u32) -> Self {
        let stat = &mut self.of(pid).stat;
        stat.terminal = terminal;
        stat.foreground = (foreground != 0).then_some(foreground);
        self
    }

    /// Moves the foreground of a terminal to another group.
    #[must_use]
    pub fn foreground(mut self, terminal: u32, group: u32) -> Self {
        for fake in self
            .processes
            .values_mut()
            .filter(|fake| fake.stat.terminal == terminal)
        {
            fake.stat.foreground = Some(group);
        }
        self
    }

    /// Ends a process.
    #[must_use]
    pub fn without(mut self, pid: u32) -> Self {
        self.processes.remove(&pid);
        self
    }

    /// Says which process is this one.
    #[must_use]
    pub const fn own(mut self, pid: u32) -> Self {
        self.own = pid;
        self
    }

    /// Makes the table answer nothing, as without access to it.
    #[must_use]
    pub const fn unreadable(mut self) -> Self {
        self.unreadable = true;
        self
    }

    fn of(&mut self, pid: u32) -> &mut Fake {
        self.processes.entry(pid).or_default()
    }
}

impl ProcessTable for FakeProcesses {
    fn stat(&self, pid: u32) -> Result<ProcessStat, ProcessGone> {
        if self.unreadable {
            return Err(ProcessGone::Unreadable);
        }
        self.processes
            .get(&pid)
            .map(|fake| fake.stat.clone())
            .ok_or(ProcessGone::Gone)
    }

    fn exe(&self, pid: u32) -> Option<PathBuf> {
        self.processes.get(&pid)?.exe.clone()
    }

    fn argv(&self, pid: u32) -> Vec<String> {
        self.processes
            .get(&pid)
            .map(|fake| fake.argv.clone())
            .unwrap_or_default()
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        self.processes.get(&pid)?.variables.get(name).cloned()
    }

    fn all(&self) -> Vec<u32> {
        self.processes.keys().copied().collect()
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        self.processes
            .values()
            .filter(|fake| fake.stat.parent == pid)
            .map(|fake| fake.stat.pid)
            .collect()
    }

    fn started_epoch(&self, stat: &ProcessStat) -> Option<i64> {
        i64::try_from(stat.started).ok()
    }

    fn own_pid(&self) -> u32 {
        self.own
    }
}

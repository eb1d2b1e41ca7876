//! What a process has used, by /proc (Linux).

use std::fs;
use std::time::Duration;

/// CPU time of all threads of a process so far, to the nanosecond.
pub(crate) fn cpu_time(pid: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    let nanos = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|stat| stat.split(' ').next()?.parse::<u64>().ok())
        .sum();
    Duration::from_nanos(nanos)
}

/// How often the process has been woken so far.
pub(crate) fn wake_ups(pid: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    tasks
        .flatten()
        .filter_map(|task| field(&task.path().join("status"), "voluntary_ctxt_switches:"))
        .sum()
}

/// Resident memory of a process in KiB.
pub(crate) fn resident_kib(pid: u32) -> u64 {
    field(format!("/proc/{pid}/status").as_ref(), "VmRSS:").expect("a running process has memory")
}

/// The guards that a daemon has started.
pub(crate) fn guards(pid: u32) -> Vec<u32> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    let is_ours = |child: &u32| {
        let argv = fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
        argv.split('\0').any(|word| word == "__guard")
    };
    let children = children.split_whitespace();
    children
        .filter_map(|child| child.parse().ok())
        .filter(is_ours)
        .collect()
}

fn field(path: &std::path::Path, name: &str) -> Option<u64> {
    let status = fs::read_to_string(path).ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

/// CPU time (user and system) of this process's children that have ended, in clock ticks of 10 ms.
pub(crate) fn children_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").expect("own stat");
    let after_name = stat.rsplit_once(')').expect("a name in brackets").1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u64 =
        fields[13].parse::<u64>().expect("cutime") + fields[14].parse::<u64>().expect("cstime");
    Duration::from_millis(ticks * 10)
}

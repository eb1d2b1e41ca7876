//! A daemon on the same store with another runtime folder, as after `ssh`, `su` or in `cron`.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::paths::{FLAVOUR, Paths};
use crate::process::{ProcessTable, SystemProcesses};

/// The lock of the one daemon that may run on a store.
pub(super) fn lock_of_store(paths: &Paths) -> PathBuf {
    paths.state.join("daemon.lock")
}

/// Such a daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Elsewhere {
    /// Its process.
    pub(super) pid: u32,
    /// Its runtime folder, as its environment tells.
    pub(super) runtime: PathBuf,
}

/// The daemon that holds the store's lock, when its runtime folder is another one than ours.
pub(super) fn elsewhere(paths: &Paths) -> Option<Elsewhere> {
    let table: SystemProcesses = Default::default();
    let pid = daemon_of_store(paths)?;
    let named = table.variable(pid, "XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = named
        .filter(|folder| folder.is_absolute())
        .map_or_else(|| paths.state.join("run"), |folder| folder.join(FLAVOUR));
    (runtime != paths.runtime).then_some(Elsewhere { pid, runtime })
}

/// The process of the daemon that holds the store's lock.
pub(super) fn daemon_of_store(paths: &Paths) -> Option<u32> {
    let table: SystemProcesses = Default::default();
    holder(&lock_of_store(paths), &table)
}

/// The process that holds a lock. A lock whose process has ended is not tried: a daemon that starts just now must not
/// find it held by us.
fn holder(lock: &Path, table: &dyn ProcessTable) -> Option<u32> {
    let mut file = File::open(lock).ok()?;
    let mut pid = String::new();
    file.by_ref().take(32).read_to_string(&mut pid).ok()?;
    let pid = pid.trim().parse().ok()?;
    table.stat(pid).ok().filter(|stat| !stat.zombie)?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Err(Errno::WOULDBLOCK) => Some(pid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::lock::Lock;
    use super::*;

    #[test]
    fn the_daemon_of_the_store_is_found_by_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths {
            config: folder.path().join("config"),
            state: folder.path().to_owned(),
            runtime: folder.path().join("elsewhere"),
        };
        assert_eq!(elsewhere(&paths), None, "there is no lock");
        let held = Lock::take(&lock_of_store(&paths)).unwrap();
        let found = elsewhere(&paths).unwrap();
        assert_eq!(found.pid, std::process::id());
        let same = Paths {
            runtime: found.runtime,
            ..paths.clone()
        };
        assert_eq!(elsewhere(&same), None);
        drop(held);
        assert_eq!(elsewhere(&paths), None, "nobody holds it");
    }
}

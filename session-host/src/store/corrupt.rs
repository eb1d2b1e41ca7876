//! A damaged store is set aside, never deleted, and work goes on with a fresh one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::error::StoreError;
use super::open::Store;
use super::rows::SetAside;
use super::wait::Deadline;
use crate::clock::{Clock as _, SystemClock};
use crate::stamp;

/// The key in `meta` of what was set aside.
pub(super) const META: &str = "set-aside";
/// How many are remembered; the files all stay.
const REMEMBERED: usize = 20;
/// The files of a store, by what follows its name.
const PARTS: [&str; 3] = ["", "-wal", "-shm"];

/// Sets the store at `path` aside, unless another process has done so by now, and opens a fresh one.
///
/// # Errors
/// When the files cannot be moved, or the fresh store cannot be opened.
pub(super) fn replace(
    path: &Path,
    why: &str,
    deadline: &Deadline,
    open: impl FnOnce() -> Result<Store, StoreError>,
) -> Result<Store, StoreError> {
    let _lock = lock(path, deadline)?;
    if sound(path) {
        return open();
    }
    let now = SystemClock.now();
    let aside = free_name(path, &stamp::utc(now));
    for part in PARTS {
        let from = with_suffix(path, part);
        match fs::rename(&from, with_suffix(&aside, part)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::io(&from, error));
            }
            _ => {}
        }
    }
    tracing::warn!(path = %aside.display(), why, "set a damaged store aside");
    let mut store = open()?;
    let mut known = store.set_aside()?;
    known.push(SetAside {
        at: now,
        path: aside.display().to_string(),
        why: why.to_owned(),
    });
    known.drain(..known.len().saturating_sub(REMEMBERED));
    store.write(now, |transaction| {
        transaction.set_meta(META, &serde_json::to_string(&known)?)
    })?;
    Ok(store)
}

/// One process at a time looks at the damage.
fn lock(path: &Path, deadline: &Deadline) -> Result<File, StoreError> {
    let name = with_suffix(path, ".lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&name)
        .map_err(|error| StoreError::io(&name, error))?;
    loop {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(Errno::WOULDBLOCK | Errno::INTR) if !deadline.left().is_zero() => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(Errno::WOULDBLOCK | Errno::INTR) => return Err(StoreError::Busy),
            Err(error) => return Err(StoreError::io(&name, error.into())),
        }
    }
}

/// Whether the store at `path` is one, all of it: another process may have replaced the damaged one.
fn sound(path: &Path) -> bool {
    let check = || -> Result<bool, rusqlite::Error> {
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.query_row("PRAGMA quick_check(1)", [], |row| {
            Ok(row.get::<_, String>(0)? == "ok")
        })
    };
    check().unwrap_or(false)
}

fn free_name(path: &Path, stamp: &str) -> PathBuf {
    let name = |number: u32| match number {
        1 => with_suffix(path, &format!(".corrupt-{stamp}")),
        _ => with_suffix(path, &format!(".corrupt-{stamp}-{number}")),
    };
    (1..)
        .map(name)
        .find(|name| fs::symlink_metadata(name).is_err())
        .unwrap_or_else(|| name(0))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

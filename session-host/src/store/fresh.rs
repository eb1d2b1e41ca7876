//! Making a store where there is none, bringing an older one up to date, and setting a damaged one aside: it is never
//! deleted, and work goes on with a fresh one.
//!
//! One process at a time does any of this. A fresh store is made under another name and appears at its path complete,
//! so that whoever looks sees none or all of it; and its log is never that of another store.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::error::StoreError;
use super::migrate;
use super::rows::SetAside;
use super::wait::Deadline;
use crate::clock::{Clock as _, SystemClock};
use crate::files::make_private_dir;
use crate::stamp;

/// The key in `meta` of what was set aside.
pub(super) const META: &str = "set-aside";
/// What follows a store's name in the names of the files beside it.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Makes the store at `path` when there is none, or brings it up to date, unless another process has done so by now.
///
/// # Errors
/// When it cannot be made.
pub(super) fn bring_up(path: &Path, deadline: &Deadline) -> Result<(), StoreError> {
    let _lock = lock(path, deadline)?;
    if path.exists() {
        let mut connection = open(path)?;
        deadline.install(&mut connection)?;
        return migrate::migrate(&connection);
    }
    // A log without its store belongs to one that was taken away.
    let stray = BESIDE.iter().any(|part| with_suffix(path, part).exists());
    let aside = stray
        .then(|| move_aside(path, "its log was left behind"))
        .transpose()?;
    make(path, aside.as_ref())
}

/// Sets the store at `path` aside and makes a fresh one, unless another process has done so by now.
///
/// # Errors
/// When the files cannot be moved, or the fresh store cannot be made.
pub(super) fn replace(path: &Path, why: &str, deadline: &Deadline) -> Result<(), StoreError> {
    let _lock = lock(path, deadline)?;
    if !path.exists() || sound(path) {
        return Ok(());
    }
    let aside = move_aside(path, why)?;
    make(path, Some(&aside))
}

/// Moves all files of a store to names that tell when.
fn move_aside(path: &Path, why: &str) -> Result<SetAside, StoreError> {
    let now = SystemClock.now();
    let aside = free_name(path, &stamp::utc(now));
    // The store first: whoever looks now finds none, and waits for the lock.
    for part in ["", BESIDE[0], BESIDE[1]] {
        let from = with_suffix(path, part);
        match fs::rename(&from, with_suffix(&aside, part)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::io(&from, error));
            }
            _ => {}
        }
    }
    tracing::warn!(path = %aside.display(), why, "set a damaged store aside");
    Ok(SetAside {
        at: now,
        path: aside.display().to_string(),
        why: why.to_owned(),
    })
}

/// Makes a store: a file that only its owner can read, in a folder that only its owner can enter. What SQLite puts
/// beside it later has the same mode.
fn make(path: &Path, aside: Option<&SetAside>) -> Result<(), StoreError> {
    let draft = with_suffix(path, ".new");
    let made = make_draft(&draft, aside)
        .and_then(|()| fs::rename(&draft, path).map_err(|error| StoreError::io(path, error)));
    if made.is_err() {
        remove_draft(&draft);
    }
    made
}

fn make_draft(draft: &Path, aside: Option<&SetAside>) -> Result<(), StoreError> {
    remove_draft(draft);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(draft)
        .map_err(|error| StoreError::io(draft, error))?;
    let connection = open(draft)?;
    migrate::migrate(&connection)?;
    if let Some(aside) = aside {
        let known = serde_json::to_string(&[aside])?;
        connection.execute(
            "INSERT INTO meta (key, value) VALUES (?1, ?2)",
            [META, &known],
        )?;
    }
    // Closing moves all of the log into the file.
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Removes what a process left that ended while it made a store.
fn remove_draft(draft: &Path) {
    for part in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(with_suffix(draft, part));
    }
}

fn open(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(path, flags)?)
}

/// Whether the store at `path` is one, all of it: another process may have replaced the damaged one.
fn sound(path: &Path) -> bool {
    let check = || -> Result<bool, StoreError> {
        let connection = open(path)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let result = connection.query_row("PRAGMA quick_check(1)", [], |row| {
            Ok(row.get::<_, String>(0)? == "ok")
        });
        Ok(result?)
    };
    match check() {
        Ok(sound) => sound,
        // Only damage is a reason to move it.
        Err(error) => !matches!(error, StoreError::Corrupt(_)),
    }
}

/// One process at a time.
fn lock(path: &Path, deadline: &Deadline) -> Result<File, StoreError> {
    if let Some(folder) = path.parent() {
        make_private_dir(folder).map_err(|error| StoreError::io(folder, error))?;
    }
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

fn free_name(path: &Path, stamp: &str) -> PathBuf {
    let name = |number: u32| match number {
        1 => with_suffix(path, &format!(".corrupt-{stamp}")),
        _ => with_suffix(path, &format!(".corrupt-{stamp}-{number}")),
    };
    let free = |name: &PathBuf| {
        ["", BESIDE[0], BESIDE[1]]
            .iter()
            .all(|part| fs::symlink_metadata(with_suffix(name, part)).is_err())
    };
    (1..).map(name).find(free).unwrap_or_else(|| name(0))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

//! Opening the store, and keeping hold of the file that is at its path.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use session_core::{Applied, Session, SessionId, Time};

use super::error::StoreError;
use super::transaction::Transaction;
use super::wait::Deadline;
use super::{corrupt, migrate};
use crate::files::make_private_dir;
use crate::paths::Paths;

/// Kibibytes of pages that a connection keeps; the store is small and the daemon is to be smaller.
const CACHE_KIB: i32 = 256;

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    path: PathBuf,
    wait: Duration,
    deadline: Deadline,
    /// Device and inode of the file when it was opened.
    file: Option<(u64, u64)>,
}

impl Store {
    /// Opens the store for reading only. Nothing is created.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none yet, and whatever else stands in the way.
    pub fn open_reading(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        let store = Self::open(&paths.store(), wait, &Deadline::after(wait), false)?;
        if migrate::up_to_date(&store.connection)? {
            return Ok(store);
        }
        // It is from an older build, or not yet filled: only a writer can bring it up to date.
        drop(store);
        Self::open_writing(paths, wait)
    }

    /// Opens the store for writing: makes it when there is none, brings it up to date, sets a corrupt one aside.
    ///
    /// # Errors
    /// When it cannot be opened within `wait`.
    pub fn open_writing(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        let path = paths.store();
        let deadline = Deadline::after(wait);
        match Self::open(&path, wait, &deadline, true) {
            Err(StoreError::Missing) => Self::make(&path, wait, &deadline),
            Err(StoreError::Corrupt(why)) => Self::start_over(&path, wait, &deadline, &why),
            opened => opened,
        }
    }

    fn make(path: &Path, wait: Duration, deadline: &Deadline) -> Result<Self, StoreError> {
        make(path)?;
        Self::open(path, wait, deadline, true)
    }

    fn start_over(
        path: &Path,
        wait: Duration,
        deadline: &Deadline,
        why: &str,
    ) -> Result<Self, StoreError> {
        corrupt::replace(path, why, deadline, || Self::make(path, wait, deadline))
    }

    fn open(
        path: &Path,
        wait: Duration,
        deadline: &Deadline,
        write: bool,
    ) -> Result<Self, StoreError> {
        let access = if write {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        } else {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        };
        let mut connection =
            match Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX) {
                Ok(connection) => connection,
                Err(error) => {
                    return Err(match fs::metadata(path) {
                        Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                            StoreError::Missing
                        }
                        Err(error) => StoreError::io(path, error),
                        Ok(_) => error.into(),
                    });
                }
            };
        deadline.install(&mut connection)?;
        // The last one to close would move all pages, sync and delete the log: not for a hot path, and not for a
        // damaged store that is to be kept as it was found.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Without a sync at each commit: what a power cut takes away is made good by the next look at the world.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        if write {
            migrate::migrate(&connection)?;
        }
        Ok(Self {
            connection,
            path: path.to_owned(),
            wait,
            deadline: deadline.clone(),
            file: identity(path),
        })
    }

    /// Tunes the connection for a process that stays: less memory.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn settle_in(&self) -> Result<(), StoreError> {
        Ok(self
            .connection
            .pragma_update(None, "cache_size", -CACHE_KIB)?)
    }

    /// Leaves the moving of new pages into the database file to [`Store::checkpoint`]: that costs a sync, which is not
    /// for a hot path.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn without_checkpoints(&self) -> Result<(), StoreError> {
        Ok(self
            .connection
            .query_row("PRAGMA wal_autocheckpoint = 0", [], |_| Ok(()))?)
    }

    /// Moves new pages into the database file when there are more than `bytes` of them, as far as nobody holds it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn checkpoint(&self, bytes: u64) -> Result<(), StoreError> {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        if fs::metadata(log).map_or(0, |log| log.len()) <= bytes {
            return Ok(());
        }
        self.deadline.set(Duration::ZERO);
        Ok(self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
    }

    /// Sets how long further operations wait for a store that is held.
    pub fn set_wait(&mut self, wait: Duration) {
        self.wait = wait;
    }

    /// Starts the clock of one operation.
    pub(super) fn begin_operation(&self) {
        self.deadline.set(self.wait);
    }

    /// Whether the file at the store's path is no longer the one that was opened.
    #[must_use]
    pub fn replaced(&self) -> bool {
        identity(&self.path) != self.file
    }

    /// Runs `work` in one write transaction. Whatever it returns as an error undoes all of it; a damaged store is
    /// set aside, and the store is then open on a fresh one.
    ///
    /// # Errors
    /// What `work` returns, or when the store cannot be written in time.
    pub fn write<T>(
        &mut self,
        now: Time,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.begin_operation();
        let result = self.attempt(now, work);
        if let Err(StoreError::Corrupt(why)) = &result {
            *self = Self::start_over(&self.path, self.wait, &self.deadline, why)?;
        }
        result
    }

    fn attempt<T>(
        &self,
        now: Time,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection
            .prepare_cached("BEGIN IMMEDIATE")?
            .execute([])?;
        let result = work(&Transaction::new(&self.connection, now)).and_then(|value| {
            self.connection.prepare_cached("COMMIT")?.execute([])?;
            Ok(value)
        });
        if result.is_err() && !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK")?;
        }
        result
    }

    /// Changes one session in a transaction of its own: reads its record, runs `change` (the core's `apply`), saves
    /// the record and the journal rows that follow. `None` when there is no such session.
    ///
    /// # Errors
    /// When the store cannot be written in time; nothing has changed then.
    pub fn update(
        &mut self,
        id: SessionId,
        now: Time,
        change: impl FnOnce(&mut Session) -> Applied,
    ) -> Result<Option<(Session, Applied)>, StoreError> {
        self.write(now, |transaction| {
            let Some(mut row) = transaction.by_id(id)? else {
                return Ok(None);
            };
            let applied = change(&mut row.session);
            if applied.changed {
                transaction.save(&row, &applied.effects)?;
            }
            Ok(Some((row.session, applied)))
        })
    }
}

/// Makes an empty file that only its owner can read, in a folder that only its owner can enter. What SQLite puts
/// beside it later has the same mode.
fn make(path: &Path) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        make_private_dir(folder).map_err(|error| StoreError::io(folder, error))?;
    }
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
    {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::io(path, error)),
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path)
        .ok()
        .map(|found| (found.dev(), found.ino()))
}

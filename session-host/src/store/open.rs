//! Opening the store, and keeping hold of the file that is at its path.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use session_core::{Applied, Session, SessionId, Time};

use super::error::StoreError;
use super::transaction::Transaction;
use super::wait::Deadline;
use super::{fresh, migrate};
use crate::paths::Paths;

/// Kibibytes of pages that a connection keeps; the store is small and the daemon is to be smaller.
const CACHE_KIB: i32 = 256;

/// How often a store is opened that is replaced meanwhile.
const ATTEMPTS: usize = 5;

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    path: PathBuf,
    wait: Duration,
    deadline: Deadline,
    /// Device and inode of the file when it was opened.
    file: (u64, u64),
}

impl Store {
    /// Opens the store for reading only. Nothing is created.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none yet, and whatever else stands in the way.
    pub fn open_reading(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        let path = paths.store();
        match Self::open(&path, wait, &Deadline::after(wait), false)? {
            Opened::Current(store) => Ok(store),
            // Only a writer can bring it up to date; one that was just replaced is opened again as well.
            Opened::Outdated | Opened::Replaced => Self::open_at(&path, wait),
        }
    }

    /// Opens the store for writing: makes it when there is none, brings it up to date, sets a corrupt one aside.
    ///
    /// # Errors
    /// When it cannot be opened within `wait`.
    pub fn open_writing(paths: &Paths, wait: Duration) -> Result<Self, StoreError> {
        Self::open_at(&paths.store(), wait)
    }

    fn open_at(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let deadline = Deadline::after(wait);
        for _ in 0..ATTEMPTS {
            match Self::open(path, wait, &deadline, true) {
                Ok(Opened::Current(store)) => return Ok(store),
                Ok(Opened::Replaced) => {}
                Ok(Opened::Outdated) | Err(StoreError::Missing) => {
                    fresh::bring_up(path, &deadline)?;
                }
                Err(StoreError::Corrupt(why)) => fresh::replace(path, &why, &deadline)?,
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Replaced)
    }

    fn open(
        path: &Path,
        wait: Duration,
        deadline: &Deadline,
        write: bool,
    ) -> Result<Opened, StoreError> {
        let file = match fs::metadata(path) {
            Ok(found) => (found.dev(), found.ino()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Missing);
            }
            Err(error) => return Err(StoreError::io(path, error)),
        };
        let opened = connect(path, deadline, write);
        if !is_at(path, file) {
            // Its log is found by name: it could be that of the store that came after this one.
            return Ok(Opened::Replaced);
        }
        let (connection, current) = opened?;
        let store = Self {
            connection,
            path: path.to_owned(),
            wait,
            deadline: deadline.clone(),
            file,
        };
        Ok(if current {
            Opened::Current(store)
        } else {
            Opened::Outdated
        })
    }

    /// Tunes the connection for a process that stays: less memory, and pages are moved by [`Store::tidy`] alone.
    ///
    /// # Errors
    /// When SQLite refuses.
    pub fn settle_in(&self) -> Result<(), StoreError> {
        self.without_checkpoints()?;
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

    /// Moves new pages into the database file without keeping writers out, and begins the log anew. The first to write
    /// into a log that is begun anew has to sync it: that is the caller, and not the next signal.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn tidy(&mut self, now: Time) -> Result<(), StoreError> {
        self.begin_operation();
        self.connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
        self.write(now, |transaction| {
            transaction.set_meta("tidied", &now.0.to_string())
        })
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
        !is_at(&self.path, self.file)
    }

    /// Runs `work` in one write transaction. Whatever it returns as an error undoes all of it; a damaged store is
    /// set aside, and the store is then open on a fresh one.
    ///
    /// # Errors
    /// What `work` returns, or when the store cannot be written in time. With [`StoreError::Replaced`] it was written
    /// into a store that is not there any more, and has to be written again.
    pub fn write<T>(
        &mut self,
        now: Time,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.begin_operation();
        let result = self.attempt(now, work);
        if self.replaced() {
            *self = Self::open_at(&self.path, self.wait)?;
            return Err(StoreError::Replaced);
        }
        if let Err(StoreError::Corrupt(why)) = &result {
            fresh::replace(&self.path, why, &self.deadline)?;
            *self = Self::open_at(&self.path, self.wait)?;
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

/// Connects to the database, and tells whether it is up to date.
fn connect(
    path: &Path,
    deadline: &Deadline,
    write: bool,
) -> Result<(Connection, bool), StoreError> {
    let access = if write {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    } else {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    };
    let mut connection =
        Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    deadline.install(&mut connection)?;
    // The last one to close would move all pages, sync and delete the log: not for a hot path, and not for a damaged
    // store that is to be kept as it was found.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Without a sync at each commit: what a power cut takes away is made good by the next look at the world.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let current = migrate::up_to_date(&connection)?;
    Ok((connection, current))
}

/// Whether this file, by device and inode, is the one at this path.
fn is_at(path: &Path, file: (u64, u64)) -> bool {
    fs::metadata(path).is_ok_and(|found| (found.dev(), found.ino()) == file)
}

/// What a look at the file at the store's path gave.
enum Opened {
    /// A store.
    Current(Store),
    /// One that has to be brought up to date.
    Outdated,
    /// One that is not there any more.
    Replaced,
}

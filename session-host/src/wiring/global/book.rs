//! The record, held by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::error::RecordError;
use super::record::Record;
use crate::files::{make_private_dir, replace};
use crate::paths::Paths;

/// How long another process is waited for.
const WAIT: Duration = Duration::from_secs(5);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// The record, held as long as this lives.
#[derive(Debug)]
pub struct Book {
    /// The record.
    pub record: Record,
    path: PathBuf,
    /// None where nothing is to be changed.
    _lock: Option<File>,
}

impl Book {
    /// Opens the record for changes.
    ///
    /// # Errors
    /// When another process holds it, or it cannot be used.
    pub fn open(paths: &Paths) -> Result<Self, RecordError> {
        let lock_path = paths.state.join("wiring.lock");
        let io = |path: PathBuf| move |source| RecordError::Io { path, source };
        make_private_dir(&paths.state).map_err(io(paths.state.clone()))?;
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0))
            .open(&lock_path)
            .map_err(io(lock_path.clone()))?;
        let until = Instant::now() + WAIT;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < until => sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(RecordError::Busy),
                Err(TryLockError::Error(error)) => return Err(io(lock_path)(error)),
            }
        }
        let path = paths.wiring_record();
        Ok(Self {
            record: Record::read(&path)?,
            path,
            _lock: Some(lock),
        })
    }

    /// Opens the record for a look: nothing is created, and nothing is held.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn open_reading(paths: &Paths) -> Result<Self, RecordError> {
        let path = paths.wiring_record();
        Ok(Self {
            record: Record::read(&path)?,
            path,
            _lock: None,
        })
    }

    /// Saves the record; it is on the disk then.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<(), RecordError> {
        let broken = |why: String| RecordError::Broken {
            path: self.path.clone(),
            why,
        };
        let text = serde_json::to_string_pretty(&self.record)
            .map_err(|error| broken(error.to_string()))?;
        replace(&self.path, text.as_bytes()).map_err(|source| RecordError::Io {
            path: self.path.clone(),
            source,
        })
    }
}

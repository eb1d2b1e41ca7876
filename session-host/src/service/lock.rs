//! One daemon a user: whoever holds the lock file.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::error::ServiceError;

/// How long a daemon that has hung up may take to end: it waits for multiplexers that do not answer.
const ENDING: Duration = Duration::from_secs(4);
/// Between two looks at whether it has.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock, held as long as it lives; the system lets go of it when the process ends in whatever way.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock when another daemon, of which `serves` says that it does not answer any more, lets go of it: it is
    /// about to end.
    ///
    /// # Errors
    /// When another daemon holds it, or the file cannot be used.
    pub(super) fn take_over(path: &Path, serves: impl Fn() -> bool) -> Result<Self, ServiceError> {
        let until = Instant::now() + ENDING;
        loop {
            match Self::take(path) {
                Err(ServiceError::AlreadyRunning { .. }) if !serves() && Instant::now() < until => {
                    sleep(PAUSE);
                }
                taken => return taken,
            }
        }
    }

    /// Takes the lock, and writes the own process id into it.
    ///
    /// # Errors
    /// When another daemon holds it, or the file cannot be used.
    pub(super) fn take(path: &Path) -> Result<Self, ServiceError> {
        let io = |source| ServiceError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0))
            .open(path)
            .map_err(io)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut pid = String::new();
                let _ = file.read_to_string(&mut pid);
                return Err(ServiceError::AlreadyRunning {
                    pid: pid.trim().parse().ok(),
                });
            }
            Err(error) => return Err(io(error.into())),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(io)?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_daemon_is_told_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.lock");
        let first = Lock::take(&path).unwrap();
        let own = std::process::id();
        assert!(
            matches!(Lock::take(&path), Err(ServiceError::AlreadyRunning { pid: Some(pid) }) if pid == own)
        );
        drop(first);
        Lock::take(&path).unwrap();
    }

    #[test]
    fn one_that_has_hung_up_is_waited_for_and_one_that_serves_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.lock");
        let first = Lock::take(&path).unwrap();
        assert!(matches!(
            Lock::take_over(&path, || true),
            Err(ServiceError::AlreadyRunning { .. })
        ));
        let ends = std::thread::spawn(move || {
            sleep(PAUSE * 3);
            drop(first);
        });
        Lock::take_over(&path, || false).unwrap();
        ends.join().unwrap();
    }

    #[test]
    fn case_k5_a_planted_symlink_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.lock");
        std::os::unix::fs::symlink(folder.path().join("victim"), &path).unwrap();
        assert!(matches!(Lock::take(&path), Err(ServiceError::Io { .. })));
        assert!(!folder.path().join("victim").exists());
    }
}

//! The place of a daemon that died without ending, held while what it left behind is cleared away.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::elsewhere::lock_of_store;
use super::error::ServiceError;
use super::lock::Lock;
use crate::paths::Paths;

/// How long the system may take to let go of what a process held that was killed: its pipes end before its locks.
const DYING: Duration = Duration::from_millis(500);
/// Between two looks at whether it has.
const PAUSE: Duration = Duration::from_millis(10);

/// Holds the locks of the daemon: one that starts meanwhile waits for a moment instead of publishing what is about to
/// be taken back.
#[derive(Debug)]
pub struct Vacancy {
    _locks: [Lock; 2],
    /// Whether the daemon was about to end when it died: it hangs up first.
    pub was_ending: bool,
}

impl Vacancy {
    /// Takes the place when it is vacant; `None` when another daemon has it by now.
    ///
    /// # Errors
    /// When the files of the locks cannot be used.
    pub fn take(paths: &Paths) -> Result<Option<Self>, ServiceError> {
        let until = Instant::now() + DYING;
        let take = |path: &Path| loop {
            match Lock::take(path) {
                Ok(lock) => return Ok(Some(lock)),
                Err(ServiceError::AlreadyRunning { .. }) if Instant::now() < until => sleep(PAUSE),
                Err(ServiceError::AlreadyRunning { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        };
        let Some(of_runtime) = take(&paths.runtime.join("daemon.lock"))? else {
            return Ok(None);
        };
        let Some(of_store) = take(&lock_of_store(paths))? else {
            return Ok(None);
        };
        let control = super::control::socket(paths);
        let was_ending = !control.exists();
        // A socket that is there says that a daemon serves, and who asks for one would not wait.
        for socket in [control, paths.nudge_socket()] {
            let _ = fs::remove_file(socket);
        }
        Ok(Some(Self {
            _locks: [of_runtime, of_store],
            was_ending,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_vacant_place_is_taken_and_the_dead_daemons_sockets_go() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths {
            config: folder.path().join("config"),
            state: folder.path().join("state"),
            runtime: folder.path().join("run"),
        };
        for folder in [&paths.state, &paths.runtime] {
            fs::create_dir(folder).unwrap();
        }
        let control = super::super::control::socket(&paths);
        drop(std::os::unix::net::UnixListener::bind(&control).unwrap());
        let daemon = Lock::take(&lock_of_store(&paths)).unwrap();
        assert!(Vacancy::take(&paths).unwrap().is_none());
        assert!(control.exists(), "it is the live daemon's");
        drop(daemon);
        let vacancy = Vacancy::take(&paths).unwrap().unwrap();
        assert!(!vacancy.was_ending);
        assert!(!control.exists());
        assert!(Vacancy::take(&paths).unwrap().is_none(), "it is held");
        drop(vacancy);
        assert!(Vacancy::take(&paths).unwrap().unwrap().was_ending);
    }
}

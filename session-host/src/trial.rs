//! Whether a folder can be made and written: tried for real, and without a trace.
//!
//! Asking for permissions is no answer: a link that leads nowhere, a name that is too long, a full disk and a file system
//! that is read-only all say yes until somebody writes.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::files::make_private_dir;

/// How much is written: a disk that has no room for a page has none for a signal.
const PAGE: [u8; 4096] = [0; 4096];

/// A folder that could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// It was there.
    There,
    /// It was not, and could be made.
    Absent,
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It is not there, and cannot be made.
    #[error("{path} cannot be made below {above}: {source}", path = path.display(), above = above.display())]
    Make {
        /// The folder.
        path: PathBuf,
        /// What is there of the way to it.
        above: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing can be written in it.
    #[error("{path} cannot be written: {source}", path = path.display())]
    Write {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Makes the folder if it is not there, writes a file in it, and takes both away again.
///
/// # Errors
/// When one of it fails; nothing is left then either.
pub fn folder(path: &Path) -> Result<Folder, TrialError> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|path| is_missing(path))
        .collect();
    let tried = make_private_dir(path)
        .map_err(|source| TrialError::Make {
            path: path.to_owned(),
            above: path
                .ancestors()
                .nth(missing.len())
                .unwrap_or(path)
                .to_owned(),
            source,
        })
        .and_then(|()| {
            write(path).map_err(|source| TrialError::Write {
                path: path.to_owned(),
                source,
            })
        });
    for made in &missing {
        // One that somebody else uses by now is not empty, and stays.
        let _ = fs::remove_dir(made);
    }
    tried.map(|()| match missing[..] {
        [] => Folder::There,
        _ => Folder::Absent,
    })
}

/// A link that leads nowhere is there, and in the way.
fn is_missing(path: &Path) -> bool {
    matches!(
        fs::symlink_metadata(path),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
    )
}

fn write(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".trial-{}", std::process::id()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    let written = file.and_then(|mut file| file.write_all(&PAGE));
    let removed = fs::remove_file(&path);
    written.and(removed)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_that_can_be_made_is_not_there_afterwards() {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("a/b/c");
        assert_eq!(folder(&path).unwrap(), Folder::Absent);
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
        fs::create_dir_all(&path).unwrap();
        assert_eq!(folder(&path).unwrap(), Folder::There);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    }

    #[test]
    fn what_is_in_the_way_is_named_and_nothing_is_left() {
        let base = tempfile::tempdir().unwrap();
        let at = |name: &str| base.path().join(name);
        fs::File::create(at("file")).unwrap();
        symlink("/nonexistent/folder", at("link")).unwrap();
        for (path, above) in [("file/a/b", "file"), ("link/a", "link"), ("link", "link")] {
            let failed = folder(&at(path)).unwrap_err();
            assert!(
                matches!(&failed, TrialError::Make { above: found, .. } if *found == at(above)),
                "{path}: {failed}"
            );
        }
        let long = at("new").join("x".repeat(300));
        assert!(matches!(folder(&long), Err(TrialError::Make { .. })));
        assert!(!at("new").exists());
        assert!(matches!(
            folder(Path::new("/proc/self/fdinfo")),
            Err(TrialError::Write { .. })
        ));
    }
}

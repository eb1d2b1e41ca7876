//! Somebody else's files, read and replaced with the care that they need.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::GlobalError;
use crate::files::{
    LARGEST, make_private_dir, read_regular_text, remove_if_unchanged, remove_left_drafts,
    replace_if_unchanged,
};

/// A file as it was and as it is to be; `None` is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its text before.
    pub before: Option<String>,
    /// Its text after.
    pub after: Option<String>,
    /// Where an edited file of ours was saved.
    pub backup: Option<PathBuf>,
}

impl Change {
    /// Whether there is any.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.before != self.after
    }
}

/// Reads a text; `None` where there is no file.
///
/// # Errors
/// When it cannot be read, is no regular file, or no text.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, GlobalError> {
    match read_regular_text(path, LARGEST) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(GlobalError::io(path)(error)),
    }
}

/// The folders that are missing for a file, the outermost first.
pub(super) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_os_str().is_empty() && folder.symlink_metadata().is_err())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

/// Puts the new text in the place of the old one, or removes the file; says whether it was still the old one (case E13).
///
/// # Errors
/// When a step fails; the file is then as it was.
pub(super) fn put(change: &Change) -> Result<bool, GlobalError> {
    let path = &change.path;
    let before = change.before.as_ref().map(String::as_bytes);
    let done = match (before, &change.after) {
        (before, Some(after)) => {
            if let Some(folder) = path.parent() {
                make_private_dir(folder).map_err(GlobalError::io(folder))?;
            }
            // What another one has left is no reason to leave this undone.
            let _ = remove_left_drafts(path);
            replace_if_unchanged(path, before, after.as_bytes())
        }
        (Some(before), None) => remove_if_unchanged(path, before),
        (None, None) => Ok(true),
    };
    done.map_err(GlobalError::io(path))
}

/// Removes the folders that were made for a file, as far as nothing is in them.
pub(super) fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // One with anything in it stays, and so do those above it.
        let _ = fs::remove_dir(folder);
    }
}

/// Saves a text beside a file, under a name that is free.
///
/// # Errors
/// When it cannot be written.
pub(super) fn save_beside(path: &Path, text: &str) -> Result<PathBuf, GlobalError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let free = (1..1000)
        .map(|number| path.with_file_name(format!("{name}.{number}.bak")))
        .find(|backup| backup.symlink_metadata().is_err());
    let Some(backup) = free else {
        let taken = io::Error::new(ErrorKind::AlreadyExists, "there are too many backups");
        return Err(GlobalError::io(path)(taken));
    };
    match replace_if_unchanged(&backup, None, text.as_bytes()) {
        Ok(true) => Ok(backup),
        Ok(false) => Err(GlobalError::Restless(backup)),
        Err(error) => Err(GlobalError::io(&backup)(error)),
    }
}

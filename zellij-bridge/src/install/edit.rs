//! A change of one file: shown first, made later.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use session_host::files::{make_private_dir, replace_if_unchanged};

use super::error::InstallError;

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    /// What it holds; `None` while it does not exist.
    pub before: Option<Vec<u8>>,
    /// What it is to hold; `None` when it is to go.
    pub after: Option<Vec<u8>>,
}

impl Edit {
    pub(super) fn new(path: &Path, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> Self {
        Self {
            path: path.to_owned(),
            before,
            after,
        }
    }

    /// Whether it changes anything.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.before != self.after
    }

    /// The lines that go and come, as a person reads them: `-` and `+` before each. Empty for a file that is no text.
    #[must_use]
    pub fn diff(&self) -> Vec<String> {
        let text = |bytes: &Option<Vec<u8>>| {
            let bytes = bytes.as_deref().unwrap_or_default();
            (!bytes.contains(&0)).then(|| String::from_utf8_lossy(bytes).into_owned())
        };
        let (Some(before), Some(after)) = (text(&self.before), text(&self.after)) else {
            return Vec::new();
        };
        let (before, after): (Vec<&str>, Vec<&str>) =
            (before.lines().collect(), after.lines().collect());
        let same = before
            .iter()
            .zip(&after)
            .take_while(|(one, other)| one == other)
            .count();
        let left = before.len().min(after.len()) - same;
        let ends = before.iter().rev().zip(after.iter().rev()).take(left);
        let tail = ends.take_while(|(one, other)| one == other).count();
        let middle = |lines: &[&str], sign: char| -> Vec<String> {
            let end = lines.len() - tail;
            lines
                .get(same..end)
                .unwrap_or_default()
                .iter()
                .map(|line| format!("{sign}{line}"))
                .collect()
        };
        [middle(&before, '-'), middle(&after, '+')].concat()
    }

    /// Makes the change, unless the file is not as it was. Folders that are missing are made.
    ///
    /// # Errors
    /// When the file was changed meanwhile, or cannot be written.
    pub fn make(&self) -> Result<(), InstallError> {
        let io = |source| InstallError::Io {
            path: self.path.clone(),
            source,
        };
        if !self.is_needed() {
            return Ok(());
        }
        let Some(after) = &self.after else {
            if read(&self.path)? != self.before {
                return Err(InstallError::Busy(self.path.clone()));
            }
            return match fs::remove_file(&self.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(io(error)),
                _ => Ok(()),
            };
        };
        if let Some(folder) = self.path.parent() {
            make_private_dir(folder).map_err(io)?;
        }
        if replace_if_unchanged(&self.path, self.before.as_deref(), after).map_err(io)? {
            Ok(())
        } else {
            Err(InstallError::Busy(self.path.clone()))
        }
    }
}

/// A file's bytes; `None` when it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, InstallError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(InstallError::Io {
            path: path.to_owned(),
            source,
        }),
    }
}

/// A file's text; `None` when it does not exist.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, InstallError> {
    let unreadable = |_| InstallError::Unreadable {
        path: path.to_owned(),
        why: "it is not UTF-8".to_owned(),
    };
    read(path)?
        .map(|bytes| String::from_utf8(bytes).map_err(unreadable))
        .transpose()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set files up")]
mod tests {
    use super::*;

    fn edit(before: &str, after: &str) -> Edit {
        Edit::new(Path::new("/x"), Some(before.into()), Some(after.into()))
    }

    #[test]
    fn the_diff_is_the_lines_that_differ() {
        assert_eq!(edit("a\nb\n", "a\nx\nb\n").diff(), ["+x"]);
        assert_eq!(edit("a\nx\nb", "a\ny\nb").diff(), ["-x", "+y"]);
        assert_eq!(edit("a\na\n", "a\n").diff(), ["-a"]);
        assert!(edit("a", "a").diff().is_empty());
        assert!(edit("\0asm", "x").diff().is_empty());
    }

    #[test]
    fn case_e13_a_file_that_somebody_else_has_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/config.kdl");
        let first = Edit::new(&path, None, Some(b"one".to_vec()));
        first.make().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(matches!(first.make(), Err(InstallError::Busy(_))));
        fs::write(&path, "two").unwrap();
        let removal = Edit::new(&path, Some(b"one".to_vec()), None);
        assert!(matches!(removal.make(), Err(InstallError::Busy(_))));
        Edit::new(&path, Some(b"two".to_vec()), None)
            .make()
            .unwrap();
        assert!(!path.exists());
    }
}

//! Files that are replaced whole or not at all.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many symlinks are followed to find the file behind a path.
const MAX_LINKS: usize = 16;

/// Replaces a file's content: whoever reads it sees the old bytes or the new ones, never a part of either.
///
/// A symlink stays a symlink and the file behind it is replaced; mode and owner stay; a new file is 0600 (cases E4
/// and E5). The folder must exist.
///
/// # Errors
/// When a step fails; the old file is untouched then and nothing is left beside it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = behind_links(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let draft = Draft::beside(&target)?;
    let mut file = &draft.file;
    file.write_all(bytes)?;
    if let Some(old) = old {
        keep_owner(&draft.file, &old);
        // After the owner: a change of owner takes the special bits away.
        draft
            .file
            .set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))?;
    }
    draft.file.sync_all()?;
    draft.put(&target)?;
    if let Some(folder) = target.parent() {
        // The rename is done; a file system that cannot sync folders is no reason to say otherwise.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Replaces a file's content unless somebody else has changed it since `expected` was read; `None` means that it did
/// not exist (case E13). Returns whether it was replaced.
///
/// # Errors
/// When a step fails.
pub fn replace_if_unchanged(
    path: &Path,
    expected: Option<&[u8]>,
    bytes: &[u8],
) -> io::Result<bool> {
    let now = match fs::read(path) {
        Ok(now) => Some(now),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if now.as_deref() != expected {
        return Ok(false);
    }
    replace(path, bytes).map(|()| true)
}

/// Puts a new file of our own into a folder of our own, 0600, whole or not at all. It is not synced: what is written
/// on a hot path may be lost with the machine, not with the process.
///
/// # Errors
/// When a step fails; nothing is left then.
pub fn put_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = Draft::beside(path)?;
    let mut file = &draft.file;
    file.write_all(bytes)?;
    draft.put(path)
}

/// Makes a folder and its parents, as far as they are missing, for this user only.
///
/// # Errors
/// When a folder cannot be made.
pub fn make_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Follows symlinks to the file they lead to, which need not exist.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("")).join(link),
            // Not a symlink, or nothing there.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
                ) =>
            {
                return Ok(target);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symlinks"))
}

fn keep_owner(file: &File, old: &fs::Metadata) {
    let Ok(new) = file.metadata() else { return };
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may give files away; for anybody else the file was theirs to begin with.
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

/// A file that becomes visible under its name only when it is complete.
struct Draft {
    path: PathBuf,
    file: File,
    placed: bool,
}

impl Draft {
    fn beside(target: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
        loop {
            let mut draft = OsString::from(".");
            draft.push(name);
            draft.push(format!(
                ".{}-{}.new",
                std::process::id(),
                COUNT.fetch_add(1, Ordering::Relaxed)
            ));
            let path = target.with_file_name(draft);
            // A new file, never one that was put there to be followed or shared.
            match OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&path)
            {
                Ok(file) => {
                    return Ok(Self {
                        path,
                        file,
                        placed: false,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn put(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.placed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set files up")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn case_e4_a_symlink_stays_and_the_file_behind_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("dotfiles")).unwrap();
        let real = folder.path().join("dotfiles/settings");
        fs::write(&real, "old").unwrap();
        let link = folder.path().join("settings");
        symlink("dotfiles/settings", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(names(&folder.path().join("dotfiles")), ["settings"]);
    }

    #[test]
    fn a_symlink_to_a_missing_file_makes_that_file() {
        let folder = tempfile::tempdir().unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        replace(&folder.path().join("link"), b"new").unwrap();
        assert_eq!(fs::read(folder.path().join("real")).unwrap(), b"new");
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(replace(&folder.path().join("loop"), b"new").is_err());
    }

    #[test]
    fn case_e5_the_mode_stays_and_a_new_file_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"a").unwrap();
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, b"b").unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn case_e13_a_file_that_changed_in_between_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert!(replace_if_unchanged(&path, None, b"a").unwrap());
        assert!(!replace_if_unchanged(&path, None, b"b").unwrap());
        assert!(!replace_if_unchanged(&path, Some(b"x"), b"b").unwrap());
        assert!(replace_if_unchanged(&path, Some(b"a"), b"b").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"b");
    }

    #[test]
    fn nothing_is_left_behind_when_the_name_is_taken_by_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(put_private(&folder.path().join("taken"), b"a").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_private_folder_is_private_with_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        make_private_dir(&path).unwrap();
        make_private_dir(&path).unwrap();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o700, 0o700));
    }
}

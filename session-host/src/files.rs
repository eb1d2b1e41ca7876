//! Files that are replaced whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _,
    PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// The largest file of somebody else that is changed, in bytes.
pub const LARGEST: u64 = 4 << 20;
/// The most that Linux keeps in one extended attribute, and in the list of their names.
#[cfg(target_os = "linux")]
const LARGEST_ATTRIBUTE: usize = 64 << 10;
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
    Prepared::new(path, bytes)?.put()
}

/// A replacement that is written and synced, and has only to be put into its place.
struct Prepared {
    draft: Draft,
    target: PathBuf,
}

impl Prepared {
    fn new(path: &Path, bytes: &[u8]) -> io::Result<Self> {
        let target = behind_links(path)?;
        let old = match fs::metadata(&target) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            refuse_protected(&target, old)?;
        }
        let draft = Draft::beside(&target).map_err(|error| match target.parent() {
            // A link may lead to where nothing is.
            Some(folder) if !folder.exists() && folder != Path::new("") => io::Error::new(
                error.kind(),
                format!("the folder {} is not there", folder.display()),
            ),
            _ => error,
        })?;
        let mut file = &draft.file;
        file.write_all(bytes)?;
        if let Some(old) = old {
            keep_owner(&draft.file, &old);
            // After the owner: a change of owner takes the special bits away.
            draft
                .file
                .set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))?;
            // After the mode, which would change an access list.
            keep_attributes(&target, &draft.file)?;
        }
        draft.file.sync_all()?;
        Ok(Self { draft, target })
    }

    fn put(self) -> io::Result<()> {
        self.draft.put(&self.target)?;
        if let Some(folder) = self.target.parent() {
            // The rename is done; a file system that cannot sync folders is no reason to say otherwise.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

/// A file that its owner made read-only, that is another user's, or that has a second name is not ours to replace, even
/// where the folder would allow it.
fn refuse_protected(path: &Path, file: &fs::Metadata) -> io::Result<()> {
    let user = rustix::process::geteuid();
    let what = if file.mode() & 0o222 == 0 {
        "is read-only"
    } else if !user.is_root() && file.uid() != user.as_raw() {
        "belongs to another user"
    } else if file.nlink() > 1 {
        "has another name (a hard link), which would keep the old content,"
    } else {
        return Ok(());
    };
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("{} {what} and was left as it is", path.display()),
    ))
}

/// Gives a new file the access list and the other extended attributes of the one that it replaces. Those of the system are
/// its own business, and where the file system knows none there is nothing to keep.
#[cfg(target_os = "linux")]
fn keep_attributes(old: &Path, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr, getxattr, listxattr};

    let mut names = vec![0; LARGEST_ATTRIBUTE];
    let length = match listxattr(old, names.as_mut_slice()) {
        Ok(length) => length,
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for name in names
        .get(..length)
        .unwrap_or_default()
        .split(|byte| *byte == 0)
    {
        let ours = name.starts_with(b"user.") || name == b"system.posix_acl_access";
        if !ours {
            continue;
        }
        let mut value = vec![0; LARGEST_ATTRIBUTE];
        let length = getxattr(old, name, value.as_mut_slice())?;
        let value = value.get(..length).unwrap_or_default();
        fsetxattr(new, name, value, XattrFlags::empty())?;
    }
    Ok(())
}

/// Elsewhere the system keeps them elsewhere.
#[cfg(not(target_os = "linux"))]
fn keep_attributes(_old: &Path, _new: &File) -> io::Result<()> {
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
    // All that takes time comes before the last look.
    let prepared = Prepared::new(path, bytes)?;
    let now = match read_regular(path, LARGEST) {
        Ok(now) => Some(now),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if now.as_deref() != expected {
        return Ok(false);
    }
    prepared.put().map(|()| true)
}

/// Removes a file unless somebody else has changed it since `expected` was read. A symlink stays, and the file behind it
/// goes. Returns whether it was removed.
///
/// # Errors
/// When a step fails.
pub fn remove_if_unchanged(path: &Path, expected: &[u8]) -> io::Result<bool> {
    let target = behind_links(path)?;
    if read_regular(&target, LARGEST)? != expected {
        return Ok(false);
    }
    fs::remove_file(target).map(|()| true)
}

/// Reads a file that anybody could have put there: a regular one of at most `most` bytes. A FIFO would be waited for, a
/// device may have no end, and neither is opened.
///
/// # Errors
/// When it is not there, is something else, is larger, or cannot be read.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    refuse_irregular(&fs::metadata(path)?)?;
    // What was a file a moment ago may be a FIFO now: opened like this, it is not waited for.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(i32::try_from(flags.bits()).unwrap_or(0))
        .open(path)?;
    let about = file.metadata()?;
    refuse_irregular(&about)?;
    let mut bytes = Vec::new();
    if about.len() <= most {
        // It may grow meanwhile, and some files have no length.
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if about.len() > most || u64::try_from(bytes.len()).is_ok_and(|read| read > most) {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {}", size(most)),
        ));
    }
    Ok(bytes)
}

/// As [`read_regular`], for text.
///
/// # Errors
/// Also when it is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_regular(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

fn refuse_irregular(about: &fs::Metadata) -> io::Result<()> {
    let kind = about.file_type();
    let what = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    };
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("it is {what}, and not a regular file"),
    ))
}

fn size(bytes: u64) -> String {
    match (bytes >> 20, bytes >> 10) {
        (0, 0) => format!("{bytes} bytes"),
        (0, kib) => format!("{kib} KiB"),
        (mib, _) => format!("{mib} MiB"),
    }
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

/// Removes what a replacement of this file has left beside it that was killed before its end.
///
/// # Errors
/// When the folder cannot be read.
pub fn remove_left_drafts(path: &Path) -> io::Result<()> {
    let target = behind_links(path)?;
    let (Some(folder), Some(name)) = (target.parent(), target.file_name().and_then(OsStr::to_str))
    else {
        return Ok(());
    };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let pid = entry.file_name().to_str().and_then(|draft| {
            let rest = draft.strip_prefix('.')?.strip_prefix(name)?;
            let (pid, count) = rest
                .strip_prefix('.')?
                .strip_suffix(".new")?
                .split_once('-')?;
            count.parse::<u32>().ok()?;
            Pid::from_raw(pid.parse().ok()?)
        });
        if pid.is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH)) {
            // Somebody else may be quicker.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
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
    fn nothing_but_a_regular_file_of_a_fair_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_regular(&path, 5).unwrap(), b"12345");
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        assert_eq!(read_regular_text(&link, 5).unwrap(), "12345");
        let why = |path: &Path, most| read_regular(path, most).unwrap_err().to_string();
        assert_eq!(why(&path, 4), "it is larger than 4 bytes");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(why(&path, 1 << 20), "it is larger than 1 MiB");
        let fifo = folder.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        assert!(made.unwrap().success());
        assert_eq!(why(&fifo, 9), "it is a FIFO, and not a regular file");
        assert_eq!(
            why(folder.path(), 9),
            "it is a folder, and not a regular file"
        );
        assert_eq!(
            why(Path::new("/dev/zero"), 9),
            "it is a device, and not a regular file"
        );
        let missing = read_regular(&folder.path().join("missing"), 9).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_that_was_made_read_only_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tmux.conf");
        fs::write(&path, "theirs").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let refused = replace(&path, b"ours").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains("read-only"));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["tmux.conf"]);
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
        assert!(!remove_if_unchanged(&folder.path().join("link"), b"other").unwrap());
        assert!(remove_if_unchanged(&folder.path().join("link"), b"new").unwrap());
        assert!(!folder.path().join("real").exists());
        assert_eq!(names(folder.path()), ["link"]);
        symlink("gone/real", folder.path().join("astray")).unwrap();
        let why = replace(&folder.path().join("astray"), b"new").unwrap_err();
        assert!(why.to_string().ends_with("gone is not there"), "{why}");
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

    /// An access list that lets one more user read: the mode that shows is its mask then.
    #[cfg(target_os = "linux")]
    #[test]
    fn case_e5_an_access_list_and_attributes_of_the_persons_stay() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};

        let entry = |tag: u16, may: u16, id: u32| {
            let mut bytes = tag.to_le_bytes().to_vec();
            bytes.extend(may.to_le_bytes());
            bytes.extend(id.to_le_bytes());
            bytes
        };
        let nobody = u32::MAX;
        let list = [
            2_u32.to_le_bytes().to_vec(),
            entry(1, 6, nobody),
            entry(2, 4, 12_345),
            entry(4, 0, nobody),
            entry(16, 4, nobody),
            entry(32, 0, nobody),
        ]
        .concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"a").unwrap();
        let kept = [("system.posix_acl_access", &*list), ("user.note", b"mine")];
        for (name, value) in kept {
            setxattr(&path, name, value, XattrFlags::empty()).unwrap();
        }
        replace(&path, b"b").unwrap();
        for (name, value) in kept {
            let mut now = [0; 256];
            let length = getxattr(&path, name, &mut now[..]).unwrap();
            assert_eq!(&now[..length], value, "{name}");
        }
    }

    #[test]
    fn a_file_with_two_names_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        replace(&one, b"a").unwrap();
        fs::hard_link(&one, &other).unwrap();
        let error = replace(&other, b"b").unwrap_err().to_string();
        assert!(error.contains("hard link"), "{error}");
        assert_eq!(fs::read(&one).unwrap(), b"a");
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
    fn what_a_killed_replacement_has_left_goes_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let ended = child.id();
        child.wait().unwrap();
        let own = std::process::id();
        let kept = [
            format!(".a.json.{own}-0.new"),
            format!(".b.json.{ended}-0.new"),
            ".a.json.x-0.new".to_owned(),
            "a.json".to_owned(),
        ];
        for name in kept.iter().chain([&format!(".a.json.{ended}-3.new")]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_left_drafts(&path).unwrap();
        let mut kept: Vec<OsString> = kept.into_iter().map(OsString::from).collect();
        kept.sort();
        assert_eq!(names(folder.path()), kept);
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

//! The folder for sockets and locks: ours alone, or refused (case K5).

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, fchmod};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};

use crate::files::make_private_dir;

/// Why the runtime folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeDirError {
    /// It is a symlink, or not a folder at all.
    #[error("{} is in the way: it is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// It belongs to somebody else.
    #[error("{path} belongs to user {owner}, not to you; it is not used", path = path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Its owner.
        owner: u32,
    },
    /// Others may enter it.
    #[error("{path} is open to others (mode {mode:o}), and is to be yours alone (700)", path = path.display())]
    Open {
        /// The folder.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A socket in it would have a longer name than the system allows.
    #[error("{path} is too long for a socket in it: {length} bytes, and at most {most} fit", path = path.display())]
    TooLong {
        /// The folder.
        path: PathBuf,
        /// How long its path is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// It cannot be looked at or made.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The folder or socket.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The longest name that [`bind_socket`] uses in the folder, with the separator before it.
const LONGEST_NAME: usize = "/control.4194304.new".len();

/// Whether the names of the sockets fit into what the system allows for one.
///
/// # Errors
/// When they do not.
pub fn fits(path: &Path) -> Result<(), RuntimeDirError> {
    // Of `sun_path`, with a byte for its end.
    let room = if cfg!(any(target_os = "linux", target_os = "android")) {
        108
    } else {
        104
    };
    let (length, most) = (path.as_os_str().len(), room - 1 - LONGEST_NAME);
    if length <= most {
        return Ok(());
    }
    Err(RuntimeDirError::TooLong {
        path: path.to_owned(),
        length,
        most,
    })
}

/// Makes the folder when it is missing, and checks it.
///
/// # Errors
/// When it cannot be made, is not ours alone, or is too long a path for a socket.
pub fn ensure(path: &Path) -> Result<(), RuntimeDirError> {
    fits(path)?;
    make_private_dir(path).map_err(|source| match fs::symlink_metadata(path) {
        Ok(_) => RuntimeDirError::NotAFolder(path.to_owned()),
        Err(_) => RuntimeDirError::Io {
            path: path.to_owned(),
            source,
        },
    })?;
    check(path)
}

/// Checks the folder: ours, 0700, and no symlink.
///
/// # Errors
/// When it is not there or not ours alone.
pub fn check(path: &Path) -> Result<(), RuntimeDirError> {
    let found = fs::symlink_metadata(path).map_err(|source| RuntimeDirError::Io {
        path: path.to_owned(),
        source,
    })?;
    let path = path.to_owned();
    if !found.is_dir() {
        return Err(RuntimeDirError::NotAFolder(path));
    }
    if found.uid() != own_uid() {
        return Err(RuntimeDirError::Foreign {
            path,
            owner: found.uid(),
        });
    }
    if found.mode() & 0o077 != 0 {
        return Err(RuntimeDirError::Open {
            path,
            mode: found.mode() & 0o7777,
        });
    }
    Ok(())
}

/// Whether there is a socket of ours at this path; a symlink is none, wherever it leads.
///
/// # Errors
/// When it cannot be looked at, other than for not being there.
pub fn own_socket(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.file_type().is_socket() && found.uid() == own_uid()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Binds a socket at `path`, in a checked folder. It is 0600 before it can be reached by that name, and whatever was
/// there by that name is replaced, not followed.
///
/// # Errors
/// When it cannot be bound.
pub(crate) fn bind_socket(path: &Path, kind: SocketType) -> Result<OwnedFd, RuntimeDirError> {
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let bound =
        bind_private(&draft, kind).and_then(|socket| fs::rename(&draft, path).map(|()| socket));
    bound.map_err(|source| {
        let _ = fs::remove_file(&draft);
        RuntimeDirError::Io {
            path: path.to_owned(),
            source,
        }
    })
}

fn bind_private(path: &Path, kind: SocketType) -> io::Result<OwnedFd> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, kind, flags, None)?;
    // Linux gives the file the socket's own mode, so it is never wider, not even for a moment. Elsewhere the call
    // fails, and the folder keeps others out until the mode is set below.
    let _ = fchmod(&socket, Mode::from_raw_mode(0o600));
    bind(&socket, &SocketAddrUnix::new(path)?)?;
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(socket)
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn case_k5_a_runtime_folder_is_made_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run/tally");
        ensure(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        ensure(&path).unwrap();
    }

    #[test]
    fn case_k5_an_open_folder_a_symlink_and_a_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let open = folder.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(
            ensure(&open),
            Err(RuntimeDirError::Open { mode: 0o755, .. })
        ));
        fs::set_permissions(&open, fs::Permissions::from_mode(0o700)).unwrap();
        ensure(&open).unwrap();

        let link = folder.path().join("link");
        symlink(&open, &link).unwrap();
        assert!(matches!(ensure(&link), Err(RuntimeDirError::NotAFolder(_))));

        let file = folder.path().join("file");
        fs::File::create(&file).unwrap();
        assert!(matches!(ensure(&file), Err(RuntimeDirError::NotAFolder(_))));
        assert!(matches!(
            check(&folder.path().join("missing")),
            Err(RuntimeDirError::Io { .. })
        ));
    }

    #[test]
    fn a_folder_is_as_long_as_a_socket_in_it_allows() {
        let base = tempfile::tempdir().unwrap();
        let most = match fits(&base.path().join("x".repeat(200))) {
            Err(RuntimeDirError::TooLong { most, .. }) => most,
            other => panic!("{other:?}"),
        };
        let room = most - base.path().as_os_str().len() - 1;
        let fitting = base.path().join("x".repeat(room));
        ensure(&fitting).unwrap();
        let longest = |folder: &Path| {
            std::os::unix::net::SocketAddr::from_pathname(folder.join("control.4194304.new"))
        };
        assert!(longest(&fitting).is_ok());
        let longer = base.path().join("x".repeat(room + 1));
        assert!(longest(&longer).is_err());
        assert!(matches!(
            ensure(&longer),
            Err(RuntimeDirError::TooLong { .. })
        ));
        assert!(!longer.exists());
    }

    #[test]
    fn case_k5_a_folder_of_somebody_else_is_refused() {
        if own_uid() != 0 {
            eprintln!("skipped: only root can give a folder away");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("foreign");
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::chown(&path, Some(12_345), None).unwrap();
        assert!(matches!(
            ensure(&path),
            Err(RuntimeDirError::Foreign { owner: 12_345, .. })
        ));
    }

    #[test]
    fn case_k5_a_socket_is_private_and_replaces_a_planted_symlink_without_following_it() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        let path = folder.path().join("nudge.sock");
        symlink(&victim, &path).unwrap();
        assert!(!own_socket(&path).unwrap());
        let _socket = bind_socket(&path, SocketType::DGRAM).unwrap();
        assert!(own_socket(&path).unwrap());
        assert!(!victim.exists());
        assert_eq!(fs::symlink_metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn case_k5_a_socket_is_never_wider_than_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let socket = socket_with(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )
        .unwrap();
        fchmod(&socket, Mode::from_raw_mode(0o600)).unwrap();
        let path = folder.path().join("s");
        bind(&socket, &SocketAddrUnix::new(&path).unwrap()).unwrap();
        assert_eq!(fs::symlink_metadata(&path).unwrap().mode() & 0o777, 0o600);
    }
}

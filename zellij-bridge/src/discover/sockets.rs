//! The socket files of zellij sessions.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use session_core::Time;
use session_host::env::Env;

/// A socket file, whatever it is called: a rename keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SocketKey {
    device: u64,
    inode: u64,
    made: (i64, i64),
}

impl SocketKey {
    /// When the file was made; whole seconds.
    pub(super) const fn made(&self) -> Time {
        Time(self.made.0.saturating_mul(1_000_000))
    }
}

#[derive(Clone, Debug)]
pub(super) struct SocketFile {
    pub(super) path: PathBuf,
    pub(super) key: SocketKey,
}

/// The folders that may hold sockets of sessions: the sub-folders, one for each version of the language that zellij's
/// clients and servers speak, of every place where zellij puts them, and the folders of the servers that run.
pub(crate) fn folders<'s>(
    env: &Env,
    of_servers: impl Iterator<Item = &'s Path>,
) -> BTreeSet<PathBuf> {
    let mut folders: BTreeSet<PathBuf> = bases(env)
        .iter()
        .flat_map(|base| sub_folders(base))
        .collect();
    folders.extend(
        of_servers
            .map(Path::to_owned)
            .filter(|folder| is_own_folder(folder)),
    );
    folders
}

/// The places where zellij puts those folders; they need not exist.
pub(crate) fn bases(env: &Env) -> Vec<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let temporary = |base: &Path| base.join(format!("zellij-{user}"));
    let bases = [
        env.path("ZELLIJ_SOCKET_DIR"),
        env.path("XDG_RUNTIME_DIR").map(|base| base.join("zellij")),
        env.path("TMPDIR").map(|base| temporary(&base)),
        Some(temporary(Path::new("/tmp"))),
    ];
    bases.into_iter().flatten().collect()
}

fn sub_folders(base: &Path) -> Vec<PathBuf> {
    if !is_own_folder(base) {
        return Vec::new();
    }
    let entries = fs::read_dir(base).into_iter().flatten().flatten();
    let names = entries.filter(|entry| {
        // Beside them the temporary folder holds logs and plugins' files.
        entry.file_name().to_str().is_some_and(|name| {
            name.starts_with("contract_version_")
                || name.starts_with(|first: char| first.is_ascii_digit())
        })
    });
    names
        .map(|entry| entry.path())
        .filter(|folder| is_own_folder(folder))
        .collect()
}

/// Whether the folder is the user's own (case K5): what others may have put there is not looked at.
fn is_own_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && is_own(&found))
}

fn is_own(found: &fs::Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}

pub(super) fn socket_files(folders: &BTreeSet<PathBuf>) -> Vec<SocketFile> {
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut files: Vec<SocketFile> = entries
        .filter_map(|entry| {
            let found = entry.metadata().ok()?;
            let key = SocketKey {
                device: found.dev(),
                inode: found.ino(),
                made: (found.mtime(), found.mtime_nsec()),
            };
            (found.file_type().is_socket() && is_own(&found)).then(|| SocketFile {
                path: entry.path(),
                key,
            })
        })
        .collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sub_folder_of_a_version_is_looked_at_and_no_other() {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().join("zellij");
        for name in [
            "contract_version_1",
            "contract_version_2",
            "0.43.1",
            "zellij-log",
            "plugins",
        ] {
            fs::create_dir_all(base.join(name)).unwrap();
        }
        let env = [
            ("XDG_RUNTIME_DIR", root.path().to_str().unwrap()),
            ("TMPDIR", "/nowhere"),
        ]
        .into_iter()
        .collect();
        let elsewhere = root.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let found = folders(
            &env,
            [elsewhere.as_path(), Path::new("/nowhere/at/all")].into_iter(),
        );
        let found: Vec<_> = found
            .iter()
            .filter_map(|folder| folder.strip_prefix(root.path()).ok())
            .collect();
        let expected = [
            "elsewhere",
            "zellij/0.43.1",
            "zellij/contract_version_1",
            "zellij/contract_version_2",
        ];
        assert_eq!(found, expected.map(Path::new));
    }

    #[test]
    fn case_k5_a_folder_of_somebody_else_and_a_link_are_not_looked_at() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().join("real");
        fs::create_dir_all(real.join("contract_version_1")).unwrap();
        std::os::unix::fs::symlink(&real, root.path().join("zellij")).unwrap();
        let env = [
            ("XDG_RUNTIME_DIR", root.path().to_str().unwrap()),
            ("TMPDIR", "/nowhere"),
        ]
        .into_iter()
        .collect();
        let found = folders(&env, std::iter::empty());
        assert!(
            found.iter().all(|folder| !folder.starts_with(root.path())),
            "{found:?}"
        );
    }
}

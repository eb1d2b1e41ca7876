//! The newest picture of a session in a file, for instances of the plugin that are just loaded.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use session_core::wire::{Flavour, file};
use session_host::files::{make_private_dir, put_private};
use session_host::process::ProcessTable;
use session_host::runtime_dir;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PictureFile(PathBuf);

impl PictureFile {
    /// The file of a server, below its own folder for temporary files: `tmpdir` as the plugin told it, else as its
    /// environment says.
    pub(crate) fn of(
        table: &dyn ProcessTable,
        server_pid: u32,
        tmpdir: Option<&str>,
        flavour: Flavour,
    ) -> Self {
        let absolute = |path: String| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
        let told = tmpdir.map(str::to_owned).and_then(absolute);
        let base = told
            .or_else(|| table.variable(server_pid, "TMPDIR").and_then(absolute))
            .unwrap_or_else(|| PathBuf::from("/tmp"));
        let zellij = base.join(format!("zellij-{}", rustix::process::geteuid().as_raw()));
        Self(zellij.join(file::below_zellij_tmp(flavour, server_pid)))
    }

    /// Writes it, whole or not at all. Blocking.
    ///
    /// # Errors
    /// When a folder is not the user's own, or the file cannot be written.
    pub(crate) fn write(&self, line: &str) -> io::Result<()> {
        let Some(folder) = self.0.parent() else {
            return Ok(());
        };
        match self.put(line) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => return done,
        }
        if let Some(zellij) = folder.parent() {
            make_private_dir(zellij)?;
            check(zellij)?;
        }
        make_private_dir(folder)?;
        self.put(line)
    }

    fn put(&self, line: &str) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            check(folder)?;
        }
        put_private(&self.0, line.as_bytes())
    }

    /// Removes it. Blocking.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.0);
    }

    #[cfg(test)]
    fn path(&self) -> &Path {
        &self.0
    }
}

/// Refuses a folder that is not the user's alone, or a link (case K5).
fn check(folder: &Path) -> io::Result<()> {
    use runtime_dir::RuntimeDirError;
    runtime_dir::check(folder).map_err(|error| match error {
        RuntimeDirError::Io { source, .. } => source,
        other => io::Error::other(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use session_host::process::FakeProcesses;

    use super::*;

    fn file(tmpdir: &Path) -> PictureFile {
        let table =
            FakeProcesses::default()
                .with(7, 1, "zellij")
                .variable(7, "TMPDIR", "/of/the/server");
        PictureFile::of(&table, 7, tmpdir.to_str(), Flavour::Release)
    }

    #[test]
    fn the_file_is_private_and_below_the_servers_own_folder() {
        let root = tempfile::tempdir().unwrap();
        let file = file(root.path());
        file.write("{}").unwrap();
        file.write("{\"v\":1}").unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "{\"v\":1}");
        let found = fs::metadata(file.path()).unwrap();
        assert_eq!(found.mode() & 0o777, 0o600);
        let folder = file.path().parent().unwrap();
        assert_eq!(fs::metadata(folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        file.remove();
        assert!(!file.path().exists());
    }

    #[test]
    fn the_folder_is_the_servers_and_not_ours() {
        let table =
            FakeProcesses::default()
                .with(7, 1, "zellij")
                .variable(7, "TMPDIR", "/of/the/server");
        let of = |tmpdir| {
            PictureFile::of(&table, 7, tmpdir, Flavour::Dev)
                .path()
                .to_owned()
        };
        let user = rustix::process::geteuid().as_raw();
        assert_eq!(
            of(None),
            Path::new(&format!("/of/the/server/zellij-{user}/tally-dev/7.json"))
        );
        assert_eq!(
            of(Some("/told")),
            Path::new(&format!("/told/zellij-{user}/tally-dev/7.json"))
        );
        assert_eq!(of(Some("not/absolute")), of(None));
    }

    #[test]
    fn case_k5_a_folder_that_is_a_link_or_open_to_others_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;

        let root = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let file = file(root.path());
        let folder = file.path().parent().unwrap();
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), folder).unwrap();
        assert!(file.write("{}").is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        fs::remove_file(folder).unwrap();
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(file.write("{}").is_err());
    }
}

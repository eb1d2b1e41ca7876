//! Files that Tallylight keeps for an agent, in a folder of its own that nobody else can read.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use session_core::manifest::Manifest;

use super::command::signal_command;
use super::error::WiringError;
use super::places::with_command;
use crate::files::{LARGEST, make_private_dir, put_private, read_regular};
use crate::manifests;

/// One file, as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManagedFile {
    /// Its name in the extension.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// What it holds.
    pub content: String,
}

/// A file, as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagedState {
    /// It is as it should be.
    Current,
    /// It is not there yet: the first launch writes it.
    Absent,
    /// It holds something else: an older release's text, or somebody's edit. The next launch writes it anew.
    Different,
}

/// The files that an agent's extension keeps below `wiring`, for a program at `program`.
///
/// # Errors
/// When the program's path cannot be written into them.
pub fn managed_files(
    manifest: &Manifest,
    wiring: &Path,
    program: &Path,
) -> Result<Vec<ManagedFile>, WiringError> {
    let agent = manifest.name.as_str();
    let command = signal_command(program, agent)?;
    let folder = wiring.join(agent);
    manifest
        .external_files
        .iter()
        .map(|file| {
            let payload = manifests::payload(agent, &file.name)
                .ok_or_else(|| WiringError::Payload(file.name.clone()))?;
            Ok(ManagedFile {
                name: file.name.clone(),
                path: folder.join(&file.name),
                content: with_command(payload, &command),
            })
        })
        .collect()
}

impl ManagedFile {
    /// How the file is.
    #[must_use]
    pub fn state(&self) -> ManagedState {
        match read_regular(&self.path, LARGEST) {
            Ok(bytes) if bytes == self.content.as_bytes() => ManagedState::Current,
            Err(error) if error.kind() == ErrorKind::NotFound => ManagedState::Absent,
            _ => ManagedState::Different,
        }
    }

    /// Writes the file unless it is as it should be: whole or not at all, and readable by nobody else.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn ensure(&self) -> Result<(), WiringError> {
        let private = fs::symlink_metadata(&self.path)
            .is_ok_and(|about| about.is_file() && about.mode() & 0o077 == 0);
        if private && self.state() == ManagedState::Current {
            return Ok(());
        }
        self.write().map_err(|source| WiringError::Io {
            path: self.path.clone(),
            source,
        })
    }

    fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            make_private_dir(folder)?;
        }
        put_private(&self.path, self.content.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use serde_json::Value;

    use super::super::wired_program;
    use super::*;

    fn settings(root: &Path, program: &str) -> ManagedFile {
        let manifest = manifests::find("claude").unwrap();
        managed_files(&manifest, &root.join("wiring"), Path::new(program))
            .unwrap()
            .remove(0)
    }

    #[test]
    fn the_file_is_json_whatever_the_program_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let file = settings(folder.path(), "/home/it's \"mine\"\\/tally");
        let json: Value = serde_json::from_str(&file.content).unwrap();
        assert_eq!(
            json["hooks"]["Stop"][0]["hooks"][0]["command"],
            r#"'/home/it'\''s "mine"\/tally' signal --from claude 2>/dev/null || true"#
        );
        assert_eq!(
            wired_program(&file.content),
            Some("/home/it's \"mine\"\\/tally".into())
        );
    }

    #[test]
    fn case_e5_the_file_and_its_folder_are_private_and_it_is_written_only_when_it_differs() {
        let folder = tempfile::tempdir().unwrap();
        let file = settings(folder.path(), "/bin/tally");
        assert_eq!(file.state(), ManagedState::Absent);
        file.ensure().unwrap();
        let about = || fs::symlink_metadata(&file.path).unwrap();
        let first = about();
        assert_eq!(first.mode() & 0o777, 0o600);
        assert_eq!(
            fs::metadata(file.path.parent().unwrap()).unwrap().mode() & 0o777,
            0o700
        );
        file.ensure().unwrap();
        assert_eq!(
            about().ino(),
            first.ino(),
            "case E7: the second time changes nothing"
        );

        fs::set_permissions(&file.path, fs::Permissions::from_mode(0o644)).unwrap();
        file.ensure().unwrap();
        assert_eq!(about().mode() & 0o777, 0o600);

        fs::remove_file(&file.path).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        File::create(&elsewhere).unwrap();
        symlink(&elsewhere, &file.path).unwrap();
        assert_eq!(file.state(), ManagedState::Different);
        file.ensure().unwrap();
        assert!(about().is_file(), "a link is replaced, not followed");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"");
        assert_eq!(
            fs::read_dir(file.path.parent().unwrap()).unwrap().count(),
            1,
            "no draft is left"
        );
    }

    #[test]
    fn case_e7_a_moved_program_is_wired_by_its_new_path() {
        let folder = tempfile::tempdir().unwrap();
        settings(folder.path(), "/one/tally").ensure().unwrap();
        let moved = settings(folder.path(), "/two/tally");
        assert_eq!(moved.state(), ManagedState::Different);
        moved.ensure().unwrap();
        assert!(!fs::read_to_string(&moved.path).unwrap().contains("/one/"));
    }
}

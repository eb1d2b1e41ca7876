//! A home with an agent in it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use session_core::Time;
use session_core::manifest::Manifest;
use tempfile::TempDir;

use crate::env::Env;
use crate::manifests;
use crate::paths::Paths;
use crate::wiring::global::{Book, Done, GlobalError, Record, Wirer};

/// A foreign hook in a list that ours goes into as well.
pub(super) const THEIRS: &str = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"matcher\": \"\", \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }\n    ]\n  }\n}\n";

pub(super) struct Stage {
    folder: TempDir,
    variables: Vec<(&'static str, OsString)>,
    pub(super) program: PathBuf,
    pub(super) dry_run: bool,
    pub(super) force: bool,
    pub(super) now: i64,
}

impl Stage {
    /// A home in which this agent's program is on the path.
    pub(super) fn with(agent: &str) -> Self {
        let stage = Self::empty();
        symlink("/bin/true", stage.path("bin").join(agent)).unwrap();
        stage
    }

    /// A home with no agent.
    pub(super) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        let program = folder.path().join("bin/tally");
        File::create(&program).unwrap();
        Self {
            variables: Vec::new(),
            program,
            folder,
            dry_run: false,
            force: false,
            now: 1_000_000,
        }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(&path)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        path
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(super) fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().mode() & 0o7777
    }

    pub(super) fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(super) fn set(&mut self, variable: &'static str, value: impl Into<OsString>) {
        self.variables.push((variable, value.into()));
    }

    pub(super) fn unset(&mut self) {
        self.variables.clear();
    }

    pub(super) fn env(&self) -> Env {
        let own = [
            ("HOME", self.folder.path().as_os_str().to_owned()),
            ("PATH", self.path("bin").into_os_string()),
        ];
        own.into_iter()
            .chain(self.variables.iter().cloned())
            .collect()
    }

    pub(super) fn paths(&self) -> Paths {
        Paths {
            config: self.path("config"),
            state: self.path("state"),
            runtime: self.path("run"),
        }
    }

    pub(super) fn record(&self) -> Record {
        Record::read(&self.paths().wiring_record()).unwrap()
    }

    pub(super) fn wirer<T>(&self, act: impl FnOnce(&Wirer<'_>) -> T) -> T {
        act(&Wirer {
            env: &self.env(),
            program: &self.program,
            own: Path::new("/nonexistent/tally"),
            now: Time(self.now),
            dry_run: self.dry_run,
            force: self.force,
        })
    }

    pub(super) fn activate(&self, agent: &str) -> Result<Done, GlobalError> {
        let mut book = Book::open(&self.paths()).unwrap();
        self.wirer(|wirer| wirer.activate(&manifest(agent), &mut book))
    }

    pub(super) fn deactivate(&self, agent: &str) -> Done {
        let mut book = Book::open(&self.paths()).unwrap();
        self.wirer(|wirer| wirer.deactivate(&manifest(agent), &mut book))
            .unwrap()
    }

    /// All that is in the home, with its content, but for our own state.
    pub(super) fn tree(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.is_symlink() {
                    walk(&path, found);
                    found.push((path, None));
                } else {
                    found.push((path.clone(), fs::read(&path).ok()));
                }
            }
        }
        let mut found = Vec::new();
        walk(self.folder.path(), &mut found);
        let state = self.path("state");
        found.retain(|(path, _)| !path.starts_with(&state));
        found.sort();
        found
    }
}

pub(super) fn manifest(agent: &str) -> Manifest {
    manifests::find(agent).unwrap()
}

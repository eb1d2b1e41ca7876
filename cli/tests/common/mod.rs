//! A home of a test's own, and the program in it.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

pub(crate) mod servers;

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusqlite::Connection;
use tempfile::TempDir;

/// The name of a debug build's folders.
pub(crate) const FLAVOUR: &str = if cfg!(debug_assertions) {
    "tally-dev"
} else {
    "tally"
};

/// A home with nothing in it.
pub(crate) struct Home {
    folder: TempDir,
}

/// How a command ended and what it said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// A command that ends well and says nothing.
    pub(crate) fn silent() -> Self {
        Self {
            status: Some(0),
            stdout: String::new(),
            stderr: String::new(),
        }
    }
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("tly")
            .tempdir_in("/tmp")
            .unwrap();
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder.path().join("run"))
            .unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file below the home.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(&path)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        path
    }

    /// Writes a program into the only folder of the path that is not the system's.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.write(&format!("bin/{name}"), script);
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes the settings.
    pub(crate) fn config(&self, text: &str) -> PathBuf {
        self.write(&format!(".config/{FLAVOUR}/config.toml"), text)
    }

    /// Holds the store as another process would that writes, until it is dropped.
    pub(crate) fn hold_store(&self) -> Connection {
        let store = self.path(&format!(".local/state/{FLAVOUR}/sessions.db"));
        let connection = Connection::open(store).unwrap();
        connection.execute_batch("begin immediate").unwrap();
        connection
    }

    /// The path of the program under test.
    pub(crate) fn tally() -> &'static Path {
        Path::new(env!("CARGO_BIN_EXE_tally"))
    }

    /// A command with the environment of this home and of nothing else.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let path =
            std::env::join_paths([&self.path("bin"), Path::new("/usr/bin"), Path::new("/bin")])
                .unwrap();
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .env("TMUX_TMPDIR", self.folder.path())
            .env("PATH", path)
            .current_dir(self.folder.path());
        command
    }

    /// Runs the program under test.
    pub(crate) fn run(&self, args: &[&str]) -> Outcome {
        self.run_with(args, b"", &[])
    }

    /// Runs the program under test with something on its standard input, and with variables of its own.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8], vars: &[(&str, &str)]) -> Outcome {
        let mut command = self.command(Self::tally());
        command.args(args).envs(vars.iter().copied());
        outcome(command, input)
    }
}

impl Drop for Home {
    /// Ends the daemon, which an agent that is started in a pane starts.
    fn drop(&mut self) {
        if self.path("run").join(FLAVOUR).join("daemon.lock").exists() {
            drop(self.run(&["down"]));
        }
    }
}

/// Runs a command to its end.
pub(crate) fn outcome(mut command: Command, input: &[u8]) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A reader that does not want all of it is no failure.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Outcome {
        status: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The recorded payloads of an agent, by name.
pub(crate) fn payloads(agent: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../extensions")
        .join(agent)
        .join("fixtures");
    let mut payloads: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (
                path.file_stem().unwrap().to_str().unwrap().to_owned(),
                fs::read(path).unwrap(),
            )
        })
        .collect();
    payloads.sort();
    payloads
}

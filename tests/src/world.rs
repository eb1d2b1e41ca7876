//! A world of a test's own: home, state, runtime and environment, gone when it is dropped.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::tally;
use crate::wait::{LIMIT, poll, wait_until};

/// How long a command of ours may take to clean up after a test.
const GOODBYE: Duration = Duration::from_secs(5);

/// A hermetic home for one test. Its paths are short, for a unix socket's path is limited to
/// 108 bytes. Set `TALLY_TEST_KEEP` to keep the folder for a look after a failure.
#[derive(Debug)]
pub struct World {
    root: PathBuf,
    env: Vec<(OsString, OsString)>,
    has_tally: bool,
    /// Held for its drop, unless the folder is to be kept.
    _folder: Option<TempDir>,
}

/// How a command ended and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status; -1 for a signal.
    pub status: i32,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
}

impl World {
    /// Makes a world without the binary under test.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("tly")
            .tempdir_in("/tmp")
            .expect("a folder");
        let (root, folder) = if std::env::var_os("TALLY_TEST_KEEP").is_some() {
            (folder.keep(), None)
        } else {
            (folder.path().to_owned(), Some(folder))
        };
        // macOS: /tmp is a link, and a child reports the path behind it.
        let root = root.canonicalize().expect("the folder's real path");
        let mut private = fs::DirBuilder::new();
        private.mode(0o700).recursive(true);
        for name in [
            "home/proj",
            "home/.config",
            "home/.cache",
            "home/.local/state",
        ] {
            private
                .create(root.join(name))
                .expect("a folder of the home");
        }
        let sockets = format!("tmux-{}", rustix::process::getuid().as_raw());
        for name in ["run", "tmp", "bin", "log", &sockets] {
            private
                .create(root.join(name))
                .expect("a folder of the world");
        }
        let mut world = Self {
            root,
            env: Vec::new(),
            has_tally: false,
            _folder: folder,
        };
        world.fill_environment();
        world.write_shell_files();
        world
    }

    /// Makes a world with `tally` on its path.
    #[must_use]
    pub fn with_tally() -> Self {
        let mut world = Self::new();
        symlink(tally::binary(), world.bin("tally")).expect("tally on the path");
        world.has_tally = true;
        world
    }

    fn fill_environment(&mut self) {
        let mut path = self.root.join("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        self.set_env("PATH", path);
        for (name, folder) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "home/.config"),
            ("XDG_CACHE_HOME", "home/.cache"),
            ("XDG_STATE_HOME", "home/.local/state"),
            ("XDG_RUNTIME_DIR", "run"),
            ("TMUX_TMPDIR", ""),
            ("TMPDIR", "tmp"),
        ] {
            self.set_env(name, self.root.join(folder));
        }
        for (name, value) in [
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
            ("TERM", "xterm-256color"),
            ("SHELL", "/bin/bash"),
            ("USER", "someone"),
        ] {
            self.set_env(name, value);
        }
    }

    /// The files a person's home has: an interactive shell reads `.bashrc`, also in tmux.
    fn write_shell_files(&self) {
        // The system's profile sets a path of its own, so the person's file adds to it again.
        let path = format!("PATH='{}':$PATH", self.root.join("bin").display());
        self.write(
            "home/.bashrc",
            &format!("PS1='ready$ '\nunset HISTFILE\n{path}\n"),
        );
        self.write("home/.bash_profile", ". ~/.bashrc\n");
    }

    /// The folder that holds everything.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `$HOME`.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The project folder that commands start in.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.root.join("home/proj")
    }

    /// The path of a program that belongs to this world, first in `$PATH`.
    #[must_use]
    pub fn bin(&self, name: &str) -> PathBuf {
        self.root.join("bin").join(name)
    }

    /// The path of a log file.
    #[must_use]
    pub fn log(&self, name: &str) -> PathBuf {
        self.root.join("log").join(name)
    }

    /// The folder in which tmux looks for its sockets when it is asked for one by name.
    #[must_use]
    pub fn tmux_sockets(&self) -> PathBuf {
        self.root
            .join(format!("tmux-{}", rustix::process::getuid().as_raw()))
    }

    /// Writes a file below the root, and the folders above it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("its folders");
        fs::write(path, text).expect("a file of the world");
    }

    /// Appends a line to a file below the root.
    pub fn append(&self, name: &str, line: &str) {
        let path = self.root.join(name);
        let mut file = File::options()
            .append(true)
            .create(true)
            .open(path)
            .expect("the file");
        writeln!(file, "{line}").expect("a line");
    }

    /// Sets a variable for every command that starts from now on.
    pub fn set_env(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        let (name, value) = (name.into(), value.into());
        self.env.retain(|(other, _)| *other != name);
        self.env.push((name, value));
    }

    /// The environment that commands get.
    #[must_use]
    pub fn env(&self) -> &[(OsString, OsString)] {
        &self.env
    }

    /// A command with this world's environment and nothing of the outer one.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(self.env.iter().cloned())
            .current_dir(self.project());
        command
    }

    /// Runs `tally` to its end.
    #[must_use]
    pub fn tally(&self, args: &[&str]) -> Outcome {
        self.tally_with(args, "")
    }

    /// Runs `tally` with that on its stdin.
    #[must_use]
    pub fn tally_with(&self, args: &[&str], stdin: &str) -> Outcome {
        let mut command = self.command(self.bin("tally"));
        command.args(args);
        self.run(command, stdin, LIMIT)
    }

    /// Runs `tally`, which must succeed, and returns what it said.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub fn expect_tally(&self, args: &[&str]) -> String {
        let outcome = self.tally(args);
        assert_eq!(outcome.status, 0, "tally {args:?}: {outcome:?}");
        outcome.stdout
    }

    /// Makes that text the configuration of `tally`, wherever it keeps it.
    pub fn configure(&self, text: &str) {
        let path = PathBuf::from(self.expect_tally(&["config", "path"]).trim_end());
        assert!(
            path.starts_with(&self.root),
            "{} is not of this world",
            path.display()
        );
        fs::create_dir_all(path.parent().expect("a folder")).expect("its folder");
        fs::write(path, text).expect("the configuration");
    }

    /// Runs `tally`, which must succeed, and reads its stdout as JSON.
    ///
    /// # Panics
    ///
    /// When it fails or says anything but JSON.
    #[must_use]
    pub fn tally_json(&self, args: &[&str]) -> serde_json::Value {
        let text = self.expect_tally(args);
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("tally {args:?} is not JSON ({error}): {text}"))
    }

    /// Runs a command to its end. Its output goes to files, not to pipes: a daemon that inherits
    /// them must not keep the test waiting.
    fn run(&self, mut command: Command, stdin: &str, limit: Duration) -> Outcome {
        let folder = TempDir::new_in(self.root.join("log")).expect("a folder");
        let file = |name: &str| folder.path().join(name);
        fs::write(file("in"), stdin).expect("stdin");
        command
            .stdin(Stdio::from(File::open(file("in")).expect("stdin")))
            .stdout(Stdio::from(File::create(file("out")).expect("stdout")))
            .stderr(Stdio::from(File::create(file("err")).expect("stderr")));
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let read = |name: &str| {
            String::from_utf8_lossy(&fs::read(file(name)).unwrap_or_default()).into_owned()
        };
        let pid = child.id();
        let status = wait_until(
            &format!("{command:?} to end"),
            limit,
            || child.try_wait().expect("the child"),
            || {
                kill(pid);
                format!("stdout: {}\nstderr: {}", read("out"), read("err"))
            },
        );
        Outcome {
            status: status.code().unwrap_or(-1),
            stdout: read("out"),
            stderr: read("err"),
        }
    }

    /// Ends the daemon by its own command.
    fn ask_daemon_to_leave(&self) {
        let mut command = self.command(self.bin("tally"));
        command
            .arg("down")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            return;
        };
        if poll(GOODBYE, || child.try_wait().ok().flatten()).is_none() {
            drop(child.kill());
            drop(child.wait());
        }
    }

    /// Kills what still runs with this world's home in its environment, which is what a test
    /// started and lost sight of, and waits until it has ended: a process that still writes would
    /// keep the folder from being removed. Linux only; elsewhere a server's end has to do.
    fn kill_the_rest(&self) {
        let mark = [b"HOME=", self.home().as_os_str().as_encoded_bytes()].concat();
        poll(GOODBYE, || {
            let rest = processes_with(&mark);
            rest.iter().for_each(|pid| kill(*pid));
            rest.is_empty().then_some(())
        });
    }
}

/// The processes that have this entry in their environment.
fn processes_with(entry: &[u8]) -> Vec<u32> {
    let has_entry = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|other| other == entry)
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter(has_entry)
        .collect()
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if self.has_tally {
            self.ask_daemon_to_leave();
        }
        self.kill_the_rest();
    }
}

/// Kills a process that this test started; one that is gone already is fine.
pub fn kill(pid: u32) {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

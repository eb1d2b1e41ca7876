//! A program to run: shown before it starts, judged by its exit status.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::console;

/// A child process in the making. It reads nothing from the terminal unless asked to.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
    shown: Vec<OsString>,
}

impl Program {
    pub(crate) fn new(name: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(name.as_ref());
        command.stdin(Stdio::null());
        Self {
            command,
            shown: vec![name.as_ref().to_owned()],
        }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg.as_ref());
        self.shown.push(arg.as_ref().to_owned());
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(self, args: impl IntoIterator<Item = A>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    /// Sets a variable and shows it, since the command would not do the same without it.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value.as_ref());
        let mut assignment = OsString::from(format!("{name}="));
        assignment.push(value);
        let place = self
            .shown
            .iter()
            .take_while(|word| is_assignment(word))
            .count();
        self.shown.insert(place, assignment);
        self
    }

    /// Sets a variable without showing it.
    pub(crate) fn quiet_env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without_env(mut self, name: impl AsRef<OsStr>) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Starts from an empty environment.
    pub(crate) fn clean_env(mut self) -> Self {
        self.command.env_clear();
        self
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Lets the program read from the terminal.
    pub(crate) fn interactive(mut self) -> Self {
        self.command.stdin(Stdio::inherit());
        self
    }

    /// Shows the command, runs it with its output shown, and fails if it does.
    pub(crate) fn run(mut self) -> Result<()> {
        console::say(&format!("$ {}", self.shown()));
        let status = self.command.status().with_context(|| self.not_started())?;
        self.judge(status)
    }

    /// Like `run`, but kills the program after `limit`.
    pub(crate) fn run_within(mut self, limit: Duration) -> Result<()> {
        console::say(&format!("$ {}", self.shown()));
        let mut child = self.command.spawn().with_context(|| self.not_started())?;
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = child.try_wait().with_context(|| self.not_started())? {
                return self.judge(status);
            }
            if Instant::now() >= end {
                let _ = child.kill();
                let _ = child.wait();
                bail!(
                    "`{}` did not end within {} s",
                    self.shown(),
                    limit.as_secs()
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Runs the program in silence and returns what it printed to stdout, without the last line end.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self.command.output().with_context(|| self.not_started())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!(
                "`{}` failed ({}): {}",
                self.shown(),
                output.status,
                said.trim()
            );
        }
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }

    /// Runs the program in silence and tells whether it could be started and succeeded.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        self.command.status().is_ok_and(|status| status.success())
    }

    /// The command as one would type it.
    pub(crate) fn shown(&self) -> String {
        let words: Vec<String> = self.shown.iter().map(|word| quote(word)).collect();
        words.join(" ")
    }

    fn judge(&self, status: ExitStatus) -> Result<()> {
        if status.success() {
            return Ok(());
        }
        bail!("`{}` failed ({status})", self.shown());
    }

    fn not_started(&self) -> String {
        format!("failed to run `{}`", self.shown())
    }
}

/// The file that `name` would start, if it is on the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file))
}

/// Whether `file` is a file that may be executed.
pub(crate) fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

fn is_assignment(word: &OsStr) -> bool {
    let word = word.to_string_lossy();
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    })
}

/// A word as a POSIX shell reads it back.
pub(crate) fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    // An assignment stays one only while its name is outside the quotes.
    match word.split_once('=') {
        Some((name, value)) if is_assignment(word.as_ref().as_ref()) => {
            format!("{name}='{}'", value.replace('\'', r"'\''"))
        }
        _ => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let program = Program::new("cargo")
            .arg("doc")
            .env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(program.shown(), "RUSTDOCFLAGS='-D warnings' cargo doc");
    }

    #[test]
    fn quoting_survives_a_shell() {
        for word in ["plain", "two words", "it's", "", "$HOME", "a=b c", "=x y"] {
            let echoed = Program::new("sh")
                .args(["-c", &format!("printf %s {}", quote(word.as_ref()))])
                .read()
                .unwrap();
            assert_eq!(echoed, word);
        }
    }

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let error = Program::new("sh")
            .args(["-c", "echo no >&2; exit 3"])
            .read()
            .unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("exit status: 3") && text.ends_with(": no"),
            "{text}"
        );
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let error = Program::new("sleep")
            .arg("60")
            .run_within(Duration::from_millis(100));
        assert!(error.unwrap_err().to_string().contains("did not end"));
    }
}

//! The command that an agent runs on its events: one constant text for all of them.
//!
//! It is silent, ends well whatever happens, and works in a bare `sh` that knows no path of the person's: the
//! program is named by an absolute path (case D4). That path is the stable name, a link or a shim on the path,
//! not the folder of one version behind it: the folder is gone after the next upgrade.

use std::path::{Path, PathBuf};

use super::error::WiringError;
use crate::env::Env;

/// The name that a person calls this program by.
const PROGRAM: &str = "tally";

/// The path to wire: the first `tally` on the path that is this program, else what it was started as, else where
/// it lies.
#[must_use]
pub fn stable_path(env: &Env, own: &Path, started_as: Option<&Path>) -> PathBuf {
    let real = own.canonicalize().unwrap_or_else(|_| own.to_owned());
    let is_own = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == real);
    let on_path = env
        .search_path()
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(PROGRAM))
        .find(is_own);
    let started_as = started_as
        .filter(|path| path.is_absolute())
        .map(Path::to_owned)
        .filter(is_own);
    on_path.or(started_as).unwrap_or(real)
}

/// The command that reports an agent's events.
///
/// # Errors
/// When the path is not UTF-8: no file of settings could hold it.
pub fn signal_command(program: &Path, agent: &str) -> Result<String, WiringError> {
    let program = program
        .to_str()
        .ok_or_else(|| WiringError::OddPath(program.to_owned()))?;
    Ok(format!(
        "{}{REPORT}{agent} 2>/dev/null || true",
        shell_quoted(program)
    ))
}

/// The program that a written file calls: the reverse of [`signal_command`]. The file is settings in JSON, or a program
/// that has the command as a string with a line to itself.
#[must_use]
pub fn wired_program(written: &str) -> Option<PathBuf> {
    let command = match serde_json::from_str::<serde_json::Value>(written) {
        Ok(settings) => strings(&settings)
            .find(|text| text.contains(REPORT))?
            .to_owned(),
        Err(_) => {
            let line = written.lines().find(|line| line.contains(REPORT))?;
            let string = line.get(line.find('"')?..=line.rfind('"')?)?;
            serde_json::from_str(string).ok()?
        }
    };
    let (quoted, _) = command.split_once(REPORT)?;
    let bare = quoted.strip_prefix('\'')?.strip_suffix('\'')?;
    Some(bare.replace(r"'\''", "'").into())
}

/// What stands behind the program in a wired command.
const REPORT: &str = " signal --from ";

fn strings(value: &serde_json::Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        serde_json::Value::String(text) => Box::new(std::iter::once(text.as_str())),
        serde_json::Value::Array(list) => Box::new(list.iter().flat_map(strings)),
        serde_json::Value::Object(map) => Box::new(map.values().flat_map(strings)),
        _ => Box::new(std::iter::empty()),
    }
}

/// A text as one word of a POSIX shell.
#[must_use]
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn case_d4_the_wired_path_is_the_link_on_the_path_and_not_what_is_behind_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("versions/1.2.3")).unwrap();
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::create_dir_all(root.join("other")).unwrap();
        let real = root.join("versions/1.2.3/tally");
        File::create(&real).unwrap();
        File::create(root.join("other/tally")).unwrap();
        symlink(&real, root.join("bin/tally")).unwrap();
        let path = |folders: &[&str]| -> Env {
            let joined = std::env::join_paths(folders.iter().map(|name| root.join(name))).unwrap();
            [("PATH", joined)].into_iter().collect()
        };
        let both = path(&["other", "bin", "versions/1.2.3"]);
        assert_eq!(
            stable_path(&both, &real, None),
            root.join("bin/tally"),
            "another program is passed over"
        );
        let none = path(&["other"]);
        assert_eq!(stable_path(&none, &real, None), real);
        let link = root.join("bin/tally");
        assert_eq!(stable_path(&none, &real, Some(&link)), link);
        assert_eq!(stable_path(&none, &real, Some(Path::new("tally"))), real);
        assert_eq!(
            stable_path(&none, &real, Some(&root.join("other/tally"))),
            real
        );
    }

    #[test]
    fn case_d4_the_wired_command_works_in_a_bare_shell_whatever_its_path_is_called() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "plain",
            "with space",
            "it's",
            "a\"b$(touch x)`touch x`;&|*",
            "-dash",
        ] {
            let program = folder.path().join(name);
            fs::copy("/bin/echo", &program).unwrap();
            let command = signal_command(&program, "claude").unwrap();
            let shell = Command::new("/usr/bin/env")
                .args([
                    "-i",
                    "HOME=/nonexistent",
                    "PATH=/usr/bin:/bin",
                    "sh",
                    "-c",
                    &command,
                ])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(shell.status.success(), "{command}");
            assert_eq!(
                String::from_utf8_lossy(&shell.stdout),
                "signal --from claude\n",
                "{command}"
            );
        }
        assert!(!folder.path().join("x").exists());
    }

    #[test]
    fn the_wired_command_harms_nobody_when_the_program_is_gone() {
        let command = signal_command(Path::new("/nonexistent/tally"), "claude").unwrap();
        let shell = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert!(shell.status.success());
        assert_eq!((shell.stdout.len(), shell.stderr.len()), (0, 0));
    }
}

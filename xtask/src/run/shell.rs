//! The person's interactive shell, with `tally` on its path and its functions active.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use crate::program::quote;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shell {
    Bash,
    Fish,
    Zsh,
}

impl Shell {
    /// The shell that `$SHELL` names; bash for those we have no functions for.
    pub(super) fn of_this_person() -> Self {
        let shell = std::env::var("SHELL").unwrap_or_default();
        match Path::new(&shell).file_name().and_then(|name| name.to_str()) {
            Some("fish") => Self::Fish,
            Some("zsh") => Self::Zsh,
            _ => Self::Bash,
        }
    }

    /// The line that makes `tally` in `folder` and its functions known.
    pub(super) fn activation(self, folder: &Path) -> String {
        let folder = quote(folder.as_os_str());
        match self {
            Self::Bash => format!(r#"export PATH={folder}:"$PATH"; eval "$(tally init bash)""#),
            Self::Zsh => format!(r#"export PATH={folder}:"$PATH"; eval "$(tally init zsh)""#),
            Self::Fish => format!("set -gx PATH {folder} $PATH; tally init fish | source"),
        }
    }

    /// The command that starts the shell: the person's own start-up files first, then `more`.
    /// Files it needs are put into `home`.
    pub(super) fn command(self, home: &Path, more: &str) -> Result<String> {
        match self {
            Self::Bash => {
                let file = home.join("bashrc");
                write(&file, &format!("[ -f ~/.bashrc ] && . ~/.bashrc\n{more}\n"))?;
                Ok(format!("exec bash --rcfile {} -i", quote(file.as_os_str())))
            }
            Self::Zsh => {
                // zsh reads its files from one folder, so each hands on to the person's own.
                let own = "${TALLY_ZDOTDIR:-$HOME}";
                for name in [".zshenv", ".zprofile", ".zlogin"] {
                    let file = format!("[ -f \"{own}/{name}\" ] && . \"{own}/{name}\"\n");
                    write(&home.join(name), &file)?;
                }
                let rc = format!("[ -f \"{own}/.zshrc\" ] && ZDOTDIR=\"{own}\" . \"{own}/.zshrc\"");
                write(&home.join(".zshrc"), &format!("{rc}\n{more}\n"))?;
                let home = quote(home.as_os_str());
                Ok(format!(
                    "TALLY_ZDOTDIR=\"${{ZDOTDIR:-}}\" ZDOTDIR={home} exec zsh -i"
                ))
            }
            Self::Fish => Ok(format!("exec fish -i -C {}", quote(more.as_ref()))),
        }
    }
}

/// Writes a file of ours, and the folder it is in.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    let failed = || format!("failed to write {}", file.display());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(failed)?;
    }
    std::fs::File::create(file)
        .and_then(|mut opened| opened.write_all(text.as_bytes()))
        .with_context(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;

    #[test]
    fn each_shell_starts_with_its_line_done() {
        let home = tempfile::tempdir().unwrap();
        let say = "echo active; exit 0";
        for (shell, name) in [
            (Shell::Bash, "bash"),
            (Shell::Zsh, "zsh"),
            (Shell::Fish, "fish"),
        ] {
            if crate::program::on_path(name).is_none() {
                continue;
            }
            let command = shell.command(&home.path().join(name), say).unwrap();
            let said = Program::new("sh").args(["-c", &command]).read().unwrap();
            assert!(said.ends_with("active"), "{command}: {said}");
        }
    }

    #[test]
    fn a_folder_with_a_blank_stays_one_word() {
        let line = Shell::Bash.activation(Path::new("/tmp/my trees/target/release"));
        assert!(
            line.starts_with("export PATH='/tmp/my trees/target/release':"),
            "{line}"
        );
    }
}

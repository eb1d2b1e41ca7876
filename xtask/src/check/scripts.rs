//! The shell scripts of the tree: shellcheck for POSIX shells, a syntax check for zsh and fish.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::console;
use crate::program::on_path;
use crate::workspace::Workspace;

/// The shell a script is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Shell {
    /// Named by the script's own first line.
    Own,
    Bash,
    Fish,
    Posix,
    Zsh,
}

pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let scripts = scripts(workspace)?;
    let mut failed = 0;
    for shell in [
        Shell::Own,
        Shell::Bash,
        Shell::Posix,
        Shell::Zsh,
        Shell::Fish,
    ] {
        let files: Vec<&PathBuf> = scripts
            .iter()
            .filter(|(_, kind)| *kind == shell)
            .map(|(file, _)| file)
            .collect();
        if files.is_empty() {
            continue;
        }
        let program = checker(shell);
        if on_path(program).is_none() {
            bail!("{program} is missing; `cargo xtask test --only provision` installs it");
        }
        let outcome = match shell {
            Shell::Own => workspace.program(program).arg("-x").args(files).run(),
            Shell::Bash => workspace
                .program(program)
                .args(["-x", "-s", "bash"])
                .args(files)
                .run(),
            Shell::Posix => workspace
                .program(program)
                .args(["-x", "-s", "sh"])
                .args(files)
                .run(),
            // These two take one file a run.
            Shell::Zsh | Shell::Fish => files
                .iter()
                .try_for_each(|file| workspace.program(program).arg("-n").arg(file).run()),
        };
        if let Err(error) = outcome {
            console::complain(&error);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} kinds of shell script have faults");
    }
    console::say(&format!("{} scripts", scripts.len()));
    Ok(())
}

fn checker(shell: Shell) -> &'static str {
    match shell {
        Shell::Own | Shell::Bash | Shell::Posix => "shellcheck",
        Shell::Fish => "fish",
        Shell::Zsh => "zsh",
    }
}

/// Every shell script that git knows or would take in.
fn scripts(workspace: &Workspace) -> Result<Vec<(PathBuf, Shell)>> {
    let listed = workspace
        .program("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .read()?;
    let mut scripts = Vec::new();
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let file = Path::new(name);
        let whole = workspace.root().join(file);
        // A link is checked where it leads; a deleted file is still listed.
        if !whole.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
            continue;
        }
        if let Some(shell) = kind(file, &beginning(&whole)?) {
            scripts.push((file.to_path_buf(), shell));
        }
    }
    Ok(scripts)
}

/// Enough of a file to see its first line.
fn beginning(file: &Path) -> Result<String> {
    let failed = || format!("failed to read {}", file.display());
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).with_context(failed)?;
    opened
        .take(80)
        .read_to_end(&mut bytes)
        .with_context(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What shell a file is for, by its first line or else by its name.
fn kind(file: &Path, beginning: &str) -> Option<Shell> {
    let interpreter = beginning
        .strip_prefix("#!")
        .and_then(|rest| rest.lines().next())
        .and_then(|line| line.split([' ', '/']).rfind(|word| !word.is_empty()));
    match interpreter {
        Some("sh" | "bash" | "dash" | "ksh") => return Some(Shell::Own),
        Some("zsh") => return Some(Shell::Zsh),
        Some("fish") => return Some(Shell::Fish),
        Some(_) => return None,
        None => {}
    }
    match file.extension()?.to_str()? {
        "bash" | "tmux" => Some(Shell::Bash),
        "sh" => Some(Shell::Posix),
        "zsh" => Some(Shell::Zsh),
        "fish" => Some(Shell::Fish),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_before_the_name() {
        let cases = [
            ("a/run", "#!/usr/bin/env bash\nset -e", Some(Shell::Own)),
            ("tally.tmux", "#!/bin/sh\n", Some(Shell::Own)),
            ("tally.tmux", "echo", Some(Shell::Bash)),
            ("init.bash", "claude() {", Some(Shell::Bash)),
            ("hook.sh", "echo", Some(Shell::Posix)),
            ("init.zsh", "claude() {", Some(Shell::Zsh)),
            ("x", "#!/usr/bin/fish", Some(Shell::Fish)),
            ("x.sh", "#!/usr/bin/env python3\n", None),
            ("main.rs", "#![allow(unused)]\n", None),
            ("README.md", "# Title", None),
            ("Makefile", "", None),
        ];
        for (name, beginning, expected) in cases {
            assert_eq!(
                kind(Path::new(name), beginning),
                expected,
                "{name}: {beginning}"
            );
        }
    }
}

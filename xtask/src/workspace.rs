//! Where things are in the source tree.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::program::Program;
use crate::wasm;

/// The source tree and its target folder.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// The tree this program was built from.
    pub(crate) fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("failed to find the workspace: the xtask folder has no parent")?
            .to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The root of the source tree.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder below the target folder.
    pub(crate) fn target(&self, below: &str) -> PathBuf {
        self.target.join(below)
    }

    /// A program that starts in the root of the tree.
    pub(crate) fn program(&self, name: impl AsRef<std::ffi::OsStr>) -> Program {
        Program::new(name).folder(&self.root)
    }

    /// The cargo that `rust-toolchain.toml` selects.
    pub(crate) fn cargo(&self) -> Program {
        let mut cargo = self.program("cargo");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_set_by_cargo_run) {
                cargo = cargo.without_env(name);
            }
        }
        // A clean build gains nothing from incremental compilation, and its files fill a CI disk.
        if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
            cargo = cargo.env("CARGO_INCREMENTAL", "0");
        }
        cargo
    }

    /// Builds the `tally` binary and returns its path.
    pub(crate) fn build_tally(&self, profile: Profile) -> Result<PathBuf> {
        let (cargo, folder) = match profile {
            Profile::Dev => (self.cargo().arg("build"), "debug"),
            Profile::Release => (self.cargo().args(["rustc", "--release"]), "release"),
        };
        let cargo = cargo.args(["--locked", "--package", "tallylight", "--bin", "tally"]);
        let cargo = self.with_plugin(cargo);
        match profile {
            Profile::Release => cargo.args(STATIC).run()?,
            Profile::Dev => cargo.run()?,
        }
        Ok(self.target(folder).join("tally"))
    }

    /// Lets `tally` embed the zellij plugin, if `cargo xtask wasm` has left one.
    pub(crate) fn with_plugin(&self, cargo: Program) -> Program {
        let plugin = wasm::plugin(self);
        if plugin.is_file() {
            cargo.env(wasm::PLUGIN_VARIABLE, plugin)
        } else {
            cargo
        }
    }
}

/// Links the C library in: half of the time of a short process goes to the dynamic loader, and `tally signal` runs at
/// every event of every agent. It is for the program alone, so it cannot stand in `.cargo/config.toml`.
const STATIC: &[&str] = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    &[
        "--",
        "-C",
        "target-feature=+crt-static",
        "-C",
        "relocation-model=static",
    ]
} else {
    &[]
};

/// How `tally` is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// `cargo run` describes the package it runs in these; a cargo started below it must not take
/// them for its own.
fn is_set_by_cargo_run(name: &str) -> bool {
    name == "CARGO"
        || [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_CRATE_",
            "CARGO_BIN_",
            "CARGO_PRIMARY_",
        ]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::is_set_by_cargo_run;

    #[test]
    fn only_the_variables_of_the_running_package_are_dropped() {
        for name in ["CARGO", "CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"] {
            assert!(is_set_by_cargo_run(name), "{name}");
        }
        for name in [
            "CARGO_HOME",
            "CARGO_TARGET_DIR",
            "CARGO_TERM_COLOR",
            "CARGO_NET_OFFLINE",
        ] {
            assert!(!is_set_by_cargo_run(name), "{name}");
        }
    }
}

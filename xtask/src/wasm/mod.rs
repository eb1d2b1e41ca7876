//! The core on wasm32-wasip1, where the zellij plugin runs.

mod debian;
mod toolchain;

use std::time::Duration;

use anyhow::{Result, bail};

use crate::console;
use crate::program::{Program, on_path};
use crate::workspace::Workspace;
use toolchain::Toolchain;

const TARGET: &str = "wasm32-wasip1";

/// What must build for it.
const PACKAGE: &str = "tallylight-session-core";

/// A download of the standard library; more means that it hangs.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);

/// Builds the core.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let toolchain = toolchain_or_advice(workspace)?;
    common(workspace, toolchain.cargo(workspace, "build")).run()
}

/// Lints the core, with clippy where the toolchain has one and else with the compiler alone.
pub(crate) fn lint(workspace: &Workspace) -> Result<()> {
    let toolchain = toolchain_or_advice(workspace)?;
    let command = toolchain.lint_command();
    let program = common(workspace, toolchain.cargo(workspace, command));
    match command {
        "clippy" => program.args(["--", "-D", "warnings"]).run(),
        // The rules of a cargo without clippy are those of the compiler, set by its flags.
        _ => program.run(),
    }
}

pub(crate) fn lint_title(workspace: &Workspace) -> String {
    match Toolchain::detect(workspace) {
        Some(toolchain) if toolchain.lint_command() == "clippy" => {
            format!("clippy on {PACKAGE} for {TARGET} ({})", toolchain.name())
        }
        Some(toolchain) => format!(
            "{PACKAGE} for {TARGET} without warnings ({}, cargo check: no clippy for it here)",
            toolchain.name()
        ),
        None => format!("clippy on {PACKAGE} for {TARGET}"),
    }
}

pub(crate) fn build_title(workspace: &Workspace) -> String {
    match Toolchain::detect(workspace) {
        Some(toolchain) => format!("{PACKAGE} for {TARGET} ({})", toolchain.name()),
        None => format!("{PACKAGE} for {TARGET}"),
    }
}

/// The Debian packages to install, none if the target is there or if rustup could bring it.
pub(crate) fn missing_packages(
    workspace: &Workspace,
    has_apt: bool,
) -> Result<&'static [&'static str]> {
    if Toolchain::detect(workspace).is_some() {
        return Ok(&[]);
    }
    if on_path("rustup").is_some() && !toolchain::is_debian_wanted() {
        let added = workspace.program("rustup").args(["target", "add", TARGET]);
        match added.run_within(DOWNLOAD_LIMIT) {
            Ok(()) => return Ok(&[]),
            Err(error) => console::complain(&error.context("rustup cannot bring the target")),
        }
    }
    if has_apt {
        Ok(debian::PACKAGES)
    } else {
        bail!(ADVICE)
    }
}

/// The toolchain, or what to do to have one.
pub(crate) fn toolchain_or_advice(workspace: &Workspace) -> Result<Toolchain> {
    Toolchain::detect(workspace).ok_or_else(|| anyhow::anyhow!(ADVICE))
}

const ADVICE: &str = "nothing here compiles for wasm32-wasip1; run `rustup target add \
    wasm32-wasip1`, or on Debian `cargo xtask test --only provision`";

fn common(workspace: &Workspace, cargo: Program) -> Program {
    cargo
        .args([
            "--release",
            "--locked",
            "--target",
            TARGET,
            "--package",
            PACKAGE,
        ])
        .arg("--target-dir")
        .arg(workspace.target("wasm"))
}

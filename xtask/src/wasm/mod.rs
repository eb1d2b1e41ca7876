//! What runs on wasm32-wasip1: the zellij plugin, and the core it is made of.
//!
//! [`build`] leaves the plugin at [`plugin`]. A release of `tally` embeds it from there: whoever builds one sets
//! [`PLUGIN_VARIABLE`] to that path, and the build script of the `tally` package includes the file it names. Without the variable
//! `tally` is built without a plugin, and `tally zellij install` says so. The file is never committed.

mod debian;
mod toolchain;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::console;
use crate::program::{Program, on_path};
use crate::workspace::Workspace;
use toolchain::Toolchain;

const TARGET: &str = "wasm32-wasip1";

/// What must build for it.
const PACKAGES: [&str; 2] = ["tallylight-session-core", "tallylight-zellij-plugin"];

/// The plugin's program.
const PLUGIN: &str = "tally-zellij";

/// The profile that makes it small.
const PROFILE: &str = "wasm";

/// The most bytes the plugin may have.
const PLUGIN_LIMIT: u64 = 1_500_000;

/// Tells the build of `tally` where the plugin is.
pub(crate) const PLUGIN_VARIABLE: &str = "TALLY_PLUGIN_WASM";

/// A download of the standard library; more means that it hangs.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);

/// Builds the core and the plugin.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let toolchain = toolchain_or_advice(workspace)?;
    common(workspace, toolchain.cargo(workspace, "build")).run()?;
    let plugin = plugin(workspace);
    let size = plugin
        .metadata()
        .with_context(|| format!("failed to find {}", plugin.display()))?
        .len();
    if size > PLUGIN_LIMIT {
        bail!("the plugin has {size} bytes, more than {PLUGIN_LIMIT}");
    }
    console::say(&format!("{size} bytes: {}", plugin.display()));
    Ok(())
}

/// Where the plugin is once it is built.
pub(crate) fn plugin(workspace: &Workspace) -> PathBuf {
    let file = format!("wasm/{TARGET}/{PROFILE}/{PLUGIN}.wasm");
    workspace.target(&file)
}

/// Lints both, with clippy where the toolchain has one and else with the compiler alone.
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
            format!("clippy for {TARGET} ({})", toolchain.name())
        }
        Some(toolchain) => format!(
            "{TARGET} without warnings ({}, cargo check: no clippy for it here)",
            toolchain.name()
        ),
        None => format!("clippy for {TARGET}"),
    }
}

pub(crate) fn build_title(workspace: &Workspace) -> String {
    match Toolchain::detect(workspace) {
        Some(toolchain) => format!("core and plugin for {TARGET} ({})", toolchain.name()),
        None => format!("core and plugin for {TARGET}"),
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
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    cargo
        .args(["--profile", PROFILE, "--locked", "--target", TARGET])
        .args(packages)
        .arg("--target-dir")
        .arg(workspace.target("wasm"))
}

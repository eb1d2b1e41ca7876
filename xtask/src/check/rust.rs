//! What cargo checks on this machine.

use anyhow::Result;

use crate::console;
use crate::program::{Program, on_path};
use crate::tool::ZELLIJ;
use crate::wasm;
use crate::workspace::{Profile, Workspace};

/// The package of end-to-end tests.
const END_TO_END: &str = "tallylight-tests";

/// Two tests at a time: they start multiplexers and agents and wait for them.
const END_TO_END_THREADS: &str = "2";

pub(super) fn formatting(workspace: &Workspace) -> Result<()> {
    workspace.cargo().args(["fmt", "--all", "--check"]).run()
}

pub(super) fn lints(workspace: &Workspace) -> Result<()> {
    workspace
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--locked"])
        .args(["--", "-D", "warnings"])
        .run()
}

pub(super) fn documentation(workspace: &Workspace) -> Result<()> {
    workspace
        .cargo()
        .args([
            "doc",
            "--workspace",
            "--no-deps",
            "--document-private-items",
            "--locked",
        ])
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
}

pub(super) fn documentation_tests(workspace: &Workspace) -> Result<()> {
    workspace
        .cargo()
        .args(["test", "--doc", "--workspace", "--locked"])
        .run()
}

pub(super) fn unit_tests(workspace: &Workspace) -> Result<()> {
    let packages = ["--workspace", "--exclude", END_TO_END, "--locked"];
    match nextest(workspace) {
        Some(nextest) => nextest.args(packages).run(),
        None => workspace
            .cargo()
            .args(["test", "--all-targets"])
            .args(packages)
            .run(),
    }
}

pub(super) fn end_to_end_tests(workspace: &Workspace) -> Result<()> {
    ZELLIJ.fetch(workspace)?;
    // The binary under test has the plugin in it, as it is now.
    wasm::build(workspace)?;
    let tally = workspace.build_tally(Profile::Dev)?;
    let package = ["--package", END_TO_END, "--locked"];
    let tests = match nextest(workspace) {
        Some(nextest) => nextest
            .args(package)
            .args(["--test-threads", END_TO_END_THREADS]),
        None => workspace
            .cargo()
            .args(["test", "--lib", "--tests"])
            .args(package)
            .args(["--", "--test-threads", END_TO_END_THREADS]),
    };
    tests.env("TALLY_TEST_BIN", tally).run()
}

/// `cargo nextest run`, if it is there: it gives each test its own process and stops one that hangs.
fn nextest(workspace: &Workspace) -> Option<Program> {
    if on_path("cargo-nextest").is_none() {
        console::say("cargo-nextest is not on PATH: using cargo test, without limits of time");
        return None;
    }
    let limits = workspace.root().join("xtask/nextest.toml");
    let nextest = workspace.cargo().args(["nextest", "run", "--no-fail-fast"]);
    Some(
        nextest
            .arg("--tool-config-file")
            .arg(format!("xtask:{}", limits.display())),
    )
}

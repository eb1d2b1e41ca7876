//! Installs what is missing, and calls no package manager when nothing is.

mod need;
mod packages;

use anyhow::{Result, bail};

use crate::tool::ZELLIJ;
use crate::workspace::Workspace;
use crate::{console, wasm};
use need::Need;
use packages::Manager;

/// What the tests need besides Rust.
pub(crate) fn for_tests(workspace: &Workspace) -> Result<()> {
    let missing = need::missing(need::FOR_TESTS);
    let manager = Manager::of_this_machine();
    let wasm_packages = wasm::missing_packages(workspace, manager == Some(Manager::Apt))?;
    install(manager, &missing, wasm_packages)?;
    wasm::toolchain_or_advice(workspace)?;
    ZELLIJ.fetch(workspace)?;
    Ok(())
}

/// What using Tallylight needs besides Rust.
pub(crate) fn for_running() -> Result<()> {
    install(
        Manager::of_this_machine(),
        &need::missing(need::FOR_RUNNING),
        &[],
    )
}

fn install(manager: Option<Manager>, missing: &[Need], more: &[&'static str]) -> Result<()> {
    if missing.is_empty() && more.is_empty() {
        console::say("nothing is missing");
        return Ok(());
    }
    let programs: Vec<&str> = missing.iter().map(|need| need.program).collect();
    let Some(manager) = manager else {
        bail!(
            "missing: {}; install them with your package manager",
            programs.join(", ")
        );
    };
    let mut names: Vec<&str> = missing.iter().map(|need| manager.package(need)).collect();
    names.extend(more);
    names.dedup();
    console::say(&format!("missing: {}", names.join(", ")));
    manager.install(&names)?;
    let still = need::missing(missing);
    if !still.is_empty() {
        let still: Vec<&str> = still.iter().map(|need| need.program).collect();
        bail!("still missing after installing them: {}", still.join(", "));
    }
    Ok(())
}

//! `cargo xtask install`: `cargo install`, with the zellij plugin in the program where it can be built.

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{console, wasm};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    if let Err(error) = wasm::toolchain_or_advice(workspace) {
        // Whoever does not use zellij needs no plugin.
        console::complain(&error.context("installing without the zellij plugin"));
    } else {
        wasm::build(workspace)?;
    }
    let cargo = workspace.cargo().args(["install", "--locked", "--path"]);
    workspace
        .with_plugin(cargo.arg(workspace.root().join("cli")))
        .run()
}

//! `cargo xtask bench`: a release build of `tally`, then the bench program on it.

use anyhow::Result;

use crate::args::BenchArgs;
use crate::tool::ZELLIJ;
use crate::wasm;
use crate::workspace::{Profile, Workspace};

pub(crate) fn run(workspace: &Workspace, options: &BenchArgs) -> Result<()> {
    if options.args.is_empty() || options.args.iter().any(|name| name == "zellij") {
        ZELLIJ.fetch(workspace)?;
        wasm::build(workspace)?;
    }
    let tally = workspace.build_tally(Profile::Release)?;
    workspace
        .cargo()
        .args([
            "run",
            "--release",
            "--locked",
            "--package",
            "tallylight-tests",
            "--bin",
            "bench",
        ])
        .arg("--")
        .args(&options.args)
        .env("TALLY_TEST_BIN", tally)
        .run()
}

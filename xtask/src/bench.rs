//! `cargo xtask bench`: a release build of `tally`, then the bench program on it.

use anyhow::Result;

use crate::args::BenchArgs;
use crate::workspace::{Profile, Workspace};

pub(crate) fn run(workspace: &Workspace, options: &BenchArgs) -> Result<()> {
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

//! Spelling, by typos; exceptions are in `typos.toml`.

use anyhow::Result;

use crate::tool::TYPOS;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let typos = TYPOS.fetch(workspace)?;
    workspace.program(typos).arg("--hidden").run()
}

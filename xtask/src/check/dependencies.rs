//! Licences, bans and sources of all dependencies, by cargo-deny; the rules are in `deny.toml`.
//!
//! Advisories are left out: their database is not in a package registry, and a check that turns
//! red without a change here is not a test of this tree.

use anyhow::Result;

use crate::tool::CARGO_DENY;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let deny = CARGO_DENY.fetch(workspace)?;
    // cargo-deny reads the manifests of all platforms' dependencies, not only of this one's.
    workspace.cargo().args(["fetch", "--locked"]).run()?;
    workspace
        .program(deny)
        .args(["--offline", "--locked", "check", "--hide-inclusion-graph"])
        .args(["bans", "licenses", "sources"])
        .run()
}

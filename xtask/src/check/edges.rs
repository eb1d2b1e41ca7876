//! Which crate may depend on which.
//!
//! A crate edge, not a feature flag, keeps SQLite and processes out of the WASM build, so the
//! edges are checked rather than remembered.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::console;
use crate::workspace::Workspace;

const MERGE: &str = "tallylight-config-merge";
const CORE: &str = "tallylight-session-core";
const HOST: &str = "tallylight-session-host";
const TMUX: &str = "tallylight-tmux-bridge";
const ZELLIJ: &str = "tallylight-zellij-bridge";

/// The crates of the workspace and those of them that each may use.
const ALLOWED: &[(&str, &[&str])] = &[
    (MERGE, &[]),
    (CORE, &[]),
    (HOST, &[CORE, MERGE]),
    (TMUX, &[CORE, HOST]),
    (ZELLIJ, &[CORE, HOST]),
    ("tallylight-zellij-plugin", &[CORE]),
    ("tallylight", &[CORE, HOST, TMUX, ZELLIJ]),
    ("tallylight-tests", &[CORE, HOST, TMUX, ZELLIJ]),
    ("xtask", &[]),
];

/// Crates that give their user a clock, an environment, files, processes or a runtime: none may
/// be reached from the core.
const IMPURE: &[&str] = &[
    "async-std",
    "chrono",
    "crossterm",
    "dirs",
    "getrandom",
    "libc",
    "libsqlite3-sys",
    "mio",
    "nix",
    "notify",
    "rand",
    "rusqlite",
    "rustix",
    "smol",
    "sysinfo",
    "tempfile",
    "time",
    "tokio",
    "which",
];

pub(super) fn check(workspace: &Workspace) -> Result<()> {
    let crates = Crates::read(&metadata(workspace)?).context("failed to read cargo's metadata")?;
    let below_core = below_core(workspace)?;
    let mut faults = crates.faults();
    faults.extend(impurities(&below_core));
    if !faults.is_empty() {
        bail!("forbidden dependencies:\n  {}", faults.join("\n  "));
    }
    let (crates, below) = (crates.uses.len(), below_core.len());
    console::say(&format!("{crates} crates; {below} packages in the core"));
    Ok(())
}

fn metadata(workspace: &Workspace) -> Result<Value> {
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let text = workspace.cargo().args(arguments).read()?;
    serde_json::from_str(&text).context("failed to read cargo's metadata")
}

/// The packages the finished core is made of, itself included, on any platform.
///
/// From `cargo tree`: the metadata of the whole workspace would show the core with features that
/// only other crates ask for.
fn below_core(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let tree = workspace
        .cargo()
        .args(["tree", "--locked", "--package", CORE, "--target", "all"])
        .args([
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .read()?;
    let name = |line: &str| line.split(' ').next().map(str::to_owned);
    Ok(tree
        .lines()
        .filter_map(name)
        .filter(|name| !name.is_empty())
        .collect())
}

fn impurities(below_core: &BTreeSet<String>) -> Vec<String> {
    let impure = IMPURE.iter().filter(|name| below_core.contains(**name));
    impure
        .map(|name| format!("{CORE} reaches {name}; see `cargo tree -p {CORE} -i {name}`"))
        .collect()
}

/// The crates of the workspace and which of each other they use, for tests too.
#[derive(Debug, Default)]
struct Crates {
    uses: BTreeMap<String, BTreeSet<String>>,
}

impl Crates {
    fn read(metadata: &Value) -> Option<Self> {
        let packages = metadata.get("packages")?.as_array()?;
        let mut crates = Self::default();
        for package in packages {
            let name = package.get("name")?.as_str()?;
            let mut used = BTreeSet::new();
            for dependency in package.get("dependencies")?.as_array()? {
                used.insert(dependency.get("name")?.as_str()?.to_owned());
            }
            crates.uses.insert(name.to_owned(), used);
        }
        Some(crates)
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (member, used) in &self.uses {
            let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| name == member) else {
                faults.push(format!("{member} has no row in xtask/src/check/edges.rs"));
                continue;
            };
            let ours = used.iter().filter(|name| self.uses.contains_key(*name));
            let forbidden = ours.filter(|name| !allowed.contains(&name.as_str()));
            faults.extend(forbidden.map(|name| format!("{member} uses {name}")));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn crates(uses: &[(&str, &[&str])]) -> Crates {
        let packages: Vec<Value> = uses
            .iter()
            .map(|(name, used)| {
                let used: Vec<Value> = used.iter().map(|used| json!({ "name": used })).collect();
                json!({ "name": name, "dependencies": used })
            })
            .collect();
        Crates::read(&json!({ "packages": packages })).unwrap()
    }

    #[test]
    fn the_edges_of_the_design_are_fine() {
        let crates = crates(&[
            (CORE, &["serde"]),
            (HOST, &[CORE, "rusqlite"]),
            (TMUX, &[CORE, HOST]),
            ("tallylight", &[CORE, HOST, TMUX, "clap"]),
        ]);
        assert_eq!(crates.faults(), [""; 0]);
    }

    #[test]
    fn an_edge_upwards_or_sideways_is_a_fault() {
        let crates = crates(&[(CORE, &[HOST]), (HOST, &[CORE, TMUX]), (TMUX, &[])]);
        let faults = crates.faults();
        assert_eq!(
            faults,
            [format!("{CORE} uses {HOST}"), format!("{HOST} uses {TMUX}")]
        );
    }

    #[test]
    fn a_crate_without_a_row_is_a_fault() {
        let crates = crates(&[("tallylight-new", &[])]);
        assert!(
            crates
                .faults()
                .concat()
                .contains("tallylight-new has no row")
        );
    }

    #[test]
    fn the_core_may_not_reach_files() {
        let below = ["serde", "tempfile"].map(str::to_owned).into();
        let faults = impurities(&below);
        assert_eq!(faults.len(), 1);
        assert!(faults.concat().contains("reaches tempfile"), "{faults:?}");
    }
}

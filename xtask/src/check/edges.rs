//! Which crate may depend on which.
//!
//! A crate edge, not a feature flag, keeps SQLite and processes out of the WASM build, so the
//! edges are checked rather than remembered.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::console;
use crate::workspace::Workspace;

const CORE: &str = "tallylight-session-core";
const HOST: &str = "tallylight-session-host";
const TMUX: &str = "tallylight-tmux-bridge";

/// The crates of the workspace and those of them that each may use.
const ALLOWED: &[(&str, &[&str])] = &[
    (CORE, &[]),
    (HOST, &[CORE]),
    (TMUX, &[CORE, HOST]),
    ("tallylight-zellij-plugin", &[CORE]),
    ("tallylight", &[CORE, HOST, TMUX]),
    ("tallylight-tests", &[CORE, HOST, TMUX]),
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
    let text = workspace
        .cargo()
        .args(["metadata", "--format-version", "1", "--locked", "--quiet"])
        .read()?;
    let metadata = serde_json::from_str(&text).context("failed to read cargo's metadata")?;
    let graph = Graph::read(&metadata).context("cargo's metadata is not as expected")?;
    let faults = graph.faults();
    if !faults.is_empty() {
        bail!("forbidden dependencies:\n  {}", faults.join("\n  "));
    }
    console::say(&format!(
        "{} crates, {} below the core",
        graph.members.len(),
        { graph.normal_tree(CORE).len().saturating_sub(1) }
    ));
    Ok(())
}

/// Who depends on whom, by package name.
#[derive(Debug, Default)]
struct Graph {
    members: BTreeSet<String>,
    /// Dependencies of every kind, also those for tests.
    any: BTreeMap<String, BTreeSet<String>>,
    /// Dependencies of the finished crate.
    normal: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(metadata: &Value) -> Option<Self> {
        let mut names = BTreeMap::new();
        for package in metadata.get("packages")?.as_array()? {
            names.insert(package.get("id")?.as_str()?, package.get("name")?.as_str()?);
        }
        let mut graph = Self::default();
        for id in metadata.get("workspace_members")?.as_array()? {
            graph.members.insert((*names.get(id.as_str()?)?).to_owned());
        }
        for node in metadata.get("resolve")?.get("nodes")?.as_array()? {
            let user = *names.get(node.get("id")?.as_str()?)?;
            for edge in node.get("deps")?.as_array()? {
                let used = *names.get(edge.get("pkg")?.as_str()?)?;
                let kinds = edge.get("dep_kinds")?.as_array()?;
                let is_normal = kinds
                    .iter()
                    .any(|kind| kind.get("kind").is_none_or(Value::is_null));
                graph.add(user, used, is_normal);
            }
        }
        Some(graph)
    }

    fn add(&mut self, user: &str, used: &str, is_normal: bool) {
        self.any
            .entry(user.to_owned())
            .or_default()
            .insert(used.to_owned());
        if is_normal {
            self.normal
                .entry(user.to_owned())
                .or_default()
                .insert(used.to_owned());
        }
    }

    /// `root` and everything its finished crate is made of.
    fn normal_tree(&self, root: &str) -> BTreeSet<String> {
        let mut tree = BTreeSet::new();
        let mut open = vec![root.to_owned()];
        while let Some(name) = open.pop() {
            if tree.insert(name.clone()) {
                open.extend(self.normal.get(&name).into_iter().flatten().cloned());
            }
        }
        tree
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for member in &self.members {
            let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| name == member) else {
                faults.push(format!("{member} has no row in xtask/src/check/edges.rs"));
                continue;
            };
            let used = self.any.get(member).into_iter().flatten();
            for used in used.filter(|used| self.members.contains(*used) && *used != member) {
                if !allowed.contains(&used.as_str()) {
                    faults.push(format!("{member} uses {used}"));
                }
            }
        }
        let core = self.normal_tree(CORE);
        for impure in IMPURE.iter().filter(|name| core.contains(**name)) {
            faults.push(format!(
                "{CORE} reaches {impure}; see `cargo tree -p {CORE} -i {impure}`"
            ));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &str, bool)]) -> Graph {
        let mut graph = Graph::default();
        graph.members.extend([CORE, HOST, TMUX].map(str::to_owned));
        for (user, used, is_normal) in edges {
            graph.add(user, used, *is_normal);
        }
        graph
    }

    #[test]
    fn the_edges_of_the_design_are_fine() {
        let graph = graph(&[
            (HOST, CORE, true),
            (TMUX, CORE, true),
            (TMUX, HOST, true),
            (HOST, "rusqlite", true),
            (CORE, "serde", true),
        ]);
        assert_eq!(graph.faults(), [""; 0]);
    }

    #[test]
    fn an_edge_upwards_is_a_fault_even_for_tests() {
        let graph = graph(&[(CORE, HOST, false)]);
        assert_eq!(graph.faults(), [format!("{CORE} uses {HOST}")]);
    }

    #[test]
    fn the_core_may_not_reach_files_through_others() {
        let graph = graph(&[(CORE, "serde", true), ("serde", "tempfile", true)]);
        let faults = graph.faults();
        assert_eq!(faults.len(), 1);
        assert!(faults.concat().contains("reaches tempfile"), "{faults:?}");
    }

    #[test]
    fn what_only_the_cores_tests_use_is_free() {
        let graph = graph(&[(CORE, "proptest", false), ("proptest", "tempfile", true)]);
        assert_eq!(graph.faults(), [""; 0]);
    }

    #[test]
    fn a_crate_without_a_row_is_a_fault() {
        let mut graph = graph(&[]);
        graph.members.insert("tallylight-new".to_owned());
        assert!(
            graph
                .faults()
                .concat()
                .contains("tallylight-new has no row")
        );
    }
}

//! The steps of `cargo xtask test`.

use anyhow::Result;
use clap::ValueEnum;

use super::{dependencies, edges, rust, scripts, spelling};
use crate::workspace::Workspace;
use crate::{provision, wasm};

/// One check. The order is that of running: the quick ones first.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Step {
    Provision,
    Fmt,
    Edges,
    Shellcheck,
    Typos,
    Deny,
    Clippy,
    WasmClippy,
    WasmBuild,
    Docs,
    Doctest,
    Unit,
    E2e,
}

impl Step {
    pub(crate) const ALL: &'static [Self] = &[
        Self::Provision,
        Self::Fmt,
        Self::Edges,
        Self::Shellcheck,
        Self::Typos,
        Self::Deny,
        Self::Clippy,
        Self::WasmClippy,
        Self::WasmBuild,
        Self::Docs,
        Self::Doctest,
        Self::Unit,
        Self::E2e,
    ];

    /// The steps to run: all of them, or those asked for.
    pub(super) fn choose(only: &[Self]) -> Vec<Self> {
        let is_chosen = |step: &&Self| only.is_empty() || only.contains(*step);
        Self::ALL.iter().filter(is_chosen).copied().collect()
    }

    /// The name for `--only`, the same as clap's.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Provision => "provision",
            Self::Fmt => "fmt",
            Self::Edges => "edges",
            Self::Shellcheck => "shellcheck",
            Self::Typos => "typos",
            Self::Deny => "deny",
            Self::Clippy => "clippy",
            Self::WasmClippy => "wasm-clippy",
            Self::WasmBuild => "wasm-build",
            Self::Docs => "docs",
            Self::Doctest => "doctest",
            Self::Unit => "unit",
            Self::E2e => "e2e",
        }
    }

    /// What the step does, in a line.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Provision => "install the programs the checks need, where they are missing",
            Self::Fmt => "the code is formatted",
            Self::Edges => "the crates depend on each other as ARCHITECTURE.md says",
            Self::Shellcheck => "the shell scripts are sound",
            Self::Typos => "the words are spelled right",
            Self::Deny => "the licences and sources of all dependencies are allowed",
            Self::Clippy => "clippy has nothing to say, on this machine",
            Self::WasmClippy => {
                "clippy has nothing to say about core and plugin, for wasm32-wasip1"
            }
            Self::WasmBuild => "core and plugin build for wasm32-wasip1",
            Self::Docs => "the documentation builds, private items included",
            Self::Doctest => "the examples in the documentation work",
            Self::Unit => "the tests of every crate, without a multiplexer",
            Self::E2e => "the tests on real multiplexers and real agents",
        }
    }

    /// The heading; it says what is really run where that depends on the machine.
    pub(super) fn title(self, workspace: &Workspace) -> String {
        match self {
            Self::WasmClippy => format!("{}: {}", self.name(), wasm::lint_title(workspace)),
            Self::WasmBuild => format!("{}: {}", self.name(), wasm::build_title(workspace)),
            _ => format!("{}: {}", self.name(), self.about()),
        }
    }

    pub(super) fn check(self, workspace: &Workspace) -> Result<()> {
        match self {
            Self::Provision => provision::for_tests(workspace),
            Self::Fmt => rust::formatting(workspace),
            Self::Edges => edges::check(workspace),
            Self::Shellcheck => scripts::check(workspace),
            Self::Typos => spelling::check(workspace),
            Self::Deny => dependencies::check(workspace),
            Self::Clippy => rust::lints(workspace),
            Self::WasmClippy => wasm::lint(workspace),
            Self::WasmBuild => wasm::build(workspace),
            Self::Docs => rust::documentation(workspace),
            Self::Doctest => rust::documentation_tests(workspace),
            Self::Unit => rust::unit_tests(workspace),
            Self::E2e => rust::end_to_end_tests(workspace),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_listed_once_under_the_name_clap_takes() {
        assert_eq!(Step::ALL.len(), Step::value_variants().len());
        for step in Step::value_variants() {
            assert_eq!(
                Step::ALL.iter().filter(|one| *one == step).count(),
                1,
                "{step:?}"
            );
            let clap_name = step.to_possible_value().unwrap();
            assert_eq!(clap_name.get_name(), step.name());
        }
    }

    #[test]
    fn chosen_steps_keep_the_usual_order() {
        assert_eq!(
            Step::choose(&[Step::Unit, Step::Fmt]),
            [Step::Fmt, Step::Unit]
        );
        assert_eq!(Step::choose(&[]), Step::ALL);
    }
}

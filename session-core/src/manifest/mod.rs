//! Manifests: how an agent is recognised, wired and understood, as data (design §8).
//!
//! The types here are what `extensions/<agent>/extension.toml` holds. Reading files is the host's work; the
//! rules that turn an agent's payload into an [`Act`](crate::Act) are evaluated here, so that a mapping can
//! improve without touching the agent's configuration (design §5.1).

mod check;
mod check_global;
mod condition;
mod coverage;
mod cut;
mod payload;
mod rule;
mod schema;

pub use check::{MANIFEST_SCHEMA, Mistake};
pub use condition::Condition;
pub use coverage::{BlockedCoverage, Coverage};
pub use payload::{PayloadError, lookup, parse_cut_payload, parse_payload};
pub use rule::{Reading, Rule, RuleAct, fingerprint};
pub use schema::{
    AgentPatch, Background, ConfigHome, ConfigMerge, Contract, EnvPatch, Errors, Executable,
    ExternalFile, Fields, Manifest, ProcessMatch, RegistrySpec, Resume, Switch, Trust, TrustKept,
};

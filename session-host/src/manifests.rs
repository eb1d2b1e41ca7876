//! The extensions of this build: each agent's manifest and payload files, embedded by the build script.
//!
//! [`find`] is on the hot path of `tally signal`: it reads one agent's manifest from compact JSON and touches no
//! file.

use std::sync::OnceLock;

use session_core::AgentName;
use session_core::manifest::{Coverage, Manifest, ProcessMatch};

include!(concat!(env!("OUT_DIR"), "/extensions.rs"));

/// What the build script embeds of one extension.
struct Embedded {
    name: &'static str,
    manifest: &'static str,
    files: &'static [(&'static str, &'static str)],
}

impl Embedded {
    fn manifest(&self) -> Option<Manifest> {
        // The build script wrote it from the same types: a test reads every one.
        serde_json::from_str(self.manifest).ok()
    }
}

/// One agent's manifest; `None` for an agent that this build does not know.
#[must_use]
pub fn find(agent: &str) -> Option<Manifest> {
    EMBEDDED
        .iter()
        .find(|embedded| embedded.name == agent)?
        .manifest()
}

/// The names of the agents that this build knows, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|embedded| embedded.name)
}

/// All manifests, read once.
#[must_use]
pub fn all() -> &'static [Manifest] {
    static ALL: OnceLock<Vec<Manifest>> = OnceLock::new();
    ALL.get_or_init(|| EMBEDDED.iter().filter_map(Embedded::manifest).collect())
}

/// How each agent's process is recognised. On the hot path too: it reads nothing else of the manifests.
#[must_use]
pub fn processes() -> Vec<(AgentName, ProcessMatch)> {
    serde_json::from_str(PROCESSES).unwrap_or_default()
}

/// A payload file of an agent's extension, as it stands in its folder.
#[must_use]
pub fn payload(agent: &str, file: &str) -> Option<&'static str> {
    let embedded = EMBEDDED.iter().find(|embedded| embedded.name == agent)?;
    embedded
        .files
        .iter()
        .find(|(name, _)| *name == file)
        .map(|(_, text)| *text)
}

/// What an agent can report; nothing for an agent that this build does not know.
#[must_use]
pub fn coverage(agent: &AgentName) -> Coverage {
    all()
        .iter()
        .find(|manifest| manifest.name == *agent)
        .map(|manifest| manifest.coverage.clone())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_manifest_reads_back_and_is_sound() {
        assert!(names().count() > 0);
        for name in names() {
            let manifest = find(name).unwrap();
            assert_eq!(manifest.name.as_str(), name);
            assert_eq!(manifest.mistakes(), []);
            for file in &manifest.external_files {
                assert!(payload(name, &file.name).is_some());
            }
        }
        assert_eq!(all().len(), names().count());
        let processes = all()
            .iter()
            .map(|manifest| (manifest.name.clone(), manifest.process.clone()));
        assert_eq!(super::processes(), processes.collect::<Vec<_>>());
    }

    #[test]
    fn an_agent_that_nobody_knows_has_no_manifest() {
        assert!(find("nobody").is_none());
        assert_eq!(coverage(&"nobody".parse().unwrap()), Coverage::default());
    }
}

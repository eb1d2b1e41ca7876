//! The extensions of this build: each agent's manifest and payload files, embedded by the build script. Beside them the
//! person's own agents, once they were told ([`add_own`]).
//!
//! [`find`] is on the hot path of `tally signal`: it reads one agent's manifest from compact JSON and touches no
//! file.

use std::sync::OnceLock;

use session_core::AgentName;
use session_core::manifest::{Coverage, Manifest, ProcessMatch};

use crate::own_agents::{OwnAgent, OwnAgents};
use crate::paths::Paths;

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

/// The person's own agents, for the life of the process.
static OWN: OnceLock<Vec<OwnAgent>> = OnceLock::new();

fn own() -> &'static [OwnAgent] {
    OWN.get().map_or(&[], Vec::as_slice)
}

/// Reads the person's own agents, which are known from then on. Once for a process, before anything is asked. Gives the
/// mistakes in them, each with file and line.
pub fn add_own(paths: &Paths) -> Vec<String> {
    if !paths.config.is_absolute() {
        // Nobody's home is known.
        return Vec::new();
    }
    let OwnAgents { agents, mistakes } = OwnAgents::read(&paths.config, &is_embedded);
    // A second time it would be too late for those that have asked.
    let _ = OWN.set(agents);
    mistakes
}

/// Whether this build knows an agent of that name.
#[must_use]
pub fn is_embedded(agent: &str) -> bool {
    EMBEDDED.iter().any(|embedded| embedded.name == agent)
}

/// One agent's manifest; `None` for an agent that nobody knows.
#[must_use]
pub fn find(agent: &str) -> Option<Manifest> {
    match EMBEDDED.iter().find(|embedded| embedded.name == agent) {
        Some(embedded) => embedded.manifest(),
        None => {
            let own = own().iter().find(|own| own.manifest.name.as_str() == agent);
            own.map(|own| own.manifest.clone())
        }
    }
}

/// The names of the agents that are known, those of this build first.
pub fn names() -> impl Iterator<Item = &'static str> {
    let embedded = EMBEDDED.iter().map(|embedded| embedded.name);
    embedded.chain(own().iter().map(|own| own.manifest.name.as_str()))
}

/// All manifests, read once.
#[must_use]
pub fn all() -> &'static [Manifest] {
    static ALL: OnceLock<Vec<Manifest>> = OnceLock::new();
    ALL.get_or_init(|| {
        let embedded = EMBEDDED.iter().filter_map(Embedded::manifest);
        embedded
            .chain(own().iter().map(|own| own.manifest.clone()))
            .collect()
    })
}

/// How each agent's process is recognised. On the hot path too: it reads nothing else of the manifests.
#[must_use]
pub fn processes() -> Vec<(AgentName, ProcessMatch)> {
    let mut known: Vec<(AgentName, ProcessMatch)> =
        serde_json::from_str(PROCESSES).unwrap_or_default();
    let own = own().iter().map(|own| &own.manifest);
    known.extend(own.map(|manifest| (manifest.name.clone(), manifest.process.clone())));
    known
}

/// A payload file of an agent's extension, as it stands in its folder.
#[must_use]
pub fn payload(agent: &str, file: &str) -> Option<&'static str> {
    if let Some(embedded) = EMBEDDED.iter().find(|embedded| embedded.name == agent) {
        let mut files = embedded.files.iter();
        return files.find(|(name, _)| *name == file).map(|(_, text)| *text);
    }
    let own = own()
        .iter()
        .find(|own| own.manifest.name.as_str() == agent)?;
    let mut files = own.files.iter();
    files
        .find(|(name, _)| name == file)
        .map(|(_, text)| text.as_str())
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
    use rstest::rstest;

    use super::*;
    use crate::process::{FakeProcesses, ProcessTable, Recogniser};

    /// Command lines as the agents' own launchers make them; the interpreters' names are those that were seen.
    #[rstest]
    #[case("aider", "/opt/venv/bin/python3 /opt/venv/bin/aider --model x")]
    #[case("amp", "node /usr/lib/node_modules/@sourcegraph/amp/dist/main.js")]
    #[case("antigravity", "/home/u/.local/bin/agy")]
    #[case("auggie", "node /usr/lib/node_modules/@augmentcode/auggie/augment.mjs")]
    #[case("claude", "/home/u/.local/bin/claude --continue")]
    #[case("cline", "/usr/lib/node_modules/cline/bin/cline -i")]
    #[case("codex", "node /usr/local/bin/codex --no-daemon")]
    #[case(
        "codex",
        "/usr/lib/node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex"
    )]
    #[case("copilot", "node /usr/local/bin/copilot")]
    #[case("copilot", "/x/node_modules/@github/copilot-linux-x64/copilot")]
    #[case("crush", "crush")]
    #[case("cursor-agent", "/home/u/.local/bin/cursor-agent")]
    #[case("droid", "/home/u/.local/bin/droid")]
    #[case("gemini", "node --no-warnings=DEP0040 /usr/local/bin/gemini")]
    #[case("goose", "goose session")]
    #[case("grok", "grok")]
    #[case("kilo", "node /usr/local/bin/kilo")]
    #[case("kimi", "kimi-code")]
    #[case("kiro", "kiro-cli chat")]
    #[case("omp", "bun /home/u/.bun/bin/omp")]
    #[case("opencode", "/x/node_modules/opencode-linux-x64/bin/opencode")]
    #[case("pi", "pi")]
    #[case(
        "pi",
        "node /x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js"
    )]
    #[case("qwen", "node --max-old-space-size=4096 /usr/local/bin/qwen")]
    #[case("vibe", "/opt/venv/lib/python3.13/site-packages/vibe/_bin/vibe-rs")]
    fn each_agent_is_known_by_its_process(#[case] agent: &str, #[case] command: &str) {
        let table = FakeProcesses::default().with(7, 1, command);
        let stat = table.stat(7).unwrap();
        let seen = Recogniser::new(processes()).recognise(&table, &stat);
        assert_eq!(seen.unwrap().0.as_str(), agent);
    }

    #[rstest]
    #[case("vim goose.rs")]
    #[case("python3 -m http.server pi")]
    #[case("/usr/bin/node /srv/gemini/server.js")]
    #[case("cat /home/u/.pi/agent/settings.json")]
    #[case("kiro-cli-term")]
    #[case("pip install aider")]
    #[case("vibe-app-server")]
    fn case_c2_what_only_mentions_an_agent_is_none(#[case] command: &str) {
        let table = FakeProcesses::default().with(7, 1, command);
        let stat = table.stat(7).unwrap();
        assert_eq!(Recogniser::new(processes()).recognise(&table, &stat), None);
    }

    #[test]
    fn an_agent_that_is_not_wired_says_that_it_reports_nothing() {
        for manifest in all() {
            let reports = !manifest.coverage.reportable.is_empty();
            assert_eq!(manifest.reports(), reports, "{}", manifest.name);
            assert_eq!(
                manifest.reports(),
                !manifest.rules.is_empty(),
                "{}",
                manifest.name
            );
        }
    }

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

//! An agent's own registry of its state: a JSON file a process, kept by the agent, read by us.

use std::path::Path;

use session_core::manifest::{Manifest, RegistrySpec};
use session_core::{RegistryReport, Time};

use crate::config_home::config_home;
use crate::files::read_regular;

/// The largest file that is read.
const MAX_BYTES: u64 = 256 * 1024;
/// How far a process table's idea of a start time may be off, in seconds.
const START_SLACK_S: i64 = 3;

/// Where an agent's process keeps its registry; `env` answers for the agent's environment.
#[must_use]
pub fn path(manifest: &Manifest, env: &dyn Fn(&str) -> Option<String>, pid: u32) -> Option<String> {
    let spec = manifest.registry.as_ref()?;
    let home = match &manifest.config_home {
        Some(home) => config_home(home, env).ok()?.to_str()?.to_owned(),
        None => env("HOME")?,
    };
    let path = spec
        .path
        .replace("{config_home}", &home)
        .replace("{pid}", &pid.to_string());
    Path::new(&path).is_absolute().then_some(path)
}

/// Reads a registry; `None` when it is not there, half-written, or says nothing that can be used. What was written
/// before `since`, the start of the agent's process, is another's: a killed agent leaves its file behind.
#[must_use]
pub fn read(
    spec: &RegistrySpec,
    path: &str,
    since: Option<Time>,
    now: Time,
) -> Option<RegistryReport> {
    let text = read_regular(Path::new(path), MAX_BYTES).ok()?;
    let report = spec.read(&serde_json::from_slice(&text).ok()?, now)?;
    since
        .is_none_or(|since| report.at >= since)
        .then_some(report)
}

/// The oldest that a report of a process can be that started in this second since the Unix epoch: process tables tell
/// it only roughly.
#[must_use]
pub fn since(started: i64) -> Time {
    Time(
        started
            .saturating_sub(START_SLACK_S)
            .saturating_mul(1_000_000),
    )
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "the tests stand in for the agent"
)]
mod tests {
    use std::fs;

    use session_core::RegistryStatus;

    use super::*;
    use crate::manifests;

    fn claude() -> Manifest {
        manifests::find("claude").unwrap()
    }

    #[test]
    fn case_e11_the_registry_is_where_the_agent_s_own_variable_says() {
        let moved = |name: &str| match name {
            "CLAUDE_CONFIG_DIR" => Some("/x/claude".to_owned()),
            "HOME" => Some("/home/u".to_owned()),
            _ => None,
        };
        assert_eq!(
            path(&claude(), &moved, 42).as_deref(),
            Some("/x/claude/sessions/42.json")
        );
        let default = |name: &str| (name == "HOME").then(|| "/home/u/".to_owned());
        assert_eq!(
            path(&claude(), &default, 42).as_deref(),
            Some("/home/u/.claude/sessions/42.json")
        );
        assert_eq!(path(&claude(), &|_| None, 42), None);
    }

    #[test]
    fn a_registry_is_read_unless_it_is_older_than_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("42.json");
        let at = 1_700_000_001_000;
        fs::write(
            &file,
            format!(r#"{{"status":"idle","statusUpdatedAt":{at}}}"#),
        )
        .unwrap();
        let spec = claude().registry.unwrap();
        let path = file.to_str().unwrap();
        let now = Time::from_ms(at + 500);
        let report = read(&spec, path, Some(Time::from_ms(at - 1)), now).unwrap();
        assert_eq!(
            (report.status, report.at, report.read),
            (RegistryStatus::Idle, Time::from_ms(at), now)
        );
        assert_eq!(read(&spec, path, Some(Time::from_ms(at + 1)), now), None);
        fs::write(&file, r#"{"status":"id"#).unwrap();
        assert_eq!(read(&spec, path, None, now), None);
        assert_eq!(
            read(&spec, folder.path().to_str().unwrap(), None, now),
            None
        );
        assert_eq!(read(&spec, "/nowhere/42.json", None, now), None);
    }
}

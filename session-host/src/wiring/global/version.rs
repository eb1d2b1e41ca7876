//! An agent's version.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use session_core::manifest::Manifest;

use super::Wirer;
use super::error::GlobalError;
use crate::child::output;
use crate::wiring::find_executable;

/// How long an agent may take to say its version.
const LIMIT: Duration = Duration::from_secs(10);

/// A version, as far as it is numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(Vec<u64>);

impl Version {
    /// The first thing in a text that is a version: numbers with points between them.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        text.split(|char: char| !char.is_ascii_digit() && char != '.')
            .find_map(Self::parse)
    }

    fn parse(word: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> = word
            .trim_end_matches('.')
            .split('.')
            .map(|number| number.parse().ok())
            .collect();
        numbers.filter(|numbers| numbers.len() > 1).map(Self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

/// The version of an agent's program, asked of the program; `None` where it says nothing of the kind in time.
fn version_of(program: &Path, args: &[String]) -> Option<Version> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    let said = output(command, LIMIT).ok()?;
    Version::find(&String::from_utf8_lossy(&said.stdout))
}

/// Refuses an agent that is too old for what would be written. One whose version cannot be told is not.
///
/// # Errors
/// When it is too old.
pub(super) fn refuse_too_old(manifest: &Manifest, wirer: &Wirer<'_>) -> Result<(), GlobalError> {
    match too_old(manifest, wirer) {
        Some((found, floor)) => Err(GlobalError::TooOld { found, floor }),
        None => Ok(()),
    }
}

/// The version that is there and the oldest that will do, where it is too old.
pub(super) fn too_old(manifest: &Manifest, wirer: &Wirer<'_>) -> Option<(Version, Version)> {
    let floor = Version::find(manifest.executable.floor.as_ref()?)?;
    let program = find_executable(wirer.env, &manifest.executable.command, wirer.own).ok()?;
    let found = version_of(&program, &manifest.executable.version_args)?;
    (found < floor).then_some((found, floor))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("2.1.332 (Claude Code)", Some("2.1.332"))]
    #[case("codex-cli 0.171.0\n", Some("0.171.0"))]
    #[case("v1.18.33", Some("1.18.33"))]
    #[case("version 5 of 1.2-beta", Some("1.2"))]
    #[case("It is 3.", None)]
    #[case("no number", None)]
    fn a_version_is_found_in_what_an_agent_says(#[case] text: &str, #[case] version: Option<&str>) {
        let found = Version::find(text).map(|version| version.to_string());
        assert_eq!(found.as_deref(), version);
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let version = |text| Version::find(text).unwrap();
        assert!(version("0.141.0") > version("0.99.9"));
        assert!(version("1.2") < version("1.2.1"));
    }
}

//! Mistakes in a manifest that its types cannot express.

use super::condition::Condition;
use super::coverage::BlockedCoverage;
use super::rule::{Rule, RuleAct};
use super::schema::Manifest;
use crate::state::State;

/// The version of the schema that this build reads.
pub const MANIFEST_SCHEMA: u32 = 1;

/// One mistake in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The top-level table it is in.
    pub table: &'static str,
    /// Which entry of the table, counted from 0, where the table is a list.
    pub index: Option<usize>,
    /// What is wrong.
    pub text: String,
}

impl Manifest {
    /// The mistakes of a manifest that was read without error; empty for a sound one.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Mistake> {
        let mut found = Vec::new();
        let mut note = |table, index, text: String| found.push(Mistake { table, index, text });
        if self.schema != MANIFEST_SCHEMA {
            note(
                "schema",
                None,
                format!(
                    "schema {} is not one this build reads ({MANIFEST_SCHEMA})",
                    self.schema
                ),
            );
        }
        let command = &self.executable.command;
        if command.is_empty() || command.contains('/') {
            note(
                "executable",
                None,
                format!("{command:?} is not a bare command name"),
            );
        }
        if !self.rules.is_empty() && self.fields.event.is_empty() {
            note(
                "fields",
                None,
                "rules need fields.event, the path of the event's name".to_owned(),
            );
        }
        for (index, rule) in self.rules.iter().enumerate() {
            for text in rule_mistakes(rule) {
                note("rules", Some(index), text);
            }
        }
        if self.rules.iter().any(|rule| rule.act == RuleAct::Fail) && self.errors.path.is_empty() {
            note(
                "errors",
                None,
                "a rule fails turns, but errors.path does not say where the reason is".to_owned(),
            );
        }
        for (index, patch) in self.agent_patches.iter().enumerate() {
            let args = patch.args.iter().chain(&patch.when_global);
            for name in args.flat_map(|arg| files_in(arg)) {
                if !self.external_files.iter().any(|file| file.name == name) {
                    note(
                        "agent_patches",
                        Some(index),
                        format!("{name:?} is not among external_files"),
                    );
                }
            }
        }
        for (index, patch) in self.env_patches.iter().enumerate() {
            if !is_variable(&patch.name) {
                let text = format!("{:?} is not the name of a variable", patch.name);
                note("env_patches", Some(index), text);
            }
            for name in files_in(&patch.value) {
                if !self.external_files.iter().any(|file| file.name == name) {
                    let text = format!("{name:?} is not among external_files");
                    note("env_patches", Some(index), text);
                }
            }
        }
        for (index, file) in self.external_files.iter().enumerate() {
            if file.name.is_empty() || file.name.starts_with('.') || file.name.contains('/') {
                note(
                    "external_files",
                    Some(index),
                    format!("{:?} is not a plain file name", file.name),
                );
            }
        }
        if let Some(registry) = &self.registry
            && !registry.path.contains("{pid}")
        {
            note(
                "registry",
                None,
                "path has no {pid}: there is one file a process".to_owned(),
            );
        }
        let reports_blocked = self.coverage.reportable.contains(&State::Blocked);
        if reports_blocked == (self.coverage.blocked == BlockedCoverage::None) {
            note(
                "coverage",
                None,
                "blocked says how reportable blocks are known; give both or neither".to_owned(),
            );
        }
        found.extend(super::check_global::mistakes(self));
        found
    }
}

fn rule_mistakes(rule: &Rule) -> Vec<String> {
    let mut found = Vec::new();
    if rule.events.is_empty() {
        found.push("the rule names no event".to_owned());
    }
    let asks = rule.act == RuleAct::Ask;
    let stops = rule.act == RuleAct::Stop;
    if rule.kind.is_some() && !asks {
        found.push("kind is for ask".to_owned());
    }
    if rule.heuristic && !asks {
        found.push("heuristic is for ask".to_owned());
    }
    if rule.settle_ms != 0 && !asks && !stops {
        found.push("settle_ms is for ask and stop".to_owned());
    }
    if rule.background.is_some() && !stops {
        found.push("background is for stop".to_owned());
    }
    if rule.when.iter().any(|condition| {
        *condition
            == Condition {
                path: condition.path.clone(),
                ..Condition::default()
            }
    }) {
        found.push("a condition asks for nothing".to_owned());
    }
    found
}

pub(super) fn is_variable(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        && name
            .bytes()
            .next()
            .is_some_and(|first| !first.is_ascii_digit())
}

/// The names in the `{file:NAME}` places of an argument.
fn files_in(arg: &str) -> impl Iterator<Item = &str> {
    arg.split("{file:")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn manifest(change: impl FnOnce(&mut Value)) -> Manifest {
        let mut sound = json!({
            "schema": 1, "name": "a", "title": "A", "process": {}, "executable": {"command": "a"},
            "fields": {"event": "event"},
            "rules": [{"events": ["Ask"], "act": "ask", "kind": "question"}],
            "external_files": [{"name": "a.json"}],
            "agent_patches": [{"args": ["--file", "{file:a.json}"]}],
            "env_patches": [{"name": "A_FILE", "value": "{file:a.json}"}],
            "coverage": {"reportable": ["blocked"], "blocked": "structured"},
        });
        change(&mut sound);
        serde_json::from_value(sound).unwrap()
    }

    #[test]
    fn a_sound_manifest_has_no_mistakes() {
        assert_eq!(manifest(|_| {}).mistakes(), []);
    }

    #[rstest]
    #[case("/schema", json!(2), "schema", None)]
    #[case("/executable/command", json!("bin/a"), "executable", None)]
    #[case("/fields/event", json!(""), "fields", None)]
    #[case("/rules/0/events", json!([]), "rules", Some(0))]
    #[case("/rules/0/act", json!("stop"), "rules", Some(0))]
    #[case("/external_files/0/name", json!("../a.json"), "agent_patches", Some(0))]
    #[case("/agent_patches/0/args/1", json!("{file:b.json}"), "agent_patches", Some(0))]
    #[case("/env_patches/0/name", json!("A=B"), "env_patches", Some(0))]
    #[case("/env_patches/0/name", json!(""), "env_patches", Some(0))]
    #[case("/env_patches/0/value", json!("{file:b.json}"), "env_patches", Some(0))]
    #[case("/coverage/blocked", json!("none"), "coverage", None)]
    fn a_mistake_is_found_where_it_is(
        #[case] place: &str,
        #[case] value: Value,
        #[case] table: &str,
        #[case] index: Option<usize>,
    ) {
        let mistakes = manifest(|sound| *sound.pointer_mut(place).unwrap() = value).mistakes();
        assert_eq!(
            mistakes
                .first()
                .map(|mistake| (mistake.table, mistake.index)),
            Some((table, index)),
            "{mistakes:?}"
        );
    }
}

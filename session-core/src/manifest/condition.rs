//! Conditions of rules.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payload::lookup;

/// A condition on one path of the payload, or on a variable of the agent's environment (`env:NAME`).
///
/// All parts that are given must hold; a path that fans out holds when one of its values does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The path.
    pub path: String,
    /// Whether there is anything but null and the empty string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<bool>,
    /// The value is one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<String>,
    /// The value is none of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub none_of: Vec<String>,
    /// The value begins with this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The value has one of these words in it, whatever their case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<String>,
}

impl Condition {
    /// Whether the condition holds.
    pub fn holds(&self, payload: &Value, env: &dyn Fn(&str) -> Option<String>) -> bool {
        let values: Vec<String> = match self.path.strip_prefix("env:") {
            Some(name) => env(name).into_iter().collect(),
            None => lookup(payload, &self.path)
                .into_iter()
                .filter_map(text)
                .collect(),
        };
        let values: Vec<&str> = values
            .iter()
            .map(String::as_str)
            .filter(|value| !value.is_empty())
            .collect();
        if self.given.is_some_and(|given| given == values.is_empty()) {
            return false;
        }
        if !self.none_of.is_empty()
            && values
                .iter()
                .any(|value| self.none_of.iter().any(|not| not == value))
        {
            return false;
        }
        let value_fits = |value: &str| {
            (self.any_of.is_empty() || self.any_of.iter().any(|one| one == value))
                && self
                    .prefix
                    .as_ref()
                    .is_none_or(|prefix| value.starts_with(prefix.as_str()))
                && (self.mentions.is_empty() || {
                    let value = value.to_lowercase();
                    self.mentions
                        .iter()
                        .any(|word| value.contains(&word.to_lowercase()))
                })
        };
        let asks_for_value =
            !self.any_of.is_empty() || self.prefix.is_some() || !self.mentions.is_empty();
        !asks_for_value || values.into_iter().any(value_fits)
    }
}

/// A value as the text that conditions compare; null is nothing.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn condition(path: &str) -> Condition {
        Condition {
            path: path.to_owned(),
            ..Condition::default()
        }
    }

    #[rstest]
    #[case(Condition { given: Some(true), ..condition("id") }, true)]
    #[case(Condition { given: Some(false), ..condition("id") }, false)]
    #[case(Condition { given: Some(true), ..condition("empty") }, false)]
    #[case(Condition { given: Some(false), ..condition("nothing") }, true)]
    #[case(Condition { any_of: vec!["running".into()], ..condition("tasks[].status") }, true)]
    #[case(Condition { any_of: vec!["paused".into()], ..condition("tasks[].status") }, false)]
    #[case(Condition { none_of: vec!["a1".into()], ..condition("id") }, false)]
    #[case(Condition { prefix: Some("a".into()), ..condition("id") }, true)]
    #[case(Condition { mentions: vec!["PERMISSION".into()], ..condition("message") }, true)]
    #[case(Condition { mentions: vec!["approval".into()], ..condition("message") }, false)]
    #[case(Condition { any_of: vec!["true".into()], ..condition("flag") }, true)]
    #[case(Condition { any_of: vec!["cli".into()], ..condition("env:ENTRY") }, true)]
    #[case(Condition { any_of: vec!["cli".into()], ..condition("env:OTHER") }, false)]
    fn a_condition_holds_when_all_its_parts_do(#[case] condition: Condition, #[case] holds: bool) {
        let payload = json!({
            "id": "a1", "empty": "", "flag": true, "message": "needs your permission",
            "tasks": [{"status": "done"}, {"status": "running"}],
        });
        let env = |name: &str| (name == "ENTRY").then(|| "cli".to_owned());
        assert_eq!(condition.holds(&payload, &env), holds);
    }
}

//! How our values are written in TOML.

use serde_json::{Map, Value};

/// A key, bare where that is possible.
pub(crate) fn key(key: &str) -> String {
    let bare = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    if !key.is_empty() && key.chars().all(bare) {
        key.to_owned()
    } else {
        string(key)
    }
}

/// A value in one line. TOML has no null: what is null is left out.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(inline).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = given(members)
                .map(|(name, value)| format!("{} = {}", key(name), inline(value)))
                .collect();
            if members.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{ {} }}", members.join(", "))
            }
        }
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}

/// The lines of a table that is an element of a list.
pub(crate) fn block(list: &[String], members: &Map<String, Value>, end: &str) -> String {
    let keys: Vec<String> = list.iter().map(|name| key(name)).collect();
    let mut text = format!("[[{}]]{end}", keys.join("."));
    for (name, value) in given(members) {
        text.push_str(&format!("{} = {}{end}", key(name), inline(value)));
    }
    text
}

fn given(members: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    members.iter().filter(|(_, value)| !value.is_null())
}

/// A basic string: as in JSON, but for one character.
fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

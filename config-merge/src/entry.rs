//! What is put into a file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One element of ours in a list of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The keys that lead to the list.
    pub list: Vec<String>,
    /// The element.
    pub value: Value,
}

/// The entries of a payload: each element of each list in it, at the place where it stands there. Lists inside an element
/// belong to the element.
#[must_use]
pub fn entries(payload: &Value) -> Vec<Entry> {
    let mut found = Vec::new();
    collect(payload, &mut Vec::new(), &mut found);
    found
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<Entry>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                path.push(key.clone());
                collect(value, path, found);
                path.pop();
            }
        }
        Value::Array(elements) => found.extend(elements.iter().map(|element| Entry {
            list: path.clone(),
            value: element.clone(),
        })),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_element_of_each_list_is_an_entry() {
        let found = entries(&json!({"x": 1, "hooks": {"A": [{"hooks": [1]}], "B": [2, 3]}}));
        let told: Vec<String> = found
            .iter()
            .map(|entry| format!("{}={}", entry.list.join("."), entry.value))
            .collect();
        assert_eq!(told, ["hooks.A={\"hooks\":[1]}", "hooks.B=2", "hooks.B=3"]);
    }
}

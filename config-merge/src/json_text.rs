//! How our values are written in JSON: an element in one line, the tables around it over several where they are so
//! already.

use serde_json::Value;

/// A value in one line.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(inline).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), inline(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// How a member is broken over lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'l> {
    /// The line end.
    pub(crate) end: &'l str,
    /// The indentation of the member itself.
    pub(crate) indent: &'l str,
    /// What one more level adds.
    pub(crate) unit: &'l str,
}

/// A member that leads to an element: the first key, with a table for each further one and the list at the end of them.
pub(crate) fn member(keys: &[String], element: &Value, lines: Option<Lines<'_>>) -> String {
    let (Some(key), rest) = (keys.first(), keys.get(1..).unwrap_or_default()) else {
        return format!("[{}]", inline(element));
    };
    let key = quoted(key);
    match (rest.is_empty(), lines) {
        (true, _) => format!("{key}: [{}]", inline(element)),
        (false, None) => format!("{key}: {{ {} }}", member(rest, element, None)),
        (false, Some(lines)) => {
            let Lines { end, indent, unit } = lines;
            let deeper = format!("{indent}{unit}");
            let inner = Lines {
                end,
                indent: &deeper,
                unit,
            };
            let inner = member(rest, element, Some(inner));
            format!("{key}: {{{end}{deeper}{inner}{end}{indent}}}")
        }
    }
}

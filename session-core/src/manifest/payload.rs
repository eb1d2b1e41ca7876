//! Reading an agent's payload, however odd.

use serde_json::Value;

use super::cut::complete_members;

/// A payload that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// There was nothing to read.
    #[error("the payload is empty")]
    Empty,
    /// It is not JSON.
    #[error("the payload is not JSON: {0}")]
    NotJson(String),
    /// It is cut, and nothing is complete in what there is.
    #[error("the beginning of the payload holds nothing that is complete")]
    NothingComplete,
}

/// Parses a payload: tolerates a byte order mark, bytes that are not UTF-8, and lone surrogates (case K3).
///
/// # Errors
/// When there is nothing to read, or it is not JSON.
pub fn parse_payload(bytes: &[u8]) -> Result<Value, PayloadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(PayloadError::Empty);
    }
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok(value),
        Err(_) => serde_json::from_str(&mend_surrogates(&String::from_utf8_lossy(bytes)))
            .map_err(|error| PayloadError::NotJson(error.to_string())),
    }
}

/// Parses the beginning of a payload that was too large to be read whole: the members that are complete in it.
///
/// # Errors
/// When none is.
pub fn parse_cut_payload(bytes: &[u8]) -> Result<Value, PayloadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let members =
        complete_members(&String::from_utf8_lossy(bytes)).ok_or(PayloadError::NothingComplete)?;
    parse_payload(members.as_bytes())
}

/// Replaces escapes of surrogates that have no partner, which JavaScript writes and JSON readers refuse.
fn mend_surrogates(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        mended.push_str(before);
        let taken = match surrogate(escape) {
            Some(high)
                if high < 0xdc00
                    && escape
                        .get(6..)
                        .and_then(surrogate)
                        .is_some_and(|low| low >= 0xdc00) =>
            {
                12
            }
            Some(_) => {
                mended.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or("");
                continue;
            }
            None => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (escape, after) = escape.split_at_checked(taken).unwrap_or((escape, ""));
        mended.push_str(escape);
        rest = after;
    }
    mended.push_str(rest);
    mended
}

/// The surrogate that the text begins with, as an escape.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16)
        .ok()
        .filter(|unit| (0xd800..0xe000).contains(unit))
}

/// The values at a path such as `tool_input.command` or `background_tasks[].status`; `[]` fans out over a list.
#[must_use]
pub fn lookup<'v>(payload: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![payload];
    for step in path.split('.') {
        let (key, fan_out) = step
            .strip_suffix("[]")
            .map_or((step, false), |key| (key, true));
        found = found
            .into_iter()
            .filter_map(|value| value.get(key))
            .collect();
        if fan_out {
            found = found
                .into_iter()
                .filter_map(Value::as_array)
                .flatten()
                .collect();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(br#"{"a":"\ud800"}"#, "\u{fffd}")]
    #[case(br#"{"a":"x\udc00\ud83d\ude00"}"#, "x\u{fffd}\u{1f600}")]
    #[case(br#"{"a":"\\ud800"}"#, "\\ud800")]
    #[case(b"\xef\xbb\xbf{\"a\":\"b\"}", "b")]
    #[case(b"{\"a\":\"\xff\"}", "\u{fffd}")]
    fn case_k3_a_payload_with_odd_text_is_read(#[case] bytes: &[u8], #[case] text: &str) {
        assert_eq!(parse_payload(bytes).unwrap()["a"], text);
    }

    #[test]
    fn an_empty_or_broken_payload_is_an_error() {
        assert_eq!(parse_payload(b" \n"), Err(PayloadError::Empty));
        assert!(matches!(
            parse_payload(b"{\"a\":"),
            Err(PayloadError::NotJson(_))
        ));
    }

    #[test]
    fn of_a_cut_payload_the_beginning_is_read() {
        let cut = b"\xef\xbb\xbf{\"event\":\"Stop\",\"text\":\"aaa";
        assert_eq!(parse_cut_payload(cut).unwrap(), json!({"event": "Stop"}));
        assert_eq!(
            parse_cut_payload(b"{\"text\":\"aaa"),
            Err(PayloadError::NothingComplete)
        );
    }

    #[test]
    fn a_path_can_fan_out_over_a_list() {
        let payload = json!({"tasks": [{"s": "running"}, {"s": "done"}, {}], "a": {"b": 1}});
        assert_eq!(
            lookup(&payload, "tasks[].s"),
            [&json!("running"), &json!("done")]
        );
        assert_eq!(lookup(&payload, "a.b"), [&json!(1)]);
        assert!(lookup(&payload, "a.c").is_empty());
    }
}

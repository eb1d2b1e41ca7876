//! Reading the beginning of a payload whose end is missing.

/// The members of an object that are complete in the text, as an object; `None` where there is none.
///
/// An agent's large text is one member among others, and what happened is told before it.
pub(super) fn complete_members(text: &str) -> Option<String> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut end = None;
    for (index, byte) in text.bytes().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => end = Some(index),
            _ => {}
        }
    }
    let members = text.get(..end?)?;
    members
        .trim_start()
        .starts_with('{')
        .then(|| format!("{members}}}"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(r#"{"a":1,"b":"x"#, r#"{"a":1}"#)]
    #[case(
        r#" {"a":{"c":[1,2]},"b":"x,y\",z","d":["#,
        r#" {"a":{"c":[1,2]},"b":"x,y\",z"}"#
    )]
    #[case(r#"{"a":1,"b":{"c":2,"d":"#, r#"{"a":1}"#)]
    fn what_is_complete_is_kept(#[case] text: &str, #[case] kept: &str) {
        assert_eq!(complete_members(text).as_deref(), Some(kept));
        assert!(serde_json::from_str::<serde_json::Value>(kept).is_ok());
    }

    #[rstest]
    #[case("")]
    #[case(r#"{"a":"x"#)]
    #[case(r#"["a","b"#)]
    #[case("a,b")]
    fn where_nothing_is_complete_nothing_is_kept(#[case] text: &str) {
        assert_eq!(complete_members(text), None);
    }
}

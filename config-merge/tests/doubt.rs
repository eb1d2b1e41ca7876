//! What is refused, and what is said then.

use config_merge::{Entry, Format, Made, MergeError, entries, install, look, uninstall};
use rstest::rstest;
use serde_json::json;

fn ours() -> Vec<Entry> {
    entries(&json!({"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}))
}

fn made() -> Made {
    Made {
        entries: ours(),
        ..Made::default()
    }
}

#[rstest]
#[case(Format::Json, "{\"hooks\": {", "line 1, column 11: ")]
#[case(Format::Json, "", "the file is empty")]
#[case(Format::Json, " \n// nothing\n", "the file is empty")]
#[case(
    Format::Json,
    "[]",
    "line 1, column 1: the whole file is a list, and an object is needed"
)]
#[case(Format::Json, "\"x\"", "line 1, column 1: the whole file is a text")]
#[case(Format::Json, "{\"a\": 1}{}", "line 1, column 9: ")]
#[case(Format::Json, "{a: 1}", "line 1, column 2: ")]
#[case(Format::Json, "{'a': 1}", "line 1, column 2: ")]
#[case(Format::Json, "{\"a\": 1 \"b\": 2}", "line 1, column ")]
#[case(Format::Json, "{\"a\": 1,,}", "line 1, column 9: ")]
#[case(Format::Json, "{\n  \"a\": nul\n}", "line 2, column 8: ")]
#[case(Format::Toml, "a = ", "line 1, column ")]
#[case(Format::Toml, "a = 1\na = 2\n", "line 2, column 1: ")]
#[case(Format::Toml, "[a\nb = 1", "line 1, column ")]
fn case_e3_what_cannot_be_read_is_left_alone(
    #[case] format: Format,
    #[case] text: &str,
    #[case] told: &str,
) {
    let error = install(format, Some(text), &ours(), &Made::default()).unwrap_err();
    assert!(error.to_string().starts_with(told), "{error}");
    let error = uninstall(format, text, &made()).unwrap_err();
    assert!(error.to_string().starts_with(told), "{error}");
}

#[rstest]
#[case(
    Format::Json,
    r#"{"hooks": []}"#,
    "line 1, column 11: hooks is a list, and a table is needed there; ours does not fit into it"
)]
#[case(
    Format::Json,
    r#"{"hooks": null}"#,
    "line 1, column 11: hooks is null, and a table"
)]
#[case(
    Format::Json,
    r#"{"hooks": {"Stop": {}}}"#,
    "line 1, column 20: hooks.Stop is a table, and a list"
)]
#[case(
    Format::Json,
    r#"{"hooks": {"Stop": "x"}}"#,
    "line 1, column 20: hooks.Stop is a text, and a list"
)]
#[case(
    Format::Toml,
    "hooks = 1",
    "line 1, column 9: hooks is a number, and a table"
)]
#[case(
    Format::Toml,
    "[[hooks]]\nx = 1\n",
    "line 1, column 1: hooks is a list, and a table"
)]
#[case(
    Format::Toml,
    "[hooks.Stop]\nx = 1\n",
    "line 1, column 1: hooks.Stop is a table, and a list"
)]
#[case(
    Format::Json,
    "{\"hooks\": {},\n\"hooks\": {}}",
    "line 2, column 1: hooks is given twice; leave one of them"
)]
#[case(
    Format::Json,
    r#"{"hooks": {"Stop": [], "Stop": []}}"#,
    "line 1, column 24: hooks.Stop is given twice"
)]
fn case_e3_what_stands_in_the_way_is_told(
    #[case] format: Format,
    #[case] text: &str,
    #[case] told: &str,
) {
    let error = install(format, Some(text), &ours(), &Made::default()).unwrap_err();
    assert!(error.to_string().starts_with(told), "{error}");
    // Ours cannot be in there, so that nothing keeps the rest of an uninstall from going on.
    assert_eq!(
        uninstall(format, text, &made()).unwrap().as_deref(),
        Some(text)
    );
}

#[test]
fn an_entry_that_merely_mentions_us_is_not_ours() {
    let text = r#"{"hooks": {"Stop": [{"hooks": [{"command": "x"}], "matcher": "*"}, {"hooks": [{"command": "x "}]}]}}"#;
    assert_eq!(
        uninstall(Format::Json, text, &made()).unwrap().as_deref(),
        Some(text)
    );
    let found = look(Format::Json, text, &ours(), &made()).unwrap();
    assert!(found.is_absent());
}

#[test]
fn an_entry_of_ours_is_known_in_whatever_order_and_form_it_is_written() {
    let wanted = entries(&json!({"a": [{"x": 1, "y": [true]}]}));
    let text = "{\"a\":[{\n \"y\" : [ true ],\n \"\\u0078\": 1 // ours\n}]}";
    let made = Made {
        entries: wanted.clone(),
        ..Made::default()
    };
    let (same, _) = install(Format::Json, Some(text), &wanted, &made).unwrap();
    assert_eq!(same, text);
    assert_eq!(
        uninstall(Format::Json, text, &made).unwrap().as_deref(),
        Some("{\"a\":[]}")
    );
}

#[test]
fn a_list_of_tables_that_others_have_mixed_with_theirs_is_refused() {
    let text = "[[hooks.Stop]]\n[x]\ny = 1\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n";
    let error = uninstall(Format::Toml, text, &made()).unwrap_err();
    assert!(matches!(error, MergeError::Entangled(_)), "{error}");
}

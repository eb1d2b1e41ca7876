//! Whatever a file holds: ours goes in once, and comes out without a trace.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use config_merge::{Entry, Format, Made, entries, install, look, read, uninstall};
use proptest::prelude::*;
use serde_json::{Value, json};

fn ours(program: &str) -> Vec<Entry> {
    let group = json!([{"hooks": [{"command": format!("'{program}' signal"), "timeout": 5}]}]);
    entries(&json!({"hooks": {"A": group, "B": group, "C d": group}}))
}

/// White space and comments between the tokens of a JSON file.
fn gap() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ \t]{0,2}",
        3 => "\n[ \t]{0,4}",
        1 => "\r\n[ \t]{0,4}",
        1 => " ?// [a-z,\\[{\"]{0,6}\n *",
        1 => "/\\*[a-z,\\]}\"]{0,6}\\*/",
    ]
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("hooks".to_owned()),
        Just("A".to_owned()),
        Just("B".to_owned()),
        "[a-zé ]{0,3}".prop_map(|word| format!("k{word}")),
    ]
}

/// A list or an object in JSON, with anything between its tokens.
fn joined(children: Vec<String>, gaps: Vec<String>, comma: bool, brackets: [&str; 2]) -> String {
    let mut text = brackets[0].to_owned();
    let mut gaps = gaps.into_iter().cycle();
    let mut gap = || gaps.next().unwrap_or_default();
    let last = children.len().saturating_sub(1);
    let empty = children.is_empty();
    for (index, child) in children.into_iter().enumerate() {
        text.push_str(&gap());
        text.push_str(&child);
        text.push_str(&gap());
        if index < last || comma {
            text.push(',');
        }
    }
    if !empty || comma {
        text.push_str(&gap());
    }
    text.push_str(brackets[1]);
    text
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?[1-9][0-9]{0,30}(\\.[0-9]{1,3})?",
        "[a-z/*,\\]}{\\[ #]{0,8}".prop_map(|text| format!("\"{text}\"")),
    ]
}

fn tree() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 40, 4, |inner| {
        let gaps = || prop::collection::vec(gap(), 1..5);
        prop_oneof![
            (
                prop::collection::vec(inner.clone(), 0..4),
                gaps(),
                any::<bool>()
            )
                .prop_map(|(children, gaps, comma)| {
                    let comma = comma && !children.is_empty();
                    joined(children, gaps, comma, ["[", "]"])
                }),
            object(inner),
        ]
    })
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let member = (word(), gap(), gap(), value)
        .prop_map(|(key, a, b, value)| (key.clone(), format!("\"{key}\"{a}:{b}{value}")));
    (
        prop::collection::vec(member, 0..5),
        prop::collection::vec(gap(), 1..5),
        any::<bool>(),
    )
        .prop_map(|(members, gaps, comma)| {
            let mut keys = Vec::new();
            let mut children = Vec::new();
            for (key, text) in members {
                if !keys.contains(&key) {
                    keys.push(key);
                    children.push(text);
                }
            }
            let comma = comma && !children.is_empty();
            joined(children, gaps, comma, ["{", "}"])
        })
}

/// A file: white space, an object, white space.
fn json_file() -> impl Strategy<Value = String> {
    ("\u{feff}?", gap(), object(tree()), "(\r?\n){0,2}")
        .prop_map(|(mark, gap, object, end)| format!("{mark}{gap}{object}{end}"))
}

fn toml_value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("true".to_owned()),
        "[1-9][0-9]{0,9}",
        "[a-z#,\\]}=\\[ ]{0,8}".prop_map(|text| format!("\"{text}\"")),
    ];
    scalar.prop_recursive(3, 16, 3, |inner| {
        let gap = || prop_oneof![4 => "[ ]?", 1 => "\n ?", 1 => " # [a-z,\\]]{0,5}\n"];
        let list = (
            prop::collection::vec((gap(), inner.clone(), gap()), 0..3),
            any::<bool>(),
        );
        let table = prop::collection::btree_map(word(), inner, 0..3);
        prop_oneof![
            list.prop_map(|(elements, comma)| {
                let count = elements.len();
                let elements = elements.into_iter().enumerate().map(|(index, (a, b, c))| {
                    let comma = if index + 1 < count || comma { "," } else { "" };
                    format!("{a}{b}{c}{comma}")
                });
                format!("[{}]", elements.collect::<String>())
            }),
            table.prop_map(|table| {
                let members: Vec<String> = table
                    .into_iter()
                    .map(|(key, value)| format!("\"{key}\" = {value}"))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }),
        ]
    })
}

/// Lines of TOML; not every pile of them is a file.
fn toml_file() -> impl Strategy<Value = String> {
    let key = || {
        prop_oneof![
            Just("hooks.A".to_owned()),
            Just("hooks.B".to_owned()),
            Just("hooks".to_owned()),
            "[a-f]",
            "[a-f]\\.[a-f]",
        ]
    };
    let line = prop_oneof![
        (key(), toml_value()).prop_map(|(key, value)| format!("{key} = {value}")),
        (key()).prop_map(|key| format!("[{key}]")),
        (key()).prop_map(|key| format!("[[{key}]]")),
        Just(String::new()),
        "# [a-z]{0,5}",
    ];
    (prop::collection::vec((line, "\r?\n"), 0..8), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text: String = lines
            .into_iter()
            .flat_map(|(line, end)| [line, end])
            .collect();
        if !ended {
            text.truncate(text.trim_end().len());
        }
        text
    })
}

fn holds(format: Format, text: &str) -> Result<(), TestCaseError> {
    let Ok(before) = read(format, text) else {
        return Ok(());
    };
    // What cannot be understood is refused; that is a rule of its own.
    let Ok((once, made)) = install(format, Some(text), &ours("/a"), &Made::default()) else {
        return Ok(());
    };
    prop_assert!(
        look(format, &once, &ours("/a"), &made).unwrap().is_whole(),
        "{}",
        once
    );
    let (again, _) = install(format, Some(&once), &ours("/a"), &made).unwrap();
    prop_assert_eq!(&again, &once);
    let back = uninstall(format, &once, &made).unwrap();
    prop_assert_eq!(back.as_deref(), Some(text), "{}", once);
    let (moved, made) = install(format, Some(&once), &ours("/b"), &made).unwrap();
    prop_assert!(
        look(format, &moved, &ours("/b"), &made).unwrap().is_whole(),
        "{}",
        moved
    );
    prop_assert!(!moved.contains("'/a'"));
    let back = uninstall(format, &moved, &made).unwrap().unwrap();
    prop_assert_eq!(&back, text);
    prop_assert_eq!(read(format, &back).unwrap(), before);
    Ok(())
}

proptest! {
    #[test]
    fn json_comes_back_to_the_byte(text in json_file()) {
        holds(Format::Json, &text)?;
    }

    #[test]
    fn toml_comes_back_to_the_byte(text in toml_file()) {
        holds(Format::Toml, &text)?;
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC{0,40}", json in any::<bool>()) {
        let format = if json { Format::Json } else { Format::Toml };
        holds(format, &text)?;
    }

    /// The generators make files that are read, most of the time.
    #[test]
    fn files_of_these_kinds_are_read(text in json_file()) {
        prop_assert!(matches!(read(Format::Json, &text), Ok(Value::Object(_))), "{}", text);
    }
}

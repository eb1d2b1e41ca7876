//! Files as people have them: ours goes in and out of each, and nothing else changes.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use std::fs;
use std::path::{Path, PathBuf};

use config_merge::{Entry, Format, Made, entries, install, look, uninstall};
use serde_json::json;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Each file's name, format and text.
fn corpus() -> Vec<(String, Format, String)> {
    let mut corpus: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let format = Format::of_name(&name);
            (name, format, fs::read_to_string(&path).unwrap())
        })
        .collect();
    corpus.sort_by(|one, other| one.0.cmp(&other.0));
    corpus
}

fn ours(program: &str) -> Vec<Entry> {
    let command = format!("'{program}' signal --from claude 2>/dev/null || true");
    let group = json!([{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]);
    entries(&json!({"hooks": {
        "SessionStart": group, "PreToolUse": group, "Notification": group, "Stop": group,
    }}))
}

fn none() -> Made {
    Made::default()
}

#[test]
fn there_are_enough_of_them() {
    assert!(corpus().len() >= 60, "{}", corpus().len());
}

#[test]
fn case_e1_install_and_uninstall_give_the_same_bytes() {
    for (name, format, text) in corpus() {
        let (installed, made) = install(format, Some(&text), &ours("/usr/bin/tally"), &none())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            look(format, &installed, &ours("/usr/bin/tally"), &made)
                .unwrap()
                .is_whole(),
            "{name}:\n{installed}"
        );
        let back =
            uninstall(format, &installed, &made).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(back.as_deref(), Some(text.as_str()), "{name}:\n{installed}");
    }
}

/// Our own lines apart, each line is there as it was, or with a comma behind it.
#[test]
fn case_e2_no_line_changes_but_for_a_comma() {
    for (name, format, text) in corpus() {
        let (installed, _) = install(format, Some(&text), &ours("/t"), &none()).unwrap();
        let lines = |text: &str| -> Vec<String> {
            text.trim_start_matches('\u{feff}')
                .split('\n')
                .map(|line| line.trim_end_matches('\r').to_owned())
                .collect()
        };
        let mut now = lines(&installed).into_iter();
        for line in lines(&text) {
            let shared = line.contains(['{', '[', '}', ']']);
            let is = |now: &String| {
                *now == line
                    || now.replacen(',', "", 1) == line.replacen(',', "", 1)
                    || (shared && without_ours(now, &line))
            };
            assert!(
                now.any(|now| is(&now)),
                "{name}: {line:?} is gone:\n{installed}"
            );
        }
    }
}

/// Whether a line that has brackets is the old one with something of ours in the brackets.
fn without_ours(now: &str, line: &str) -> bool {
    let mut rest = now.chars();
    line.chars().all(|wanted| rest.any(|char| char == wanted))
}

#[test]
fn case_e7_again_changes_nothing_and_a_moved_program_changes_its_own_place_only() {
    for (name, format, text) in corpus() {
        let (once, made) = install(format, Some(&text), &ours("/one/tally"), &none()).unwrap();
        for _ in 0..4 {
            let (again, _) = install(format, Some(&once), &ours("/one/tally"), &made).unwrap();
            assert_eq!(again, once, "{name}");
        }
        let (moved, made) = install(format, Some(&once), &ours("/two/tally"), &made).unwrap();
        assert_eq!(moved, once.replace("/one/tally", "/two/tally"), "{name}");
        assert_eq!(
            uninstall(format, &moved, &made).unwrap().as_deref(),
            Some(text.as_str()),
            "{name}"
        );
    }
}

/// Doubles of ours, and a second program's from another time, become one.
#[test]
fn case_e7_doubles_become_one() {
    for (name, format, text) in corpus() {
        let (one, first) = install(format, Some(&text), &ours("/one/tally"), &none()).unwrap();
        let (both, second) = install(format, Some(&one), &ours("/two/tally"), &none()).unwrap();
        let made = first.or(&second);
        let (collapsed, made) = install(format, Some(&both), &ours("/two/tally"), &made).unwrap();
        let found = look(format, &collapsed, &ours("/two/tally"), &made).unwrap();
        assert!(found.is_whole(), "{name}:\n{collapsed}");
        assert!(!collapsed.contains("/one/tally"), "{name}:\n{collapsed}");
        assert_eq!(
            uninstall(format, &collapsed, &made).unwrap().as_deref(),
            Some(text.as_str()),
            "{name}:\n{collapsed}"
        );
    }
}

/// Uninstalling knows ours also where the rest of the file has changed meanwhile.
#[test]
fn case_e1_what_others_write_meanwhile_stays() {
    for (name, format, text) in corpus() {
        let theirs = |command: &str| {
            entries(&json!({"hooks": {
                "Stop": [{"hooks": [{"type": "command", "command": command}]}],
                "Other": [{"hooks": [{"type": "command", "command": command}]}],
            }}))
        };
        let (before, _) = install(format, Some(&text), &theirs("before"), &none()).unwrap();
        let (ours, made) = install(format, Some(&before), &ours("/t"), &none()).unwrap();
        let (after, their_made) = install(format, Some(&ours), &theirs("after"), &none()).unwrap();
        let without = uninstall(format, &after, &made).unwrap().unwrap();
        assert!(
            look(format, &without, &theirs("after"), &none())
                .unwrap()
                .is_whole()
                && look(format, &without, &theirs("before"), &none())
                    .unwrap()
                    .is_whole(),
            "{name}:\n{without}"
        );
        let back = uninstall(format, &without, &their_made).unwrap().unwrap();
        assert_eq!(back, before, "{name}");
    }
}

#[test]
fn a_file_that_was_not_there_goes_again_unless_more_is_in_it() {
    for (format, more) in [
        (Format::Json, "{\n  \"model\": 1,"),
        (Format::Toml, "model = 1\n[["),
    ] {
        let (text, made) = install(format, None, &ours("/t"), &none()).unwrap();
        assert_eq!(uninstall(format, &text, &made).unwrap(), None);
        let first = if format == Format::Json { "{" } else { "[[" };
        let more = text.replacen(first, more, 1);
        let rest = uninstall(format, &more, &made).unwrap().unwrap();
        assert!(rest.contains("model") && !rest.contains("signal"), "{rest}");
    }
}

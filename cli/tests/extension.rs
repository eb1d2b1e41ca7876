//! `tally extension` and `tally agent`.

mod common;

use common::{Home, payloads};
use rstest::rstest;
use serde_json::Value;

const SOUND: &str = "schema = 1\nname = \"mine\"\ntitle = \"Mine\"\n[process]\nnames = [\"mine\"]\n\
                     [executable]\ncommand = \"mine\"\n[coverage]\nreportable = [\"done\"]\n";

#[test]
fn every_agent_is_listed_with_what_it_reports() {
    let home = Home::new();
    let list = home.run(&["extension", "list", "--json"]);
    let document: Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(document["schema"], 1);
    let extensions = document["extensions"].as_array().unwrap();
    assert!(extensions.len() >= 22, "{}", list.stdout);
    for extension in extensions {
        let reports = !extension["coverage"]["reportable"]
            .as_array()
            .unwrap()
            .is_empty();
        let can = extension["wired"] == true || extension["global"] == true;
        assert_eq!(can, reports, "{extension}");
    }
    let text = home.run(&["extension", "list"]).stdout;
    assert!(
        text.lines()
            .any(|line| line.starts_with("crush ") && line.contains("by process only"))
    );
    assert_eq!(text.lines().count(), extensions.len() + 1);
}

#[test]
fn an_agent_is_listed_with_its_program() {
    let home = Home::new();
    let program = home.program("codex", "#!/bin/sh\n");
    let list = home.run(&["agent", "list", "--json"]);
    let document: Value = serde_json::from_str(&list.stdout).unwrap();
    let codex = document["agents"]
        .as_array()
        .unwrap()
        .iter()
        .find(|agent| agent["name"] == "codex")
        .unwrap()
        .clone();
    assert_eq!(codex["program"], program.to_str().unwrap());
    assert_eq!(codex["wired"], true);
    let text = home.run(&["agent", "list"]).stdout;
    assert!(
        text.lines()
            .any(|line| line.starts_with("goose ") && line.ends_with("not installed"))
    );
}

#[test]
fn what_is_added_to_an_agent_is_shown() {
    let home = Home::new();
    let shown = home.run(&["extension", "show", "opencode"]).stdout;
    assert!(
        shown.contains("variable    OPENCODE_CONFIG={file:opencode.json}\n"),
        "{shown}"
    );
    assert!(
        shown.contains("wiring/opencode/tallylight.js (absent)\n"),
        "{shown}"
    );
    let unknown = home.run(&["extension", "show", "vim"]);
    assert_eq!(unknown.status, Some(1));
    assert!(
        unknown.stderr.contains("\"vim\" is not an agent"),
        "{unknown:?}"
    );
}

#[test]
fn an_extension_of_ones_own_is_checked() {
    let home = Home::new();
    let file = home.write("mine/extension.toml", SOUND);
    for path in [file.as_path(), file.parent().unwrap()] {
        let checked = home.run(&["extension", "check", path.to_str().unwrap()]);
        assert_eq!(checked.status, Some(0), "{checked:?}");
    }
}

#[rstest]
#[case("colour = 1\n", ":10: unknown field `colour`")]
#[case(
    "[[rules]]\nevents = [\"Stop\"]\nact = \"stop\"\n",
    ":1: rules need fields.event"
)]
#[case(
    "[[external_files]]\nname = \"a.js\"\n",
    ":10: there is no a.js beside it"
)]
#[case(
    "[[env_patches]]\nname = \"A B\"\nvalue = \"\"\n",
    ":10: \"A B\" is not the name of a variable"
)]
fn a_mistake_is_told_with_file_line_and_reason(#[case] more: &str, #[case] told: &str) {
    let home = Home::new();
    let file = home.write("mine/extension.toml", &format!("{SOUND}{more}"));
    let checked = home.run(&["extension", "check", file.to_str().unwrap()]);
    assert_eq!(checked.status, Some(1));
    let told = format!("{}{told}", file.display());
    assert!(checked.stderr.contains(&told), "{checked:?}");
}

#[rstest]
#[case("codex", "PermissionRequest", "blocked (permission)")]
#[case("codex", "Stop", "done")]
#[case("opencode", "session.error.APIError", "error (request)")]
#[case("claude", "PreToolUse", "working")]
fn a_payload_is_read_and_nothing_is_stored(
    #[case] agent: &str,
    #[case] name: &str,
    #[case] state: &str,
) {
    let home = Home::new();
    let (_, payload) = payloads(agent)
        .into_iter()
        .find(|(known, _)| known == name)
        .unwrap();
    let tested = home.run_with(&["extension", "test", agent], &payload, &[]);
    assert_eq!(tested.status, Some(0), "{tested:?}");
    assert!(
        tested.stdout.ends_with(&format!("state     {state}\n")),
        "{tested:?}"
    );
    assert!(tested.stdout.contains("\nrule      number "), "{tested:?}");
    let list: Value = serde_json::from_str(&home.run(&["list", "--json"]).stdout).unwrap();
    assert_eq!(list["unrouted"]["count"], 0);
    assert_eq!(list["sessions"].as_array().unwrap().len(), 0);
}

#[test]
fn a_payload_without_a_rule_is_told_as_such() {
    let home = Home::new();
    let said = home.run_with(
        &["extension", "test", "codex"],
        br#"{"hook_event_name":"X"}"#,
        &[],
    );
    assert_eq!(said.status, Some(1));
    assert_eq!(
        said.stdout,
        "event     X\nrule      no rule of codex is about it\n"
    );
    let said = home.run_with(&["extension", "test", "codex"], b"x", &[]);
    assert_eq!(said.status, Some(1));
    assert!(said.stderr.contains("not JSON"), "{said:?}");
}

//! Agents whose own configuration is wired, started plainly: by their own program, with no function of `tally init`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use serde_json::Value;
use tally_tests::agents::codex::{self, Codex};
use tally_tests::agents::opencode::{self, Opencode};
use tally_tests::agents::pi::{self, Pi};
use tally_tests::agents::qwen::{self, Qwen};
use tally_tests::{ClaudeVersion, Desk, Lamp};

/// Wires the agent's own configuration, and takes the shell function away from its pane.
fn wire(desk: &Desk, agent: &str) {
    desk.world()
        .expect_tally(&["extension", "activate", agent, "--global"]);
    let pane = desk.seat(0).agent_pane();
    pane.wait_for_shell();
    pane.submit(&format!("unset -f {agent}"));
    pane.wait_for_shell();
}

/// How its own configuration stands.
fn state(desk: &Desk, agent: &str) -> String {
    let list = desk.world().tally_json(&["extension", "list", "--json"]);
    let extensions = list["extensions"].as_array().unwrap();
    let found = extensions.iter().find(|known| known["agent"] == agent);
    let state: &Value = &found.unwrap()["install"]["state"];
    state.as_str().unwrap().to_owned()
}

fn settings(desk: &Desk, file: &str) -> Option<String> {
    std::fs::read_to_string(desk.world().home().join(file)).ok()
}

#[test]
fn claude_reports_by_its_own_settings() {
    let desk = Desk::new(ClaudeVersion::Current);
    desk.world().write(
        "home/.claude/settings.json",
        "{\n  \"theme\": \"dark\"\n}\n",
    );
    wire(&desk, "claude");
    assert_eq!(state(&desk, "claude"), "written");
    let seat = desk.seat(0);
    let claude = desk.launch(seat);
    desk.expect(seat, Lamp::Idle);
    assert_eq!(state(&desk, "claude"), "heard");
    claude.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
    desk.world()
        .expect_tally(&["extension", "deactivate", "claude", "--global"]);
    let text = settings(&desk, ".claude/settings.json").unwrap();
    assert!(!text.contains("signal --from"), "{text}");
}

#[test]
fn qwen_reports_by_its_own_settings() {
    let desk = Desk::with_agent(qwen::install);
    let before = settings(&desk, ".qwen/settings.json");
    wire(&desk, "qwen");
    let seat = desk.seat(0);
    let qwen = Qwen::launch(seat.agent_pane());
    desk.expect(seat, Lamp::Idle);
    assert_eq!(state(&desk, "qwen"), "heard");
    qwen.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
    qwen.exit();
    desk.world()
        .expect_tally(&["extension", "deactivate", "qwen", "--global"]);
    let after = settings(&desk, ".qwen/settings.json");
    assert_eq!(
        after.map(|text| text.contains("signal --from")),
        before.map(|_| false)
    );
}

/// Trust is read as Codex keeps it, once the person has given it.
#[test]
fn case_f1_codex_reports_by_its_own_hooks_once_they_are_trusted() {
    let desk = Desk::with_agent(codex::install);
    wire(&desk, "codex");
    assert_eq!(state(&desk, "codex"), "untrusted");
    let seat = desk.seat(0);
    // As tally starts it: nothing of ours but what keeps it out of its daemon.
    seat.agent_pane()
        .submit("codex() { command codex --no-daemon; }");
    let codex = Codex::launch(seat.agent_pane());
    codex.trust_hooks();
    assert_eq!(state(&desk, "codex"), "written");
    codex.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
    assert_eq!(state(&desk, "codex"), "heard");
    codex.exit();
    desk.world()
        .expect_tally(&["extension", "deactivate", "codex", "--global"]);
    assert_eq!(settings(&desk, ".codex/hooks.json"), None);
}

#[test]
fn pi_reports_by_an_extension_in_its_own_folder() {
    let desk = Desk::with_agent(pi::install);
    wire(&desk, "pi");
    let seat = desk.seat(0);
    let pi = Pi::launch(seat.agent_pane());
    desk.expect(seat, Lamp::Idle);
    assert_eq!(state(&desk, "pi"), "heard");
    pi.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
}

#[test]
fn opencode_reports_by_a_plugin_in_its_own_folder() {
    let desk = Desk::with_agent(opencode::install);
    wire(&desk, "opencode");
    let seat = desk.seat(0);
    let opencode = Opencode::launch(seat.agent_pane());
    desk.expect(seat, Lamp::Idle);
    assert_eq!(state(&desk, "opencode"), "heard");
    opencode.prompt("stub: slow 2");
    desk.expect(seat, Lamp::Working);
    desk.expect(seat, Lamp::Done);
}

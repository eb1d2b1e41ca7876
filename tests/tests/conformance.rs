//! What every wired agent must show at each edge of its life, tried on the agents themselves; `docs/agents.md` holds what
//! came of it.

use tally_tests::ClaudeVersion;
use tally_tests::agents::codex;
use tally_tests::conformance::{OfClaude, OfCodex, OfOpencode, OfPi, OfQwen, conform};

#[test]
fn claude() {
    conform(&OfClaude(ClaudeVersion::Current));
}

#[test]
fn an_older_claude() {
    conform(&OfClaude(ClaudeVersion::Older));
}

#[test]
fn codex() {
    conform(&OfCodex(codex::VERSION));
}

#[test]
fn an_older_codex() {
    conform(&OfCodex(codex::OLDER));
}

#[test]
fn opencode() {
    conform(&OfOpencode);
}

#[test]
fn qwen() {
    conform(&OfQwen);
}

#[test]
fn pi() {
    conform(&OfPi);
}

//! What a command is told, and the only way in which it is told: its environment.

use std::fmt::Display;

use serde_json::json;

use super::event::HookEvent;
use super::fact::Happening;

/// The names of all variables. Each is set for every event; one that does not describe the event is empty, or 0 for a
/// number, so that a script can read all of them.
pub const VARIABLES: [&str; 32] = [
    "TALLY_EVENT",
    "TALLY_SEQ",
    "TALLY_MUX",
    "TALLY_SERVER",
    "TALLY_SESSION_ID",
    "TALLY_WINDOW_ID",
    "TALLY_WINDOW_NAME",
    "TALLY_PANE_ID",
    "TALLY_WORKSPACE",
    "TALLY_PREV_WORKSPACE",
    "TALLY_LAYOUT",
    "TALLY_WIDTH",
    "TALLY_HEIGHT",
    "TALLY_AGENT_ID",
    "TALLY_AGENT_STATE",
    "TALLY_AGENT_PREV_STATE",
    "TALLY_AGENT_HARNESS",
    "TALLY_AGENT_MESSAGE",
    "TALLY_COMMAND",
    "TALLY_EXIT_CODE",
    "TALLY_DURATION_MS",
    "TALLY_THEME",
    "TALLY_THEME_BG",
    "TALLY_THEME_LIGHT",
    "TALLY_WORKTREE_PATH",
    "TALLY_WORKTREE_BRANCH",
    "TALLY_WORKTREE_REPO_ROOT",
    "TALLY_WORKTREE_CREATED_BRANCH",
    "TALLY_SETTLE_REASON",
    "TALLY_CLIENT",
    "TALLY_CWD",
    "TALLY_JSON",
];

/// The variables of something that happened, in the order of [`VARIABLES`]. `seq` is its own number: the same for every
/// command that runs for it, and never that of another.
#[must_use]
pub fn variables(happening: &Happening, seq: u64) -> Vec<(&'static str, String)> {
    let (place, agent) = (&happening.place, &happening.agent);
    let (command, theme, tree) = (&happening.command, &happening.theme, &happening.worktree);
    // For these alone a status or a duration of 0 says something: it is empty elsewhere.
    let finished = |number: String| match happening.event {
        HookEvent::AfterCommandFinished => number,
        _ => String::new(),
    };
    let values = [
        happening.event.word().to_owned(),
        seq.to_string(),
        text(place.mux),
        place.server.clone(),
        place.mux_session.clone(),
        text(place.window),
        place.window_name.clone(),
        text(place.pane),
        place.workspace.to_string(),
        place.workspace_before.to_string(),
        place.layout.clone(),
        place.width.to_string(),
        place.height.to_string(),
        text(agent.session),
        text(agent.state),
        text(agent.before),
        text(agent.harness.as_ref()),
        agent.message.clone(),
        command.line.clone(),
        finished(text(command.exit)),
        finished(text(command.ms)),
        theme.id.clone(),
        theme.background.clone(),
        u8::from(theme.light).to_string(),
        tree.path.clone(),
        tree.branch.clone(),
        tree.repo_root.clone(),
        u8::from(tree.created_branch).to_string(),
        happening.settle_reason.clone(),
        place.client.clone(),
        place.folder.clone(),
        document(happening, seq),
    ];
    // An environment cannot hold a zero byte, and one of them would keep the command from being run at all.
    VARIABLES
        .into_iter()
        .zip(values.map(|value| value.replace('\0', "")))
        .collect()
}

/// The whole of it as one JSON object in one line.
fn document(happening: &Happening, seq: u64) -> String {
    let (place, agent) = (&happening.place, &happening.agent);
    json!({
        "schema": 1,
        "event": happening.event,
        "seq": seq,
        "at_ms": happening.at.ms(),
        "place": place,
        "agent": agent,
        "command": happening.command,
        "theme": happening.theme,
        "worktree": happening.worktree,
        "settle_reason": happening.settle_reason,
    })
    .to_string()
}

fn text(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

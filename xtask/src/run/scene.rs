//! The turn that is rehearsed, as data.

/// What happens in a scene.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Act {
    /// Nothing: the person is in another window and no agent was started.
    Nothing,
    /// The person types `claude` into a shell and goes to another window.
    Launch,
    /// The agent reports a recorded payload.
    Report(&'static str),
    /// The person looks at the agent's window, long enough to have read it, and leaves it.
    LookAndLeave,
    /// The person ends the agent.
    Quit,
}

/// One act and the state that must then show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) caption: &'static str,
    pub(super) act: Act,
    pub(super) state: &'static str,
}

pub(super) const SCENES: &[Scene] = &[
    Scene {
        caption: "two shells, no agent",
        act: Act::Nothing,
        state: "none",
    },
    Scene {
        caption: "claude starts",
        act: Act::Launch,
        state: "idle",
    },
    Scene {
        caption: "a prompt is sent",
        act: Act::Report("UserPromptSubmit"),
        state: "working",
    },
    Scene {
        caption: "it wants to run a tool",
        act: Act::Report("PreToolUse"),
        state: "working",
    },
    Scene {
        caption: "it asks for permission",
        act: Act::Report("PermissionRequest"),
        state: "blocked",
    },
    Scene {
        caption: "permission is given and the tool has run",
        act: Act::Report("PostToolUse"),
        state: "working",
    },
    Scene {
        caption: "the turn is over",
        act: Act::Report("Stop"),
        state: "done",
    },
    Scene {
        caption: "its window is looked at and left",
        act: Act::LookAndLeave,
        state: "idle",
    },
    Scene {
        caption: "claude is ended",
        act: Act::Quit,
        state: "none",
    },
];

/// The payloads that the scenes report.
pub(super) fn payloads() -> Vec<&'static str> {
    let name = |scene: &Scene| match scene.act {
        Act::Report(name) => Some(name),
        Act::Nothing | Act::Launch | Act::LookAndLeave | Act::Quit => None,
    };
    SCENES.iter().filter_map(name).collect()
}

//! Agents other than Claude Code in a pane: installed from npm, answered by the stub model, driven by keys.

pub mod codex;
pub mod opencode;
pub mod pi;
pub mod qwen;

use std::time::Duration;

use crate::pane::Pane;
use crate::wait::{LIMIT, poll, wait_until, wait_until_steady};

/// How long a prompt must be shown before Enter: a burst that ends in Enter is taken for a paste.
const TYPED: Duration = Duration::from_millis(500);

/// How long an agent may take to take a prompt after Enter.
const TAKEN: Duration = Duration::from_secs(2);

/// Types a prompt, and presses Enter until the screen shows that it was taken.
pub fn prompt(pane: &Pane, text: &str, is_taken: impl Fn(&str) -> bool) {
    pane.type_text(text);
    let is_shown = || !is_taken(&pane.capture());
    wait_until_steady("the prompt to be shown", TYPED, is_shown, || pane.capture());
    press_until(pane, "Enter", is_taken);
}

/// Presses a key until the screen is as wanted: agents drop what is typed in the first moments of a dialog.
pub fn press_until(pane: &Pane, key: &str, wanted: impl Fn(&str) -> bool) {
    let pressed = || {
        pane.press([key]);
        poll(TAKEN, || wanted(&pane.capture()).then_some(()))
    };
    wait_until("the key to be taken", LIMIT, pressed, || pane.capture());
}

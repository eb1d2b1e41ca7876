//! Makes a pane for a command, or puts a command in the place of a pane.

use session_core::PaneId;

use crate::error::ZellijError;
use crate::look::list;
use crate::zellij::{Address, DEADLINE};

/// Makes a tab with a command in it, and finds its pane. Blocking.
///
/// # Errors
/// When the session is not there, does not answer in time, or refuses.
pub fn open_tab(
    session: &Address,
    name: Option<&str>,
    argv: &[&str],
    unfocused: bool,
) -> Result<PaneId, ZellijError> {
    let mut words = vec!["new-tab", "--close-on-exit"];
    if unfocused {
        words.push("--no-focus");
    }
    if let Some(name) = name {
        words.extend(["--name", name]);
    }
    words.push("--");
    words.extend(argv);
    let printed = session.action(&words, DEADLINE)?;
    let printed = String::from_utf8_lossy(&printed);
    let tab: u32 = printed
        .trim()
        .parse()
        .map_err(|_| odd("the new tab", &printed))?;
    let layout = list(session, DEADLINE)?;
    let pane = layout.panes.iter().find(|pane| pane.tab.0 == tab);
    pane.map(|pane| pane.id)
        .ok_or_else(|| odd("a tab without a pane", &printed))
}

/// Ends what runs in a pane and starts a command in its place, in a pane of another number, which zellij does not tell
/// (0.45.1). Blocking.
///
/// # Errors
/// When the session is not there, does not answer in time, or refuses.
pub fn replace(session: &Address, pane: PaneId, argv: &[&str]) -> Result<(), ZellijError> {
    let old = format!("terminal_{}", pane.0);
    let mut words = vec![
        "new-pane",
        "--in-place",
        "--close-replaced-pane",
        "--close-on-exit",
        "--pane-id",
        &old,
        "--",
    ];
    words.extend(argv);
    session.action(&words, DEADLINE).map(drop)
}

fn odd(what: &str, printed: &str) -> ZellijError {
    let printed = session_core::view::clean(printed, 80);
    ZellijError::Answer(format!("{what}: {printed:?}"))
}

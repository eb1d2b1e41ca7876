//! What `tally list --json` tells, by pane.

use serde_json::Value;

use crate::wait::{LIMIT, wait_until};
use crate::world::World;

/// The live sessions.
#[must_use]
pub fn sessions(world: &World) -> Vec<Value> {
    array(world, "sessions")
}

/// The session in a pane, by the pane's id; `None` where there is none.
#[must_use]
pub fn session_in(world: &World, pane: &str) -> Option<Value> {
    let is_there = |session: &Value| session["pane"]["pane_id"] == pane;
    sessions(world).into_iter().find(is_there)
}

/// Why the last session in a pane ended.
#[must_use]
pub fn end_in(world: &World, pane: &str) -> Option<String> {
    let ended = array(world, "ended");
    let last = ended
        .iter()
        .find(|session| session["pane"]["pane_id"] == pane)?;
    last["why"].as_str().map(str::to_owned)
}

/// Waits until the session in a pane has a state, and returns it.
///
/// # Panics
///
/// When it does not get that state.
pub fn wait_for_state(world: &World, pane: &str, state: &str) -> Value {
    wait_until(
        &format!("{state} in {pane}"),
        LIMIT,
        || session_in(world, pane).filter(|session| session["state"] == state),
        || format!("{:#?}", sessions(world)),
    )
}

fn array(world: &World, name: &str) -> Vec<Value> {
    let list = world.tally_json(&["list", "--json"]);
    list[name].as_array().expect("an array").clone()
}

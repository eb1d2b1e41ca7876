//! What the bridge publishes: the states of a server's panes and their rollups, in tmux user options.
//!
//! A format shows an option without starting a process, and tmux repaints by itself when it changes (facts §7).
//! Every change of an option makes every client redraw, so options are written only when they change, and all of one
//! step in one batch.
//!
//! # The options
//!
//! In a debug build `@tally_` reads `@tally_dev_`. `STATE` is `blocked`, `error`, `working`, `done`, `running`,
//! `idle` or `unknown`; `KIND` is a blocked or an error kind; times are in seconds since the Unix epoch.
//!
//! | scope | option | value |
//! |---|---|---|
//! | pane | `@tally_state`, `@tally_pane` | the pane's `STATE` |
//! | | `@tally_since` | since when |
//! | | `@tally_kind` | `KIND` |
//! | | `@tally_agent` | the agent's name |
//! | window | `@tally_state`, `@tally_window` | the most urgent `STATE` of its panes |
//! | | `@tally_window_since`, `@tally_window_kind` | of the pane it comes from |
//! | mux session | `@tally_state`, `@tally_session` | the most urgent `STATE` of its panes |
//! | | `@tally_session_blocked`, `…_error`, `…_working`, `…_done`, `…_running`, `…_idle` | counts |
//! | global | `@tally_state`, `@tally_server` | the most urgent `STATE` of the server |
//! | | `@tally_blocked`, `…_error`, `…_working`, `…_done`, `…_running`, `…_idle` | counts of the server |
//! | | `@tally_blocked_since` | since when the longest blocked pane is blocked |
//! | | `@tally_machine_blocked`, `…_error`, … | counts of the machine: all servers together |
//!
//! State `none`, and whatever belongs to it, is unset; the global counts are `0`, which tells a server without agents
//! from one that nobody follows.
//!
//! # Why each scope has a name of its own
//!
//! A format looks for an option in the pane, then the window, the mux session and the server (facts §7). In a window's
//! format `#{@tally_state}` is therefore the state of its *active pane*, and in the format of a pane without an agent
//! it is that of its *window*. A format that means one scope uses that scope's own name.
//!
//! # What is never published
//!
//! No text from an agent, no title and no path: a value in an option can end up in a place that tmux expands, and
//! expanding runs commands (facts §8). All values here are words of closed sets and numbers.
//!
//! # What is left behind
//!
//! A pane's options survive `respawn-pane`, and a daemon that was killed leaves all of them. A bridge that begins to
//! follow a server therefore reads what is set and treats that as its own last word; one that ends unsets everything.

mod change;
mod leftovers;
mod wanted;

pub use change::{Change, Published, changes};
pub use leftovers::{leftovers, read_leftovers};
pub use wanted::wanted;

use std::collections::BTreeSet;

use session_core::ServerView;

use crate::options::{Scope, option_name};

const STATE: &str = option_name!("state");
pub(crate) const PANE: &str = option_name!("pane");
const SINCE: &str = option_name!("since");
const KIND: &str = option_name!("kind");
const AGENT: &str = option_name!("agent");
pub(crate) const WINDOW: &str = option_name!("window");
pub(crate) const WINDOW_SINCE: &str = option_name!("window_since");
const WINDOW_KIND: &str = option_name!("window_kind");
const SESSION: &str = option_name!("session");
const SERVER: &str = option_name!("server");
const BLOCKED_SINCE: &str = option_name!("blocked_since");

/// The names of the counts of one scope, in the order of [`COUNTED`].
type CountNames = [&'static str; 6];

/// The states that are counted.
pub(crate) const COUNTED: [session_core::State; 6] = {
    use session_core::State;
    [
        State::Blocked,
        State::Error,
        State::Working,
        State::Done,
        State::Running,
        State::Idle,
    ]
};

const SESSION_COUNTS: CountNames = [
    option_name!("session_blocked"),
    option_name!("session_error"),
    option_name!("session_working"),
    option_name!("session_done"),
    option_name!("session_running"),
    option_name!("session_idle"),
];

pub(crate) const SERVER_COUNTS: CountNames = [
    option_name!("blocked"),
    option_name!("error"),
    option_name!("working"),
    option_name!("done"),
    option_name!("running"),
    option_name!("idle"),
];

pub(crate) const MACHINE_COUNTS: CountNames = [
    option_name!("machine_blocked"),
    option_name!("machine_error"),
    option_name!("machine_working"),
    option_name!("machine_done"),
    option_name!("machine_running"),
    option_name!("machine_idle"),
];

/// All names.
fn names() -> impl Iterator<Item = &'static str> {
    [
        STATE,
        PANE,
        SINCE,
        KIND,
        AGENT,
        WINDOW,
        WINDOW_SINCE,
        WINDOW_KIND,
        SESSION,
        SERVER,
        BLOCKED_SINCE,
    ]
    .into_iter()
    .chain(SESSION_COUNTS)
    .chain(SERVER_COUNTS)
    .chain(MACHINE_COUNTS)
}

/// Everything on the server that can have an option.
fn scopes(view: &ServerView) -> BTreeSet<Scope> {
    let mut scopes = BTreeSet::from([Scope::Global]);
    for pane in &view.panes {
        scopes.extend(
            pane.mux_sessions
                .iter()
                .map(|(id, _)| Scope::MuxSession(*id)),
        );
        scopes.extend([Scope::Window(pane.window), Scope::Pane(pane.pane)]);
    }
    scopes
}

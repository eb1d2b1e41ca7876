//! What the model is told, and what it wants done.

use crossterm::event::{KeyEvent, MouseEvent};
use session_core::SessionId;

use super::detail::Detail;
use super::fleet::Fleet;

/// What the model is told.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A key.
    Key(KeyEvent),
    /// A click or a turn of the wheel.
    Mouse(MouseEvent),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// How things are now.
    Fleet(Box<Fleet>),
    /// More about one session.
    Detail(Box<Detail>),
    /// A line for the person.
    Note(String),
    /// Time has passed.
    Tick,
}

/// What becomes of a session's place among those that need the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PutAway {
    /// It is settled.
    Settle,
    /// It is snoozed for so many milliseconds.
    Snooze(i64),
    /// It is taken back.
    Back,
}

/// What the model wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Show the session's pane to the person.
    Go(SessionId),
    /// Acknowledge this turn of the session.
    Acknowledge(SessionId, u64),
    /// Settle, snooze or take back a session.
    PutAway(SessionId, PutAway),
    /// Put a text on the clipboard.
    Copy(String),
    /// Tell more about this session from now on, or about none.
    Watch(Option<SessionId>),
    /// Give the terminal back and stop, as Ctrl-Z asks.
    Suspend,
    /// End.
    Quit,
}

//! What comes in.

use session_core::PaneId;

use crate::layout::{Panes, Tab};
use crate::list::Move;
use crate::mode::Mode;

/// Something that zellij tells the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The person granted or denied what was asked.
    Permission(bool),
    /// All terminal panes.
    Panes(Panes),
    /// All tabs, by position.
    Tabs(Vec<Tab>),
    /// Input mode, session name or theme.
    Mode(Box<Mode>),
    /// A terminal pane was closed.
    Closed(PaneId),
    /// A timer ran out.
    Timer,
    /// The plugin's pane is shown, or not any more.
    Visible(bool),
    /// The person clicked.
    Click(Click),
    /// The person turned the wheel.
    Scroll(Scroll),
    /// The person pressed a key in the list.
    Key(Key),
    /// A line came by a pipe, or a pipe has ended.
    Message(Message),
}

impl Event {
    /// Whether zellij tells this only to those who may know it. In a session that was started in the background it does not say
    /// that it has granted what was asked.
    pub(super) const fn proves_permission(&self) -> bool {
        matches!(
            self,
            Self::Panes(_) | Self::Tabs(_) | Self::Mode(_) | Self::Closed(_)
        )
    }
}

/// A click, by line and column of the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Click {
    /// The line, from 0.
    pub line: usize,
    /// The column, from 0.
    pub column: usize,
}

/// A turn of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scroll {
    /// Away from the person.
    Up,
    /// Towards the person.
    Down,
}

/// A key of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Choose another line.
    Step(Move),
    /// Go to the chosen session.
    Go,
    /// Close the list.
    Close,
}

/// What comes by a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The pipe's name; those of others are not ours to read.
    pub name: String,
    /// The id of a pipe that a process holds.
    pub pipe: Option<String>,
    /// The line; none when the pipe has ended.
    pub payload: Option<String>,
}

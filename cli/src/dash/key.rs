//! The keys, in one table: what each does, and what the help says of it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Move the cursor by so many rows.
    Move(isize),
    /// Move it by a screen, down or up.
    Page(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// Show the session's pane.
    Go,
    /// To the next session that is blocked.
    NextBlocked,
    /// Acknowledge the session's turn.
    Acknowledge,
    /// Settle the session, or take it back.
    Settle,
    /// Snooze it for an hour.
    Snooze,
    /// Copy the session's id.
    Copy,
    /// Type a filter.
    Filter,
    /// Group by the other thing.
    Group,
    /// Show or hide the details.
    Detail,
    /// Show or hide the keys.
    Help,
    /// Let go of what is open: the help, the filter, the cursor, the picker.
    Back,
    /// Stop, as Ctrl-Z asks.
    Suspend,
    /// End.
    Quit,
}

/// The keys as the help shows them.
pub(crate) const HELP: [(&str, &str); 14] = [
    ("enter", "go to the agent's pane"),
    ("n", "next blocked agent"),
    ("up down j k", "move; the order rests while you do"),
    ("pgup pgdn home end", "move further"),
    ("/", "filter; esc clears it"),
    ("a", "acknowledge: done becomes idle"),
    ("s z", "settle; snooze 1 h"),
    ("y", "copy the session's id"),
    ("g", "group by urgency or by repository"),
    ("space", "details: why, history, screen"),
    ("click, again, wheel", "choose, go, move"),
    ("?", "these keys"),
    ("ctrl-z", "suspend"),
    ("q", "quit"),
];

/// What a key asks for while no filter is typed.
pub(crate) fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Some(Action::Quit),
            KeyCode::Char('z') => Some(Action::Suspend),
            KeyCode::Char('n') => Some(Action::Move(1)),
            KeyCode::Char('p') => Some(Action::Move(-1)),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Down | KeyCode::Char('j') => Action::Move(1),
        KeyCode::Up | KeyCode::Char('k') => Action::Move(-1),
        KeyCode::PageDown => Action::Page(1),
        KeyCode::PageUp => Action::Page(-1),
        KeyCode::Home => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Enter => Action::Go,
        KeyCode::Char('n') => Action::NextBlocked,
        KeyCode::Char('a') => Action::Acknowledge,
        KeyCode::Char('s') => Action::Settle,
        KeyCode::Char('z') => Action::Snooze,
        KeyCode::Char('y') => Action::Copy,
        KeyCode::Char('/') => Action::Filter,
        KeyCode::Char('g') => Action::Group,
        KeyCode::Char(' ') | KeyCode::Tab => Action::Detail,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        KeyCode::Esc => Action::Back,
        _ => return None,
    })
}

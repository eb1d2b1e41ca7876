//! What is said of a session, in words for its person.

use session_core::view::clean;
use session_core::{BlockedKind, ErrorKind, SessionView, State};

use crate::output::{message, state_text, who};
use session_host::config::Look;

/// The longest sentence, in graphemes.
const LONGEST: usize = 400;

/// The lamp and the state, with what it waits for; where there is little room, what it waits for alone.
pub(super) fn state(view: &SessionView, look: &Look, short: bool) -> String {
    let long = state_text(view, look);
    if !short {
        return long;
    }
    match long.split_once(" (") {
        Some((head, kind)) => {
            let lamp = head.split(' ').next().unwrap_or_default();
            format!("{lamp} {}", kind.trim_end_matches(')'))
        }
        None => long,
    }
}

/// Who it is and what it wants, in a sentence.
pub(super) fn sentence(view: &SessionView) -> String {
    let does = match view.state {
        State::Blocked => match view.blocked_kind {
            Some(BlockedKind::Permission) => "waits for your permission",
            Some(BlockedKind::Question) => "waits for your answer",
            Some(BlockedKind::Auth) => "waits for you to log in",
            None => "waits for you",
        }
        .to_owned(),
        State::Error => match view.error_kind {
            Some(kind) => format!("has failed ({})", ErrorKind::word(kind)),
            None => "has failed".to_owned(),
        },
        State::Working => "is at work".to_owned(),
        State::Done => "has finished, and you have not looked yet".to_owned(),
        State::Running => "runs, and reports nothing".to_owned(),
        State::Idle => "waits for a prompt".to_owned(),
        State::Unknown => "cannot be judged".to_owned(),
        State::None => "is gone".to_owned(),
    };
    let said = message(view);
    let said = if said.is_empty() {
        "".to_owned()
    } else {
        format!(": {said}")
    };
    clean(&format!("{} {does}{said}", who(view)), LONGEST)
}

/// The turn, and what is in flight in it; empty before the first turn.
pub(super) fn flight(view: &SessionView) -> String {
    if view.turn == 0 {
        return String::new();
    }
    let mut text = format!("{}", view.turn);
    if view.tools > 0 {
        text.push_str(&format!(" {}t", view.tools));
    }
    if view.subagents > 0 {
        text.push_str(&format!(" {}s", view.subagents));
    }
    text
}

//! Who waits for the person.

use session_core::view::age;
use session_core::wire::{Lamp, Top};
use session_core::{ErrorKind, Mux, State};

use super::scene::Scene;
use crate::paint::{Row, Target, columns, cut};
use crate::settings::Part;

/// How much is said of the one who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attention {
    /// Who, for what, for how long, and what it says if there is room.
    Message,
    /// Who, for what and for how long.
    Reason,
    /// Who and for how long.
    Name,
    /// For how long.
    Age,
}

/// The least room for a message that is worth its while.
const LEAST_MESSAGE: usize = 12;
const BEFORE_MESSAGE: &str = " · ";

/// The session that waits most, of this mux session before those of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting<'s> {
    lamp: &'s Lamp,
    top: Option<&'s Top>,
}

pub(super) fn waiting<'s>(scene: &Scene<'s>) -> Option<Waiting<'s>> {
    let picture = scene.picture.ok()?;
    if !scene.settings.shows(Part::Attention) {
        return None;
    }
    let first = |states: &[State]| {
        let here = picture
            .sessions
            .iter()
            .find(|lamp| states.contains(&lamp.state) && scene.layout.holds(lamp));
        let here = here.map(|lamp| Waiting { lamp, top: None });
        let there = picture
            .top
            .as_ref()
            .filter(|top| states.contains(&top.lamp.state));
        here.or_else(|| {
            there.map(|top| Waiting {
                lamp: &top.lamp,
                top: Some(top),
            })
        })
    };
    first(&[State::Blocked])
        .or_else(|| first(&[State::Error]))
        .or_else(|| first(&[State::Done]))
}

impl Waiting<'_> {
    /// Since when, in milliseconds since the Unix epoch.
    pub(super) const fn since_ms(&self) -> i64 {
        self.lamp.since_ms
    }

    /// Whether all that this length promises has room in the columns that are left.
    pub(super) fn fits(&self, attention: Attention, spare: usize) -> bool {
        attention != Attention::Message
            || self.lamp.message.is_none()
            || message_room(spare) >= LEAST_MESSAGE
    }

    pub(super) fn draw(&self, scene: &Scene<'_>, attention: Attention, spare: usize) -> Row {
        let look = scene.look;
        let state = self.lamp.state;
        let style = look.lamp(state);
        let target = self.target();
        let age = age(scene.now_ms.saturating_sub(self.lamp.since_ms));
        let name = cut(self.lamp.title(), 16);
        let glyph = look.glyph(state);
        let text = match attention {
            Attention::Message | Attention::Reason => {
                let (reason, place) = (reason(self.lamp), self.place());
                let room = spare.saturating_sub(columns(BEFORE_MESSAGE));
                let message = self
                    .lamp
                    .message
                    .as_deref()
                    .filter(|_| attention == Attention::Message && room >= LEAST_MESSAGE);
                let message = message.map_or_else(String::new, |message| {
                    format!("{BEFORE_MESSAGE}{}", cut(message, room))
                });
                format!("{glyph} {name}{reason} {age}{place}{message}")
            }
            Attention::Name => format!("{glyph} {name} {age}"),
            Attention::Age => format!("{glyph} {age}"),
        };
        let mut row = Row::new();
        row.push(format!(" {text} "), style, Some(&target));
        row
    }

    fn place(&self) -> String {
        match self.top {
            Some(top) if !top.mux_session.is_empty() => {
                format!(" in {}", cut(&top.mux_session, 16))
            }
            _ => String::new(),
        }
    }

    fn target(&self) -> Target {
        let pane = self.lamp.pane;
        match self.top {
            None => Target::Pane(pane),
            Some(top) if top.mux == Some(Mux::Zellij) => Target::Away {
                session: top.mux_session.clone(),
                pane,
            },
            Some(top) => Target::Beyond {
                server_pid: top.server_pid,
                pane,
            },
        }
    }
}

fn message_room(spare: usize) -> usize {
    spare.saturating_sub(columns(BEFORE_MESSAGE))
}

/// What a session waits for or failed at, with a blank before it.
pub(crate) fn reason(lamp: &Lamp) -> String {
    let word = match (lamp.state, lamp.kind, lamp.error) {
        (State::Blocked, Some(kind), _) => kind.word(),
        (State::Error, _, Some(ErrorKind::RateLimit)) => "rate limit",
        (State::Error, _, Some(kind)) if kind != ErrorKind::Other => kind.word(),
        (state, ..) => state.word(),
    };
    format!(" {word}")
}

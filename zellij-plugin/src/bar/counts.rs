//! The right end: how many sessions are in each state, here and on the whole machine.

use session_core::State;
use session_core::view::{Segment, summary};
use session_core::wire::Tally;

use super::scene::{Doubt, Scene};
use crate::paint::{Row, columns};
use crate::settings::Part;

/// What a text about nothing may take beyond the room for counts: its glyph and a blank.
const MARGIN: usize = 2;

/// How much of the right end is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Whether this mux session's counts may have words.
    pub(super) words: bool,
    /// The most columns for this mux session.
    pub(super) here: usize,
    /// The most columns for the machine.
    pub(super) machine: usize,
}

pub(super) fn counts(scene: &Scene<'_>, room: Counts) -> Row {
    if !scene.settings.shows(Part::Counts) {
        return Row::new();
    }
    let picture = match scene.picture {
        Ok(picture) => picture,
        Err(doubt) => return doubtful(scene, doubt, room),
    };
    let here = tally(scene, picture.mux_session, room.here, room.words);
    // The machine is shown where it has more to tell.
    let machine = if picture.machine == picture.mux_session {
        Row::new()
    } else {
        tally(scene, picture.machine, room.machine, false)
    };
    let mut row = Row::new();
    let label = scene.look.text().dim();
    if !machine.is_empty() {
        row.append(here);
        row.push(if row.is_empty() { " all " } else { "· all " }, label, None);
        row.append(machine);
    } else {
        row.append(here);
    }
    row
}

/// Each state with a blank after it.
fn tally(scene: &Scene<'_>, tally: Tally, max: usize, words: bool) -> Row {
    let look = scene.look;
    let counts = tally.into();
    let segments = if words {
        summary(&counts, scene.urgency(), look.glyphs(), max)
    } else {
        numbers(scene, &counts)
    };
    let mut row = Row::new();
    for segment in segments {
        // The least urgent are given up first.
        if row.width() + columns(&segment.text) > max {
            break;
        }
        row.push(segment.text, look.letters(segment.state), None);
        row.push(" ", look.text(), None);
    }
    row
}

/// Glyph and number of each state, as in the shorter form of the core's summary.
fn numbers(scene: &Scene<'_>, counts: &session_core::Counts) -> Vec<Segment> {
    let states = scene.urgency().iter().copied();
    states
        .filter(|state| counts.of(*state) > 0)
        .map(|state| Segment {
            state,
            text: format!("{}{}", scene.look.glyph(state), counts.of(state)),
        })
        .collect()
}

fn doubtful(scene: &Scene<'_>, doubt: Doubt, room: Counts) -> Row {
    let look = scene.look;
    let glyph = look.glyph(State::Unknown);
    let words = doubt.words();
    let cured = doubt.cure().map(|cure| format!("{glyph} {words}: {cure} "));
    let texts = [cured, Some(format!("{glyph} {words} "))];
    let mut fitting = texts.into_iter().flatten();
    let text = fitting
        .find(|text| columns(text) <= room.here + MARGIN)
        .unwrap_or_else(|| format!("{glyph} "));
    let mut row = Row::new();
    row.push(text, look.letters(State::Unknown), None);
    row
}

//! The keys, and what the lamps mean.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use session_core::State;
use session_core::view::glyph;

use super::super::key::HELP;
use super::super::model::Model;
use super::palette::{BOLD, DIM, of_state};
use super::pen::Pen;

const LAMPS: [(State, &str); 7] = [
    (State::Blocked, "waits for you"),
    (State::Error, "the turn has failed"),
    (State::Working, "a turn is open"),
    (State::Done, "finished, not looked at yet"),
    (State::Running, "runs, reports nothing"),
    (State::Idle, "waits for a prompt"),
    (State::Unknown, "no evidence now"),
];

/// The least width at which the lamps stand beside the keys.
const BESIDE: u16 = 88;

/// Draws the keys and the lamps.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let first = u16::from(area.height > 16);
    for (row, (key, does)) in (first..).zip(HELP) {
        let Some(mut pen) = Pen::at(area, row, buffer) else {
            break;
        };
        pen.skip(2);
        pen.cell(key, 19, BOLD);
        pen.skip(1);
        pen.put(does, Style::new());
    }
    let keys = u16::try_from(HELP.len()).unwrap_or(0);
    let lamps = if area.width >= BESIDE {
        Rect {
            x: area.x + BESIDE * 5 / 8,
            width: area.width - BESIDE * 5 / 8,
            ..area
        }
    } else {
        let skip = (first + keys + 1).min(area.height);
        Rect {
            y: area.y + skip,
            height: area.height - skip,
            ..area
        }
    };
    for (row, (state, means)) in (first..).zip(LAMPS) {
        let Some(mut pen) = Pen::at(lamps, row, buffer) else {
            break;
        };
        pen.skip(2);
        let lamp = format!("{} {state}", glyph(model.look.glyphs, state));
        pen.cell(&lamp, 11, of_state(state, &model.look, model.colour));
        pen.put(means, DIM);
    }
}

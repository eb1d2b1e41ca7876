//! The first line: how many agents are in each state.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use session_core::view::{summary, width};

use super::super::model::{Face, Model};
use super::super::order::Grouping;
use super::palette::{BOLD, DIM, of_state};
use super::pen::Pen;

/// Draws the counts, and at the right what is chosen to be shown.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let right = right(model);
    let Some(mut pen) = Pen::at(area, 0, buffer) else {
        return;
    };
    let wide = pen.left() >= 60 && model.face == Face::Dash;
    if wide {
        pen.put("tally", BOLD);
        pen.skip(2);
    }
    let room = pen.left();
    let segments = summary(&model.fleet.counts, &model.urgency, model.look.glyphs, room);
    if segments.is_empty() {
        pen.put("no agents", DIM);
    }
    for (index, segment) in segments.iter().enumerate() {
        if index > 0 {
            pen.skip(2);
        }
        pen.put(
            &segment.text,
            of_state(segment.state, &model.look, model.colour),
        );
    }
    let needed = width(&right);
    if !right.is_empty() && pen.left() >= needed + 2 {
        let gap = pen.left() - needed;
        pen.skip(gap);
        pen.put(&right, DIM);
    }
}

fn right(model: &Model) -> String {
    let mut parts = Vec::new();
    if model.fleet.daemon == Some(false) {
        parts.push("no daemon: tally up".to_owned());
    }
    if !model.filter.text.is_empty() {
        let shown = model.placed().len();
        parts.push(format!("{shown} of {}", model.fleet.sessions.len()));
    }
    if model.grouping == Grouping::Repo {
        parts.push("by repository".to_owned());
    }
    parts.join("  ")
}

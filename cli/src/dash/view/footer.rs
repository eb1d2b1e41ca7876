//! The last lines: about the session at the cursor, and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::model::{Face, Model};
use super::palette::{BOLD, DIM, TITLE, of_state};
use super::pen::Pen;
use super::words::sentence;
use crate::output::place;

/// The keys that are told, the most useful first.
const DASH: [(&str, &str); 8] = [
    ("enter", "go"),
    ("n", "next blocked"),
    ("?", "keys"),
    ("/", "filter"),
    ("space", "details"),
    ("a", "ack"),
    ("g", "group"),
    ("q", "quit"),
];
const PICK: [(&str, &str); 5] = [
    ("enter", "go"),
    ("n", "next blocked"),
    ("/", "filter"),
    ("esc", "close"),
    ("?", "keys"),
];

/// Draws two lines about the session at the cursor.
pub(super) fn peek(model: &Model, area: Rect, buffer: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let Some(view) = model.at() else { return };
    Pen::underlay(area, 0, TITLE, buffer);
    if let Some(mut pen) = Pen::at(area, 0, buffer) {
        let style = of_state(view.state, &model.look, model.colour);
        pen.put(&sentence(view), style.patch(BOLD));
    }
    if let Some(mut pen) = Pen::at(area, 1, buffer) {
        let branch = model.fleet.branch(view);
        pen.put(&place(view, true), Style::new());
        if !branch.is_empty() {
            pen.put("  ", DIM);
            pen.put(&branch, DIM);
        }
        if let Some(cwd) = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref()) {
            pen.put("  ", DIM);
            pen.put(&session_core::view::clean(cwd, 200), DIM);
        }
    }
}

/// Draws the filter while it is typed, a note while it is new, else the keys.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(mut pen) = Pen::at(area, 0, buffer) else {
        return;
    };
    if model.filter.editing {
        pen.put("/", BOLD);
        pen.put(&model.filter.text, Style::new());
        pen.put("_", DIM);
        return;
    }
    if let Some(note) = model.note() {
        return pen.put(note, BOLD);
    }
    if !model.filter.text.is_empty() {
        pen.put("/", BOLD);
        pen.put(&model.filter.text, Style::new());
        pen.skip(3);
    }
    let keys: &[(&str, &str)] = match model.face {
        Face::Dash => &DASH,
        Face::Pick => &PICK,
    };
    for (key, does) in keys {
        if pen.left() < key.len() + does.len() + 1 {
            return;
        }
        pen.put(key, BOLD);
        pen.put(" ", DIM);
        pen.put(does, DIM);
        pen.skip(2);
    }
}

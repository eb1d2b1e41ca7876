//! The last lines: about the session at the cursor, and the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use session_core::view::width;

use super::super::model::{Face, Model};
use super::palette::{BOLD, DIM, of_state};
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
    let (first, rest) = wrapped(&sentence(view), usize::from(area.width));
    let style = of_state(view.state, &model.look, model.colour).patch(BOLD);
    if let Some(mut pen) = Pen::at(area, 0, buffer) {
        pen.put(&first, style);
    }
    let Some(mut pen) = Pen::at(area, 1, buffer) else {
        return;
    };
    // What it wants comes before where it is, which the row says as well.
    if !rest.is_empty() {
        return pen.put(&rest, style);
    }
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

/// A text's first line of so many columns, broken at a blank where there is one, and the rest.
fn wrapped(text: &str, columns: usize) -> (String, String) {
    if width(text) <= columns {
        return (text.to_owned(), String::new());
    }
    let mut end = 0;
    for (at, _) in text.match_indices(' ') {
        if text.get(..at).is_some_and(|first| width(first) <= columns) {
            end = at;
        }
    }
    match text.split_at_checked(end) {
        Some((first, rest)) if end > 0 => (first.to_owned(), rest.trim_start().to_owned()),
        _ => (text.to_owned(), String::new()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_goes_on_in_the_second_line() {
        let of = |text, columns| {
            let (first, rest) = wrapped(text, columns);
            format!("{first}|{rest}")
        };
        assert_eq!(of("one two three", 20), "one two three|");
        assert_eq!(of("one two three", 9), "one two|three");
        assert_eq!(of("日本 語", 4), "日本|語");
        assert_eq!(of("onetwothree", 4), "onetwothree|");
    }
}

//! The rows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use session_core::view::{age, glyph, summary};
use session_core::{SessionView, State};

use super::super::areas::Areas;
use super::super::fleet::repo_name;
use super::super::model::{Line, Model};
use super::super::order::Group;
use super::super::past::strip;
use super::columns::{Columns, MARK, branch, source};
use super::palette::{BOLD, CURSOR, DIM, TITLE, of_state};
use super::pen::Pen;
use super::words::{flight, state};
use crate::output::{message, place, who};

/// Draws the titles and as many rows as there is room for.
pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let table = areas.table;
    let columns = Columns::of(model, usize::from(table.width));
    if model.placed().is_empty() {
        return nothing(model, table, buffer);
    }
    titles(&columns, areas.titles, buffer);
    let at = model.at().map(|view| view.id);
    let lines = model.lines();
    for (row, line) in (0..table.height).zip(lines.iter().skip(model.top)) {
        match line {
            Line::Heading(group, count) => heading(model, group, *count, (table, row), buffer),
            Line::Row(id) => {
                if let Some(view) = model.fleet.session(*id) {
                    session(model, view, &columns, (table, row), buffer);
                }
                if at == Some(*id) {
                    mark(model.has_chosen(*id), (table, row), buffer);
                }
            }
        }
    }
}

fn nothing(model: &Model, table: Rect, buffer: &mut Buffer) {
    let lines: &[&str] = if !model.fleet.sessions.is_empty() {
        &["No agent matches.", "esc shows all of them."]
    } else {
        &[
            "No agents.",
            "Start one in a window of tmux or a tab of zellij, such as claude.",
            "It shows up here by itself; if it does not: tally doctor",
        ]
    };
    let first = if table.height > 8 { 2 } else { 0 };
    for (row, line) in (first..).zip(lines) {
        if let Some(mut pen) = Pen::at(table, row, buffer) {
            pen.skip(MARK);
            pen.put(line, if row == first { Style::new() } else { DIM });
        }
    }
}

fn titles(columns: &Columns, area: Rect, buffer: &mut Buffer) {
    Pen::underlay(area, 0, TITLE, buffer);
    let Some(mut pen) = Pen::at(area, 0, buffer) else {
        return;
    };
    pen.skip(MARK);
    let all = [
        ("STATE", columns.state),
        ("AGE", columns.age),
        ("AGENT", columns.who),
        ("PANE", columns.place),
        ("BRANCH", columns.branch),
        ("MESSAGE", columns.message),
        ("TURN", columns.flight),
        ("EVIDENCE", columns.source),
        (
            if columns.strip > 15 {
                "LAST 30 MINUTES"
            } else {
                "LAST 30 MIN"
            },
            columns.strip,
        ),
    ];
    for (title, width) in all {
        if width > 0 {
            pen.cell(title, width, TITLE);
            pen.skip(columns.gap);
        }
    }
}

fn heading(model: &Model, group: &Group, count: usize, at: (Rect, u16), buffer: &mut Buffer) {
    let Some(mut pen) = Pen::at(at.0, at.1, buffer) else {
        return;
    };
    match group {
        Group::State(state) => {
            let style = of_state(*state, &model.look, model.colour);
            pen.put(&format!("{state} {count}"), style);
        }
        Group::Away => pen.put(&format!("put away {count}"), DIM),
        Group::Repo(repo) => {
            let name = repo
                .as_deref()
                .map_or_else(|| "no repository".to_owned(), repo_name);
            pen.put(&name, BOLD);
            let rollup = repo.as_ref().and_then(|repo| model.fleet.repos.get(repo));
            let Some(rollup) = rollup else {
                return pen.put(&format!(" {count}"), DIM);
            };
            let segments = summary(
                &rollup.counts,
                &model.urgency,
                model.look.glyphs,
                pen.left().saturating_sub(2).min(24),
            );
            for segment in segments {
                pen.skip(2);
                let style = of_state(segment.state, &model.look, model.colour);
                pen.put(&segment.text, style);
            }
        }
    }
}

fn session(
    model: &Model,
    view: &SessionView,
    columns: &Columns,
    at: (Rect, u16),
    buffer: &mut Buffer,
) {
    let Some(mut pen) = Pen::at(at.0, at.1, buffer) else {
        return;
    };
    let plain = Style::new();
    let of = of_state(view.state, &model.look, model.colour);
    let urgent = matches!(view.state, State::Blocked | State::Error);
    pen.skip(MARK);
    pen.cell(&state(view, &model.look, columns.short), columns.state, of);
    pen.skip(columns.gap);
    pen.cell_right(&age(model.age_ms(view)), columns.age, DIM);
    pen.skip(columns.gap);
    pen.cell(&who(view), columns.who, if urgent { BOLD } else { plain });
    let branch = branch(&model.fleet, view);
    for (text, width, style) in [
        (place(view, columns.many), columns.place, plain),
        (branch, columns.branch, DIM),
        (
            message(view),
            columns.message,
            if urgent { BOLD } else { plain },
        ),
        (flight(view), columns.flight, DIM),
        (source(view), columns.source, DIM),
    ] {
        if width > 0 {
            pen.skip(columns.gap);
            pen.cell(&text, width, style);
        }
    }
    if columns.strip > 0 {
        pen.skip(columns.gap);
        cells(model, view, columns.strip, &mut pen);
    }
}

/// The last half hour, a lamp a cell.
fn cells(model: &Model, view: &SessionView, count: usize, pen: &mut Pen<'_>) {
    let changes = model.fleet.past.get(&view.id);
    let present = (view.state, view.state_since_ms);
    let changes = changes.map(Vec::as_slice).unwrap_or_default();
    for state in strip(changes, present, model.now_ms, count, &model.urgency) {
        let lamp = match glyph(model.look.glyphs, state) {
            "" => " ",
            lamp => lamp,
        };
        pen.put(lamp, of_state(state, &model.look, model.colour));
    }
}

/// The cursor: a mark where it only stands at the most urgent one, the whole row where somebody has chosen it.
fn mark(chosen: bool, (table, row): (Rect, u16), buffer: &mut Buffer) {
    if let Some(mut pen) = Pen::at(table, row, buffer) {
        pen.put(">", BOLD);
    }
    if chosen {
        Pen::underlay(table, row, Style::new().add_modifier(CURSOR), buffer);
    }
}

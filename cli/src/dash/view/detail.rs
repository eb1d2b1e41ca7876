//! More about the session at the cursor: why it shows what it shows, what became of it lately, and its screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use session_core::view::{age, clean};

use super::super::detail::Detail;
use super::super::model::Model;
use super::palette::{BOLD, DIM, TITLE, of_state};
use super::pen::Pen;
use super::words::sentence;
use crate::output::place;

/// The least width at which the screen stands beside the rest.
const BESIDE: u16 = 100;

type Text = Vec<(String, Style)>;

/// Draws the details.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let Some(view) = model.at() else {
        return Pen::underlay(area, 0, TITLE, buffer);
    };
    let inner = inset(area, model.size.0 > area.width);
    title(inner, 0, "", buffer);
    if let Some(mut pen) = Pen::at(inner, 0, buffer) {
        let style = of_state(view.state, &model.look, model.colour);
        pen.put(&sentence(view), style.patch(BOLD));
    }
    let Some(detail) = model.detail.as_ref().filter(|one| one.session == view.id) else {
        return;
    };
    let below = rows(inner, 1, inner.height.saturating_sub(1));
    let mut left: Vec<Text> = vec![vec![(place(view, true), Style::new())]];
    if let Some(cwd) = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref()) {
        let cwd = clean(cwd, 200);
        left.push(vec![(cwd, DIM)]);
    }
    left.extend(evidence(model, detail));
    left.extend(journal(model, detail));
    if below.width >= BESIDE {
        let half = below.width * 2 / 5;
        let (first, second) = (
            columns(below, 0, half - 2),
            columns(below, half, below.width - half),
        );
        lines(first, &left, buffer);
        screen(detail, second, buffer);
    } else {
        let wanted = u16::try_from(left.len()).unwrap_or(u16::MAX);
        let room = below.height.saturating_sub(wanted);
        // A screen of which hardly anything is seen tells nothing.
        let room = if room < 4 {
            (below.height / 2).min(6)
        } else {
            room
        };
        let first = below.height - room;
        lines(rows(below, 0, first), &left, buffer);
        screen(detail, rows(below, first, room), buffer);
    }
}

fn evidence(model: &Model, detail: &Detail) -> Vec<Text> {
    let mut all = vec![vec![(
        format!(
            "{} says so: {}",
            detail.why.source.word(),
            detail.why.reason
        ),
        Style::new(),
    )]];
    for piece in &detail.why.evidence {
        let ago = age(model.now_ms - piece.at.ms());
        let style = if piece.used { Style::new() } else { DIM };
        let why = if piece.why.is_empty() {
            String::new()
        } else {
            format!(" ({})", piece.why)
        };
        let (rank, source) = (piece.rank, piece.source.word());
        let says = clean(&format!("{}{why}", piece.says), 300);
        all.push(vec![
            (format!("  {rank} {source:<8} {ago:>3}  "), DIM),
            (says, style),
        ]);
    }
    all
}

fn journal(model: &Model, detail: &Detail) -> Vec<Text> {
    let row = |row: &super::super::detail::Row| {
        let of = |state| of_state(state, &model.look, model.colour);
        vec![
            (format!("{:>4} ago  ", age(model.now_ms - row.at_ms)), DIM),
            (row.from.to_string(), of(row.from)),
            (" to ".to_owned(), DIM),
            (row.to.to_string(), of(row.to)),
            (format!("  {}", clean(&row.reason, 200)), DIM),
        ]
    };
    detail.journal.iter().map(row).collect()
}

fn screen(detail: &Detail, area: Rect, buffer: &mut Buffer) {
    title(area, 0, "screen", buffer);
    let below = rows(area, 1, area.height.saturating_sub(1));
    match &detail.screen {
        Err(why) => lines(below, &[vec![(why.clone(), DIM)]], buffer),
        Ok(screen) => {
            // The end of a screen is where an agent asks.
            let skip = screen.len().saturating_sub(usize::from(below.height));
            let shown: Vec<Text> = screen
                .iter()
                .skip(skip)
                .map(|line| vec![(line.clone(), Style::new())])
                .collect();
            lines(below, &shown, buffer);
        }
    }
}

fn lines(area: Rect, all: &[Text], buffer: &mut Buffer) {
    for (row, line) in (0..area.height).zip(all) {
        if let Some(mut pen) = Pen::at(area, row, buffer) {
            for (text, style) in line {
                pen.put(text, *style);
            }
        }
    }
}

fn title(area: Rect, row: u16, text: &str, buffer: &mut Buffer) {
    Pen::underlay(area, row, TITLE, buffer);
    if let Some(mut pen) = Pen::at(area, row, buffer) {
        pen.put(text, TITLE);
    }
}

fn inset(area: Rect, beside: bool) -> Rect {
    if beside {
        columns(area, 2, area.width.saturating_sub(2))
    } else {
        area
    }
}

fn rows(area: Rect, from: u16, count: u16) -> Rect {
    let from = from.min(area.height);
    Rect {
        y: area.y + from,
        height: count.min(area.height - from),
        ..area
    }
}

fn columns(area: Rect, from: u16, count: u16) -> Rect {
    let from = from.min(area.width);
    Rect {
        x: area.x + from,
        width: count.min(area.width - from),
        ..area
    }
}

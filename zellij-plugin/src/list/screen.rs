//! The list as it is drawn.

use session_core::view::{age, summary};
use session_core::wire::Tally;

use super::Entry;
use crate::bar::{Scene, reason};
use crate::paint::{Row, Style, columns, cut};

/// The lines around the sessions: given up where the pane is low.
struct Frame {
    title: usize,
    blank: usize,
    said: usize,
    hints: usize,
}

impl Frame {
    const fn of(rows: usize) -> Self {
        Self {
            title: if rows > 2 { 1 } else { 0 },
            blank: if rows > 8 { 1 } else { 0 },
            said: if rows > 6 { 1 } else { 0 },
            hints: if rows > 5 { 1 } else { 0 },
        }
    }
}

/// The first session on the screen, so that the chosen one is seen.
const fn first_line(chosen: usize, count: usize, room: usize) -> usize {
    let first = chosen.saturating_sub(room / 2);
    let last_page = count.saturating_sub(room);
    if first < last_page { first } else { last_page }
}

/// The rows of the list.
#[must_use]
pub fn screen(
    scene: &Scene<'_>,
    entries: &[Entry],
    chosen: usize,
    rows: usize,
    width: usize,
) -> Vec<Row> {
    let frame = Frame::of(rows);
    let room = rows.saturating_sub(frame.title + frame.blank + frame.said + frame.hints);
    let mut screen = vec![title(scene, entries, width); frame.title];
    screen.resize(frame.title + frame.blank, Row::new());
    let first = first_line(chosen, entries.len(), room);
    for (index, entry) in entries.iter().enumerate().skip(first).take(room) {
        screen.push(line(scene, entry, index == chosen, width));
    }
    if entries.is_empty() {
        screen.push(nothing(scene));
    }
    screen.resize(rows.saturating_sub(frame.said + frame.hints), Row::new());
    if frame.said > 0 {
        screen.push(entries.get(chosen).map_or_else(Row::new, said));
    }
    screen.resize(rows, hints(scene));
    screen
        .into_iter()
        .map(|row| row.fit(width, plain()))
        .collect()
}

/// In the pane's own colours: a list stands on the terminal's ground, not on the bar's.
fn plain() -> Style {
    Style::default()
}

/// How many are in each state; the pane's frame names the list.
fn title(scene: &Scene<'_>, entries: &[Entry], width: usize) -> Row {
    let tally = Tally::of(entries.iter().map(|entry| &entry.lamp));
    let counts = tally.into();
    let look = scene.look;
    let room = width.saturating_sub(2);
    let mut row = Row::new();
    for segment in summary(&counts, scene.urgency(), look.glyphs(), room) {
        row.push(if row.is_empty() { " " } else { "  " }, plain(), None);
        row.push(segment.text, on_plain(look.letters(segment.state)), None);
    }
    row
}

fn on_plain(style: Style) -> Style {
    Style {
        bg: plain().bg,
        ..style
    }
}

fn nothing(scene: &Scene<'_>) -> Row {
    let words = match scene.picture.err() {
        None => "no agents".to_owned(),
        Some(doubt) => match doubt.cure() {
            Some(cure) => format!("{}: {cure}", doubt.words()),
            None => doubt.words().to_owned(),
        },
    };
    let mut row = Row::new();
    row.push(format!("   {words}"), plain().dim(), None);
    row
}

/// What the chosen one says, for which its line may have no room.
fn said(entry: &Entry) -> Row {
    let mut row = Row::new();
    if let Some(message) = &entry.lamp.message {
        row.push(format!("   {message}"), plain().dim(), None);
    }
    row
}

fn hints(scene: &Scene<'_>) -> Row {
    let mut row = Row::new();
    for (key, what) in [("↑↓", "choose"), ("Enter", "go"), ("q", "close")] {
        let key_style = Style {
            fg: scene.look.emphasis(0),
            ..plain()
        };
        row.push(format!(" {key}"), key_style, None);
        row.push(format!(" {what} "), plain().dim(), None);
    }
    row
}

/// The widths of a line's columns.
struct Widths {
    title: usize,
    reason: usize,
    place: usize,
    message: usize,
}

impl Widths {
    /// Message first, then place and reason give way.
    const fn of(width: usize) -> Self {
        // Mark, lamp, age and the blanks between the columns.
        let fixed = 3 + 2 + 5;
        let room = width.saturating_sub(fixed);
        let (title, reason, place) = match room {
            0..16 => (room, 0, 0),
            16..30 => (room - 11, 11, 0),
            30..50 => (14, 11, room - 25),
            _ => (16, 11, 23),
        };
        Self {
            title,
            reason,
            place,
            message: room.saturating_sub(title + reason + place),
        }
    }
}

fn line(scene: &Scene<'_>, entry: &Entry, chosen: bool, width: usize) -> Row {
    let widths = Widths::of(width);
    let lamp = &entry.lamp;
    let look = scene.look;
    let ground = if chosen { look.chosen() } else { plain() };
    let target = entry.target.as_ref();
    let mut row = Row::new();
    let mut column = |text: &str, max: usize, style: Style| {
        if max == 0 {
            return;
        }
        let text = cut(text, max.saturating_sub(1));
        let pad = max.saturating_sub(columns(&text));
        row.push(
            text,
            Style {
                bg: ground.bg,
                ..style
            },
            target,
        );
        row.push(" ".repeat(pad), ground, target);
    };
    let (state, faint) = (look.letters(lamp.state), ground.dim());
    column(if chosen { " >" } else { "" }, 3, ground);
    column(look.glyph(lamp.state), 2, state);
    column(lamp.title(), widths.title, ground.bold());
    column(reason(lamp).trim_start(), widths.reason, state);
    let age = age(scene.now_ms.saturating_sub(lamp.since_ms));
    column(&format!("{age:>4}"), 5, ground);
    column(&entry.place, widths.place, ground);
    let message = lamp.message.as_deref().unwrap_or_default();
    column(message, widths.message, faint);
    row
}

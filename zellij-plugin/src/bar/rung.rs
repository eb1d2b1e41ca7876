//! The ladder from the richest bar to the poorest.

use super::attention::{Attention, waiting};
use super::counts::{Counts, counts};
use super::head::{Head, head};
use super::scene::Scene;
use super::tabs::{Tabs, tabs};
use crate::paint::Row;

/// One combination of lengths.
struct Rung(Head, Tabs, Option<Attention>, Counts);

const fn room(here: usize, machine: usize) -> Counts {
    Counts {
        words: false,
        here,
        machine,
    }
}

const WORDS: Counts = Counts {
    words: true,
    here: 48,
    machine: 24,
};

const LADDER: [Rung; 19] = {
    use Attention::{Age, Message, Name, Reason};
    use Tabs::{Names, Numbers, Window};
    [
        Rung(Head::Full, Tabs::Counts, Some(Message), WORDS),
        Rung(Head::Full, Tabs::Counts, Some(Message), room(20, 14)),
        Rung(Head::Full, Names(24), Some(Message), room(20, 14)),
        Rung(Head::Mode, Names(16), Some(Message), room(20, 14)),
        Rung(Head::Full, Tabs::Counts, Some(Reason), WORDS),
        Rung(Head::Full, Names(24), Some(Reason), room(20, 14)),
        Rung(Head::Mode, Names(24), Some(Reason), room(20, 14)),
        Rung(Head::Mode, Names(16), Some(Name), room(20, 14)),
        Rung(Head::Mode, Names(16), Some(Name), room(16, 0)),
        Rung(Head::Letters, Names(12), Some(Name), room(16, 0)),
        Rung(Head::Letters, Names(8), Some(Name), room(11, 0)),
        Rung(Head::Mode, Numbers(24), Some(Message), room(20, 14)),
        Rung(Head::Letters, Numbers(16), Some(Reason), room(16, 0)),
        Rung(Head::Letters, Numbers(12), Some(Name), room(7, 0)),
        Rung(Head::Letters, Numbers(8), Some(Name), room(0, 0)),
        Rung(Head::Letters, Window(8), Some(Name), room(0, 0)),
        Rung(Head::Letters, Window(0), Some(Name), room(0, 0)),
        Rung(Head::Letters, Window(0), Some(Age), room(0, 0)),
        Rung(Head::Gone, Window(0), Some(Age), room(0, 0)),
    ]
};

/// The bar, exactly as wide as asked.
#[must_use]
pub fn bar(scene: &Scene<'_>, columns: usize) -> Row {
    let fitting = LADDER.iter().find_map(|rung| climb(scene, rung, columns));
    let row = fitting.unwrap_or_else(|| {
        let mut row = head(scene, Head::Letters);
        row.append(tabs(scene, Tabs::Window(0), columns));
        row
    });
    row.fit(columns, scene.look.text())
}

/// The bar of one rung, if it fits.
fn climb(scene: &Scene<'_>, rung: &Rung, columns: usize) -> Option<Row> {
    let Rung(head_detail, tabs_detail, attention, counts_room) = *rung;
    let waiting = waiting(scene).zip(attention);
    let mut row = head(scene, head_detail);
    let counts = counts(scene, counts_room);
    let called = waiting.map_or(0, |(waiting, attention)| {
        waiting.draw(scene, attention, 0).width()
    });
    // A blank on each side of the call, unless it is the last.
    let after = usize::from(called > 0 && !counts.is_empty());
    let gaps = usize::from(called > 0) + after;
    let taken = row.width() + counts.width() + called + gaps;
    row.append(tabs(scene, tabs_detail, columns.checked_sub(taken)?));
    let taken = row.width() + counts.width() + called + gaps;
    let spare = columns.checked_sub(taken)?;
    if waiting.is_some_and(|(waiting, attention)| !waiting.fits(attention, spare)) {
        return None;
    }
    let call = waiting.map(|(waiting, attention)| waiting.draw(scene, attention, spare));
    let blank = scene.look.text();
    let right = counts.width() + call.as_ref().map_or(0, |call| call.width() + after);
    row.fill(columns.saturating_sub(right), blank);
    if let Some(call) = call {
        row.append(call);
        row.push(" ".repeat(after), blank, None);
    }
    row.append(counts);
    Some(row)
}

/// Since when the session is in its state whose age the bar shows.
#[must_use]
pub fn shown_since(scene: &Scene<'_>) -> Option<i64> {
    waiting(scene).map(|waiting| waiting.since_ms())
}

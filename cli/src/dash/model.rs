//! What is shown, and what the person has chosen.

use std::collections::HashMap;

use session_core::{SessionId, SessionView, State};
use session_host::config::Look;

use super::areas::Areas;
use super::detail::Detail;
use super::filter::Filter;
use super::fleet::Fleet;
use super::order::{Group, Grouping, Placed, arranged, held};

/// How long the order rests after the cursor was moved.
const HOLD_MS: i64 = 5_000;
/// How long a note stays.
const NOTE_MS: i64 = 8_000;

/// Which of the two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// The dashboard, which stays.
    Dash,
    /// The picker, which ends when something was picked.
    Pick,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A heading, and how many stand below it.
    Heading(Group, usize),
    /// A session.
    Row(SessionId),
}

/// What is shown, and what the person has chosen.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Which of the two it is.
    pub face: Face,
    /// Glyphs and colours.
    pub look: Look,
    /// Whether there are colours.
    pub colour: bool,
    /// The order of urgency.
    pub urgency: Vec<State>,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// How things are.
    pub fleet: Fleet,
    /// What sessions are put together by.
    pub grouping: Grouping,
    /// What the person looks for.
    pub filter: Filter,
    /// More about the session at the cursor.
    pub detail: Option<Detail>,
    /// Whether the person wants details; `None` where the size decides.
    pub wants_detail: Option<bool>,
    /// Whether the keys are shown.
    pub help: bool,
    /// The first line of the table that is shown.
    pub top: usize,
    pub(super) watched: Option<SessionId>,
    placed: Vec<Placed>,
    cursor: Option<SessionId>,
    row: usize,
    held_until_ms: i64,
    note: Option<(String, i64)>,
}

impl Model {
    /// A model of nothing yet.
    pub(crate) fn new(
        face: Face,
        look: Look,
        urgency: Vec<State>,
        colour: bool,
        size: (u16, u16),
    ) -> Self {
        Self {
            face,
            look,
            colour,
            urgency,
            size,
            now_ms: 0,
            fleet: Fleet::default(),
            grouping: Grouping::default(),
            filter: Filter::default(),
            detail: None,
            wants_detail: None,
            help: false,
            top: 0,
            watched: None,
            placed: Vec::new(),
            cursor: None,
            row: 0,
            held_until_ms: i64::MIN,
            note: None,
        }
    }

    /// How the screen is divided.
    pub(crate) fn areas(&self) -> Areas {
        Areas::of(self.size, self.face, self.wants_detail)
    }

    /// The sessions in their places.
    pub(crate) fn placed(&self) -> &[Placed] {
        &self.placed
    }

    /// The session at the cursor: the one that was chosen, else the most urgent one.
    pub(crate) fn at(&self) -> Option<&SessionView> {
        let id = self.cursor.or(self.placed.first().map(|one| one.session))?;
        self.fleet.session(id)
    }

    /// Whether the person has chosen this session.
    pub(crate) fn has_chosen(&self, id: SessionId) -> bool {
        self.cursor == Some(id)
    }

    /// A line for the person, while it is new.
    pub(crate) fn note(&self) -> Option<&str> {
        let (text, until) = self.note.as_ref()?;
        (self.now_ms < *until).then_some(text)
    }

    /// Tells the person something.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        let text = session_core::view::clean(&text.into(), 400);
        self.note = Some((text, self.now_ms + NOTE_MS));
    }

    /// How long a session is in its state, now.
    pub(crate) fn age_ms(&self, view: &SessionView) -> i64 {
        (self.now_ms - view.state_since_ms).max(0)
    }

    /// The lines of the table, with headings where there is room for them and more than one.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let mut counts: HashMap<&Group, usize> = HashMap::new();
        for one in &self.placed {
            *counts.entry(&one.group).or_default() += 1;
        }
        let headings =
            self.areas().headings && (counts.len() > 1 || self.grouping == Grouping::Repo);
        let mut lines = Vec::with_capacity(self.placed.len() + counts.len());
        let mut last = None;
        for one in &self.placed {
            if headings && last != Some(&one.group) {
                let count = counts.get(&one.group).copied().unwrap_or_default();
                lines.push(Line::Heading(one.group.clone(), count));
                last = Some(&one.group);
            }
            lines.push(Line::Row(one.session));
        }
        lines
    }

    /// Chooses a row by its number.
    pub(super) fn choose(&mut self, row: usize) {
        let row = row.min(self.placed.len().saturating_sub(1));
        self.row = row;
        self.cursor = self.placed.get(row).map(|one| one.session);
        self.hold();
    }

    /// Chooses the row so many further on.
    pub(super) fn step(&mut self, by: isize) {
        self.choose(self.row.saturating_add_signed(by));
    }

    /// The row of the cursor.
    pub(super) const fn row(&self) -> usize {
        self.row
    }

    /// Lets go of the cursor: it is at the most urgent session again. Tells whether it was in use.
    pub(super) fn release(&mut self) -> bool {
        self.held_until_ms = i64::MIN;
        self.row = 0;
        self.cursor.take().is_some()
    }

    /// Keeps the order for a while: in the picker until the end, since somebody is about to press Enter.
    fn hold(&mut self) {
        self.held_until_ms = match self.face {
            Face::Pick => i64::MAX,
            Face::Dash => self.now_ms + HOLD_MS,
        };
    }

    /// Puts everything in its place, after whatever has changed; `anew` where what was chosen to be shown is another.
    pub(super) fn arrange(&mut self, anew: bool) {
        let rests = !anew && self.now_ms < self.held_until_ms;
        self.placed = if rests {
            held(
                &self.placed,
                &self.fleet,
                self.grouping,
                &self.filter,
                self.now_ms,
            )
        } else {
            arranged(&self.fleet, self.grouping, &self.filter, self.now_ms)
        };
        if let Some(id) = self.cursor {
            match self.placed.iter().position(|one| one.session == id) {
                Some(row) => self.row = row,
                // It is gone: the one that took its place.
                None => {
                    self.row = self.row.min(self.placed.len().saturating_sub(1));
                    self.cursor = self.placed.get(self.row).map(|one| one.session);
                }
            }
        } else {
            self.row = 0;
        }
        self.scroll();
    }

    /// Scrolls as little as shows the cursor, and the heading above it.
    fn scroll(&mut self) {
        let lines = self.lines();
        let height = usize::from(self.areas().table.height);
        let at = self.at().map(|view| view.id);
        let line = lines
            .iter()
            .position(|line| matches!(line, Line::Row(id) if Some(*id) == at))
            .unwrap_or(0);
        let above = line.checked_sub(1);
        let first = match above.and_then(|above| lines.get(above)) {
            Some(Line::Heading(..)) if height > 1 => line - 1,
            _ => line,
        };
        let last_top = lines.len().saturating_sub(height);
        let top = self.top.min(first).max((line + 1).saturating_sub(height));
        self.top = top.min(last_top);
    }

    /// When something that is shown changes by itself, in milliseconds from now: an age, the end of a note, the end of the
    /// rest. Never more often than each second.
    pub(crate) fn wakes_in_ms(&self) -> i64 {
        let next = |age: i64| match age {
            ..60_000 => 1_000 - age.rem_euclid(1_000),
            60_000..3_600_000 => 60_000 - age % 60_000,
            _ => 3_600_000 - age % 3_600_000,
        };
        let shown = usize::from(self.areas().table.height);
        let lines = self.lines();
        let shown = lines.iter().skip(self.top).take(shown);
        let ages = shown.filter_map(|line| match line {
            Line::Row(id) => Some(next(self.age_ms(self.fleet.session(*id)?))),
            Line::Heading(..) => None,
        });
        let note = self.note.iter().map(|(_, until)| until - self.now_ms);
        let rest = (self.held_until_ms < i64::MAX).then_some(self.held_until_ms);
        let rest = rest.map(|until| until.saturating_sub(self.now_ms));
        let all = ages.chain(note).chain(rest).filter(|ms| *ms > 0);
        all.min().unwrap_or(60_000).clamp(1_000, 60_000)
    }
}

//! Puts the lamps into a running server's status line, and takes them out again.
//!
//! Done only when the person asks for it (case G2). What was added is noted on the server itself, in
//! `@tally_loaded`, so that [`unload`] takes out that and nothing else, also after the person or a theme has changed
//! the rest of a format meanwhile, and so that a reference of the person's own stays.
//!
//! Only the global options are touched. A mux session or a window with a format of its own keeps it.

use std::collections::BTreeSet;
use std::time::Duration;

use super::formats::{self, formats, reference};
use super::theme::Theme;
use crate::command::{Batch, Line, Tmux};
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::options::{Scope, option_name};
use crate::version::Version;

const LOADED: &str = option_name!("loaded");
/// The value of `status-right-length` before it was raised.
const LENGTH_BEFORE: &str = option_name!("length_before");

const LENGTH: &str = "status-right-length";
/// What the summary may need beside what stands there already.
const ROOM: u32 = 80;
/// With so much nothing is cut.
const ENOUGH: u32 = 160;

const LIMIT: Duration = Duration::from_secs(2);

/// The options that were changed, by name; empty when everything was in place.
pub type Loaded = Vec<&'static str>;

/// A place in the status line.
struct Place {
    /// tmux's option.
    option: &'static str,
    /// Its name in the note of what was loaded.
    note: &'static str,
    /// What is put behind what is there. At the right of a status line that has too little room, tmux keeps the end.
    piece: fn() -> String,
}

const PLACES: [Place; 3] = [
    Place {
        option: "window-status-format",
        note: "lamp",
        piece: || reference(formats::LAMP),
    },
    Place {
        option: "window-status-current-format",
        note: "current",
        piece: || reference(formats::LAMP),
    },
    Place {
        option: "status-right",
        note: "summary",
        piece: || " ".to_owned() + &reference(formats::SUMMARY),
    },
];

/// Shows the lamps in the status line of a running server; a second time changes nothing. Blocking.
///
/// # Errors
/// When the server does not answer.
pub fn load(tmux: &Tmux, theme: &Theme) -> Result<Loaded, TmuxError> {
    let found = Status::read(tmux)?;
    let mut notes = found.notes.clone();
    let mut changed = Loaded::new();
    let mut batch = Batch::default();
    for (name, format) in formats(theme) {
        if found.get(name) != Some(format.as_str()) {
            batch.push(Scope::Global.set(name, &format));
            changed.push(name);
        }
    }
    for place in &PLACES {
        let (value, piece) = (found.get(place.option).unwrap_or_default(), (place.piece)());
        if !value.contains(piece.trim()) {
            batch.push(Scope::Global.set(place.option, &(value.to_owned() + &piece)));
            notes.insert(place.note.to_owned());
            changed.push(place.option);
        }
    }
    let length: u32 = found
        .get(LENGTH)
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    if notes.contains("summary") && !found.is_raised() && length < ENOUGH {
        batch.push(Scope::Global.set(LENGTH, &(length + ROOM).to_string()));
        batch.push(Scope::Global.set(LENGTH_BEFORE, &length.to_string()));
        changed.push(LENGTH);
    }
    if notes != found.notes {
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        batch.push(Scope::Global.set(LOADED, &notes.join(" ")));
    }
    if !batch.is_empty() {
        tmux.run(&batch, LIMIT)?;
    }
    Ok(changed)
}

/// Sets the formats that are not set or differ; blocking. They show nothing by themselves.
pub(crate) fn ensure_formats(tmux: &Tmux, theme: &Theme) -> Result<(), TmuxError> {
    let found = Status::read(tmux)?;
    let differ = formats(theme)
        .into_iter()
        .filter(|(name, format)| found.get(name) != Some(format.as_str()));
    let batch: Batch = differ
        .map(|(name, format)| Scope::Global.set(name, &format))
        .collect();
    if batch.is_empty() {
        Ok(())
    } else {
        tmux.run(&batch, LIMIT).map(|_| ())
    }
}

/// The commands that take the formats back.
pub(crate) fn remove_formats() -> [Line; 3] {
    [formats::LAMP, formats::SUMMARY, formats::BORDER].map(|name| Scope::Global.unset(name))
}

/// Takes out exactly what [`load`] put in. Blocking.
///
/// # Errors
/// When the server does not answer.
pub fn unload(tmux: &Tmux) -> Result<Loaded, TmuxError> {
    let found = Status::read(tmux)?;
    let mut changed = Loaded::new();
    let mut batch = Batch::default();
    for place in PLACES
        .iter()
        .filter(|place| found.notes.contains(place.note))
    {
        let value = found.get(place.option).unwrap_or_default();
        if let Some(rest) = without(value, &(place.piece)()) {
            batch.push(Scope::Global.set(place.option, &rest));
            changed.push(place.option);
        }
    }
    if let Some(before) = found.get(LENGTH_BEFORE) {
        if found.is_raised() {
            batch.push(Scope::Global.set(LENGTH, before));
            changed.push(LENGTH);
        }
        batch.push(Scope::Global.unset(LENGTH_BEFORE));
    }
    if found.get(LOADED).is_some() {
        batch.push(Scope::Global.unset(LOADED));
    }
    for (name, _) in formats(&Theme::default()) {
        if found.get(name).is_some() && !found.refers_to(name) {
            batch.push(Scope::Global.unset(name));
            changed.push(name);
        }
    }
    if !batch.is_empty() {
        tmux.run(&batch, LIMIT)?;
    }
    Ok(changed)
}

/// The value without the piece: `None` when it is not in there. Should somebody have trimmed the piece's blank, it
/// goes without; once it stood in front, with its blank behind it.
fn without(value: &str, piece: &str) -> Option<String> {
    let in_front = format!("{} ", piece.trim());
    let pieces = if piece == piece.trim() {
        vec![piece]
    } else {
        vec![piece, &in_front, piece.trim()]
    };
    let found = pieces.into_iter().find(|piece| value.contains(*piece))?;
    Some(value.replacen(found, "", 1))
}

/// The options of a server that matter here.
struct Status {
    values: Vec<(&'static str, Option<String>)>,
    notes: BTreeSet<String>,
}

impl Status {
    fn read(tmux: &Tmux) -> Result<Self, TmuxError> {
        let ours = formats(&Theme::default()).map(|(name, _)| name);
        let names: Vec<&'static str> = PLACES
            .iter()
            .map(|place| place.option)
            .chain([LENGTH, LENGTH_BEFORE, LOADED])
            .chain(ours)
            .collect();
        let mark = Mark::new();
        let print = |text: &str| Line::new("display-message").flag("-p").value(text);
        let mut question: Batch = [print(mark.text()), print("#{version}")]
            .into_iter()
            .collect();
        for name in &names {
            question.push(print(mark.text()));
            question.push(Line::new("show-options").flag("-gqv").value(name));
        }
        let mut sections = mark.sections(&tmux.run(&question, LIMIT)?).into_iter();
        let version = sections
            .next()
            .unwrap_or_default()
            .parse()
            .unwrap_or(Version::NEWEST);
        let value = |section: String| {
            section
                .strip_suffix('\n')
                .map(|value| version.printed(value))
        };
        let values = names.into_iter().zip(sections.map(value)).collect();
        let mut status = Self {
            values,
            notes: BTreeSet::new(),
        };
        status.notes = status
            .get(LOADED)
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        Ok(status)
    }

    /// Whether the length of the right side is the one that [`load`] set.
    fn is_raised(&self) -> bool {
        let number = |name: &str| self.get(name).and_then(|value| value.parse::<u32>().ok());
        number(LENGTH_BEFORE).is_some_and(|before| number(LENGTH) == Some(before + ROOM))
    }

    /// Whether the person's own configuration shows a format of ours: what is left once ours is taken out.
    fn refers_to(&self, name: &str) -> bool {
        let reference = reference(name);
        PLACES.iter().any(|place| {
            let value = self.get(place.option).unwrap_or_default();
            let ours = usize::from(
                self.notes.contains(place.note) && (place.piece)().contains(&reference),
            );
            value.matches(&reference).count() > ours
        })
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, value)| value.as_deref())
    }
}

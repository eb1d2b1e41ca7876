//! Whether the formats of ours are still set.
//!
//! Anybody can unset them: a person, a theme, a configuration that resets what it does not know. A format that refers to
//! an option that is not set shows nothing, so every full look asks for them. Their values are not asked for: each could
//! hold anything.

use super::fields::Record;
use crate::mark::Mark;
use crate::style::{BORDER, LAMP, SUMMARY};

/// The formats of the lamps.
const FORMATS: [&str; 3] = [LAMP, SUMMARY, BORDER];

/// Which options of ours are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ours {
    /// All formats of the lamps.
    pub formats: bool,
}

/// The format that prints the record.
pub(super) fn format(mark: &Mark) -> String {
    let fields: Vec<String> = FORMATS.iter().map(|name| format!("?{name},1,0")).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    mark.record_format('O', &fields, &[])
}

impl Ours {
    pub(super) fn read(record: &Record) -> Self {
        Self {
            formats: (0..FORMATS.len()).all(|index| record.yes(index)),
        }
    }
}

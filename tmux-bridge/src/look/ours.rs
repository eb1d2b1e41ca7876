//! Whether the options of ours are still set.
//!
//! Anybody can unset them: a person, a theme, a configuration that resets what it does not know. A format that refers to
//! an option that is not set shows nothing, so every full look asks for them. Their values are not asked for: each could
//! hold anything.

use std::collections::BTreeSet;

use session_core::PaneId;

use super::fields::Record;
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::options::Scope;
use crate::publish::{PANE, SERVER_COUNTS, WINDOW};
use crate::style::{BORDER, LAMP, SUMMARY};

/// The formats of the lamps.
const FORMATS: [&str; 3] = [LAMP, SUMMARY, BORDER];
/// Where the fields of a pane's record begin that tell of its options.
const IN_PANE: usize = 9;

/// Which options of ours are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ours {
    /// All formats of the lamps.
    pub formats: bool,
    lit: BTreeSet<Scope>,
}

/// The format that prints the server's record.
pub(super) fn format(mark: &Mark) -> String {
    // It is set where states are published, and then never empty, but it may be 0.
    let [count, ..] = SERVER_COUNTS;
    let fields: Vec<String> = FORMATS
        .iter()
        .map(|name| format!("?{name},1,0"))
        .chain([format!("!=:#{{{count}}},")])
        .collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    mark.record_format('O', &fields, &[])
}

/// The fields of a pane's record.
pub(super) fn in_pane() -> [String; 2] {
    [PANE, WINDOW].map(|name| format!("?{name},1,0"))
}

impl Ours {
    pub(super) fn server(&mut self, record: &Record) {
        self.formats = (0..FORMATS.len()).all(|index| record.yes(index));
        if record.yes(FORMATS.len()) {
            self.lit.insert(Scope::Global);
        }
    }

    pub(super) fn pane(&mut self, record: &Record) -> Result<(), TmuxError> {
        let pane: PaneId = record.field(0)?;
        if record.yes(IN_PANE) {
            self.lit.insert(Scope::Pane(pane));
        }
        if record.yes(IN_PANE + 1) {
            self.lit.insert(Scope::Window(record.field(6)?));
        }
        Ok(())
    }

    /// Whether nothing of ours is set where something was published. Those of mux sessions are not asked for: no lamp
    /// is drawn from them.
    #[must_use]
    pub fn lacks(&self, scope: Scope) -> bool {
        !matches!(scope, Scope::MuxSession(_)) && !self.lit.contains(&scope)
    }
}

//! What a check came to.

use serde::Serialize;
use session_core::view::clean;

use crate::output::Paint;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Something is lost or late.
    Warning,
    /// States cannot arrive: they can be stored nowhere, or shown nowhere.
    Broken,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was looked at.
    pub about: String,
    /// What was found.
    pub found: String,
    /// What was expected, where it was not found.
    pub expected: Option<String>,
    /// What to do about it.
    pub repair: Option<String>,
}

impl Finding {
    /// All is well.
    pub(crate) fn ok(about: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(Level::Ok, about, found)
    }

    /// Something to know.
    pub(crate) fn note(about: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(Level::Note, about, found)
    }

    /// Something is lost or late.
    pub(crate) fn warning(about: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(Level::Warning, about, found)
    }

    /// States cannot arrive.
    pub(crate) fn broken(about: impl Into<String>, found: impl Into<String>) -> Self {
        Self::new(Level::Broken, about, found)
    }

    fn new(level: Level, about: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            level,
            about: about.into(),
            found: found.into(),
            expected: None,
            repair: None,
        }
    }

    /// What was expected instead.
    #[must_use]
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// What to do about it.
    #[must_use]
    pub(crate) fn repair(mut self, repair: impl Into<String>) -> Self {
        self.repair = Some(repair.into());
        self
    }

    /// The finding in a few lines.
    pub(crate) fn text(&self, paint: Paint) -> String {
        let word = match self.level {
            Level::Ok => "ok     ",
            Level::Note => "note   ",
            Level::Warning => "warning",
            Level::Broken => "broken ",
        };
        let head = if self.level >= Level::Warning {
            paint.bold(word)
        } else {
            paint.dim(word)
        };
        let mut text = format!("{head}  {}: {}\n", self.about, clean(&self.found, 400));
        for (name, value) in [("expected", &self.expected), ("repair", &self.repair)] {
            if let Some(value) = value {
                text.push_str(&format!(
                    "         {} {}\n",
                    paint.dim(&format!("{name}:")),
                    clean(value, 400)
                ));
            }
        }
        text
    }
}

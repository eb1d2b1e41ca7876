//! What the bar says instead of lamps.

use crate::look::Look;
use crate::paint::{Row, columns};

/// Why the bar is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The plugin has not asked whether it may know and do anything.
    Shy,
    /// zellij has not said whether the plugin may know and do anything.
    Waiting,
    /// The person said that it may not.
    Denied,
    /// zellij is older than what the plugin needs.
    TooOld {
        /// The version of this zellij, cleaned.
        found: String,
    },
}

impl Notice {
    /// What to say, from the longest to the shortest; the last fits into 20 columns (case I1).
    fn texts(&self) -> [String; 3] {
        let texts = match self {
            Self::Shy => [
                "tally has no permission yet: click here to be asked",
                "tally: click here to allow it",
                "tally: click here",
            ],
            Self::Waiting => [
                "tally asks to see tabs and panes, to go to them and to hear its daemon: focus this bar and press y",
                "tally needs permission: focus here, press y",
                "tally: click, then y",
            ],
            Self::Denied => [
                "tally: permission denied, so there are no lamps; run `tally zellij grant --yes`, then open a new tab",
                "tally: denied (tally zellij grant --yes, new tab)",
                "tally: denied",
            ],
            Self::TooOld { found } => {
                return [
                    format!("tally needs zellij 0.44.2 or later, and this is {found}"),
                    format!("tally: {found} is below 0.44.2"),
                    "needs zellij 0.44.2".to_owned(),
                ];
            }
        };
        texts.map(str::to_owned)
    }
}

/// The row for a notice.
#[must_use]
pub fn notice(notice: &Notice, look: &Look<'_>, width: usize) -> Row {
    let texts = notice.texts();
    let fits = |text: &&String| columns(text) + 2 <= width;
    let shortest = texts.last();
    let mut row = Row::new();
    if let Some(text) = texts.iter().find(fits).or(shortest) {
        let margin = if columns(text) + 2 <= width { " " } else { "" };
        row.push(format!("{margin}{text}"), look.text(), None);
    }
    row.fit(width, look.text())
}

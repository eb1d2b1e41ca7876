//! The kinds of evidence, their ranks, and the one table of exceptions.

use serde::{Deserialize, Serialize};

use crate::time::Time;

/// What a state rests on, best first (design §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceSource {
    /// The agent's own lifecycle hooks, or a script's report.
    Signal,
    /// The agent's own report through the terminal (OSC 7501 and the like).
    Program,
    /// The agent's own registry file or transcript.
    Registry,
    /// The terminal title or progress report.
    Title,
    /// A rule over the pane's screen.
    Screen,
    /// The processes in the pane, and how they ended.
    Process,
    /// Nothing was heard for a long time.
    Stall,
    /// The person said so.
    Person,
    /// Nothing at all.
    None,
}

impl EvidenceSource {
    /// The word used in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Signal => "signal",
            Self::Program => "program",
            Self::Registry => "registry",
            Self::Title => "title",
            Self::Screen => "screen",
            Self::Process => "process",
            Self::Stall => "stall",
            Self::Person => "person",
            Self::None => "none",
        }
    }
}

/// One row of the rank table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The kind of evidence.
    pub source: EvidenceSource,
    /// When it may overrule a higher rank, in words; empty for never.
    pub exception: &'static str,
}

/// The rank table: a lower row never overwrites a higher one, but for the exceptions it names.
pub const RANKS: [Rank; 7] = [
    Rank {
        source: EvidenceSource::Signal,
        exception: "",
    },
    Rank {
        source: EvidenceSource::Program,
        exception: "",
    },
    Rank {
        source: EvidenceSource::Registry,
        exception: "overrules signals it has contradicted for more than 0.5 s: interrupts, refusals and queued prompts fire no hook",
    },
    Rank {
        source: EvidenceSource::Title,
        exception: "",
    },
    Rank {
        source: EvidenceSource::Screen,
        exception: "",
    },
    Rank {
        source: EvidenceSource::Process,
        exception: "ends a session whose agent process, pane or server is gone",
    },
    Rank {
        source: EvidenceSource::Stall,
        exception: "an open turn with nothing in flight and no sign of life for the quiet window is idle",
    },
];

/// One piece of evidence, as `tally explain` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its kind.
    pub source: EvidenceSource,
    /// Its place in the rank table, 1 being the best.
    pub rank: usize,
    /// What it says.
    pub says: String,
    /// When it was said or seen.
    pub at: Time,
    /// Whether the state rests on it.
    pub used: bool,
    /// Why it was not used; empty when it was.
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_same_table() {
        let doc = include_str!("../../docs/states.md");
        let rows: Vec<String> = RANKS
            .iter()
            .enumerate()
            .map(|(index, rank)| {
                format!(
                    "| {} | {} | {}",
                    index + 1,
                    rank.source.word(),
                    rank.exception
                )
            })
            .map(|row| format!("{} |", row.trim_end()))
            .collect();
        assert!(
            doc.contains(&rows.join("\n")),
            "docs/states.md should hold\n{}",
            rows.join("\n")
        );
    }
}

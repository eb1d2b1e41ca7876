//! Names that keep a development build apart from the one a person uses.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::IdError;

/// Which Tallylight is meant: the one a person uses, or one that is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flavour {
    /// A release.
    Release,
    /// A development build.
    Dev,
}

impl Flavour {
    /// The flavour of this build. The plugin is always built with optimisation, so its layout may say
    /// `flavour "dev"` instead.
    pub const BUILD: Self = if cfg!(debug_assertions) {
        Self::Dev
    } else {
        Self::Release
    };

    /// The prefix of its names.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Release => "tally",
            Self::Dev => "tally-dev",
        }
    }

    /// The pipe from the daemon to the plugin.
    #[must_use]
    pub const fn down(self) -> &'static str {
        match self {
            Self::Release => "tally:down",
            Self::Dev => "tally-dev:down",
        }
    }

    /// The pipe from the plugin to the daemon.
    #[must_use]
    pub const fn up(self) -> &'static str {
        match self {
            Self::Release => "tally:up",
            Self::Dev => "tally-dev:up",
        }
    }

    /// The pipe from the command line to the plugin.
    #[must_use]
    pub const fn show(self) -> &'static str {
        match self {
            Self::Release => "tally:show",
            Self::Dev => "tally-dev:show",
        }
    }
}

impl FromStr for Flavour {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match text {
            "release" => Ok(Self::Release),
            "dev" => Ok(Self::Dev),
            _ => Err(IdError::new(text, "a flavour (release, dev)")),
        }
    }
}

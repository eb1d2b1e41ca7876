//! From the command line to the plugin: show a pane to a client.

use serde::{Deserialize, Serialize};

use super::down::newer;
use super::{MAX_LINE, WIRE_VERSION, WireError};
use crate::ids::PaneId;

/// One line of the show pipe. zellij's own command moves the client that it heard of last, which may be one that has
/// left; an instance of the plugin moves its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Show {
    /// [`WIRE_VERSION`].
    pub v: u32,
    /// The client that is to go there, as zellij numbers it.
    pub client: u16,
    /// The terminal pane.
    pub pane: PaneId,
}

impl Show {
    /// A line for a client.
    #[must_use]
    pub const fn to(client: u16, pane: PaneId) -> Self {
        Self {
            v: WIRE_VERSION,
            client,
            pane,
        }
    }

    /// Reads a line; white space around it is ignored.
    ///
    /// # Errors
    /// When it is too long, of a later version, or not a line of the protocol.
    pub fn read(line: &str) -> Result<Self, WireError> {
        let line = line.trim();
        if line.len() > MAX_LINE {
            return Err(WireError::Long(line.len()));
        }
        match serde_json::from_str::<Self>(line) {
            Ok(show) if show.v <= WIRE_VERSION => Ok(show),
            Ok(show) => Err(WireError::Newer(show.v)),
            Err(error) => Err(newer(line).unwrap_or(WireError::Form(error))),
        }
    }

    /// The line, without an end of line.
    ///
    /// # Errors
    /// Never for the types of this crate.
    pub fn line(&self) -> Result<String, WireError> {
        Ok(serde_json::to_string(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written_and_a_later_version_is_told() {
        let show = Show::to(3, PaneId(7));
        assert_eq!(Show::read(&show.line().unwrap()).unwrap(), show);
        assert!(matches!(
            Show::read(r#"{"v":99}"#),
            Err(WireError::Newer(99))
        ));
        assert!(matches!(Show::read("rubbish"), Err(WireError::Form(_))));
    }
}

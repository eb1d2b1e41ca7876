//! Our own record: which agents are not to be wired at launch, and what was written into whose configuration.
//!
//! Old readers and new data: a reader refuses a `schema` that it does not know, and then wires nothing. New readers read
//! every older schema. A new field has a default, and an old writer drops it, so that a field whose loss would harm
//! takes a new schema.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use config_merge::{Format, Made};
use serde::{Deserialize, Serialize};
use session_core::Time;

use super::error::RecordError;
use crate::files::{LARGEST, read_regular_text};

/// The version of the record's form.
const SCHEMA: u32 = 1;

/// The record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    schema: u32,
    /// Agents that the person does not want wired at launch.
    #[serde(default)]
    pub opted_out: BTreeSet<String>,
    /// What was written into agents' own configuration.
    #[serde(default)]
    pub written: Vec<Written>,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            opted_out: BTreeSet::new(),
            written: Vec::new(),
        }
    }
}

/// What was written into one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The agent.
    pub agent: String,
    /// The file.
    pub path: PathBuf,
    /// What.
    pub what: What,
    /// When last.
    pub at: Time,
    /// Whether the file was replaced: the record is saved before that, too.
    pub done: bool,
    /// Folders that were made for it.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// Entries in somebody's file.
    Entries {
        /// How the file is written.
        format: Format,
        /// What is ours in it.
        made: Made,
    },
    /// A whole file of ours.
    File {
        /// What it holds.
        content: String,
    },
}

impl Record {
    /// Reads the record; an empty one where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is of a newer release.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let text = match read_regular_text(path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => {
                return Err(RecordError::Io {
                    path: path.to_owned(),
                    source,
                });
            }
        };
        let broken = |why: String| RecordError::Broken {
            path: path.to_owned(),
            why,
        };
        let known: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let schema = known.get("schema").and_then(serde_json::Value::as_u64);
        if schema.is_some_and(|schema| schema > u64::from(SCHEMA)) {
            return Err(RecordError::Newer(path.to_owned()));
        }
        serde_json::from_value(known).map_err(|error| broken(error.to_string()))
    }

    /// What was written for an agent.
    pub fn of<'r>(&'r self, agent: &'r str) -> impl Iterator<Item = &'r Written> {
        self.written
            .iter()
            .filter(move |written| written.agent == agent)
    }

    /// What was written for an agent into one file.
    #[must_use]
    pub fn at(&self, agent: &str, path: &Path) -> Option<&Written> {
        self.written
            .iter()
            .find(|written| written.agent == agent && written.path == path)
    }

    /// Notes what was written, in the place of what was noted of that file.
    pub(super) fn put(&mut self, new: Written) {
        self.forget(&new.agent, &new.path);
        self.written.push(new);
    }

    /// Forgets a file.
    pub(super) fn forget(&mut self, agent: &str, path: &Path) {
        self.written
            .retain(|written| written.agent != agent || written.path != path);
    }
}

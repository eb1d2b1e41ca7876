//! A file of one of the formats, read once.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::Entry;
use crate::error::MergeError;
use crate::json::Json;
use crate::made::Made;
use crate::node::Node;
use crate::toml::Toml;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON; comments and trailing commas are let pass.
    Json,
    /// TOML.
    Toml,
}

impl Format {
    /// The format of a file by its name.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        if name.ends_with(".toml") {
            Self::Toml
        } else {
            Self::Json
        }
    }
}

/// One step at a time: each gives the whole text anew, which is then read again.
pub(crate) trait Document {
    /// All that is in it.
    fn root(&self) -> &Node;

    /// Puts an element at the end of its list, which is made where it is not there.
    ///
    /// # Errors
    /// When it does not fit.
    fn insert(&self, entry: &Entry, made: &mut Made) -> Result<String, MergeError>;

    /// Puts another value in the place of an element.
    ///
    /// # Errors
    /// When it is not there.
    fn replace(&self, entry: &Entry, index: usize) -> Result<String, MergeError>;

    /// Takes an element out.
    ///
    /// # Errors
    /// When it is not there.
    fn remove(&self, list: &[String], index: usize) -> Result<String, MergeError>;

    /// Takes a list or a table of ours out that has become empty; `None` where it has not, or is not there.
    ///
    /// # Errors
    /// When a key on the way is given twice.
    fn remove_empty(&self, path: &[String], made: &Made) -> Result<Option<String>, MergeError>;

    /// Whether nothing is left but what an empty file needs.
    fn is_bare(&self) -> bool;
}

/// Reads a text, which has no byte order mark.
///
/// # Errors
/// When it is not of the format.
pub(crate) fn parse(format: Format, text: &str) -> Result<Box<dyn Document + '_>, MergeError> {
    Ok(match format {
        Format::Json => Box::new(Json::parse(text)?),
        Format::Toml => Box::new(Toml::parse(text)?),
    })
}

/// The byte order mark of a text, and what stands behind it.
pub(crate) fn without_mark(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches('\u{feff}');
    text.split_at(text.len() - rest.len())
}

/// All that a file says, for looking something up in it.
///
/// # Errors
/// When it is not of the format.
pub fn read(format: Format, text: &str) -> Result<Value, MergeError> {
    let (_, text) = without_mark(text);
    Ok(parse(format, text)?.root().value())
}

//! How it is: only reads.

use super::config;
use super::edit::{read, read_text};
use super::error::InstallError;
use super::layout;
use super::permissions;
use super::places::Places;
use super::plan::layout_files;

/// How one part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is not there.
    Absent,
    /// It is as this program would write it.
    Current,
    /// It is there in another form: of another release, or changed by the person.
    Different,
}

impl Part {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Current => "current",
            Self::Different => "different",
        }
    }
}

/// How everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The plugin.
    pub plugin: Part,
    /// Its alias in the person's configuration.
    pub alias: Part,
    /// The layout.
    pub layout: Part,
    /// Whether the person has granted what the plugin asks for.
    pub granted: bool,
}

/// Looks how everything is.
///
/// # Errors
/// When a file cannot be read.
pub fn installed(places: &Places, plugin: &[u8]) -> Result<Installed, InstallError> {
    let path = places.plugin_text()?;
    let config = read_text(&places.config)?;
    let permissions_text = read_text(&places.permissions)?.unwrap_or_default();
    let alias = config.as_deref().and_then(config::installed);
    let [layout_path, _] = layout_files(places, config.as_deref());
    let part = |there: Option<bool>| match there {
        None => Part::Absent,
        Some(true) => Part::Current,
        Some(false) => Part::Different,
    };
    Ok(Installed {
        plugin: part(read(&places.plugin)?.map(|bytes| bytes == plugin)),
        alias: part(alias.map(|location| location == config::url(path))),
        layout: part(read_text(&layout_path)?.map(|text| layout::is_ours(&text))),
        granted: permissions::is_granted(&permissions_text, path).unwrap_or(false),
    })
}

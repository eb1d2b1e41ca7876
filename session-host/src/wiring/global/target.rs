//! What is put where, for one agent.

use std::path::{Path, PathBuf};

use config_merge::{Entry, Format, entries, holds_lists};
use session_core::manifest::{ConfigMerge, ExternalFile, Manifest};

use super::error::GlobalError;
use super::foreign::read_text;
use super::record::{Record, What, Written};
use crate::manifests;
use crate::wiring::WiringError;
use crate::wiring::places::with_command;
use crate::wiring::signal_command;

/// One file, and what is to be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub path: PathBuf,
    /// What is to be in it.
    pub content: Content,
}

/// What is to be in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Entries among others.
    Entries {
        /// How the file is written.
        format: Format,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// The whole file is ours.
    File {
        /// What it holds.
        text: String,
        /// A folder that must be there.
        needs: Option<PathBuf>,
        /// Files that would do the same.
        instead: Vec<PathBuf>,
    },
}

impl Target {
    /// Whether this is what was written.
    pub(super) fn is(&self, written: &Written) -> bool {
        self.path == written.path
            && match (&self.content, &written.what) {
                (Content::Entries { entries, .. }, What::Entries { made, .. }) => {
                    *entries == made.entries
                }
                (Content::File { text, .. }, What::File { content }) => text == content,
                _ => false,
            }
    }
}

/// The files of an agent whose configuration is in `home`, for a program at `program`.
///
/// # Errors
/// When the program's path cannot be written into them, or it cannot be told which of several files the person uses.
pub fn targets(
    manifest: &Manifest,
    home: &Path,
    program: &Path,
    record: &Record,
) -> Result<Vec<Target>, GlobalError> {
    let agent = manifest.name.as_str();
    let command = signal_command(program, agent)?;
    let payload = |name: &str| {
        let text = manifests::payload(agent, name);
        let text = text.ok_or_else(|| WiringError::Payload(name.to_owned()))?;
        Ok::<_, WiringError>(with_command(text, &command))
    };
    let mut found = Vec::new();
    for merge in &manifest.config_merges {
        let text = payload(&merge.payload)?;
        let value =
            serde_json::from_str(&text).map_err(|_| WiringError::Payload(merge.payload.clone()))?;
        let entries = entries(&value);
        let path = used(merge, agent, home, &entries, record)?;
        let format = Format::of_name(&path.to_string_lossy());
        let content = Content::Entries { format, entries };
        found.push(Target { path, content });
    }
    for file in &manifest.external_files {
        let Some(global) = &file.global else { continue };
        let text = payload(&file.name)?;
        let content = whole(file, home, text);
        found.push(Target {
            path: home.join(global),
            content,
        });
    }
    Ok(found)
}

fn whole(file: &ExternalFile, home: &Path, text: String) -> Content {
    Content::File {
        text,
        needs: file.requires_dir.as_ref().map(|folder| home.join(folder)),
        instead: file.if_absent.iter().map(|path| home.join(path)).collect(),
    }
}

/// Which of the files an agent reads is taken: the one that holds ours, else the one that the person uses for the same
/// kind of entries, else the first. Two at once would be a mixture that agents warn about.
fn used(
    merge: &ConfigMerge,
    agent: &str,
    home: &Path,
    entries: &[Entry],
    record: &Record,
) -> Result<PathBuf, GlobalError> {
    let paths: Vec<PathBuf> = merge.files.iter().map(|file| home.join(file)).collect();
    let ours = paths.iter().find(|path| {
        let written = record.at(agent, path);
        written.is_some_and(|written| matches!(written.what, What::Entries { .. }))
    });
    if let Some(path) = ours {
        return Ok(path.clone());
    }
    if paths.len() > 1 {
        for path in &paths {
            let Some(text) = read_text(path)? else {
                continue;
            };
            let format = Format::of_name(&path.to_string_lossy());
            if holds_lists(format, &text, entries).map_err(GlobalError::merge(path))? {
                return Ok(path.clone());
            }
        }
    }
    Ok(paths.into_iter().next().unwrap_or_else(|| home.to_owned()))
}

//! Ours comes out.

use std::path::PathBuf;

use config_merge::{Made, look, uninstall};
use session_core::manifest::Manifest;

use super::book::Book;
use super::changed;
use super::error::GlobalError;
use super::foreign::{Change, put, read_text, remove_folders, save_beside};
use super::record::{Record, What, Written};
use super::target::{Content, targets};
use super::{Done, Wirer, refuse_unknown};

/// How often a file that somebody else changes at the same time is read again.
const TRIES: usize = 5;

/// Something that was left as it is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

impl Wirer<'_> {
    /// Takes out all that was written for an agent, wherever its configuration was then (case E11).
    ///
    /// # Errors
    /// When our own record cannot be used. What is wrong with one file does not keep ours in another.
    pub fn deactivate(&self, manifest: &Manifest, book: &mut Book) -> Result<Done, GlobalError> {
        refuse_unknown(manifest)?;
        let agent = manifest.name.as_str();
        let mut done = Done::default();
        let mut written: Vec<Written> = book.record.of(agent).cloned().collect();
        written.extend(self.unrecorded(manifest, &book.record));
        for written in written {
            match self.take_out(&written, book) {
                Ok(change) => {
                    done.notes.extend(changed::note(&manifest.name, &change, 0));
                    done.changes.push(change);
                }
                Err(error @ GlobalError::Record(_)) => return Err(error),
                Err(error) => done.left.push(Left {
                    path: written.path,
                    why: error.to_string(),
                }),
            }
        }
        Ok(done)
    }

    /// What is exactly ours where the agent reads it, though the record does not say so: it may be lost. When it was
    /// written is not known, so that nothing was heard since.
    pub(super) fn unrecorded(&self, manifest: &Manifest, record: &Record) -> Vec<Written> {
        let agent = manifest.name.as_str();
        let Ok(home) = self.home(manifest) else {
            return Vec::new();
        };
        let targets = targets(manifest, &home, self.program, record).unwrap_or_default();
        let unknown = targets
            .into_iter()
            .filter(|target| record.at(agent, &target.path).is_none());
        unknown
            .filter_map(|target| {
                let text = read_text(&target.path).ok()??;
                let what = match target.content {
                    Content::Entries { format, entries } => {
                        let found = look(format, &text, &entries, &Made::default()).ok()?;
                        if found.is_absent() {
                            return None;
                        }
                        let made = Made {
                            entries,
                            ..Made::default()
                        };
                        What::Entries { format, made }
                    }
                    Content::File { text: ours, .. } if ours == text => {
                        What::File { content: ours }
                    }
                    Content::File { .. } => return None,
                };
                Some(Written {
                    agent: agent.to_owned(),
                    path: target.path,
                    what,
                    at: self.now,
                    done: true,
                    folders: Vec::new(),
                })
            })
            .collect()
    }

    fn take_out(&self, written: &Written, book: &mut Book) -> Result<Change, GlobalError> {
        let path = &written.path;
        for _ in 0..TRIES {
            let before = read_text(path)?;
            let after = match (&written.what, &before) {
                (_, None) => None,
                (What::Entries { format, made }, Some(text)) => {
                    uninstall(*format, text, made).map_err(GlobalError::merge(path))?
                }
                (What::File { content }, Some(text)) if content != text && !self.force => {
                    return Err(GlobalError::Edited(path.clone()));
                }
                (What::File { .. }, Some(_)) => None,
            };
            let mut change = Change {
                path: path.clone(),
                before,
                after,
                backup: None,
            };
            if self.dry_run {
                return Ok(change);
            }
            if change.is_any() {
                // From here on it is no wonder when ours is not there.
                book.record.put(Written {
                    done: false,
                    ..written.clone()
                });
                book.save()?;
                if let (What::File { content }, Some(text)) = (&written.what, &change.before)
                    && content != text
                {
                    change.backup = Some(save_beside(path, text)?);
                }
                if !put(&change)? {
                    continue;
                }
            }
            remove_folders(&written.folders);
            book.record.forget(&written.agent, path);
            book.save()?;
            return Ok(change);
        }
        Err(GlobalError::Restless(path.clone()))
    }
}

//! Ours goes in.

use std::path::{Path, PathBuf};

use config_merge::{Entry, Format, Made, install};
use session_core::manifest::Manifest;

use super::book::Book;
use super::changed;
use super::error::GlobalError;
use super::foreign::{Change, missing_folders, put, read_text, save_beside};
use super::installed::refuse_absent;
use super::record::{What, Written};
use super::target::{Content, Target, targets};
use super::version::refuse_too_old;
use super::{Done, Wirer, asked, refuse_unknown};
use crate::config_home::{HomeError, config_home};

/// How often a file that somebody else changes at the same time is read again.
const TRIES: usize = 5;

impl Wirer<'_> {
    /// Wires an agent's own configuration; where it is wired already, puts right what is not as it should be.
    ///
    /// # Errors
    /// On any doubt: the file that it is about is then as it was.
    pub fn activate(&self, manifest: &Manifest, book: &mut Book) -> Result<Done, GlobalError> {
        refuse_unknown(manifest)?;
        let home = self.home(manifest)?;
        refuse_absent(manifest, &home, self)?;
        if !self.force {
            refuse_too_old(manifest, self)?;
        }
        let mut done = Done::default();
        for target in targets(manifest, &home, self.program, &book.record)? {
            let change = self.reach(manifest, &target, book)?;
            if let Content::Entries { entries, .. } = &target.content {
                done.notes
                    .extend(changed::note(&manifest.name, &change, entries.len()));
            }
            done.changes.push(change);
        }
        let caveats = manifest
            .config_merges
            .iter()
            .flat_map(|merge| &merge.caveat);
        done.notes.extend(caveats.cloned());
        if let Some(trust) = &manifest.trust {
            done.notes.push(trust.step.clone());
        }
        Ok(done)
    }

    /// Where an agent keeps its configuration.
    ///
    /// # Errors
    /// When that cannot be told.
    pub fn home(&self, manifest: &Manifest) -> Result<PathBuf, HomeError> {
        let home = manifest.config_home.as_ref().ok_or(HomeError::NoHome)?;
        config_home(home, &asked(self.env))
    }

    /// Brings one file to what it is to be.
    fn reach(
        &self,
        manifest: &Manifest,
        target: &Target,
        book: &mut Book,
    ) -> Result<Change, GlobalError> {
        let agent = manifest.name.as_str();
        for _ in 0..TRIES {
            let known = book.record.at(agent, &target.path).cloned();
            let before = read_text(&target.path)?;
            let (change, what) = match &target.content {
                Content::Entries { format, entries } => {
                    merged(&target.path, before, *format, entries, known.as_ref())?
                }
                Content::File {
                    text,
                    needs,
                    instead,
                } => {
                    self.refuse_file(&target.path, text, before.as_deref(), known.as_ref())?;
                    refuse_place(needs.as_deref(), instead)?;
                    whole(&target.path, before, text)
                }
            };
            if self.dry_run {
                return Ok(change);
            }
            if let Some(change) = self.write(agent, change, what, known, book)? {
                return Ok(change);
            }
        }
        Err(GlobalError::Restless(target.path.clone()))
    }

    /// Writes one file, with the record before and after; `None` when somebody else has changed it meanwhile.
    fn write(
        &self,
        agent: &str,
        mut change: Change,
        what: What,
        known: Option<Written>,
        book: &mut Book,
    ) -> Result<Option<Change>, GlobalError> {
        let mut folders = known
            .as_ref()
            .map_or_else(Vec::new, |known| known.folders.clone());
        folders.extend(missing_folders(&change.path));
        let mut new = Written {
            agent: agent.to_owned(),
            path: change.path.clone(),
            what,
            at: self.now,
            done: true,
            folders,
        };
        if !change.is_any() {
            // What is there since an earlier time may have been heard since then.
            new.at = known.as_ref().map_or(self.now, |known| known.at);
            if known.as_ref() != Some(&new) {
                book.record.put(new);
                book.save()?;
            }
            return Ok(Some(change));
        }
        book.record.put(Written {
            what: either(&new.what, known.as_ref()),
            done: false,
            ..new.clone()
        });
        book.save()?;
        let whole = matches!(new.what, What::File { .. });
        if let Some(edited) = change.before.as_ref().filter(|before| {
            whole
                && known
                    .as_ref()
                    .is_none_or(|known| !is_content(&known.what, before))
        }) {
            change.backup = Some(save_beside(&change.path, edited)?);
        }
        if !put(&change)? {
            if let Some(known) = known {
                book.record.put(known);
            } else {
                book.record.forget(agent, &change.path);
            }
            book.save()?;
            return Ok(None);
        }
        book.record.put(new);
        book.save()?;
        Ok(Some(change))
    }

    /// Refuses a file of somebody else's, and one of ours that was edited.
    fn refuse_file(
        &self,
        path: &Path,
        text: &str,
        before: Option<&str>,
        known: Option<&Written>,
    ) -> Result<(), GlobalError> {
        let Some(before) = before.filter(|before| *before != text) else {
            return Ok(());
        };
        match known {
            Some(known) if is_content(&known.what, before) => Ok(()),
            // The first line is the mark of ours, whatever became of the rest.
            None if before.lines().next() != text.lines().next() => {
                Err(GlobalError::Foreign(path.to_owned()))
            }
            _ if self.force => Ok(()),
            _ => Err(GlobalError::Edited(path.to_owned())),
        }
    }
}

/// Whether a file holds what the record says.
fn is_content(what: &What, text: &str) -> bool {
    matches!(what, What::File { content } if content == text)
}

fn refuse_place(needs: Option<&Path>, instead: &[PathBuf]) -> Result<(), GlobalError> {
    if let Some(folder) = needs.filter(|folder| !folder.is_dir()) {
        return Err(GlobalError::NoFolder(folder.to_owned()));
    }
    match instead.iter().find(|path| path.exists()) {
        Some(path) => Err(GlobalError::Doubled(path.clone())),
        None => Ok(()),
    }
}

fn merged(
    path: &Path,
    before: Option<String>,
    format: Format,
    entries: &[Entry],
    known: Option<&Written>,
) -> Result<(Change, What), GlobalError> {
    let made = match known.map(|known| &known.what) {
        Some(What::Entries { made, .. }) => made.clone(),
        _ => Made::default(),
    };
    // A file that is there now was not made for ours, whatever was so once.
    let (after, made) =
        install(format, before.as_deref(), entries, &made).map_err(GlobalError::merge(path))?;
    let change = Change {
        path: path.to_owned(),
        before,
        after: Some(after),
        backup: None,
    };
    Ok((change, What::Entries { format, made }))
}

fn whole(path: &Path, before: Option<String>, text: &str) -> (Change, What) {
    let change = Change {
        path: path.to_owned(),
        before,
        after: Some(text.to_owned()),
        backup: None,
    };
    let content = text.to_owned();
    (change, What::File { content })
}

/// What a record says while it is not known whether the file is the old one or the new one.
fn either(new: &What, known: Option<&Written>) -> What {
    match (new, known.map(|known| &known.what)) {
        (What::Entries { format, made }, Some(What::Entries { made: old, .. })) => What::Entries {
            format: *format,
            made: made.clone().or(old),
        },
        // A file of ours that is not the new one is then told as edited, and left.
        _ => new.clone(),
    }
}

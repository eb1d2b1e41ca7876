//! How an agent's own configuration stands, from evidence alone.

use std::fmt;
use std::path::PathBuf;

use config_merge::{Made, Standing as EntryStanding, look};
use serde::Serialize;
use session_core::manifest::Manifest;
use session_core::{Session, SignalSource, Time};

use super::Wirer;
use super::foreign::read_text;
use super::record::{Record, What, Written};
use super::switch::switched_off;
use super::target::targets;
use super::trust::trusted;
use super::version::too_old;
use crate::wiring::wired_program;

/// How it stands (design §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstallState {
    /// Nothing was written.
    Absent,
    /// It was written, and nothing was heard since.
    Written,
    /// It was written, and the agent does not run it before its person agrees.
    Untrusted,
    /// A session that began since then has reported.
    Heard,
    /// It was written, and something else has removed it.
    Displaced,
    /// It was written, and is not as it was written.
    Edited,
    /// The agent is too old for it.
    TooOld,
}

impl InstallState {
    /// The word for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Written => "written, not heard yet",
            Self::Untrusted => "untrusted",
            Self::Heard => "heard",
            Self::Displaced => "displaced",
            Self::Edited => "edited",
            Self::TooOld => "too old",
        }
    }
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Another program has removed all of it from a file.
    Removed(PathBuf),
    /// Some of the entries are not there.
    Partial(PathBuf, Vec<String>),
    /// Some of the entries are there more than once.
    Doubled(PathBuf, Vec<String>),
    /// A file of ours holds something else.
    Edited(PathBuf),
    /// A file cannot be read.
    Unreadable(String),
    /// What it calls is not there.
    Dead(PathBuf),
    /// It calls another program than this one, or is of another release.
    Other(PathBuf),
    /// The agent reads another folder now.
    Elsewhere(PathBuf),
    /// A setting of the person's switches it off.
    Off(String),
    /// The agent does not run some of it before its person agrees.
    Untrusted {
        /// How many it runs.
        trusted: usize,
        /// How many there are.
        all: usize,
        /// How many it has been asked about in another form.
        modified: usize,
        /// What the person does.
        step: String,
    },
    /// The agent is too old.
    TooOld(String),
}

impl Problem {
    /// Whether no state, or not every state, can arrive because of it.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        !matches!(
            self,
            Self::Doubled(..) | Self::Edited(_) | Self::Other(_) | Self::Untrusted { .. }
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Removed(path) => write!(
                f,
                "the wiring was removed from {} by another program",
                path.display()
            ),
            Self::Partial(path, missing) => {
                write!(
                    f,
                    "partial: {} misses {}",
                    path.display(),
                    missing.join(", ")
                )
            }
            Self::Doubled(path, lists) => {
                write!(f, "{} holds it twice: {}", path.display(), lists.join(", "))
            }
            Self::Edited(path) => write!(f, "{} was edited", path.display()),
            Self::Unreadable(why) => f.write_str(why),
            Self::Dead(path) => write!(f, "it calls {}, which is not there", path.display()),
            Self::Other(path) => {
                write!(f, "{} is not what this program would write", path.display())
            }
            Self::Elsewhere(path) => write!(
                f,
                "it was written to {}, and the agent reads another folder in this environment",
                path.display()
            ),
            Self::Off(what) => write!(f, "disabled by {what}"),
            Self::Untrusted {
                trusted,
                all,
                modified,
                ..
            } => {
                write!(
                    f,
                    "the agent runs {trusted} of {all} hooks before you agree"
                )?;
                if *modified > 0 {
                    write!(f, " ({modified} have changed since you did)")?;
                }
                Ok(())
            }
            Self::TooOld(what) => f.write_str(what),
        }
    }
}

/// How an agent's own configuration stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How.
    pub state: InstallState,
    /// When it was written last.
    pub written: Option<Time>,
    /// When a session that began since then has last reported.
    pub heard: Option<Time>,
    /// The files.
    pub files: Vec<PathBuf>,
    /// What is not as it should be.
    pub problems: Vec<Problem>,
}

/// Looks at an agent's own configuration; nothing is changed. `sessions` are all that are known, and `ask_version` says
/// whether the agent may be started to tell its version.
#[must_use]
pub fn standing(
    manifest: &Manifest,
    wirer: &Wirer<'_>,
    record: &Record,
    sessions: &[Session],
    ask_version: bool,
) -> Standing {
    let agent = manifest.name.as_str();
    let unrecorded = wirer.unrecorded(manifest, record);
    // What was announced and never done is none of it.
    let written: Vec<&Written> = record
        .of(agent)
        .filter(|written| written.done || is_there(written))
        .chain(&unrecorded)
        .collect();
    let mut found = Standing {
        state: InstallState::Absent,
        written: written.iter().map(|written| written.at).max(),
        heard: None,
        files: written.iter().map(|written| written.path.clone()).collect(),
        problems: Vec::new(),
    };
    if written.is_empty() {
        return found;
    }
    let mut removed = 0;
    for written in &written {
        match problem_of(written) {
            Some(problem @ Problem::Removed(_)) => {
                removed += 1;
                found.problems.push(problem);
            }
            Some(problem) => found.problems.push(problem),
            None => found.problems.extend(dead(written)),
        }
    }
    let changed = !found.problems.is_empty();
    let home = wirer.home(manifest).ok();
    if let Some(home) = &home {
        found
            .problems
            .extend(switched_off(manifest, home).map(Problem::Off));
        let wanted = targets(manifest, home, wirer.program, record).unwrap_or_default();
        for written in &written {
            if !written.path.starts_with(home) {
                found
                    .problems
                    .push(Problem::Elsewhere(written.path.clone()));
            } else if !changed && !wanted.iter().any(|target| target.is(written)) {
                found.problems.push(Problem::Other(written.path.clone()));
            }
        }
    }
    let old = ask_version.then(|| too_old(manifest, wirer)).flatten();
    if let Some((version, floor)) = &old {
        let text = format!("version {version} is older than {floor}, the oldest that can be wired");
        found.problems.push(Problem::TooOld(text));
    }
    let untrusted = home.and_then(|home| untrusted(manifest, &home, &written));
    found.heard = found.written.and_then(|at| heard(agent, at, sessions));
    found.state = if removed == written.len() {
        InstallState::Displaced
    } else if changed {
        InstallState::Edited
    } else if old.is_some() {
        InstallState::TooOld
    } else if untrusted.is_some() {
        InstallState::Untrusted
    } else if found.heard.is_some() {
        InstallState::Heard
    } else {
        InstallState::Written
    };
    found.problems.extend(untrusted);
    found
}

/// Whether anything of it is in its file.
fn is_there(written: &Written) -> bool {
    !matches!(problem_of(written), Some(Problem::Removed(_)))
}

fn problem_of(written: &Written) -> Option<Problem> {
    let path = &written.path;
    let text = match read_text(path) {
        Ok(Some(text)) => text,
        Ok(None) => return Some(Problem::Removed(path.clone())),
        Err(error) => return Some(Problem::Unreadable(error.to_string())),
    };
    match &written.what {
        What::File { content } if *content == text => None,
        What::File { .. } => Some(Problem::Edited(path.clone())),
        What::Entries { format, made } => {
            let found = match look(*format, &text, &made.entries, &Made::default()) {
                Ok(found) => found,
                Err(error) => {
                    let why = format!("{}: {error}", path.display());
                    return Some(Problem::Unreadable(why));
                }
            };
            let lists = |standing| {
                let lists = found.lists(standing);
                let names = lists.iter().map(|list| (*list).to_owned());
                Some(names.collect::<Vec<_>>()).filter(|lists| !lists.is_empty())
            };
            if found.is_absent() {
                return Some(Problem::Removed(path.clone()));
            }
            let missing = lists(EntryStanding::Missing);
            let missing = missing.map(|lists| Problem::Partial(path.clone(), lists));
            missing.or_else(|| {
                lists(EntryStanding::Doubled).map(|lists| Problem::Doubled(path.clone(), lists))
            })
        }
    }
}

/// What it calls, where that is not there.
fn dead(written: &Written) -> Option<Problem> {
    let program = match &written.what {
        What::File { content } => wired_program(content)?,
        What::Entries { made, .. } => made
            .entries
            .iter()
            .find_map(|entry| wired_program(&entry.value.to_string()))?,
    };
    (!program.exists()).then_some(Problem::Dead(program))
}

fn untrusted(manifest: &Manifest, home: &std::path::Path, written: &[&Written]) -> Option<Problem> {
    let trust = manifest.trust.as_ref()?;
    written.iter().find_map(|written| {
        let What::Entries { made, .. } = &written.what else {
            return None;
        };
        let found = trusted(trust, home, &written.path, &made.entries);
        (found.trusted < found.all).then(|| Problem::Untrusted {
            trusted: found.trusted,
            all: found.all,
            modified: found.modified,
            step: trust.step.clone(),
        })
    })
}

/// When a session that began since the wiring was written has last reported by itself: one that ran before may have been
/// wired at its launch (case F1).
fn heard(agent: &str, written: Time, sessions: &[Session]) -> Option<Time> {
    let since = sessions.iter().filter(|session| session.born >= written);
    since
        .flat_map(|session| &session.recent)
        .filter(|signal| {
            let speaks = signal
                .agent
                .as_ref()
                .is_some_and(|name| name.as_str() == agent);
            signal.source == SignalSource::Wired && speaks && signal.at >= written
        })
        .map(|signal| signal.at)
        .max()
}

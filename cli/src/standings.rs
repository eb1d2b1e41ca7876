//! How agents' own configuration stands: what the list, the doctor and programs are told.

use std::path::PathBuf;

use serde::Serialize;
use session_core::manifest::Manifest;
use session_core::view::age;
use session_core::{Session, Time};
use session_host::clock::Clock;
use session_host::store::Store;
use session_host::wiring::global::{InstallState, Record, RecordError, Standing, Wirer, standing};

use crate::context::{Context, STORE_WAIT};

/// What is looked at, read once.
pub(crate) struct Standings<'c> {
    context: &'c Context,
    record: Result<Record, RecordError>,
    sessions: Vec<Session>,
    own: PathBuf,
    program: PathBuf,
}

/// How one agent's own configuration stands, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Install {
    state: InstallState,
    /// When it was written last.
    written_ms: Option<i64>,
    /// When a session that began since then has last reported.
    heard_ms: Option<i64>,
    files: Vec<PathBuf>,
    /// What is not as it should be.
    problems: Vec<String>,
}

impl<'c> Standings<'c> {
    /// Reads the record and the sessions; changes nothing.
    pub(crate) fn read(context: &'c Context) -> Self {
        let sessions = Store::open_reading(&context.paths, STORE_WAIT)
            .and_then(|store| store.all())
            .unwrap_or_default();
        Self {
            context,
            record: Record::read(&context.paths.wiring_record()),
            sessions,
            own: context.own(),
            program: context.program(),
        }
    }

    /// The record, or why there is none.
    pub(crate) const fn record(&self) -> &Result<Record, RecordError> {
        &self.record
    }

    /// Whether the person does not want this agent wired at launch.
    pub(crate) fn opted_out(&self, manifest: &Manifest) -> bool {
        let record = self.record.as_ref();
        record.is_ok_and(|record| record.opted_out.contains(manifest.name.as_str()))
    }

    /// How it stands; `None` where it cannot be wired, or the record does not read.
    pub(crate) fn of(&self, manifest: &Manifest, ask_version: bool) -> Option<Standing> {
        let record = self.record.as_ref().ok()?;
        let wirer = Wirer {
            env: &self.context.env,
            program: &self.program,
            own: &self.own,
            now: self.context.clock.now(),
            dry_run: true,
            force: false,
        };
        manifest
            .is_global()
            .then(|| standing(manifest, &wirer, record, &self.sessions, ask_version))
    }

    /// Whether a session of this agent has begun since then and said nothing.
    pub(crate) fn is_silent_since(&self, manifest: &Manifest, written: Time) -> bool {
        self.sessions.iter().any(|session| {
            session.agent.as_ref() == Some(&manifest.name)
                && session.born >= written
                && session.recent.is_empty()
        })
    }
}

impl From<&Standing> for Install {
    fn from(standing: &Standing) -> Self {
        Self {
            state: standing.state,
            written_ms: standing.written.map(Time::ms),
            heard_ms: standing.heard.map(Time::ms),
            files: standing.files.clone(),
            problems: standing.problems.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The state in words, with the age of what it rests on.
pub(crate) fn told(standing: &Standing, now: Time) -> String {
    let words = standing.state.words();
    let at = match standing.state {
        InstallState::Heard => standing.heard,
        InstallState::Written | InstallState::Untrusted => standing.written,
        _ => None,
    };
    match at {
        Some(at) => format!("{words} ({} ago)", age(now.ms_since(at))),
        None => words.to_owned(),
    }
}

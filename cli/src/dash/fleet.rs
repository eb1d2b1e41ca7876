//! All that is known at one moment: what the model is told of the world.

use std::collections::BTreeMap;

use session_core::view::clean;
use session_core::{Counts, Rollup, SessionId, SessionView, State};
use session_host::repo::Checkout;

use super::past::Change;

/// The longest branch that is shown, in graphemes.
const BRANCH: usize = 60;

/// The agents, and what is known around them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fleet {
    /// The live sessions, the most urgent first.
    pub sessions: Vec<SessionView>,
    /// How many are in each state.
    pub counts: Counts,
    /// The rollup of each repository.
    pub repos: BTreeMap<String, Rollup>,
    /// What is checked out, by directory.
    pub checkouts: BTreeMap<String, Checkout>,
    /// How each session's state has changed lately, oldest first.
    pub past: BTreeMap<SessionId, Vec<Change>>,
    /// Whether lamps are drawn; `None` while nobody has asked.
    pub daemon: Option<bool>,
    places: BTreeMap<SessionId, usize>,
}

impl Fleet {
    /// A fleet of these sessions.
    pub(crate) fn of(sessions: Vec<SessionView>, rollup: Rollup) -> Self {
        let places = sessions
            .iter()
            .enumerate()
            .map(|(index, view)| (view.id, index))
            .collect();
        Self {
            sessions,
            counts: rollup.counts,
            places,
            ..Self::default()
        }
    }

    /// A session.
    pub(crate) fn session(&self, id: SessionId) -> Option<&SessionView> {
        self.sessions.get(*self.places.get(&id)?)
    }

    /// The branch that a session works on, and its worktree where it has one of its own.
    pub(crate) fn branch(&self, view: &SessionView) -> String {
        let cwd = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref());
        let Some(checkout) = cwd.and_then(|cwd| self.checkouts.get(cwd)) else {
            return String::new();
        };
        match &checkout.worktree {
            Some(worktree) if *worktree != checkout.head => {
                clean(&format!("{} ({worktree})", checkout.head), BRANCH)
            }
            _ => clean(&checkout.head, BRANCH),
        }
    }
}

/// The last part of a repository's path.
pub(crate) fn repo_name(repo: &str) -> String {
    let name = repo.trim_end_matches('/').rsplit('/').next();
    clean(name.unwrap_or(repo), BRANCH)
}

/// Whether a session waits for its person, so that a key should lead to it.
pub(crate) fn is_blocked(view: &SessionView) -> bool {
    view.state == State::Blocked
}

//! In which order sessions stand, and below which heading.

use std::collections::HashSet;

use session_core::{SessionId, SessionView, State};

use super::filter::Filter;
use super::fleet::Fleet;

/// What sessions are put together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// Their state, the most urgent first.
    #[default]
    Urgency,
    /// Their repository, the one with the most urgent session first.
    Repo,
}

impl Grouping {
    /// The other one.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Urgency => Self::Repo,
            Self::Repo => Self::Urgency,
        }
    }

    fn of(self, view: &SessionView, now_ms: i64) -> Group {
        if view.away_at(now_ms).is_some() {
            return Group::Away;
        }
        match self {
            Self::Urgency => Group::State(view.state),
            Self::Repo => Group::Repo(view.repo.clone()),
        }
    }
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// Of the sessions in a state.
    State(State),
    /// Of the sessions of a repository, or of those in none.
    Repo(Option<String>),
    /// Of the sessions that are put away, whatever else they are.
    Away,
}

/// A session in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its heading.
    pub group: Group,
    /// The session.
    pub session: SessionId,
}

/// The sessions that the filter takes, each group together: as the fleet has them, the most urgent first.
pub(crate) fn arranged(
    fleet: &Fleet,
    grouping: Grouping,
    filter: &Filter,
    now_ms: i64,
) -> Vec<Placed> {
    let placed = fleet
        .sessions
        .iter()
        .filter(|view| filter.takes(view, fleet))
        .map(|view| Placed {
            group: grouping.of(view, now_ms),
            session: view.id,
        });
    let mut placed = together(placed.collect());
    placed.sort_by_key(|one| one.group == Group::Away);
    placed
}

/// The same while the cursor is in use: what stands somewhere stays there, whatever state it is in by now, and what is
/// new comes last.
pub(crate) fn held(
    before: &[Placed],
    fleet: &Fleet,
    grouping: Grouping,
    filter: &Filter,
    now_ms: i64,
) -> Vec<Placed> {
    let fresh = arranged(fleet, grouping, filter, now_ms);
    let there: HashSet<SessionId> = fresh.iter().map(|placed| placed.session).collect();
    let known: HashSet<SessionId> = before.iter().map(|placed| placed.session).collect();
    let kept = before
        .iter()
        .filter(|placed| there.contains(&placed.session))
        .cloned();
    let new = fresh
        .into_iter()
        .filter(|placed| !known.contains(&placed.session));
    kept.chain(new).collect()
}

/// Brings those of a group together, where the first of them stands.
fn together(placed: Vec<Placed>) -> Vec<Placed> {
    let mut groups: Vec<&Group> = Vec::new();
    let mut seen = HashSet::new();
    for one in &placed {
        if seen.insert(&one.group) {
            groups.push(&one.group);
        }
    }
    let ranks: std::collections::HashMap<Group, usize> = groups
        .into_iter()
        .cloned()
        .enumerate()
        .map(|(rank, group)| (group, rank))
        .collect();
    let mut placed = placed;
    placed.sort_by_key(|one| ranks.get(&one.group).copied().unwrap_or(usize::MAX));
    placed
}

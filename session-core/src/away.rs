//! What is put away: settled or snoozed sessions, and what brings one back.
//!
//! Putting away changes no state and no lamp. It takes a session out of the list of those that need the person
//! ([`attention`](crate::attention())), until something happens that the person has not seen: a new turn, a new question,
//! a new failure. A [`Mark`] remembers what they had seen, so that a signal that arrives late cannot be taken for it.

use serde::{Deserialize, Serialize};

use crate::evidence::EvidenceSource;
use crate::machine::Verdict;
use crate::policy::Policy;
use crate::session::Session;
use crate::state::State;
use crate::time::Time;
use crate::turn::{Block, Phase};

/// What a person had seen of a session when they put it away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The number of its turn.
    pub turn: u64,
    /// Its state.
    pub state: State,
    /// The questions that were open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// Since when it was blocked, by whatever evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Time>,
    /// When it had failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Time>,
}

impl Mark {
    fn of(session: &Session, verdict: &Verdict) -> Self {
        Self {
            turn: session.turn.number,
            state: verdict.state,
            blocks: session.turn.blocks.clone(),
            blocked: (verdict.state == State::Blocked).then_some(verdict.since),
            failed: failed(session),
        }
    }

    /// What the person has not seen yet, in a few words.
    fn news(&self, session: &Session, verdict: &Verdict) -> Option<&'static str> {
        if session.turn.number > self.turn {
            return Some("a new turn began");
        }
        let rested = matches!(self.state, State::Done | State::Idle | State::Error);
        let by_registry = verdict.source == EvidenceSource::Registry;
        match verdict.state {
            // A queued prompt fires no hook, and a turn that was quiet may go on: its number tells of neither.
            State::Working if rested => Some("it works again"),
            State::Blocked if by_registry && self.blocked != Some(verdict.since) => {
                Some("it asks anew")
            }
            State::Blocked
                if !by_registry && session.turn.blocks.iter().any(|new| !self.knows(new)) =>
            {
                Some("it asks anew")
            }
            State::Error if self.failed != failed(session) => Some("it failed"),
            _ => None,
        }
    }

    /// Whether it is a question that was open already. An agent may add to it what it had not said; a script that says
    /// something else asks something else.
    fn knows(&self, block: &Block) -> bool {
        self.blocks.iter().any(|known| {
            known.since == block.since
                && known.actor == block.actor
                && (known.message.is_none() || known.message == block.message)
                && (known.kind.is_none() || known.kind == block.kind)
        })
    }
}

/// When the session failed, as far as it is in a failure now.
const fn failed(session: &Session) -> Option<Time> {
    match (session.exit, session.turn.phase) {
        (Some(_), _) => Some(session.exit_at),
        (None, Phase::Failed { .. }) => Some(session.turn.since),
        _ => None,
    }
}

/// What a person has done about a session's place in the list of those that need them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Away {
    /// They settled it.
    Settled {
        /// When.
        since: Time,
        /// What they had seen.
        mark: Mark,
    },
    /// They do not want to be asked about it before then.
    Snoozed {
        /// When they said so.
        since: Time,
        /// Until when.
        until: Time,
        /// What they had seen.
        mark: Mark,
    },
    /// They took it back, or the snooze is over: its hour at rest counts from here.
    Kept {
        /// When.
        since: Time,
    },
}

/// How a session is put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shelf {
    /// It is settled, until something new happens.
    Settled,
    /// It is snoozed, until a point in time or until something new happens.
    Snoozed,
}

impl Shelf {
    /// The word used in JSON and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Snoozed => "snoozed",
        }
    }
}

/// Who put a session away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AwayBy {
    /// The person.
    Person,
    /// The time it has been at rest.
    Age,
}

/// That a session is put away, ready to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwayView {
    /// How.
    pub is: Shelf,
    /// By whom.
    pub by: AwayBy,
    /// Since when, in milliseconds since the Unix epoch.
    pub since_ms: i64,
    /// Until when, in milliseconds since the Unix epoch; `None` for a settled one.
    pub until_ms: Option<i64>,
}

/// A change of it: what a row of the journal may be about instead of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum AwayChange {
    /// The person settled it. Never by age: that is derived, and nobody is there to write it down.
    Settled,
    /// The person snoozed it.
    Snoozed {
        /// Until when.
        until: Time,
    },
    /// It came back: by the person, by the end of the snooze, or by what happened.
    Back,
    /// Something that a newer Tallylight has written.
    #[serde(other)]
    Other,
}

/// Whether the session is put away at `now`, given what [`derive`](crate::derive()) says of it.
pub(crate) fn away(
    session: &Session,
    verdict: &Verdict,
    policy: &Policy,
    now: Time,
) -> Option<AwayView> {
    if session.gone.is_some() {
        return None;
    }
    if let Some((is, since, until, mark)) = by_person(session)
        && until.is_none_or(|until| now < until)
        && mark.news(session, verdict).is_none()
    {
        return Some(AwayView {
            is,
            by: AwayBy::Person,
            since_ms: since.ms(),
            until_ms: until.map(Time::ms),
        });
    }
    let at = settles_at(session, verdict, policy)?;
    (at <= now).then(|| AwayView {
        is: Shelf::Settled,
        by: AwayBy::Age,
        since_ms: at.ms(),
        until_ms: None,
    })
}

/// When a session that is at rest counts as settled by age, if nothing happens before; `None` while it is not at rest.
pub(crate) fn settles_at(session: &Session, verdict: &Verdict, policy: &Policy) -> Option<Time> {
    if policy.settle_after_ms <= 0 || !matches!(verdict.state, State::Done | State::Idle) {
        return None;
    }
    let kept = match &session.away {
        Some(Away::Kept { since }) => *since,
        // It is back then, and not at once put away again.
        Some(Away::Snoozed { until, .. }) => *until,
        Some(Away::Settled { .. }) | None => Time(i64::MIN),
    };
    Some(verdict.since.max(kept).plus_ms(policy.settle_after_ms))
}

fn by_person(session: &Session) -> Option<(Shelf, Time, Option<Time>, &Mark)> {
    match session.away.as_ref()? {
        Away::Settled { since, mark } => Some((Shelf::Settled, *since, None, mark)),
        Away::Snoozed { since, until, mark } => Some((Shelf::Snoozed, *since, Some(*until), mark)),
        Away::Kept { .. } => None,
    }
}

/// Takes a session off the shelf for good once something has brought it back, and says what.
pub(crate) fn bring_back(
    session: &mut Session,
    verdict: &Verdict,
    now: Time,
) -> Option<&'static str> {
    if session.gone.is_some() {
        return None;
    }
    let (_, _, until, mark) = by_person(session)?;
    let (kept, why) = match (mark.news(session, verdict), until) {
        (Some(why), _) => (None, why),
        (None, Some(until)) if until <= now => (Some(until), "the snooze is over"),
        _ => return None,
    };
    session.away = kept.map(|since| Away::Kept { since });
    Some(why)
}

/// The person puts a session away, until then or until something happens. What is so already stays as it is.
pub(crate) fn put_away(session: &mut Session, verdict: &Verdict, until: Option<Time>, now: Time) {
    let mark = Mark::of(session, verdict);
    session.away = match (until, &session.away) {
        (None, Some(Away::Settled { .. })) => return,
        (None, _) => Some(Away::Settled { since: now, mark }),
        (Some(until), _) if until <= now => return,
        (Some(until), Some(Away::Snoozed { until: known, .. })) if *known == until => return,
        (Some(until), _) => Some(Away::Snoozed {
            since: now,
            until,
            mark,
        }),
    };
}

/// The person takes a session back, whoever has put it away.
pub(crate) fn take_back(session: &mut Session, verdict: &Verdict, policy: &Policy, now: Time) {
    if away(session, verdict, policy, now).is_some() {
        session.away = Some(Away::Kept { since: now });
    }
}

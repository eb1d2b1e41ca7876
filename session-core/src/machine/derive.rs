//! What a record shows at a given time: the one place where a state is decided.

use crate::act::SignalSource;
use crate::away::Away;
use crate::evidence::EvidenceSource;
use crate::place::Exit;
use crate::policy::Policy;
use crate::session::{Corroboration, RegistryReport, RegistryStatus, Session};
use crate::state::{BlockedKind, ErrorKind, State};
use crate::time::Time;
use crate::turn::{Block, Phase};

/// A state, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The state.
    pub state: State,
    /// What a blocked session waits for.
    pub blocked_kind: Option<BlockedKind>,
    /// Whether a block was read off a text rather than off a structured event.
    pub heuristic: bool,
    /// Why a failed turn failed.
    pub error_kind: Option<ErrorKind>,
    /// The evidence it rests on.
    pub source: EvidenceSource,
    /// Why, in a few words.
    pub reason: String,
    /// Since when.
    pub since: Time,
    /// A line for the person.
    pub message: Option<String>,
    /// When the answer may change by the passing of time alone. A time that has passed asks for a new reading of the
    /// agent's registry: only one as new as that can contradict the signals.
    pub until: Option<Time>,
}

impl Verdict {
    fn new(state: State, source: EvidenceSource, since: Time, reason: impl Into<String>) -> Self {
        Self {
            state,
            blocked_kind: None,
            heuristic: false,
            error_kind: None,
            source,
            reason: reason.into(),
            since,
            message: None,
            until: None,
        }
    }

    fn message(mut self, message: Option<&String>) -> Self {
        self.message = message.cloned();
        self
    }
}

/// Decides what the session shows at `now`.
#[must_use]
pub fn derive(session: &Session, policy: &Policy, now: Time) -> Verdict {
    let mut verdict = ended(session).unwrap_or_else(|| alive(session, policy, now));
    let shown = &session.shown;
    if (verdict.state, verdict.blocked_kind, verdict.error_kind)
        == (shown.state, shown.blocked_kind, shown.error_kind)
    {
        verdict.since = shown.since;
    }
    verdict.since = verdict.since.min(now);
    // The end of a snooze changes no state; whoever keeps time writes down that the session is back.
    if let (Some(Away::Snoozed { until, .. }), None) = (&session.away, session.gone) {
        verdict.until = earliest(verdict.until, *until);
    }
    verdict
}

fn ended(session: &Session) -> Option<Verdict> {
    if let Some(gone) = session.gone {
        return Some(Verdict::new(
            State::None,
            EvidenceSource::Process,
            gone.at,
            gone.why.words(),
        ));
    }
    let reason = match session.exit? {
        Exit::Status(status) => format!("exited with status {status}"),
        Exit::Signal(signal) => format!("ended by signal {signal}"),
    };
    let mut verdict = Verdict::new(
        State::Error,
        EvidenceSource::Process,
        session.exit_at,
        reason,
    );
    verdict.error_kind = Some(ErrorKind::Crash);
    Some(verdict)
}

fn alive(session: &Session, policy: &Policy, now: Time) -> Verdict {
    let verdict = by_rank(session, policy, now);
    let doubt = match (verdict.state, session.corroboration) {
        // Case B10. Whatever was left unseen or undone here stays so; but nobody can say that nothing goes on.
        (State::Idle, Corroboration::Remote) => {
            "at rest, and what holds the foreground runs elsewhere"
        }
        (State::Working, Corroboration::Suspended) => "suspended in the middle of a turn",
        _ => return verdict,
    };
    Verdict {
        state: State::Unknown,
        reason: doubt.to_owned(),
        message: None,
        ..verdict
    }
}

fn by_rank(session: &Session, policy: &Policy, now: Time) -> Verdict {
    if session.turn.phase == Phase::Silent
        && session.turn.blocks.is_empty()
        && session.turn.subagents.is_empty()
    {
        return silent(session);
    }
    let signalled = signalled(session, now);
    let overruled = match session.registry {
        Some(report) => overrule(session, &report, policy, &signalled),
        None => None,
    };
    match overruled {
        Some(Overruled::Now(verdict)) => *verdict,
        Some(Overruled::At(when)) => {
            let mut verdict = quiet(session, policy, now, signalled);
            verdict.until = earliest(verdict.until, when);
            verdict
        }
        None => quiet(session, policy, now, signalled),
    }
}

/// A session that has never signalled: what the processes and the agent's own registry say.
fn silent(session: &Session) -> Verdict {
    let by_process = match session.corroboration {
        Corroboration::Agent => Verdict::new(
            State::Running,
            EvidenceSource::Process,
            session.born,
            "an agent holds the foreground and has not signalled",
        ),
        _ if session.is_plain() => Verdict::new(
            State::None,
            EvidenceSource::Process,
            session.born,
            "a command, and no agent",
        ),
        Corroboration::Unknown => Verdict::new(
            State::Unknown,
            EvidenceSource::None,
            session.born,
            "no evidence yet",
        ),
        _ => Verdict::new(
            State::None,
            EvidenceSource::Process,
            session.born,
            "no agent in the foreground",
        ),
    };
    let Some(report) = session.registry else {
        return by_process;
    };
    let (state, kind) = match report.status {
        RegistryStatus::Working | RegistryStatus::Background => (State::Working, None),
        RegistryStatus::Blocked => (State::Blocked, report.kind),
        RegistryStatus::Idle => (State::Idle, None),
    };
    let mut verdict = Verdict::new(
        state,
        EvidenceSource::Registry,
        report.at,
        "the agent's own registry says so; it has not signalled",
    );
    verdict.blocked_kind = kind;
    verdict
}

/// What the signals add up to, before any other evidence is asked.
pub(super) fn signalled(session: &Session, now: Time) -> Verdict {
    let turn = &session.turn;
    let source = match turn.by {
        SignalSource::Wired | SignalSource::Script => EvidenceSource::Signal,
        SignalSource::Registry => EvidenceSource::Registry,
        SignalSource::Quiet => EvidenceSource::Stall,
        SignalSource::Person => EvidenceSource::Person,
    };
    let mut until = None;
    if let Some(block) = turn
        .blocks
        .iter()
        .filter(|block| !settles(block.since, block.shows_at, now))
        .min_by_key(|block| block.since)
    {
        return blocked(block, source);
    }
    for block in &turn.blocks {
        until = earliest(until, block.shows_at);
    }
    let working = |reason: &str| Verdict::new(State::Working, source, turn.heard, reason);
    let mut verdict = match turn.phase {
        Phase::Failed { kind } => {
            let mut verdict = Verdict::new(
                State::Error,
                source,
                turn.since,
                format!("the turn failed: {}", kind.word()),
            )
            .message(turn.message.as_ref());
            verdict.error_kind = Some(kind);
            verdict
        }
        Phase::Open if turn.owes_done => working("a queued prompt began"),
        Phase::Open if !turn.blocks.is_empty() => {
            working("asked, and may be answered without the person")
        }
        Phase::Open => working("a turn is open"),
        Phase::Silent | Phase::Done | Phase::Rest { .. } if turn.in_background() => {
            working("the turn ended and background work goes on")
        }
        Phase::Done if settles(turn.since, turn.shows_at, now) => {
            until = earliest(until, turn.shows_at);
            working("the turn ended, and may go on")
        }
        Phase::Done if session.acknowledged >= turn.number => Verdict::new(
            State::Idle,
            source,
            session.acknowledged_at,
            "the finished turn was acknowledged",
        ),
        Phase::Done => Verdict::new(State::Done, source, turn.since, "the turn ended")
            .message(turn.message.as_ref()),
        Phase::Rest { interrupted: true } if source == EvidenceSource::Stall => {
            Verdict::new(State::Idle, source, turn.since, "quiet")
        }
        Phase::Rest { interrupted: true } => {
            Verdict::new(State::Idle, source, turn.since, "the turn was interrupted")
        }
        Phase::Silent | Phase::Rest { interrupted: false } => {
            Verdict::new(State::Idle, source, turn.since, "at rest")
        }
    };
    verdict.until = until;
    verdict
}

/// Whether what began then is not to be shown yet. A clock that says it has not even begun proves nothing: it was
/// set back, or that of the signal was ahead.
fn settles(since: Time, shows_at: Time, now: Time) -> bool {
    since <= now && now < shows_at
}

fn blocked(block: &Block, source: EvidenceSource) -> Verdict {
    let waits = match block.kind {
        Some(BlockedKind::Permission) => "waits for a permission",
        Some(BlockedKind::Question) => "waits for an answer",
        Some(BlockedKind::Auth) => "waits for a login",
        None => "waits for the person",
    };
    let who = block
        .actor
        .as_ref()
        .map_or_else(String::new, |_| "a subagent ".to_owned());
    let mut verdict = Verdict::new(State::Blocked, source, block.since, format!("{who}{waits}"))
        .message(block.message.as_ref());
    verdict.blocked_kind = block.kind;
    verdict.heuristic = block.heuristic;
    verdict
}

/// What a registry that contradicts the signals comes to.
pub(super) enum Overruled {
    /// It wins.
    Now(Box<Verdict>),
    /// A reading that is as new as this will.
    At(Time),
}

/// How many grace times a registry that was written before the newest signal may be late.
const LATE: i64 = 10;

/// The first exception of the rank table: the agent's own registry wins over signals that it has contradicted
/// for longer than the grace time, in a reading that is as new (facts: interrupts, refusals and queued prompts
/// fire no hook).
pub(super) fn overrule(
    session: &Session,
    report: &RegistryReport,
    policy: &Policy,
    signalled: &Verdict,
) -> Option<Overruled> {
    let turn = &session.turn;
    let at_rest = if turn.owes_done || turn.phase == Phase::Done {
        State::Done
    } else {
        State::Idle
    };
    let (state, reason) = match (report.status, signalled.state) {
        (RegistryStatus::Idle, State::Working | State::Blocked) => match at_rest {
            State::Done if session.acknowledged < turn.number => (
                State::Done,
                "the agent's own registry says that nothing runs",
            ),
            _ => (
                State::Idle,
                "interrupted: the agent's own registry says idle",
            ),
        },
        (RegistryStatus::Background, State::Blocked) => (
            State::Working,
            "answered: the agent's own registry says that a command runs",
        ),
        (RegistryStatus::Blocked, State::Working | State::Done | State::Idle | State::Error)
            if report.kind.is_some() =>
        {
            (
                State::Blocked,
                "the agent's own registry says that it waits",
            )
        }
        (RegistryStatus::Working, State::Blocked) => (
            State::Working,
            "answered: the agent's own registry says busy",
        ),
        (RegistryStatus::Working, State::Done | State::Idle | State::Error) => {
            (State::Working, "the agent's own registry says busy")
        }
        _ => return None,
    };
    // What was written before the newest signal may only be late: an agent that waits for our own hook has not got
    // round to it.
    let patience = if report.at.ms() >= turn.heard.ms() {
        1
    } else {
        LATE
    };
    let due = report
        .at
        .max(turn.heard)
        .plus_ms(policy.registry_grace_ms.saturating_mul(patience));
    if report.read < due {
        return Some(Overruled::At(due));
    }
    let mut verdict = Verdict::new(
        state,
        EvidenceSource::Registry,
        report.at.max(turn.heard),
        reason,
    );
    if state == State::Blocked {
        verdict.blocked_kind = report.kind;
    }
    if state == State::Done {
        verdict.message.clone_from(&turn.message);
    }
    Some(Overruled::Now(Box::new(verdict)))
}

/// The quiet rule (design §5.4, cases A1 and A2).
fn quiet(session: &Session, policy: &Policy, now: Time, signalled: Verdict) -> Verdict {
    let turn = &session.turn;
    // A script's word stands until it says otherwise: nobody interrupts it unheard.
    let applies = signalled.state == State::Working
        && turn.phase == Phase::Open
        && turn.by != SignalSource::Script
        && !turn.in_flight();
    if !applies || registry_is_busy(session) {
        return signalled;
    }
    let due = alive_at(session).plus_ms(policy.quiet_ms);
    if now < due {
        let mut verdict = signalled;
        verdict.until = earliest(verdict.until, due);
        return verdict;
    }
    if turn.owes_done {
        return Verdict::new(
            State::Done,
            EvidenceSource::Stall,
            due,
            "the turn ended and nothing followed",
        )
        .message(turn.message.as_ref());
    }
    Verdict::new(State::Idle, EvidenceSource::Stall, due, "quiet")
}

/// Whether the agent's own registry says that the open turn goes on, however quiet it is.
pub(super) fn registry_is_busy(session: &Session) -> bool {
    session.registry.is_some_and(|report| {
        report.status == RegistryStatus::Working && report.read >= session.turn.heard
    })
}

/// The last sign of life: a signal, or output.
pub(super) fn alive_at(session: &Session) -> Time {
    let heard = session.turn.heard;
    session.output.map_or(heard, |output| output.max(heard))
}

fn earliest(known: Option<Time>, other: Time) -> Option<Time> {
    Some(known.map_or(other, |known| known.min(other)))
}

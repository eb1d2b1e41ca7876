//! Why a session shows what it shows: `tally explain`.

use serde::{Deserialize, Serialize};

use super::derive::{Overruled, Verdict, alive_at, derive, overrule, registry_is_busy, signalled};
use crate::act::SignalSource;
use crate::evidence::{Evidence, EvidenceSource, RANKS};
use crate::place::Exit;
use crate::policy::Policy;
use crate::session::{Corroboration, Refused, RegistryStatus, Session};
use crate::state::State;
use crate::time::Time;
use crate::turn::{Phase, Turn};

/// The state, the evidence by rank, and what was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The state.
    pub state: State,
    /// The evidence it rests on.
    pub source: EvidenceSource,
    /// Why, in a few words.
    pub reason: String,
    /// Since when.
    pub since: Time,
    /// All evidence, best first.
    pub evidence: Vec<Evidence>,
    /// The last few reports that changed nothing, and why.
    pub refused: Vec<Refused>,
}

/// Explains what the session shows at `now`.
#[must_use]
pub fn explain(session: &Session, policy: &Policy, now: Time) -> Explanation {
    let verdict = derive(session, policy, now);
    let mut evidence: Vec<Evidence> = [
        signals(session),
        registry(session, policy, now),
        processes(session, &verdict),
        stall(session, policy, now),
    ]
    .into_iter()
    .flatten()
    .collect();
    for piece in &mut evidence {
        piece.used = piece.source == verdict.source;
        if piece.used {
            piece.why.clear();
        } else if piece.why.is_empty() || over(session) {
            piece.why = format!("{} decides", verdict.source.word());
        }
    }
    evidence.sort_by_key(|piece| piece.rank);
    Explanation {
        state: verdict.state,
        source: verdict.source,
        reason: verdict.reason,
        since: verdict.since,
        evidence,
        refused: session.refused.clone(),
    }
}

/// Whether the session has ended, in whatever way: then nothing else is asked.
fn over(session: &Session) -> bool {
    session.gone.is_some() || session.exit.is_some()
}

/// A time span with as much precision as decides something here.
fn seconds(ms: i64) -> String {
    let ms = ms.max(0);
    match ms % 1000 {
        0 => format!("{} s", ms / 1000),
        rest => format!("{}.{} s", ms / 1000, rest / 100),
    }
}

fn rank(source: EvidenceSource) -> usize {
    RANKS
        .iter()
        .position(|rank| rank.source == source)
        .map_or(RANKS.len() + 1, |index| index + 1)
}

fn piece(source: EvidenceSource, says: String, at: Time, why: impl Into<String>) -> Evidence {
    Evidence {
        source,
        rank: rank(source),
        says,
        at,
        used: false,
        why: why.into(),
    }
}

fn signals(session: &Session) -> Option<Evidence> {
    let turn = &session.turn;
    if turn.phase == Phase::Silent && turn.blocks.is_empty() {
        return None;
    }
    let phase = match turn.phase {
        Phase::Silent => "no turn yet".to_owned(),
        Phase::Rest { interrupted: false } => "at rest".to_owned(),
        Phase::Rest { interrupted: true } => "at rest after an interrupt".to_owned(),
        Phase::Open => format!("turn {} open", turn.number),
        Phase::Done => format!("turn {} ended", turn.number),
        Phase::Failed { kind } => format!("turn {} failed ({})", turn.number, kind.word()),
    };
    let mut says = phase;
    for (count, what) in [
        (turn.blocks.len(), "waiting for the person"),
        (turn.tools.len(), "tools in flight"),
        (turn.subagents.len(), "subagents"),
        (turn.queued as usize, "queued prompts"),
        (usize::from(turn.background), "background work"),
    ] {
        if count > 0 {
            says.push_str(&format!(", {what}: {count}"));
        }
    }
    if let Some(last) = session.recent.last() {
        says.push_str(&format!("; last: {}", last.event));
    }
    Some(piece(EvidenceSource::Signal, says, turn.heard, ""))
}

fn registry(session: &Session, policy: &Policy, now: Time) -> Option<Evidence> {
    let report = session.registry?;
    let says = match report.status {
        RegistryStatus::Working => "busy",
        RegistryStatus::Background => "at rest, a background command runs",
        RegistryStatus::Blocked => "waiting",
        RegistryStatus::Idle => "idle",
    };
    let heard = session.turn.heard;
    let why = if report.read < heard {
        format!(
            "read {} before the newest signal",
            seconds(heard.ms_since(report.read))
        )
    } else {
        let signalled = signalled(session, now);
        match overrule(session, &report, policy, &signalled) {
            None => format!(
                "does not contradict the signals, which say {}",
                signalled.state
            ),
            // Unless the session is over it decides, and needs no reason.
            Some(Overruled::Now(_)) => String::new(),
            Some(Overruled::At(due)) => {
                let since = report.at.max(heard);
                format!(
                    "contradicts the signals, which say {}, in a reading {} after them; one {} after them counts",
                    signalled.state,
                    seconds(report.read.ms_since(since)),
                    seconds(due.ms_since(since))
                )
            }
        }
    };
    Some(piece(
        EvidenceSource::Registry,
        says.to_owned(),
        report.at,
        why,
    ))
}

fn processes(session: &Session, verdict: &Verdict) -> Option<Evidence> {
    let says = match (session.gone, session.exit, session.corroboration) {
        (Some(gone), _, _) => gone.why.words().to_owned(),
        (None, Some(Exit::Status(status)), _) => {
            format!("the pane's process ended with status {status}")
        }
        (None, Some(Exit::Signal(signal)), _) => {
            format!("the pane's process was ended by signal {signal}")
        }
        (None, None, Corroboration::Unknown) => return None,
        (None, None, seen) => match session.process {
            Some(process) => format!("foreground: {}, agent pid {}", seen.word(), process.pid),
            None => format!("foreground: {}", seen.word()),
        },
    };
    let at = session
        .gone
        .map_or(session.exit_at, |gone| gone.at)
        .max(session.born);
    let why = if rank(verdict.source) < rank(EvidenceSource::Process) {
        format!("a lower rank than {}", verdict.source.word())
    } else {
        String::new()
    };
    Some(piece(EvidenceSource::Process, says, at, why))
}

fn stall(session: &Session, policy: &Policy, now: Time) -> Option<Evidence> {
    let turn = &session.turn;
    if turn.phase != Phase::Open {
        return None;
    }
    let alive_at = alive_at(session);
    let quiet_for = now.ms_since(alive_at);
    let why = if signalled(session, now).state == State::Blocked {
        "the turn waits for the person, however long that takes".to_owned()
    } else if turn.by == SignalSource::Script {
        "a script's word stands until it says otherwise".to_owned()
    } else if turn.in_flight() {
        format!("in flight: {}", in_flight(turn))
    } else if registry_is_busy(session) {
        "the agent's own registry says busy".to_owned()
    } else if quiet_for < policy.quiet_ms {
        format!(
            "quiet for {} of {}",
            seconds(quiet_for),
            seconds(policy.quiet_ms)
        )
    } else {
        String::new()
    };
    let says = format!(
        "last sign of life; the quiet window is {}",
        seconds(policy.quiet_ms)
    );
    Some(piece(EvidenceSource::Stall, says, alive_at, why))
}

/// What suspends the quiet rule, counted.
fn in_flight(turn: &Turn) -> String {
    let counted = |count: usize, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {one}s")),
    };
    let parts = [
        counted(turn.tools.len(), "tool call"),
        counted(turn.subagents.len(), "subagent"),
        turn.background.then(|| "background work".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

//! Why a session shows what it shows: `tally explain`.

use serde::{Deserialize, Serialize};

use super::derive::derive;
use crate::evidence::{Evidence, EvidenceSource, RANKS};
use crate::policy::Policy;
use crate::session::{Corroboration, Refused, RegistryStatus, Session};
use crate::state::State;
use crate::time::Time;
use crate::turn::Phase;

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
        registry(session),
        processes(session),
        stall(session, policy),
    ]
    .into_iter()
    .flatten()
    .collect();
    for piece in &mut evidence {
        piece.used = piece.source == verdict.source;
        if piece.used {
            piece.why.clear();
        } else if piece.why.is_empty() {
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

fn rank(source: EvidenceSource) -> usize {
    RANKS
        .iter()
        .position(|rank| rank.source == source)
        .map_or(RANKS.len() + 1, |index| index + 1)
}

fn piece(source: EvidenceSource, says: String, at: Time, why: &str) -> Evidence {
    Evidence {
        source,
        rank: rank(source),
        says,
        at,
        used: false,
        why: why.to_owned(),
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

fn registry(session: &Session) -> Option<Evidence> {
    let report = session.registry?;
    let says = match report.status {
        RegistryStatus::Working => "busy",
        RegistryStatus::Background => "at rest, a background command runs",
        RegistryStatus::Blocked => "waiting",
        RegistryStatus::Idle => "idle",
    };
    let why = if report.read < session.turn.heard {
        "read before the newest signal"
    } else {
        "agrees with the signals, or contradicts them too briefly"
    };
    Some(piece(
        EvidenceSource::Registry,
        says.to_owned(),
        report.at,
        why,
    ))
}

fn processes(session: &Session) -> Option<Evidence> {
    let says = match (session.gone, session.exit, session.corroboration) {
        (Some(gone), _, _) => gone.why.words().to_owned(),
        (None, Some(exit), _) => format!("the pane's process ended: {exit:?}"),
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
    Some(piece(
        EvidenceSource::Process,
        says,
        at,
        "a lower rank than the signals",
    ))
}

fn stall(session: &Session, policy: &Policy) -> Option<Evidence> {
    if session.turn.phase != Phase::Open {
        return None;
    }
    let alive_at = session
        .output
        .map_or(session.turn.heard, |output| output.max(session.turn.heard));
    let why = if session.turn.in_flight() {
        "something is in flight"
    } else {
        "the quiet window has not passed, or the registry says busy"
    };
    let says = format!(
        "last sign of life; the quiet window is {} s",
        policy.quiet_ms / 1000
    );
    Some(piece(EvidenceSource::Stall, says, alive_at, why))
}

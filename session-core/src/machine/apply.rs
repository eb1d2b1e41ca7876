//! One event on one record.

use super::derive::{Verdict, derive};
use super::event::{Applied, Effect, Event, Outcome, Transition};
use super::ledger::{self, Filed};
use crate::act::{Act, Signal, SignalSource};
use crate::away::{self, Away, AwayChange};
use crate::evidence::EvidenceSource;
use crate::place::Exit;
use crate::policy::Policy;
use crate::session::{Gone, GoneWhy, Session, Shown};
use crate::state::State;
use crate::time::Time;

/// How far a signal's stamp may lie ahead of the clock, in milliseconds; further is a wrong clock.
const CLOCK_SLACK_MS: i64 = 5_000;

/// Applies one event to one record at one time, and says what follows.
pub fn apply(session: &mut Session, event: Event, policy: &Policy, now: Time) -> Applied {
    let before = session.clone();
    let mut effects = Vec::new();
    // What time alone has brought back was back before the event, whether somebody ticked or not.
    effects.extend(brought_back(session, policy, now));
    let put_away = session.away.clone();
    let outcome = take(session, event, policy, now);
    let verdict = derive(session, policy, now);
    if let Some(transition) = show(session, &verdict) {
        effects.push(Effect::Journal(transition));
    }
    if session.away != put_away {
        effects.push(by_person(session, &verdict, now));
    }
    effects.extend(brought_back(session, policy, now));
    if let (Some(gone), None) = (session.gone, before.gone) {
        effects.push(Effect::Ended(gone));
    }
    Applied {
        outcome,
        effects,
        changed: *session != before,
    }
}

fn take(session: &mut Session, event: Event, policy: &Policy, now: Time) -> Outcome {
    if session.gone.is_some() && !revives(session, &event) {
        return Outcome::Refused("the session is over".to_owned());
    }
    match event {
        Event::Signal(signal) => return signalled(session, signal, policy, now),
        Event::Registry(report) => session.registry = report,
        Event::Processes {
            corroboration,
            agent,
        } => {
            session.corroboration = corroboration;
            if let Some((agent, process)) = agent {
                session.agent.get_or_insert(agent);
                session.process.get_or_insert(process);
            }
        }
        Event::AgentExited => {
            // A pane that is kept open says more than the missing process does.
            if session.exit.is_none() {
                end(session, GoneWhy::AgentExited, now);
            }
        }
        Event::Pane { pid, dead } => pane(session, pid, dead, now),
        Event::Gone(why) => end(session, why, now),
        Event::Viewed(true) => {
            session.viewed_since.get_or_insert(now);
        }
        Event::Viewed(false) => left(session, policy, now),
        Event::Output(at) => session.output = session.output.max(Some(at.min(now))),
        Event::Acknowledge { turn } => {
            acknowledge(session, turn.unwrap_or(session.turn.number), now);
        }
        Event::Settle => away::put_away(session, &derive(session, policy, now), None, now),
        Event::Snooze { until } => {
            away::put_away(session, &derive(session, policy, now), Some(until), now);
        }
        Event::Unsettle => away::take_back(session, &derive(session, policy, now), policy, now),
        Event::Tick => {}
    }
    Outcome::Taken
}

/// Why a signal is refused that nothing is kept of to put it in order with.
const TOO_LATE: &str = "it started before signals that were already settled";

fn signalled(session: &mut Session, mut signal: Signal, policy: &Policy, now: Time) -> Outcome {
    if signal.at.ms_since(now) > CLOCK_SLACK_MS {
        signal.at = now;
    }
    // Nobody has heard of the future: the clock was set back since.
    if session.turn.heard > now {
        ledger::forget_order(session);
    }
    settle_evidence(session, &signal, policy, now);
    let (event, act, at) = (signal.event.clone(), signal.act.clone(), signal.at);
    let (agent, agent_session) = (signal.agent.clone(), signal.agent_session.clone());
    match ledger::file(session, signal) {
        Filed::TooLate => {
            session.refuse(event, TOO_LATE, now);
            Outcome::Refused(TOO_LATE.to_owned())
        }
        Filed::Repeated => Outcome::Repeated,
        Filed::Read => {
            session.agent = session.agent.take().or(agent);
            if agent_session.is_some() {
                session.agent_session = agent_session;
            }
            if act == Act::Exit {
                end(session, GoneWhy::Ended, at.min(now));
            }
            Outcome::Taken
        }
    }
}

/// Makes what other evidence has settled part of the book before a newer signal is read: a prompt after an
/// interrupt begins a turn, it does not wait behind the one that was cut short.
fn settle_evidence(session: &mut Session, signal: &Signal, policy: &Policy, now: Time) {
    let verdict = derive(session, policy, signal.at.min(now));
    let source = match verdict.source {
        EvidenceSource::Registry => SignalSource::Registry,
        EvidenceSource::Stall => SignalSource::Quiet,
        _ => return,
    };
    let act = match verdict.state {
        State::Idle | State::Done => Act::Interrupt,
        State::Working => Act::Work,
        _ => return,
    };
    let settles = match source {
        SignalSource::Registry => session.registry.map_or(verdict.since, |report| report.at),
        _ => verdict.since,
    };
    let at = settles.max(session.turn.heard);
    if at >= signal.at || (session.turn.by == source && verdict.since <= session.turn.since) {
        return;
    }
    ledger::file(
        session,
        Signal {
            at,
            source,
            act,
            actor: None,
            agent: None,
            agent_session: None,
            message: None,
            event: "evidence".to_owned(),
            fingerprint: 0,
        },
    );
}

fn pane(session: &mut Session, pid: Option<u32>, dead: Option<Exit>, now: Time) {
    match (session.pane_pid, pid) {
        (Some(known), Some(pid)) if known != pid => {
            return end(session, GoneWhy::PaneRespawned, now);
        }
        (None, Some(pid)) => session.pane_pid = Some(pid),
        _ => {}
    }
    match dead {
        Some(Exit::Status(0)) => end(session, GoneWhy::PaneDead, now),
        Some(exit) if session.exit != Some(exit) => {
            session.gone = None;
            session.exit = Some(exit);
            session.exit_at = now;
        }
        _ => {}
    }
}

/// A pane kept open tells how the process ended that was only known to be missing.
fn revives(session: &Session, event: &Event) -> bool {
    let missing = session
        .gone
        .is_some_and(|gone| gone.why == GoneWhy::AgentExited);
    match event {
        Event::Pane {
            pid,
            dead: Some(dead),
        } => missing && *dead != Exit::Status(0) && pid.is_some() && *pid == session.pane_pid,
        _ => false,
    }
}

fn end(session: &mut Session, why: GoneWhy, now: Time) {
    session.gone.get_or_insert(Gone { at: now, why });
}

/// The person stopped looking: a finished turn that was in view for the dwell time is acknowledged (design §5.5,
/// case J4).
fn left(session: &mut Session, policy: &Policy, now: Time) {
    let Some(since) = session.viewed_since.take() else {
        return;
    };
    let verdict = derive(session, policy, now);
    if verdict.state == State::Done && now.ms_since(since.max(verdict.since)) >= policy.dwell_ms {
        acknowledge(session, session.turn.number, now);
    }
}

fn acknowledge(session: &mut Session, turn: u64, now: Time) {
    let turn = turn.min(session.turn.number);
    if turn > session.acknowledged {
        session.acknowledged = turn;
        session.acknowledged_at = now;
    }
}

fn show(session: &mut Session, verdict: &Verdict) -> Option<Transition> {
    let shown = &session.shown;
    if (verdict.state, verdict.blocked_kind, verdict.error_kind)
        == (shown.state, shown.blocked_kind, shown.error_kind)
    {
        session.shown.source = verdict.source;
        return None;
    }
    let transition = Transition {
        session: session.id,
        at: verdict.since,
        from: shown.state,
        to: verdict.state,
        blocked_kind: verdict.blocked_kind,
        error_kind: verdict.error_kind,
        source: verdict.source,
        reason: verdict.reason.clone(),
        turn: session.turn.number,
        message: verdict.message.clone(),
        away: None,
    };
    session.shown = Shown {
        state: verdict.state,
        blocked_kind: verdict.blocked_kind,
        error_kind: verdict.error_kind,
        source: verdict.source,
        since: verdict.since,
    };
    Some(transition)
}

/// Takes a session off the shelf that something has brought back.
fn brought_back(session: &mut Session, policy: &Policy, now: Time) -> Option<Effect> {
    session.away.as_ref()?;
    let verdict = derive(session, policy, now);
    let why = away::bring_back(session, &verdict, now)?;
    Some(row_of_away(
        session,
        &verdict,
        (AwayChange::Back, verdict.source, why),
        now,
    ))
}

/// The row that says what the person has done.
fn by_person(session: &Session, verdict: &Verdict, now: Time) -> Effect {
    let (change, why) = match &session.away {
        Some(Away::Settled { .. }) => (AwayChange::Settled, "settled by the person"),
        Some(Away::Snoozed { until, .. }) => (
            AwayChange::Snoozed { until: *until },
            "snoozed by the person",
        ),
        Some(Away::Kept { .. }) | None => (AwayChange::Back, "taken back by the person"),
    };
    row_of_away(session, verdict, (change, EvidenceSource::Person, why), now)
}

fn row_of_away(
    session: &Session,
    verdict: &Verdict,
    (change, source, why): (AwayChange, EvidenceSource, &str),
    now: Time,
) -> Effect {
    Effect::Journal(Transition {
        session: session.id,
        at: now,
        from: verdict.state,
        to: verdict.state,
        blocked_kind: verdict.blocked_kind,
        error_kind: verdict.error_kind,
        source,
        reason: why.to_owned(),
        turn: session.turn.number,
        message: verdict.message.clone(),
        away: Some(change),
    })
}

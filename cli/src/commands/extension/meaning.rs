//! `tally extension test`.

use std::io::{self, IsTerminal, Read};

use session_core::manifest::{Manifest, parse_payload};
use session_core::{BlockedKind, ErrorKind, Event, Policy, Session, State, Time, apply, derive};
use session_host::clock::Clock;
use session_host::files::LARGEST;
use session_host::intake::new_id;

use crate::context::Context;
use crate::failure::{Failure, exit};

/// Tells what the payload on standard input would mean.
pub(super) fn run(manifest: &Manifest, context: &Context) -> anyhow::Result<u8> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        context
            .out
            .note("Reading a payload, up to its end (Ctrl-D).");
    }
    let mut bytes = Vec::new();
    stdin.lock().take(LARGEST).read_to_end(&mut bytes)?;
    let payload = parse_payload(&bytes).map_err(|error| Failure::failed(error.to_string()))?;
    let now = context.clock.now();
    let env = |name: &str| context.env.get(name).map(str::to_owned);
    let reading = manifest.read(&payload, &env, now);
    let mut lines = vec![("event", reading.event.clone())];
    let rule = reading
        .rule
        .and_then(|index| Some((index, manifest.rules.get(index)?)));
    let Some((index, rule)) = rule else {
        let known = if reading.event.is_empty() {
            format!("the payload has no text in {:?}", manifest.fields.event)
        } else {
            format!("no rule of {} is about it", manifest.name)
        };
        lines.push(("rule", known));
        context.out.data(&text(&lines))?;
        return Ok(exit::FAILED);
    };
    let why = rule.why.as_ref().map(|why| format!(": {why}"));
    lines.push((
        "rule",
        format!("number {}{}", index + 1, why.unwrap_or_default()),
    ));
    match reading.signal {
        None => lines.push(("act", "ignore: it says nothing about the state".to_owned())),
        Some(signal) => {
            lines.push(("act", serde_json::to_string(&signal.act)?));
            if let Some(actor) = &signal.actor {
                lines.push(("subagent", actor.to_string()));
            }
            if let Some(message) = &signal.message {
                lines.push(("message", message.clone()));
            }
            let mut session = Session::new(new_id(now), context.machine.clone(), None, now);
            apply(&mut session, Event::Signal(signal), &Policy::default(), now);
            lines.push(("state", state(&session, now)));
        }
    }
    context.out.data(&text(&lines))?;
    Ok(exit::OK)
}

/// What a session that has heard nothing else shows then.
fn state(session: &Session, now: Time) -> String {
    let shown = derive(session, &Policy::default(), now);
    let kind = match shown.state {
        State::Blocked => shown.blocked_kind.map(BlockedKind::word),
        State::Error => shown.error_kind.map(ErrorKind::word),
        _ => None,
    };
    let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    format!("{}{kind}", shown.state)
}

fn text(lines: &[(&str, String)]) -> String {
    lines
        .iter()
        .map(|(name, value)| format!("{name:<10}{value}\n"))
        .collect()
}

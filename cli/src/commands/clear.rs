//! `tally clear`.

use session_core::{Act, Event, Outcome, Policy, SessionId, Signal, SignalSource, apply};
use session_host::clock::Clock;
use session_host::nudge::{Nudge, nudge};
use session_host::store::Store;

use crate::args::RefArgs;
use crate::context::{Context, STORE_WAIT};
use crate::failure::{Failure, exit, of_store};
use crate::reference::find;

/// Tells that nothing runs or waits (case A8). Ends with status 1 when there is no such session.
pub(crate) fn run(args: &RefArgs, context: &Context) -> anyhow::Result<u8> {
    let at = context.clock.now();
    let signal = Signal {
        at,
        source: SignalSource::Person,
        act: Act::Interrupt,
        actor: None,
        agent: None,
        agent_session: None,
        message: None,
        event: "clear".to_owned(),
        // Said twice, it is meant twice.
        fingerprint: at.0.unsigned_abs(),
    };
    change(args.reference.as_deref(), context, Event::Signal(signal))
}

/// Applies the person's word to a session. Ends with status 1 when there is no such session, or it cannot be changed.
pub(super) fn change(
    reference: Option<&str>,
    context: &Context,
    event: Event,
) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let id = find(reference, &picture.sessions, context)?.id;
    tell(id, event, &config.policy, context)?;
    Ok(exit::OK)
}

/// Applies the person's word to a session that is known.
pub(crate) fn tell(
    id: SessionId,
    event: Event,
    policy: &Policy,
    context: &Context,
) -> Result<(), Failure> {
    let now = context.clock.now();
    let changed = Store::open_writing(&context.paths, STORE_WAIT)
        .and_then(|mut store| store.update(id, now, |session| apply(session, event, policy, now)));
    let changed = changed.map_err(|error| of_store(&error, &context.paths))?;
    let (_, applied) =
        changed.ok_or_else(|| Failure::failed(format!("the session {id} is gone")))?;
    // No daemon to wake is fine: the store says it all.
    let _ = nudge(&context.paths, &Nudge::Changed(id));
    match applied.outcome {
        Outcome::Refused(why) => Err(Failure::failed(format!("the session {id}: {why}"))),
        Outcome::Taken | Outcome::Repeated => Ok(()),
    }
}

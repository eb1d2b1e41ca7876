//! `tally reports-as`.

use session_core::{AgentName, Applied, Outcome};
use session_host::clock::Clock;
use session_host::nudge::{Nudge, nudge};
use session_host::store::Store;

use crate::args::ReportsAsArgs;
use crate::commands::new::known_agent;
use crate::context::{Context, STORE_WAIT};
use crate::failure::{Failure, exit, of_store};
use crate::reference::find;

/// Declares what coverage a session is read against, or takes that back. Nothing else changes: neither its state nor the
/// command that `tally restart` starts.
pub(crate) fn run(args: &ReportsAsArgs, context: &Context) -> anyhow::Result<u8> {
    let (reference, agent) = meant(args, context)?;
    let picture = context.picture(&context.config(), None, false)?;
    let id = find(reference, &picture.sessions, context)?.id;
    let now = context.clock.now();
    let changed = Store::open_writing(&context.paths, STORE_WAIT).and_then(|mut store| {
        store.update(id, now, |session| {
            let changed = session.reports_as != agent;
            session.reports_as.clone_from(&agent);
            Applied {
                outcome: Outcome::Taken,
                effects: Vec::new(),
                changed,
            }
        })
    });
    let changed = changed.map_err(|error| of_store(&error, &context.paths))?;
    if changed.is_none() {
        return Err(Failure::failed(format!("the session {id} is gone")).into());
    }
    // No daemon to wake is fine: the store says it all.
    let _ = nudge(&context.paths, &Nudge::Changed(id));
    Ok(exit::OK)
}

/// The session and the agent that are named.
fn meant<'a>(
    args: &'a ReportsAsArgs,
    context: &Context,
) -> Result<(Option<&'a str>, Option<AgentName>), Failure> {
    match (args.clear, args.words.as_slice()) {
        (true, []) => Ok((None, None)),
        (true, [reference]) => Ok((Some(reference), None)),
        (false, [agent]) => Ok((None, Some(known_agent(agent, context)?))),
        (false, [reference, agent]) => Ok((Some(reference), Some(known_agent(agent, context)?))),
        _ => Err(Failure::new(
            exit::USAGE,
            "give a session and an agent, an agent for the session in this pane, or --clear",
        )),
    }
}

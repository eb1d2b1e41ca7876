//! Whether a delivery belongs to the session in its pane, to a new one, or to none.

use session_core::{Act, GoneWhy, PaneKey, ProcessRef, Session, SignalSource};

use super::deliver::Desk;
use super::delivery::Delivery;
use crate::store::StoreError;

/// How far up the parents a launcher is looked for.
const MAX_LAUNCHERS: usize = 8;

/// Whether the live session in a pane is the reporting agent's.
pub(super) enum Fit {
    /// It is.
    Same,
    /// It is over; the report begins another.
    Over(GoneWhy),
    /// It is not, and it goes on.
    Refused(&'static str),
}

impl Desk<'_> {
    /// A goodbye begins nothing, and what was reported before the last session in the pane ended does not bring it
    /// back, unless it is from another process that lives.
    pub(super) fn not_worth_a_session(
        &self,
        delivery: &Delivery,
        key: &PaneKey,
    ) -> Result<Option<&'static str>, StoreError> {
        if delivery.signal.act == Act::Exit {
            return Ok(Some("it ends a session that is not known"));
        }
        let Some(ended) = self.book.last_end(&key.server.to_string(), key.pane)? else {
            return Ok(None);
        };
        let another = match (ended.process, delivery.origin.process) {
            (Some(old), Some(new)) => old != new && self.processes.alive(new) != Some(false),
            _ => false,
        };
        Ok((delivery.signal.at < ended.at && !another)
            .then_some("it is older than the end of the session in its pane"))
    }

    /// Whether the live session in the pane is the reporting agent's.
    pub(super) fn fits(&self, session: &Session, delivery: &Delivery) -> Fit {
        let wired = delivery.signal.source == SignalSource::Wired;
        let other_agent = match (&session.agent, &delivery.signal.agent) {
            (Some(known), Some(named)) => wired && known != named,
            _ => false,
        };
        let Some(old) = session.process else {
            return if other_agent {
                Fit::Over(GoneWhy::Replaced)
            } else {
                Fit::Same
            };
        };
        if delivery.origin.process == Some(old) {
            return Fit::Same;
        }
        if self.processes.alive(old) == Some(false) {
            return Fit::Over(GoneWhy::AgentExited);
        }
        let Some(new) = delivery.origin.process else {
            return Fit::Same;
        };
        // A launcher that was seen before its program was, or the other way round.
        if !other_agent && (delivery.origin.ancestors.contains(&old) || self.descends(old, new)) {
            return Fit::Same;
        }
        // A subcommand that opens no conversation says goodbye all the same.
        if delivery.signal.act == Act::Exit {
            return Fit::Refused("it ends the session of another process");
        }
        if delivery.origin.foreground == Some(false) {
            return Fit::Refused(
                "another agent is in the pane, and the one that reports is not in its foreground",
            );
        }
        Fit::Over(GoneWhy::Replaced)
    }

    fn descends(&self, process: ProcessRef, from: ProcessRef) -> bool {
        let mut next = process.pid;
        for _ in 0..MAX_LAUNCHERS {
            match self.processes.stat(next) {
                Ok(stat) if stat.parent == from.pid => return true,
                Ok(stat) => next = stat.parent,
                Err(_) => return false,
            }
        }
        false
    }
}

//! Asks a server about one pane, for a signal from a pane that nobody has seen yet.

use std::time::Duration;

use session_core::PaneId;
use session_host::bridge::{PaneProbe, ProbeFailed, ProbedPane};
use session_host::env::Env;

use crate::command::{Batch, Line, Target, Tmux};

/// The asker.
#[derive(Clone, Debug)]
pub struct Probe {
    env: Env,
    limit: Duration,
}

impl Probe {
    /// An asker that waits at most so long for an answer.
    #[must_use]
    pub fn new(env: &Env, limit: Duration) -> Self {
        Self {
            env: env.clone(),
            limit,
        }
    }
}

impl PaneProbe for Probe {
    fn pane(&self, socket: &str, pane: PaneId) -> Result<Option<ProbedPane>, ProbeFailed> {
        let question = Line::new("display-message")
            .flag("-p")
            .target(&Target::Pane(pane))
            .value("#{pane_id} #{pane_pid} #{pid} #{start_time}");
        match Tmux::at(socket, &self.env).run(&Batch::from(question), self.limit) {
            Ok(printed) => answer(&String::from_utf8_lossy(&printed), pane),
            Err(crate::TmuxError::Refused(why)) if why.contains("can't find pane") => Ok(None),
            Err(err) => Err(ProbeFailed(err.to_string())),
        }
    }
}

/// tmux prints empty fields, and is content, when there is no such pane (facts §5).
fn answer(printed: &str, pane: PaneId) -> Result<Option<ProbedPane>, ProbeFailed> {
    let mut fields = printed.trim_end_matches('\n').split(' ');
    if fields.next().and_then(|id| id.parse().ok()) != Some(pane) {
        return Ok(None);
    }
    let mut number = || fields.next().and_then(|field| field.parse::<i64>().ok());
    let read = (|| {
        Some(ProbedPane {
            pid: u32::try_from(number()?).ok()?,
            server_pid: u32::try_from(number()?).ok()?,
            server_started: number()?,
        })
    })();
    read.map(Some)
        .ok_or_else(|| ProbeFailed(format!("an answer that cannot be read: {printed:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_that_is_not_there_is_no_failure() {
        let found = ProbedPane {
            pid: 12,
            server_pid: 34,
            server_started: 56,
        };
        assert_eq!(answer("%5 12 34 56\n", PaneId(5)), Ok(Some(found)));
        assert_eq!(answer(" 0 34 56\n", PaneId(5)), Ok(None));
        assert_eq!(answer("%4 12 34 56\n", PaneId(5)), Ok(None));
        assert_eq!(answer("\n", PaneId(5)), Ok(None));
        assert!(answer("%5 x\n", PaneId(5)).is_err());
    }
}

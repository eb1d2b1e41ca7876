//! The tmux servers, seen just now: for commands that must be right also where no daemon runs.

use session_core::{ServerView, Time};
use session_host::clock::Clock as _;
use session_host::query::Fresh;
use tmux_bridge::Found;

use crate::context::Context;

/// What a look at all servers found.
pub(crate) struct Sight {
    /// The servers, also those that do not answer.
    pub(crate) found: Vec<Found>,
    views: Vec<ServerView>,
    began: Time,
}

impl Sight {
    /// Looks at all servers.
    pub(crate) fn now(context: &Context) -> Self {
        let began = context.clock.now();
        let found = tmux_bridge::servers(&context.env);
        let views = found
            .iter()
            .filter_map(|found| found.server.as_ref().ok())
            .cloned()
            .collect();
        Self {
            found,
            views,
            began,
        }
    }

    /// What a picture is drawn with.
    pub(crate) fn fresh(&self) -> Fresh<'_> {
        Fresh {
            views: &self.views,
            began: self.began,
        }
    }
}

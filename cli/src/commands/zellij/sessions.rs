//! The live sessions of zellij, and whether the plugin is in them.

use session_host::clock::Clock;
use zellij_bridge::install::{self, Places};
use zellij_bridge::{Finder, Found, plugins};

use crate::context::Context;

/// Whether a session has the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// One of its panes is the plugin.
    Loaded,
    /// None is.
    Absent,
    /// The session keeps no record of its panes, or none has been written yet.
    Unknown,
}

impl Presence {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Absent => "absent",
            Self::Unknown => "unknown",
        }
    }

    fn of(plugins: Option<&[String]>, location: &str) -> Self {
        let is_ours = |plugin: &String| plugin == location || install::url(location) == *plugin;
        match plugins {
            None => Self::Unknown,
            Some(plugins) if plugins.iter().any(is_ours) => Self::Loaded,
            Some(_) => Self::Absent,
        }
    }
}

/// The live sessions.
pub(crate) fn sessions(context: &Context) -> Vec<(Found, Presence)> {
    let places = Places::of(&context.env).ok();
    let location = places.as_ref().and_then(|places| places.plugin_text().ok());
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    found
        .into_iter()
        .map(|found| {
            let plugins = plugins(&found, &context.processes);
            let presence = location.map_or(Presence::Unknown, |location| {
                Presence::of(plugins.as_deref(), location)
            });
            (found, presence)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_tells_nothing_is_not_said_to_lack_the_plugin() {
        let ours = "/home/me/.local/share/tally/tally.wasm";
        let with = |plugin: &str| vec!["zellij:status-bar".to_owned(), plugin.to_owned()];
        for (plugins, presence) in [
            (None, Presence::Unknown),
            (Some(vec![]), Presence::Absent),
            (Some(with("file:/tmp/tally.wasm")), Presence::Absent),
            (Some(with(ours)), Presence::Loaded),
            (Some(with(&format!("file:{ours}"))), Presence::Loaded),
        ] {
            assert_eq!(
                Presence::of(plugins.as_deref(), ours),
                presence,
                "{plugins:?}"
            );
        }
    }
}

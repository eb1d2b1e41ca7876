//! The live sessions of zellij, and whether the plugin is in them.

use session_host::clock::Clock;
use zellij_bridge::install::{self, Places};
use zellij_bridge::{Finder, Found, Zellij, outline};

use crate::context::Context;
use crate::output::ServerDocument;

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

/// A live session.
pub(crate) struct ZellijSession {
    /// What was found.
    pub(crate) found: Found,
    /// Whether it has the plugin.
    pub(crate) presence: Presence,
    /// How many panes it has, where it tells.
    panes: Option<usize>,
}

impl ZellijSession {
    /// For programs. Asks the server's program for its version.
    pub(crate) fn document(&self, context: &Context) -> ServerDocument {
        let (found, name) = (&self.found, self.found.name.as_ref());
        let program = found.program(&Zellij::on_path(&context.env));
        ServerDocument {
            mux: "zellij",
            reachable: name.is_some(),
            why: name.is_none().then(|| "its socket is gone".to_owned()),
            socket: name.unwrap_or(&found.server.socket).clone(),
            pid: Some(found.server.pid),
            version: program.version().ok().map(|version| version.to_string()),
            panes: self.panes,
        }
    }
}

/// The live sessions.
pub(crate) fn sessions(context: &Context) -> Vec<ZellijSession> {
    let places = Places::of(&context.env).ok();
    let location = places.as_ref().and_then(|places| places.plugin_text().ok());
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    found
        .into_iter()
        .map(|found| {
            let outline = outline(&found, &context.processes);
            let plugins = outline.as_ref().map(|outline| outline.plugins.as_slice());
            let presence = location.map_or(Presence::Unknown, |location| {
                Presence::of(plugins, location)
            });
            ZellijSession {
                presence,
                panes: outline.map(|outline| outline.panes),
                found,
            }
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

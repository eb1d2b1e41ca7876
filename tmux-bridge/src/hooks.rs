//! The wake hooks: `wait-for -S <channel>` at an array index of our own (facts §4, §6).
//!
//! They start no process. A person's own hooks stand at other indices and are never touched. A person's `set-hook -g`
//! without an index wipes the whole array, ours too, so the hooks are compared and set again at every slow poll.

use std::time::Duration;

use session_host::paths::FLAVOUR;

use crate::command::{Batch, Line, Tmux};
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::version::Version;

/// The array index: one for the Tallylight in use, one for the Tallylight that is worked on.
const INDEX: u32 = if cfg!(debug_assertions) { 8472 } else { 8471 };

/// The hooks. `pane-title-changed` is left out on purpose: agents animate their titles.
const NAMES: [&str; 18] = [
    "client-attached",
    "client-detached",
    "client-session-changed",
    "client-focus-in",
    "client-focus-out",
    "session-created",
    "session-closed",
    "session-renamed",
    "session-window-changed",
    "window-linked",
    "window-unlinked",
    "window-renamed",
    "window-pane-changed",
    "window-layout-changed",
    "pane-exited",
    "pane-died",
    "after-select-pane",
    "after-kill-pane",
];

/// The channel that wakes the follower of a server.
pub(crate) fn channel(server_pid: u32) -> String {
    format!("{FLAVOUR}-{server_pid}")
}

/// The wake hooks of one server.
#[derive(Clone, Debug)]
pub(crate) struct WakeHooks {
    channel: String,
    /// The hooks this server has.
    names: Vec<&'static str>,
}

impl WakeHooks {
    pub(crate) fn new(server_pid: u32, version: &str) -> Self {
        let focus = version.parse().is_ok_and(|version: Version| !version.has_client_focus_hooks());
        let names = NAMES.into_iter().filter(|name| !(focus && name.starts_with("client-focus"))).collect();
        Self { channel: channel(server_pid), names }
    }

    /// Sets what is missing; blocking. Returns whether anything was.
    ///
    /// A hook that this server refuses is not tried again.
    pub(crate) fn assert(&mut self, tmux: &Tmux, limit: Duration) -> Result<bool, TmuxError> {
        let missing = self.missing(tmux, limit)?;
        if missing.is_empty() {
            return Ok(false);
        }
        let lines: Batch = missing.iter().map(|name| self.set(name)).collect();
        if let Err(TmuxError::Refused(_)) = tmux.run(&lines, limit) {
            // The batch ended at the first that was refused.
            for name in &missing {
                match tmux.run(&Batch::from(self.set(name)), limit) {
                    Ok(_) | Err(TmuxError::Refused(_)) => {}
                    Err(err) => return Err(err),
                }
            }
        }
        let refused = self.missing(tmux, limit)?;
        if !refused.is_empty() {
            tracing::warn!(hooks = refused.join(" "), socket = %tmux.socket().display(), "tmux does not keep these hooks");
        }
        self.names.retain(|name| !refused.contains(name));
        Ok(true)
    }

    fn set(&self, name: &str) -> Line {
        let hook = format!("{name}[{INDEX}]");
        Line::new("set-hook").flag("-g").value(&hook).value(&format!("wait-for -S {}", self.channel))
    }

    /// The commands that take the hooks back.
    pub(crate) fn removal(&self) -> Vec<Line> {
        let unset = |name: &&str| Line::new("set-hook").flag("-gu").value(&format!("{name}[{INDEX}]"));
        self.names.iter().map(unset).collect()
    }

    fn missing(&self, tmux: &Tmux, limit: Duration) -> Result<Vec<&'static str>, TmuxError> {
        let mark = Mark::new();
        let question: Batch = [
            Line::new("display-message").flag("-p").value(mark.text()),
            Line::new("show-hooks").flag("-g"),
            Line::new("show-hooks").flag("-gw"),
        ]
        .into_iter()
        .collect();
        let printed = mark.sections(&tmux.run(&question, limit)?).concat();
        Ok(self.missing_in(&printed))
    }

    fn missing_in(&self, printed: &str) -> Vec<&'static str> {
        let is_set = |name: &str| {
            let hook = format!("{name}[{INDEX}] ");
            printed.lines().filter_map(|line| line.strip_prefix(&hook)).any(|command| {
                let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
                words.next() == Some("wait-for") && words.next_back() == Some(self.channel.as_str())
            })
        };
        self.names.iter().copied().filter(|name| !is_set(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_command_at_our_own_index_counts() {
        let mut hooks = WakeHooks::new(12, "3.3a");
        hooks.names = vec!["client-attached", "client-detached", "pane-died", "pane-exited", "window-linked"];
        let channel = channel(12);
        let printed = format!(
            "client-attached\nclient-attached[0] display-message x\nclient-detached[{INDEX}] wait-for -S {channel}\n\
             pane-died[{INDEX}] wait-for -S other-1\npane-exited[3] wait-for -S {channel}\n\
             window-linked[{INDEX}] \"wait-for -S {channel}\"\n"
        );
        assert_eq!(hooks.missing_in(&printed), ["client-attached", "pane-died", "pane-exited"]);
    }

    #[test]
    fn an_old_server_is_not_asked_for_focus_hooks() {
        assert_eq!(WakeHooks::new(1, "3.2a").names.len(), NAMES.len() - 2);
        assert_eq!(WakeHooks::new(1, "next-3.8").names.len(), NAMES.len());
        assert_eq!(WakeHooks::new(1, "who knows").names.len(), NAMES.len());
    }
}

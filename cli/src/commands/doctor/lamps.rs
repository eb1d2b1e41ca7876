//! Whether anything of a tmux server shows the lamps, and who of its mux sessions and windows does not.

use session_host::paths::FLAVOUR;
use tmux_bridge::Tmux;
use tmux_bridge::style::{BORDER, LAMP, SUMMARY};

use super::effective::{self, Hides};
use super::finding::Finding;
use super::tmux::{load_command, option};
use crate::context::Context;
use crate::output::counted;

/// The options of tmux in which a lamp can be shown.
const FORMATS: [&str; 6] = [
    "status-left",
    "status-right",
    "window-status-format",
    "window-status-current-format",
    "pane-border-format",
    "status-format",
];
/// How many who hide a lamp are named.
const NAMED: usize = 4;

/// What of the server's formats shows a lamp, and whether what they refer to is there.
pub(super) fn lamps(about: &str, tmux: &Tmux, version: &str, context: &Context) -> Vec<Finding> {
    let values: Vec<(&str, String)> = FORMATS
        .into_iter()
        .filter_map(|name| Some((name, option(tmux, name).ok()?)))
        .collect();
    let referring = |to: &str| -> Vec<&str> {
        let refers = values.iter().filter(|(_, value)| value.contains(to));
        refers.map(|(name, _)| *name).collect()
    };
    let global = referring(&prefix());
    // One that does not answer this has answered the rest: then only the server's own options are told of.
    let rows = effective::rows(tmux, &prefix()).unwrap_or_default();
    let shown: Vec<&str> = FORMATS
        .into_iter()
        .filter(|name| global.contains(name) || effective::shown(&rows).contains(name))
        .collect();
    if shown.is_empty() {
        return vec![
            Finding::warning(about, "nothing in its status line shows a lamp")
                .expected(format!("a format that refers to {}…", prefix()))
                .repair(format!(
                    "{}, or the lines of `tally tmux snippet` in your tmux.conf",
                    load_command(tmux.socket(), context)
                )),
        ];
    }
    let elsewhere = shown.contains(&"pane-border-format");
    if !elsewhere && option(tmux, "status").is_ok_and(|value| value == "off") {
        return vec![
            Finding::warning(
                about,
                format!(
                    "its status line is off, so nobody sees {}",
                    shown.join(", ")
                ),
            )
            .expected("status on, or a lamp in pane-border-format")
            .repair("set -g status on"),
        ];
    }
    let mut findings: Vec<Finding> = [LAMP, SUMMARY, BORDER]
        .into_iter()
        .filter(|name| option(tmux, name).is_ok_and(|value| value.is_empty()))
        .filter_map(|name| {
            unset(
                about,
                name,
                &referring(name),
                &load_command(tmux.socket(), context),
            )
        })
        .collect();
    findings.extend(hidden(about, &effective::hiding(&rows, &global)));
    if findings.is_empty() {
        findings.push(Finding::ok(
            about,
            format!("version {version}, lamps in {}", shown.join(", ")),
        ));
    }
    findings
}

/// Mux sessions and windows with an option of their own, which comes before the server's.
fn hidden(about: &str, hiding: &[Hides]) -> Option<Finding> {
    let mut named: Vec<String> = hiding.iter().take(NAMED).map(Hides::text).collect();
    if let more @ 1.. = hiding.len().saturating_sub(NAMED) {
        named.push(format!("and {}", counted(more, "other")));
    }
    let who = match hiding.len() {
        0 => return None,
        1 => "has an option of its own that hides",
        _ => "have options of their own that hide",
    };
    Some(
        Finding::warning(about, format!("{} {who} the lamps", named.join(", ")))
            .expected(format!("a reference to {}… in it as well", prefix()))
            .repair("set-option -u there, to go by the server's; or the lines of `tally tmux snippet` with set-option -a"),
    )
}

/// A format of ours that is not set although something refers to it.
fn unset(about: &str, name: &str, by: &[&str], load: &str) -> Option<Finding> {
    let (refer, shows) = match by {
        [] => return None,
        [_] => ("refers", "it shows"),
        _ => ("refer", "they show"),
    };
    let found = format!(
        "{} {refer} to {name}, which is not set: {shows} no lamp",
        by.join(", ")
    );
    Some(
        Finding::warning(about, found)
            .expected(format!("{name} as the daemon sets it on every server that it follows"))
            .repair(format!("tally up: a daemon that runs sets it again within some ten seconds; or at once: {load}")),
    )
}

/// What the names of this build's options begin with.
fn prefix() -> String {
    format!("@{}_", FLAVOUR.replace('-', "_"))
}

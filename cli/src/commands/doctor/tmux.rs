//! tmux: the program, its servers, and whether anything shows the lamps.

use std::time::Duration;

use session_core::view::clean;
use session_host::paths::FLAVOUR;
use tmux_bridge::{Batch, Found, Line, Tmux, TmuxError, Version};

use super::finding::Finding;
use crate::context::Context;

/// How long a server may take to answer.
const LIMIT: Duration = Duration::from_secs(2);

/// The options of tmux in which a lamp can be shown.
const FORMATS: [&str; 6] = [
    "status-left",
    "status-right",
    "window-status-format",
    "window-status-current-format",
    "pane-border-format",
    "status-format",
];

/// All of it.
pub(super) fn tmux(context: &Context) -> Vec<Finding> {
    let found = tmux_bridge::servers(&context.env);
    let client = client_version(context);
    let mut findings = Vec::new();
    match &client {
        None => findings.push(Finding::note("tmux", "not installed")),
        Some(text) => match text.parse::<Version>() {
            Ok(version) if version < Version::FLOOR => findings.push(
                Finding::warning("tmux", format!("version {text}"))
                    .expected(format!("version {} or newer", Version::FLOOR))
                    .repair("install a newer tmux"),
            ),
            _ => findings.push(Finding::ok("tmux", format!("version {text}"))),
        },
    }
    if found.is_empty() && client.is_some() {
        findings.push(Finding::note("tmux servers", "none is running"));
    }
    for server in &found {
        findings.extend(one(server, client.as_deref(), context));
    }
    findings
}

fn one(found: &Found, client: Option<&str>, context: &Context) -> Vec<Finding> {
    let about = format!("tmux server {}", found.socket.display());
    let view = match &found.server {
        Ok(view) => view,
        Err(error) => {
            return vec![
                Finding::note(&about, error.to_string())
                    .expected("a server behind the socket")
                    .repair("nothing: a file without a server is a leftover that tmux replaces"),
            ];
        }
    };
    let mut findings = Vec::new();
    if client.is_some_and(|client| client != view.version) {
        findings.push(
            Finding::warning(&about, format!("runs version {}", view.version))
                .expected(format!(
                    "version {}, as the program on the path",
                    client.unwrap_or_default()
                ))
                .repair(
                    "restart the server when you can: two versions may not understand each other",
                ),
        );
    }
    let tmux = Tmux::at(&found.socket, &context.env);
    match option(&tmux, "focus-events") {
        Ok(value) if value == "on" => {}
        Ok(_) => findings.push(
            Finding::note(
                &about,
                "focus-events is off: a pane counts as viewed while its window is shown anywhere",
            )
            .repair("set -g focus-events on"),
        ),
        Err(error) => findings.push(Finding::warning(&about, error.to_string())),
    }
    let shown: Vec<&str> = FORMATS
        .into_iter()
        .filter(|name| option(&tmux, name).is_ok_and(|value| value.contains(&prefix())))
        .collect();
    findings.push(if shown.is_empty() {
        Finding::warning(&about, "nothing in its status line shows a lamp")
            .expected(format!("a format that refers to {}…", prefix()))
            .repair("tally tmux load, or the lines of `tally tmux snippet` in your tmux.conf")
    } else {
        Finding::ok(
            &about,
            format!("version {}, lamps in {}", view.version, shown.join(", ")),
        )
    });
    findings
}

/// What the names of this build's options begin with.
fn prefix() -> String {
    format!("@{}_", FLAVOUR.replace('-', "_"))
}

fn option(tmux: &Tmux, name: &str) -> Result<String, TmuxError> {
    let printed = tmux.run(
        &Batch::from(Line::new("show-options").flag("-gqv").value(name)),
        LIMIT,
    )?;
    Ok(String::from_utf8_lossy(&printed).trim_end().to_owned())
}

/// What the program on the path says it is.
fn client_version(context: &Context) -> Option<String> {
    let program = Tmux::at("", &context.env).program().to_owned();
    let output = std::process::Command::new(program)
        .arg("-V")
        .output()
        .ok()?;
    let text = clean(&String::from_utf8_lossy(&output.stdout), 60);
    Some(text.strip_prefix("tmux ").unwrap_or(&text).to_owned())
}

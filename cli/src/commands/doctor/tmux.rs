//! tmux: the program, its servers, and whether anything shows the lamps.

use std::path::Path;
use std::time::Duration;

use session_core::view::clean;
use session_host::wiring::shell_quoted;
use tmux_bridge::{Batch, Found, Line, Tmux, TmuxError, Version};

use super::finding::Finding;
use super::lamps;
use crate::commands::list::no_server;
use crate::context::Context;
use crate::output::counted;

/// How long a server may take to answer.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

/// All of it.
pub(super) fn tmux(context: &Context) -> Vec<Finding> {
    let found = tmux_bridge::servers(&context.env);
    let client = client_version(context);
    let is_leftover = |found: &&Found| {
        let error = found.server.as_ref().err();
        error.is_some_and(TmuxError::is_unreachable)
    };
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
    if found.iter().all(|found| is_leftover(&found)) && client.is_some() {
        findings.push(Finding::note("tmux servers", no_server(context)));
    }
    findings.extend(leftovers(found.iter().filter(is_leftover)));
    for server in found.iter().filter(|found| !is_leftover(found)) {
        findings.extend(one(server, client.as_deref(), context));
    }
    findings
}

fn one(found: &Found, client: Option<&str>, context: &Context) -> Vec<Finding> {
    let about = format!("tmux server {}", found.socket.display());
    let view = match &found.server {
        Ok(view) => view,
        Err(error) => return vec![silent(&about, error, found.pid)],
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
        Err(error) => findings.push(Finding::warning(&about, error.reason())),
    }
    findings.extend(lamps::lamps(&about, &tmux, &view.version, context));
    findings
}

/// Sockets behind which no server is.
fn leftovers<'f>(found: impl Iterator<Item = &'f Found>) -> Option<Finding> {
    let names: Vec<String> = found
        .filter_map(|found| found.socket.file_name())
        .map(|name| clean(&name.to_string_lossy(), 40))
        .collect();
    let count = match names.len() {
        0 => return None,
        count => counted(count, "socket"),
    };
    Some(Finding::note(
        "tmux servers",
        format!(
            "{count} without a server, left behind and harmless: tmux replaces them ({})",
            names.join(", ")
        ),
    ))
}

/// A server that does not answer.
fn silent(about: &str, error: &TmuxError, pid: Option<u32>) -> Finding {
    match error {
        TmuxError::Deadline { .. } => {
            let (who, look) = match pid {
                Some(pid) => (
                    format!("the server (pid {pid})"),
                    format!(
                        "ps -o stat= -p {pid} tells: T is stopped, and kill -CONT {pid} lets it go on; "
                    ),
                ),
                None => ("the server".to_owned(), String::new()),
            };
            Finding::warning(
                about,
                format!("{who} is there and hangs: it {}", error.reason()),
            )
            .expected("an answer: until then its lamps stay as they are")
            .repair(format!("{look}what hangs for good must be ended"))
        }
        _ => Finding::warning(about, error.reason()).expected("an answer that can be read"),
    }
}

/// The command that puts the lamps on a server, as it can be given here.
pub(super) fn load_command(socket: &Path, context: &Context) -> String {
    match context.inside() {
        Some(inside) if inside.socket == socket => "tally tmux load".to_owned(),
        _ => format!(
            "tally tmux load --socket {}",
            shell_quoted(&socket.to_string_lossy())
        ),
    }
}

/// An option that is set globally; empty when it is not.
pub(super) fn option(tmux: &Tmux, name: &str) -> Result<String, TmuxError> {
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

//! `tally tmux`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;
use session_host::files::{LARGEST, make_private_dir, read_regular, replace, replace_if_unchanged};
use tmux_bridge::style::{Kind, load, snippet, unload};
use tmux_bridge::{DEADLINE, Depth, Tmux, conf, look};

use crate::args::{ConfArgs, ServerArgs, SnippetKind, TmuxCommand};
use crate::commands::daemon::theme;
use crate::commands::list::server_document;
use crate::commands::up;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Column, Document, ServerDocument, table};

/// How often a file that somebody else changes at the same time is read again.
const TRIES: usize = 3;

/// Puts the lamps into tmux and takes them out again.
pub(crate) fn run(command: &TmuxCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        TmuxCommand::Load(args) => {
            let tmux = server(args, context)?;
            // A server that is not there must not leave a daemon behind.
            look(&tmux, Depth::Quick, DEADLINE)?;
            up::ensure(context)?;
            let changed = load(&tmux, &theme(&context.config()))?;
            told(
                args,
                context,
                &changed,
                "Lamps are on: changed",
                "Lamps were on already.",
            );
        }
        TmuxCommand::Unload(args) => {
            let changed = unload(&server(args, context)?)?;
            told(
                args,
                context,
                &changed,
                "Lamps are off: changed",
                "There were no lamps.",
            );
        }
        TmuxCommand::Install(args) => return install(args, context),
        TmuxCommand::Uninstall(args) => return uninstall(args, context),
        TmuxCommand::Snippet { kind } => context.out.data(&snippet(match kind {
            SnippetKind::Plain => Kind::Plain,
            SnippetKind::Tpm => Kind::Tpm,
            SnippetKind::Catppuccin => Kind::Catppuccin,
        }))?,
        TmuxCommand::Status { json } => return servers(*json, context),
    }
    Ok(exit::OK)
}

fn server(args: &ServerArgs, context: &Context) -> Result<Tmux, Failure> {
    let socket = args
        .socket
        .clone()
        .or_else(|| context.inside().map(|inside| inside.socket));
    let socket = socket.ok_or_else(|| {
        Failure::failed("this is not inside tmux")
            .hint("Name a server by its socket: --socket PATH.")
    })?;
    Ok(Tmux::at(socket, &context.env))
}

fn told(args: &ServerArgs, context: &Context, changed: &[&str], some: &str, none: &str) {
    if args.quiet {
        return;
    }
    let shown: Vec<&str> = changed
        .iter()
        .filter(|name| !name.starts_with('@'))
        .copied()
        .collect();
    match (changed, &shown[..]) {
        ([], _) => context.out.note(none),
        (_, []) => context.out.note(&format!("{some} options of our own.")),
        (_, shown) => context.out.note(&format!("{some} {}.", shown.join(", "))),
    }
}

fn install(args: &ConfArgs, context: &Context) -> anyhow::Result<u8> {
    let file = conf_file(args, context)?;
    let program = context.program();
    let change = |text: &str| {
        conf::install(text, &program).map_err(|error| Failure::failed(error.to_string()))
    };
    let (before, after) = edit(&file, args.dry_run, &change)?;
    let added: Vec<&str> = after
        .lines()
        .filter(|line| {
            !before
                .as_deref()
                .unwrap_or_default()
                .lines()
                .any(|old| old == *line)
        })
        .collect();
    if added.is_empty() {
        context
            .out
            .note(&format!("{}: the line is there already.", file.display()));
        return Ok(exit::OK);
    }
    if before.is_none() && !args.dry_run {
        note_made(&file, context)?;
    }
    context.out.note(&format!("{}:", file.display()));
    context.out.data(
        &added
            .iter()
            .map(|line| format!("+{line}\n"))
            .collect::<String>(),
    )?;
    if !args.dry_run {
        context
            .out
            .note("It works from the next start of tmux on; for a running server: tally tmux load");
    }
    Ok(exit::OK)
}

fn uninstall(args: &ConfArgs, context: &Context) -> anyhow::Result<u8> {
    let file = conf_file(args, context)?;
    let (before, after) = edit(&file, args.dry_run, &|text| Ok(conf::uninstall(text)))?;
    let before = before.unwrap_or_default();
    let gone: Vec<&str> = before
        .lines()
        .filter(|line| !after.lines().any(|left| left == *line))
        .collect();
    if gone.is_empty() {
        context
            .out
            .note(&format!("{}: there is no line of ours.", file.display()));
        return Ok(exit::OK);
    }
    if after.is_empty() && !args.dry_run && was_made(&file, context) {
        fs::remove_file(&file)?;
    }
    context.out.note(&format!("{}:", file.display()));
    context.out.data(
        &gone
            .iter()
            .map(|line| format!("-{line}\n"))
            .collect::<String>(),
    )?;
    Ok(exit::OK)
}

fn conf_file(args: &ConfArgs, context: &Context) -> Result<PathBuf, Failure> {
    let file = args.file.clone().or_else(|| conf::file(&context.env));
    file.ok_or_else(|| {
        Failure::failed("cannot tell which tmux.conf is yours").hint("Name it: --file PATH.")
    })
}

/// Changes a text file of the person's: nothing but what `change` changes, and not if somebody else does so at the
/// same time. Gives the text before (`None` when there was no file) and after.
fn edit(
    file: &Path,
    dry_run: bool,
    change: &dyn Fn(&str) -> Result<String, Failure>,
) -> anyhow::Result<(Option<String>, String)> {
    for _ in 0..TRIES {
        let before = match read_regular(file, LARGEST) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Failure::failed(format!("{}: {error}", file.display())).into());
            }
        };
        let text = String::from_utf8(before.clone().unwrap_or_default()).map_err(|_| {
            Failure::failed(format!(
                "{}: the file is not UTF-8; it is left alone",
                file.display()
            ))
        })?;
        let after = change(&text)?;
        let put = || {
            replace_if_unchanged(file, before.as_deref(), after.as_bytes())
                .with_context(|| format!("cannot replace {}", file.display()))
        };
        if after == text || dry_run || put()? {
            return Ok((before.map(|_| text), after));
        }
    }
    Err(Failure::failed(format!(
        "{}: somebody else keeps changing the file",
        file.display()
    ))
    .into())
}

/// The record of a tmux.conf that was not there before: taken back exactly, it goes again.
fn record(context: &Context) -> PathBuf {
    context.paths.state.join("made-tmux-conf")
}

fn note_made(file: &Path, context: &Context) -> std::io::Result<()> {
    make_private_dir(&context.paths.state)?;
    replace(&record(context), file.as_os_str().as_encoded_bytes())
}

fn was_made(file: &Path, context: &Context) -> bool {
    let record = record(context);
    let made = fs::read(&record).is_ok_and(|path| path == file.as_os_str().as_encoded_bytes());
    if made {
        drop(fs::remove_file(record));
    }
    made
}

#[derive(Serialize)]
struct TmuxDocument {
    servers: Vec<ServerDocument>,
}

fn servers(json: bool, context: &Context) -> anyhow::Result<u8> {
    let found = tmux_bridge::servers(&context.env);
    let any = found.iter().any(|found| found.server.is_ok());
    let servers: Vec<ServerDocument> = found.iter().map(server_document).collect();
    if json {
        context.out.json(&Document::new(TmuxDocument { servers }))?;
    } else if servers.is_empty() {
        context.out.note("No tmux server is running.");
    } else {
        let titles = [
            Column::left("SOCKET", 20),
            Column::left("VERSION", 7),
            Column::right("PID"),
            Column::right("PANES"),
            Column::left("STATE", 16),
        ];
        let rows: Vec<Vec<String>> = servers.into_iter().map(server_row).collect();
        context.out.data(&table(
            &titles,
            &rows,
            context.out.columns(),
            &|_, _, cell| cell.to_owned(),
        ))?;
    }
    Ok(if any { exit::OK } else { exit::FAILED })
}

fn server_row(server: ServerDocument) -> Vec<String> {
    let number = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
    vec![
        server.socket,
        number(server.version),
        number(server.pid.map(|pid| pid.to_string())),
        number(server.panes.map(|panes| panes.to_string())),
        server.why.unwrap_or_else(|| "reachable".to_owned()),
    ]
}

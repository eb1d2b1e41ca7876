//! `tally tmux`.

use serde::Serialize;
use tmux_bridge::style::{Kind, load, snippet, unload};
use tmux_bridge::{DEADLINE, Depth, Tmux, look};

use crate::args::{ServerArgs, SnippetKind, TmuxCommand};
use crate::commands::conf;
use crate::commands::daemon::theme;
use crate::commands::list::{no_server, server_document};
use crate::commands::up;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::output::{Column, Document, ServerDocument, table};

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
        TmuxCommand::Install { keys, conf: args } => {
            return conf::install(args, keys.as_deref(), context);
        }
        TmuxCommand::Uninstall(args) => return conf::uninstall(args, context),
        TmuxCommand::Snippet { kind } => {
            let kind = match kind {
                SnippetKind::Plain => Kind::Plain,
                SnippetKind::Tpm => Kind::Tpm,
                SnippetKind::Catppuccin => Kind::Catppuccin,
                SnippetKind::Keys => Kind::Keys,
            };
            context.out.data(&snippet(kind, &context.program())?)?;
        }
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
        context.out.note(no_server(context));
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

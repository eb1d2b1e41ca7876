//! `tally focus`.

use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::Command;

use session_core::view::clean;
use session_core::wire::Flavour;
use session_core::{ClientId, Mux, PaneKey, ServerView};
use session_host::clock::Clock;
use tmux_bridge::{Asked, Jump, Tmux, jump};
use zellij_bridge::{Finder, Zellij};

use crate::args::FocusArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::nest::{DEEPEST, Nest};
use crate::reference::find;

/// Goes to the pane of a session. Ends with status 1 when nobody sees it.
pub(crate) fn run(args: &FocusArgs, context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let picture = context.picture(&config, None, false)?;
    let session = find(Some(&args.reference), &picture.sessions, context)?;
    let pane = session.pane.as_ref().ok_or_else(|| {
        Failure::failed(format!(
            "the session {} is in no pane that one could go to",
            session.id
        ))
    })?;
    go(pane, args.client.as_deref(), &picture.servers, context)
}

/// What came of going to a pane.
#[derive(Debug)]
pub(crate) enum Reached {
    /// A terminal shows it.
    Shown {
        /// The terminal's name, where it is another one than the person is at.
        elsewhere: Option<String>,
    },
    /// This terminal can show it, by this command.
    Attach(Command),
    /// No terminal can show it; it is chosen for whoever attaches next.
    Chosen {
        /// That nobody sees it, in words.
        why: String,
        /// The command that attaches.
        attach: String,
    },
}

/// Shows a pane to the person. Where no terminal can show it, the pane is chosen for whoever attaches next, and the
/// status says that nobody sees it.
pub(super) fn go(
    pane: &PaneKey,
    client: Option<&str>,
    servers: &[ServerView],
    context: &Context,
) -> anyhow::Result<u8> {
    match reach(pane, client, servers, context)? {
        Reached::Shown { elsewhere } => {
            if let Some(client) = elsewhere {
                context.out.note(&format!("Shown on {client}."));
            }
            Ok(exit::OK)
        }
        Reached::Attach(mut command) => Err(command.exec().into()),
        Reached::Chosen { why, attach } => {
            context.out.note(&format!("{why} This shows it:"));
            context.out.data(&attach)?;
            Ok(exit::FAILED)
        }
    }
}

/// As [`go`], and says nothing. Where the terminal that shows it is a pane of another server, that pane is shown as
/// well, and so on outwards.
pub(crate) fn reach(
    pane: &PaneKey,
    client: Option<&str>,
    servers: &[ServerView],
    context: &Context,
) -> anyhow::Result<Reached> {
    let (mut reached, mut shown_by) = reach_one(pane, client, servers, context)?;
    let nest = Nest::new(servers, context);
    for _ in 0..DEEPEST {
        let Some(host) = shown_by.and_then(|client| nest.host(client)) else {
            break;
        };
        (reached, shown_by) = reach_one(&host, client, servers, context)?;
    }
    Ok(reached)
}

/// Shows a pane on its own server, and tells which process shows it now, where that is not the person's own terminal.
fn reach_one(
    pane: &PaneKey,
    client: Option<&str>,
    servers: &[ServerView],
    context: &Context,
) -> anyhow::Result<(Reached, Option<u32>)> {
    if pane.server.mux == Mux::Zellij {
        return Ok((reach_in_zellij(pane, servers, context)?, None));
    }
    let jump = jump(
        &Tmux::at(&pane.server.socket, &context.env),
        pane.pane,
        &asked(client, context),
    )?;
    let shown_by = match &jump {
        Jump::Switched {
            client_pid,
            elsewhere: true,
            ..
        } => Some(*client_pid),
        Jump::Switched { .. } | Jump::Chosen { .. } => None,
    };
    let reached = match jump {
        Jump::Switched {
            client, elsewhere, ..
        } => Reached::Shown {
            elsewhere: elsewhere.then_some(client.0),
        },
        Jump::Chosen { attach, .. }
            if context.inside().is_none() && std::io::stdin().is_terminal() =>
        {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec {attach}")]);
            Reached::Attach(command)
        }
        Jump::Chosen {
            mux_session,
            attach,
        } => {
            let (pane, mux_session) = (pane.pane, clean(&mux_session, 60));
            Reached::Chosen {
                why: format!(
                    "No terminal is attached to that tmux server, so nothing shows it yet: {pane} is the active pane \
                     of {mux_session:?} now."
                ),
                attach,
            }
        }
    };
    Ok((reached, shown_by))
}

fn reach_in_zellij(
    pane: &PaneKey,
    servers: &[ServerView],
    context: &Context,
) -> anyhow::Result<Reached> {
    let zellij = Zellij::on_path(&context.env);
    let found = Finder::default().find(&context.env, &context.processes, context.clock.now());
    let session = |pid: u32| {
        let found = found.iter().find(|found| found.server.pid == pid);
        found.and_then(|found| found.address(&zellij))
    };
    let target = session(pane.server.pid)
        .ok_or_else(|| Failure::failed("the zellij session cannot be reached"))?;
    // Whoever asks from another session is taken over from there.
    let here = context
        .zellij_pane()
        .map(|(server, _)| server)
        .filter(|pid| *pid != pane.server.pid);
    let from = here.and_then(session);
    let view = servers.iter().find(|view| view.server == pane.server);
    let asked = zellij_bridge::Asked {
        from: from.as_ref(),
        clients: view.map(|view| view.clients.len()),
        flavour: Flavour::BUILD,
    };
    let session = match zellij_bridge::jump(&target, pane.pane, asked)? {
        zellij_bridge::Jump::Switched => return Ok(Reached::Shown { elsewhere: None }),
        zellij_bridge::Jump::Attach { session } => session,
    };
    let outside = context.inside().is_none() && context.zellij_pane().is_none();
    if outside && std::io::stdin().is_terminal() {
        let mut command = Command::new("zellij");
        command.args(["attach", &session]);
        return Ok(Reached::Attach(command));
    }
    Ok(Reached::Chosen {
        why: format!(
            "No terminal is attached to that zellij session, so nothing shows it yet: {} is the active pane of {:?} \
             now.",
            pane.pane,
            clean(&session, 60)
        ),
        attach: format!("zellij attach {}", quoted(&session)),
    })
}

fn quoted(text: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Who asks, and from where.
pub(super) fn asked(client: Option<&str>, context: &Context) -> Asked {
    Asked {
        client: client.map(|name| ClientId(name.to_owned())),
        from: context.inside().map(|inside| (inside.socket, inside.pane)),
    }
}

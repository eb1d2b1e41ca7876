//! The origin of one signal, as far as the environment and the process table tell it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use session_core::{AgentName, Mux, PaneId, ProcessRef, SessionId};

use super::agents::agents;
use super::ancestry::{Ancestry, End};
use super::claim::{Claim, TmuxClaim, ZellijClaim};
use crate::env::Env;
use crate::process::{ProcessTable, Recogniser, zellij_socket};

/// A pane, as a signal knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The multiplexer.
    pub mux: Mux,
    /// The server's socket (tmux) or session name (zellij).
    pub socket: String,
    /// The server's process id.
    pub server_pid: u32,
    /// When that process started, in seconds since the Unix epoch and only roughly; `None` when it could not be seen.
    pub server_started: Option<i64>,
    /// The pane.
    pub pane: PaneId,
    /// The process the server started in it; `None` when the ancestors could not be seen.
    pub pane_pid: Option<u32>,
}

/// Where a signal comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The session that the environment claims; it still has to exist and to be an ancestor's.
    pub claim: Option<SessionId>,
    /// The pane.
    pub place: Option<Place>,
    /// Why there is no pane.
    pub why: Option<String>,
    /// The ancestors of the reporting process, nearest first.
    pub ancestors: Vec<ProcessRef>,
    /// Whether the ancestors could be seen up to the end.
    pub readable: bool,
    /// The agent, as its process was recognised.
    pub agent: Option<AgentName>,
    /// The agent's process.
    pub process: Option<ProcessRef>,
    /// Whether that process is in the foreground of its pane; `None` when it could not be seen.
    pub foreground: Option<bool>,
    /// Who started the agent, in words, when that is another agent.
    pub nested: Option<String>,
}

/// The agent that reports, as far as the report itself tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reporter<'r> {
    /// Its name.
    pub agent: Option<&'r AgentName>,
    /// The process that it names as its own.
    pub pid: Option<u32>,
}

/// Finds out where a signal comes from.
#[must_use]
pub fn origin(
    env: &Env,
    table: &dyn ProcessTable,
    recogniser: &Recogniser,
    reporter: Reporter<'_>,
) -> Origin {
    let claim = Claim::of(env);
    if claim.is_empty() {
        return Origin {
            why: Some("no multiplexer in the environment".to_owned()),
            ..Origin::nowhere(&claim)
        };
    }
    let ancestry = Ancestry::walk(table, &claim);
    let below = ancestry.below_server();
    let found = agents(table, recogniser, below, reporter.agent, reporter.pid);
    let process = below
        .iter()
        .find(|stat| reporter.pid == Some(stat.pid))
        .map(|stat| (stat.reference(), stat.group));
    let (process, group) = process.map_or((found.process, found.group), |(process, group)| {
        (Some(process), group)
    });
    let foreground = below.last().and_then(|root| root.foreground);
    let (place, why) = match place(&claim, &ancestry, table) {
        Ok(place) => (Some(place), None),
        Err(why) => (None, Some(why.into_owned())),
    };
    Origin {
        place,
        why,
        ancestors: ancestry.references(),
        readable: ancestry.end != End::Broken,
        foreground: process
            .and(foreground)
            .map(|foreground| foreground == group),
        agent: found.agent,
        process,
        nested: found.nested,
        ..Origin::nowhere(&claim)
    }
}

impl Origin {
    const fn nowhere(claim: &Claim) -> Self {
        Self {
            claim: claim.session,
            place: None,
            why: None,
            ancestors: Vec::new(),
            readable: true,
            agent: None,
            process: None,
            foreground: None,
            nested: None,
        }
    }
}

/// The innermost multiplexer's pane, or why there is none.
fn place(
    claim: &Claim,
    ancestry: &Ancestry,
    table: &dyn ProcessTable,
) -> Result<Place, Cow<'static, str>> {
    match (ancestry.end, &claim.tmux, &claim.zellij) {
        (End::Tmux, Some(tmux), _) => tmux_place(tmux, ancestry, table),
        (End::Zellij, _, Some(zellij)) => zellij_place(zellij, ancestry, table),
        (End::Broken, Some(_), Some(_)) => {
            Err("two multiplexers are claimed and the process table cannot be read".into())
        }
        (End::Broken, Some(tmux), None) => tmux_place(tmux, ancestry, table),
        (End::Broken, None, Some(_)) => {
            Err("the process table cannot be read, so the zellij server is not known".into())
        }
        (_, None, None) => Err("no multiplexer in the environment".into()),
        _ => Err(not_in(claim).into()),
    }
}

/// Why a pane that only the environment names is not believed: it is inherited by whatever was started there once.
fn not_in(claim: &Claim) -> String {
    let tmux = claim.tmux.as_ref().and_then(|tmux| tmux.pane);
    match (tmux, &claim.zellij) {
        (Some(pane), _) => not_an_ancestor(&pane),
        (None, Some(zellij)) => {
            not_an_ancestor(&format_args!("{} of {}", zellij.pane.0, zellij.session))
        }
        (None, None) => "the multiplexer is not among the reporter's ancestors".to_owned(),
    }
}

/// Why a pane is not believed whose process the reporter does not descend from.
pub(crate) fn not_an_ancestor(pane: &dyn std::fmt::Display) -> String {
    format!("the process of the pane {pane} is not among the reporter's ancestors")
}

fn tmux_place(
    tmux: &TmuxClaim,
    ancestry: &Ancestry,
    table: &dyn ProcessTable,
) -> Result<Place, Cow<'static, str>> {
    Ok(Place {
        mux: Mux::Tmux,
        socket: tmux.socket.clone(),
        server_pid: tmux.server_pid,
        server_started: ancestry
            .server()
            .and_then(|server| table.started_epoch(server)),
        pane: tmux.pane.ok_or(Cow::Borrowed(
            "TMUX is set and TMUX_PANE is not, as in a popup",
        ))?,
        pane_pid: ancestry.pane_process(),
    })
}

fn zellij_place(
    zellij: &ZellijClaim,
    ancestry: &Ancestry,
    table: &dyn ProcessTable,
) -> Result<Place, Cow<'static, str>> {
    let server = ancestry
        .server()
        .ok_or(Cow::Borrowed("the zellij server is not known"))?;
    // The name in the environment is that of the time when the pane was made; the server's first name stays.
    let first_name = zellij_socket(&server.comm, &table.argv(server.pid))
        .and_then(|socket| socket.file_name()?.to_str().map(str::to_owned));
    Ok(Place {
        mux: Mux::Zellij,
        socket: first_name.unwrap_or_else(|| zellij.session.clone()),
        server_pid: server.pid,
        server_started: table.started_epoch(server),
        pane: zellij.pane,
        pane_pid: ancestry.pane_process(),
    })
}

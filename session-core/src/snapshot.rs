//! The one picture of everything, from which every face is drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::away::{AwayView, away, settles_at};
use crate::evidence::EvidenceSource;
use crate::ids::{AgentName, MachineId, Mux, MuxSessionId, PaneId, ServerId, SessionId, WindowId};
use crate::machine::derive;
use crate::manifest::Coverage;
use crate::place::{Exit, PanePlace, ServerView};
use crate::policy::Policy;
use crate::rollup::Rollup;
use crate::session::{Corroboration, Gone, Session};
use crate::state::{BlockedKind, ErrorKind, State};
use crate::time::Time;

/// The version of the snapshot's JSON form; it grows when a field changes its meaning or goes away.
pub const SNAPSHOT_SCHEMA: u32 = 1;

/// Where a session's pane is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneView {
    /// The multiplexer.
    pub mux: Mux,
    /// The server's socket path (tmux) or session name (zellij).
    pub server: String,
    /// The server's process id.
    pub server_pid: u32,
    /// The pane.
    pub pane_id: PaneId,
    /// The window; absent while the server has not been looked at.
    pub window_id: Option<WindowId>,
    /// The window's name.
    pub window_name: Option<String>,
    /// The first mux session that shows the window.
    pub mux_session: Option<String>,
    /// All mux sessions that show the window.
    pub mux_sessions: Vec<String>,
    /// The directory the session works in.
    pub cwd: Option<String>,
}

/// One session, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// The name a person gave it.
    pub name: Option<String>,
    /// The machine it runs on.
    pub machine: MachineId,
    /// The agent.
    pub agent: Option<AgentName>,
    /// The agent its coverage is read against, when a person declared one.
    pub reports_as: Option<AgentName>,
    /// Its state.
    pub state: State,
    /// What it waits for.
    pub blocked_kind: Option<BlockedKind>,
    /// Whether that was read off a text rather than off a structured event.
    pub blocked_heuristic: bool,
    /// Why its turn failed.
    pub error_kind: Option<ErrorKind>,
    /// How its process ended, while the pane is kept open.
    pub exit: Option<Exit>,
    /// The evidence the state rests on.
    pub state_source: EvidenceSource,
    /// Why, in a few words.
    pub state_reason: String,
    /// Since when, in milliseconds since the Unix epoch.
    pub state_since_ms: i64,
    /// For how long, in milliseconds.
    pub state_age_ms: i64,
    /// The number of its turn.
    pub turn: u64,
    /// A line from the agent for the person; cleaned.
    pub message: Option<String>,
    /// Tool calls in flight.
    pub tools: usize,
    /// Subagents at work.
    pub subagents: usize,
    /// Where it is; absent outside every multiplexer.
    pub pane: Option<PaneView>,
    /// The repository it works in.
    pub repo: Option<String>,
    /// The agent's process id.
    pub pid: Option<u32>,
    /// The agent's own id of its session.
    pub agent_session: Option<String>,
    /// Whether a person looks at it now.
    pub viewed: bool,
    /// Whether the person has acknowledged its newest turn.
    pub acknowledged: bool,
    /// How it is put away, if it is: it needs nobody then, whatever its state.
    #[serde(default)]
    pub away: Option<AwayView>,
    /// When it counts as settled by age if nothing happens before, in milliseconds since the Unix epoch; `None` while it
    /// is not at rest.
    #[serde(default)]
    pub settles_at_ms: Option<i64>,
    /// What its agent can report at all.
    pub coverage: Coverage,
    /// Whether the processes in the pane agree.
    pub corroboration: Corroboration,
    /// Since when its server does not answer, in milliseconds since the Unix epoch.
    pub stale_since_ms: Option<i64>,
    /// Set once it is over.
    pub gone: Option<Gone>,
}

/// The rollups of one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerRollup {
    /// The server.
    pub server: ServerId,
    /// Of all its sessions.
    pub rollup: Rollup,
    /// Of each window that has a session.
    pub windows: BTreeMap<WindowId, Rollup>,
    /// Of each mux session that has a session, by id.
    pub mux_sessions: BTreeMap<MuxSessionId, Rollup>,
}

/// The one picture of everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [`SNAPSHOT_SCHEMA`].
    pub schema: u32,
    /// The machine it was taken on.
    pub machine: MachineId,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The newest journal row it includes.
    pub seq: u64,
    /// The live sessions, most urgent first, then longest in that state.
    pub sessions: Vec<SessionView>,
    /// The rollups of each server that has sessions or was looked at.
    pub servers: Vec<ServerRollup>,
    /// The rollups of each repository.
    pub repos: BTreeMap<String, Rollup>,
    /// The rollup of the machine.
    pub rollup: Rollup,
}

/// Draws the picture from the records, the servers' own views and the time.
///
/// `coverage` answers what an agent can report; the caller leaves out sessions that are over unless it wants
/// them listed. Sessions of a server that is not among `servers` are shown without a window.
pub fn snapshot<'a>(
    machine: &MachineId,
    seq: u64,
    sessions: impl IntoIterator<Item = &'a Session>,
    servers: &[ServerView],
    coverage: impl Fn(&AgentName) -> Coverage,
    policy: &Policy,
    now: Time,
) -> Snapshot {
    let mut views: Vec<(SessionView, Option<&PanePlace>)> = sessions
        .into_iter()
        .map(|session| view_of(session, servers, &coverage, policy, now))
        .collect();
    views.sort_by_key(|(view, _)| {
        (
            view.state.urgency(&policy.urgency),
            view.state_since_ms,
            view.id,
        )
    });

    let mut by_server: BTreeMap<&ServerId, ServerMembers> = servers
        .iter()
        .map(|view| (&view.server, ServerMembers::default()))
        .collect();
    let mut by_repo: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    let mut all = Vec::new();
    for (view, place) in &views {
        if view.gone.is_some() {
            continue;
        }
        let member: Member = (view.state, view.state_since_ms, view.id);
        all.push(member);
        if let Some(repo) = &view.repo {
            by_repo.entry(repo.clone()).or_default().push(member);
        }
        let server = view.pane.as_ref().and_then(|pane| {
            servers.iter().find(|server| {
                server.server.pid == pane.server_pid && server.server.socket == pane.server
            })
        });
        if let Some(server) = server {
            let members = by_server.entry(&server.server).or_default();
            members.all.push(member);
            if let Some(place) = place {
                members
                    .windows
                    .entry(place.window)
                    .or_default()
                    .push(member);
                for (mux_session, _) in &place.mux_sessions {
                    members
                        .mux_sessions
                        .entry(*mux_session)
                        .or_default()
                        .push(member);
                }
            }
        }
    }

    let roll = |members: Vec<Member>| Rollup::of(members, &policy.urgency);
    Snapshot {
        schema: SNAPSHOT_SCHEMA,
        machine: machine.clone(),
        at_ms: now.ms(),
        seq,
        servers: by_server
            .into_iter()
            .map(|(server, members)| ServerRollup {
                server: server.clone(),
                rollup: roll(members.all),
                windows: members
                    .windows
                    .into_iter()
                    .map(|(id, members)| (id, roll(members)))
                    .collect(),
                mux_sessions: members
                    .mux_sessions
                    .into_iter()
                    .map(|(id, members)| (id, roll(members)))
                    .collect(),
            })
            .collect(),
        repos: by_repo
            .into_iter()
            .map(|(repo, members)| (repo, roll(members)))
            .collect(),
        rollup: roll(all),
        sessions: views.into_iter().map(|(view, _)| view).collect(),
    }
}

/// State, since when in milliseconds, and whose: what a rollup is made of.
type Member = (State, i64, SessionId);

#[derive(Default)]
struct ServerMembers {
    all: Vec<Member>,
    windows: BTreeMap<WindowId, Vec<Member>>,
    mux_sessions: BTreeMap<MuxSessionId, Vec<Member>>,
}

fn view_of<'s>(
    session: &Session,
    servers: &'s [ServerView],
    coverage: &impl Fn(&AgentName) -> Coverage,
    policy: &Policy,
    now: Time,
) -> (SessionView, Option<&'s PanePlace>) {
    let verdict = derive(session, policy, now);
    let away = away(session, &verdict, policy, now);
    let settles_at = settles_at(session, &verdict, policy);
    let server = session
        .pane
        .as_ref()
        .and_then(|key| servers.iter().find(|view| view.server == key.server));
    let place = session.pane.as_ref().and_then(|key| server?.pane(key.pane));
    let pane = session.pane.as_ref().map(|key| PaneView {
        mux: key.server.mux,
        server: key.server.socket.clone(),
        server_pid: key.server.pid,
        pane_id: key.pane,
        window_id: place.map(|place| place.window),
        window_name: place.map(|place| place.window_name.clone()),
        mux_session: place
            .and_then(|place| place.mux_sessions.first())
            .map(|(_, name)| name.clone()),
        mux_sessions: place
            .map(|place| {
                place
                    .mux_sessions
                    .iter()
                    .map(|(_, name)| name.clone())
                    .collect()
            })
            .unwrap_or_default(),
        cwd: session
            .cwd
            .clone()
            .or_else(|| place.and_then(|place| place.cwd.clone())),
    });
    let view = SessionView {
        id: session.id,
        name: session.name.clone(),
        machine: session.machine.clone(),
        agent: session.agent.clone(),
        reports_as: session.reports_as.clone(),
        state: verdict.state,
        blocked_kind: verdict.blocked_kind,
        blocked_heuristic: verdict.heuristic,
        error_kind: verdict.error_kind,
        exit: session.exit,
        state_source: verdict.source,
        state_reason: verdict.reason,
        state_since_ms: verdict.since.ms(),
        state_age_ms: now.ms_since(verdict.since).max(0),
        turn: session.turn.number,
        message: verdict.message,
        tools: session.turn.tools.len(),
        subagents: session.turn.subagents.len(),
        pane,
        repo: session.repo.clone(),
        pid: session.process.map(|process| process.pid),
        agent_session: session.agent_session.clone(),
        viewed: session.viewed_since.is_some(),
        acknowledged: session.turn.number > 0 && session.acknowledged >= session.turn.number,
        away,
        settles_at_ms: settles_at.map(Time::ms),
        coverage: session.covered_as().map(coverage).unwrap_or_default(),
        corroboration: session.corroboration,
        stale_since_ms: server.and_then(|view| view.stale_since).map(Time::ms),
        gone: session.gone,
    };
    (view, place)
}

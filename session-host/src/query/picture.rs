//! The picture as it is right now.

use std::path::Path;
use std::time::Duration;

use session_core::{
    Event, GoneWhy, MachineId, PanePlace, Policy, ServerId, ServerView, Session, Snapshot, Time,
    apply, snapshot,
};

use crate::agents::AgentSource;
use crate::clock::Clock;
use crate::paths::Paths;
use crate::process::{Holder, ProcessTable, Recogniser, corroborate, holder};
use crate::store::{Store, StoreError, Unrouted};
use crate::{registry, repo, vitals};

/// What a look at the store needs of the world.
#[derive(Clone, Copy)]
pub struct Viewer<'v> {
    /// Where things are.
    pub paths: &'v Paths,
    /// This machine.
    pub machine: &'v MachineId,
    /// The person's numbers.
    pub policy: &'v Policy,
    /// The manifests.
    pub agents: &'v dyn AgentSource,
    /// The processes.
    pub processes: &'v dyn ProcessTable,
    /// The time.
    pub clock: &'v dyn Clock,
    /// How long to wait for a store that is held.
    pub wait: Duration,
}

/// The servers, seen just now.
#[derive(Clone, Copy, Debug)]
pub struct Fresh<'v> {
    /// What was seen.
    pub views: &'v [ServerView],
    /// When the looks began: what came later they may have missed.
    pub began: Time,
}

/// The picture, and the records it was drawn from.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What the faces draw.
    pub snapshot: Snapshot,
    /// The records, for `tally explain`.
    pub sessions: Vec<Session>,
    /// The servers it was drawn with.
    pub servers: Vec<ServerView>,
    /// The signals that named no live pane.
    pub unrouted: Unrouted,
}

/// Draws the picture: live records whose server, pane and agent are still there (case C7), their registries read
/// afresh. Of servers that are not in `servers` the views that the daemon stored last are used for names
/// and places, and prove nothing. With `over`, sessions that are over are in it as well.
///
/// Nothing is written: with a daemon it writes the same down itself, and without one the next look finds the same.
///
/// # Errors
/// When the store cannot be read; a store that is not there yet is an empty picture.
pub fn picture(
    viewer: &Viewer<'_>,
    servers: Option<Fresh<'_>>,
    over: bool,
) -> Result<Picture, StoreError> {
    let now = viewer.clock.now();
    let Recorded {
        mut sessions,
        mut views,
        seq,
        unrouted,
    } = recorded_in(viewer, over)?;
    let given = servers.map(|servers| servers.views).unwrap_or_default();
    let fresh = |server: &ServerId| given.iter().any(|view| view.server == *server);
    views.retain(|view| !fresh(&view.server) && viewer.processes.stat(view.server.pid).is_ok());
    views.extend_from_slice(given);
    let recogniser = Recogniser::new(viewer.agents.processes());
    for session in sessions
        .iter_mut()
        .filter(|session| session.gone.is_none() && session.machine == *viewer.machine)
    {
        let view = views.iter().find(|view| {
            session
                .pane
                .as_ref()
                .is_some_and(|key| key.server == view.server)
        });
        refresh(
            viewer,
            &recogniser,
            session,
            view.zip(servers)
                .filter(|(view, _)| fresh(&view.server) && view.stale_since.is_none())
                .map(|(view, servers)| (view, servers.began)),
            now,
        );
    }
    sessions.retain(|session| over || session.gone.is_none());
    let recorded = Recorded {
        sessions,
        views,
        seq,
        unrouted,
    };
    Ok(drawn(viewer, recorded, now))
}

/// Draws the picture from the store alone, as the daemon left it: nothing is asked of the world, so it takes no longer
/// than reading does. It is right while a daemon runs; elsewhere it is the past, and good for no more than a first look.
/// With `over`, sessions that are over are in it as well.
///
/// # Errors
/// When the store cannot be read; a store that is not there yet is an empty picture.
pub fn recorded(viewer: &Viewer<'_>, over: bool) -> Result<Picture, StoreError> {
    let now = viewer.clock.now();
    Ok(drawn(viewer, recorded_in(viewer, over)?, now))
}

/// What the store holds.
#[derive(Default)]
struct Recorded {
    sessions: Vec<Session>,
    views: Vec<ServerView>,
    seq: u64,
    unrouted: Unrouted,
}

fn recorded_in(viewer: &Viewer<'_>, over: bool) -> Result<Recorded, StoreError> {
    let store = match Store::open_reading(viewer.paths, viewer.wait) {
        Ok(store) => store,
        Err(StoreError::Missing) => return Ok(Recorded::default()),
        Err(error) => return Err(error),
    };
    Ok(Recorded {
        // First: a follower goes on from it, and is told twice rather than never.
        seq: store.newest_seq()?,
        sessions: if over { store.all()? } else { store.live()? },
        unrouted: store.unrouted()?,
        views: store.servers()?,
    })
}

fn drawn(viewer: &Viewer<'_>, recorded: Recorded, now: Time) -> Picture {
    let Recorded {
        sessions,
        views,
        seq,
        unrouted,
    } = recorded;
    let snapshot = snapshot(
        viewer.machine,
        seq,
        &sessions,
        &views,
        |agent| viewer.agents.coverage(agent),
        viewer.policy,
        now,
    );
    Picture {
        snapshot,
        sessions,
        servers: views,
        unrouted,
    }
}

/// Brings one record up to the present, as the daemon would.
fn refresh(
    viewer: &Viewer<'_>,
    recogniser: &Recogniser,
    session: &mut Session,
    view: Option<(&ServerView, Time)>,
    now: Time,
) {
    let tell = |session: &mut Session, event: Event| {
        apply(session, event, viewer.policy, now);
    };
    match (view, session.pane.as_ref().map(|key| key.pane)) {
        (Some((view, began)), Some(pane)) => match view.pane(pane) {
            Some(place) if is_of_another(session, place, began, now) => {}
            Some(place) => tell(
                session,
                Event::Pane {
                    pid: place.pid,
                    dead: place.dead,
                },
            ),
            None if may_have_missed(session, began, now) => {}
            None => tell(session, Event::Gone(GoneWhy::PaneClosed)),
        },
        _ => {
            if let Some(event) = vitals::check(session, viewer.processes) {
                tell(session, event);
            }
        }
    }
    if session.gone.is_none() && vitals::agent_ended(session, viewer.processes) {
        tell(session, Event::AgentExited);
    }
    if session.gone.is_some() {
        return;
    }
    if let Some(pid) = session.pane_pid {
        let held = holder(viewer.processes, recogniser, pid);
        let corroboration = corroborate(
            viewer.processes,
            &held,
            session.agent.as_ref(),
            session.process,
        );
        let agent = match held {
            Holder::Agent(agent, process) => Some((agent, process)),
            _ => None,
        };
        tell(
            session,
            Event::Processes {
                corroboration,
                agent,
            },
        );
    }
    if let Some(report) = read_registry(viewer, session, now) {
        tell(session, Event::Registry(report));
    }
    if session.repo.is_none() {
        session.repo = session
            .cwd
            .as_ref()
            .and_then(|cwd| repo::of(Path::new(cwd)))
            .map(|repo| repo.display().to_string());
    }
    tell(session, Event::Tick);
}

/// Whether a look that began then may have missed the session's pane, or have seen what was there before it: it was
/// heard from or begun later, and the pane may be as young as that.
pub(crate) fn may_have_missed(session: &Session, began: Time, now: Time) -> bool {
    let heard = session.turn.heard.max(session.born);
    began < heard && heard <= now
}

/// Whether what a look that is older than the session tells of its pane is about what ran there before.
pub(crate) fn is_of_another(session: &Session, place: &PanePlace, began: Time, now: Time) -> bool {
    let another = matches!((session.pane_pid, place.pid), (Some(own), Some(seen)) if own != seen);
    (another || place.dead.is_some()) && may_have_missed(session, began, now)
}

/// Reads the registry of a session whose agent keeps one.
#[expect(
    clippy::option_option,
    reason = "no registry at all, or one that says nothing"
)]
fn read_registry(
    viewer: &Viewer<'_>,
    session: &Session,
    now: Time,
) -> Option<Option<session_core::RegistryReport>> {
    let path = session.registry_path.as_ref()?;
    let manifest = viewer.agents.manifest(session.agent.as_ref()?.as_str())?;
    let started = session
        .process
        .and_then(|process| viewer.processes.stat(process.pid).ok());
    let since = started
        .and_then(|stat| viewer.processes.started_epoch(&stat))
        .map(registry::since);
    Some(registry::read(
        manifest.registry.as_ref()?,
        path,
        since,
        now,
    ))
}

//! Sessions whose command Tallylight starts in a pane of its own making.
//!
//! The pane is made first, by the multiplexer, with a process of ours in it that waits: only then is it known which pane it
//! is. The record is written in one transaction, and with it the process goes on and becomes the command. So the command's
//! first report finds its session, whoever is faster.

use std::thread::sleep;
use std::time::{Duration, Instant};

use session_core::{Event, GoneWhy, Policy, Session, SessionId, Time, apply};

use crate::nudge::{Nudge, nudge};
use crate::paths::Paths;
use crate::store::{Row, Store, StoreError};

/// How long to wait for a store that another process holds.
const WAIT: Duration = Duration::from_secs(2);
/// For how long a pane waits for its record.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Between two looks at the store.
const PAUSE: Duration = Duration::from_millis(15);

/// Begins a session that was started in its pane; whatever was in that pane before is over.
///
/// # Errors
/// When the store cannot be written; nothing has changed then.
pub fn begin(paths: &Paths, session: &Session, now: Time) -> Result<(), StoreError> {
    let mut store = Store::open_writing(paths, WAIT)?;
    let policy = Policy::default();
    let begun = Row::new(session.clone());
    store.write(now, |transaction| {
        if let Some(key) = &session.pane {
            let (server, machine) = (&key.server, &session.machine);
            for mut row in transaction.live_in_pane(machine, server.mux, server.pid, key.pane)? {
                let over = Event::Gone(GoneWhy::PaneRespawned);
                let applied = apply(&mut row.session, over, &policy, now);
                transaction.save(&row, &applied.effects)?;
            }
        }
        transaction.save(&begun, &[])
    })?;
    // Without a daemon nobody needs to be told.
    let _ = nudge(paths, &Nudge::Changed(session.id));
    Ok(())
}

/// Waits until a session has begun. `None` when it does not within [`PATIENCE`].
///
/// # Errors
/// When the store cannot be read; that there is none yet is no error.
pub fn wait_for(paths: &Paths, id: SessionId) -> Result<Option<Session>, StoreError> {
    let end = Instant::now() + PATIENCE;
    loop {
        let found = match Store::open_reading(paths, WAIT) {
            Ok(store) => store.all()?.into_iter().find(|session| session.id == id),
            Err(StoreError::Missing) => None,
            Err(error) => return Err(error),
        };
        if found.is_some() || Instant::now() >= end {
            return Ok(found);
        }
        sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use session_core::{Launch, MachineId, Mux, PaneId, PaneKey, ServerId};

    use super::*;
    use crate::intake::new_id;

    fn session(now: Time) -> Session {
        let server = ServerId {
            mux: Mux::Tmux,
            socket: "/s".to_owned(),
            pid: 7,
            started: 7,
        };
        let key = PaneKey {
            server,
            pane: PaneId(3),
        };
        let launch = Launch {
            argv: vec!["sh".to_owned(), "a \"b\"\n".to_owned()],
            cwd: "/".to_owned(),
            agent: None,
        };
        let session = Session::new(new_id(now), MachineId("m".to_owned()), Some(key), now);
        session.launched(None, launch)
    }

    #[test]
    fn a_session_that_is_started_in_a_pane_ends_the_one_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths {
            config: folder.path().join("config"),
            state: folder.path().join("state"),
            runtime: folder.path().join("run"),
        };
        let (first, second) = (session(Time(1)), session(Time(2_000_000)));
        begin(&paths, &first, Time(1)).unwrap();
        begin(&paths, &second, Time(2_000_000)).unwrap();
        let over = wait_for(&paths, first.id).unwrap().unwrap();
        assert_eq!(over.gone.unwrap().why, GoneWhy::PaneRespawned);
        let live = wait_for(&paths, second.id).unwrap().unwrap();
        assert_eq!((live.gone, live.launch), (None, second.launch));
    }
}

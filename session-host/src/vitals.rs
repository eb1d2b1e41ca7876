//! Whether what a session lives in is still there, as far as the process table tells (case C7).

use session_core::{Event, GoneWhy, Session};

use crate::process::{ProcessGone, ProcessTable};

/// How far the start of a server's process may lie from the time that the server told, in seconds.
const START_SLACK_S: i64 = 3;

/// Whether the server of a session has ended. A table that cannot be read says nothing.
#[must_use]
pub(crate) fn server_ended(session: &Session, table: &dyn ProcessTable) -> bool {
    let Some(key) = &session.pane else {
        return false;
    };
    match table.stat(key.server.pid) {
        Err(ProcessGone::Unreadable) => false,
        Err(ProcessGone::Gone) => true,
        Ok(stat) if stat.zombie => true,
        // Another process of the same number. The clock may also have been set: an agent that lives in it proves it.
        Ok(stat) => {
            let moved = key.server.started != 0
                && table
                    .started_epoch(&stat)
                    .is_some_and(|started| (started - key.server.started).abs() > START_SLACK_S);
            moved
                && session
                    .process
                    .is_none_or(|process| table.alive(process) != Some(true))
        }
    }
}

/// What the processes of a session say: nothing while all is well.
#[must_use]
pub(crate) fn check(session: &Session, table: &dyn ProcessTable) -> Option<Event> {
    if server_ended(session, table) {
        return Some(Event::Gone(GoneWhy::ServerGone));
    }
    if session.exit.is_some() {
        // The pane is kept although its process has ended, and that is known already.
        return None;
    }
    if session.pane_pid.is_some_and(|pid| ended(table, pid)) {
        return Some(Event::Gone(GoneWhy::PaneDead));
    }
    agent_ended(session, table).then_some(Event::AgentExited)
}

/// Whether the agent's process has ended.
#[must_use]
pub(crate) fn agent_ended(session: &Session, table: &dyn ProcessTable) -> bool {
    session
        .process
        .is_some_and(|process| table.alive(process) == Some(false))
}

fn ended(table: &dyn ProcessTable, pid: u32) -> bool {
    match table.stat(pid) {
        Ok(stat) => stat.zombie,
        Err(gone) => gone == ProcessGone::Gone,
    }
}

#[cfg(test)]
mod tests {
    use session_core::{
        Exit, MachineId, Mux, PaneId, PaneKey, ProcessRef, ServerId, SessionId, Time,
    };
    use uuid::Uuid;

    use super::*;
    use crate::process::FakeProcesses;

    fn session() -> Session {
        let server = ServerId {
            mux: Mux::Tmux,
            socket: "/tmp/s".into(),
            pid: 5,
            started: 5,
        };
        let key = PaneKey {
            server,
            pane: PaneId(1),
        };
        let mut session = Session::new(
            SessionId(Uuid::from_u128(1)),
            MachineId("m".into()),
            Some(key),
            Time(0),
        );
        session.pane_pid = Some(10);
        session.process = Some(ProcessRef {
            pid: 20,
            started: 20,
        });
        session
    }

    fn table() -> FakeProcesses {
        FakeProcesses::default()
            .with(1, 0, "init")
            .with(5, 1, "tmux")
            .with(10, 5, "zsh")
            .with(20, 10, "claude")
    }

    #[test]
    fn all_is_well_while_everybody_lives_or_nothing_can_be_seen() {
        assert_eq!(check(&session(), &table()), None);
        assert_eq!(check(&session(), &table().without(5).unreadable()), None);
    }

    #[test]
    fn case_c4_an_agent_that_is_gone_is_missed_also_when_its_number_is_taken() {
        assert_eq!(
            check(&session(), &table().without(20)),
            Some(Event::AgentExited)
        );
        assert_eq!(
            check(&session(), &table().started(20, 99)),
            Some(Event::AgentExited)
        );
    }

    #[test]
    fn case_c7_a_server_that_is_gone_is_missed_also_when_its_number_is_taken() {
        let gone = Some(Event::Gone(GoneWhy::ServerGone));
        assert_eq!(check(&session(), &table().without(5)), gone);
        assert_eq!(
            check(&session(), &table().started(5, 5_000).without(20)),
            gone
        );
        // The clock was set: the agent that lives in it proves the server.
        assert_eq!(check(&session(), &table().started(5, 5_000)), None);
    }

    #[test]
    fn a_pane_whose_process_is_gone_is_missed_unless_it_is_known_to_be_kept() {
        let table = table().without(10).without(20);
        assert_eq!(
            check(&session(), &table),
            Some(Event::Gone(GoneWhy::PaneDead))
        );
        let kept = Session {
            exit: Some(Exit::Status(1)),
            ..session()
        };
        assert_eq!(check(&kept, &table), None);
    }
}

//! A stage for the machine: one session, a clock in milliseconds, and the journal it writes.

use uuid::Uuid;

use crate::away::away;
use crate::manifest::fingerprint;
use crate::{
    Act, ActorId, Applied, AwayView, BlockedKind, Effect, ErrorKind, Event, MachineId, Mux, PaneId,
    PaneKey, Policy, RegistryReport, RegistryStatus, ServerId, Session, SessionId, Signal,
    SignalSource, State, Time, ToolRef, Transition, Verdict, apply, derive,
};

/// The start of every play.
const T0: i64 = 1_700_000_000_000;

/// A session on a stage.
pub(super) struct Play {
    pub(super) session: Session,
    pub(super) policy: Policy,
    pub(super) journal: Vec<Transition>,
    serial: u64,
}

impl Play {
    pub(super) fn new() -> Self {
        Self {
            session: Session::new(
                SessionId(Uuid::nil()),
                MachineId("here".into()),
                Some(pane()),
                ms(0),
            ),
            policy: Policy::default(),
            journal: Vec::new(),
            serial: 0,
        }
    }

    /// A signal of the main agent, `at` milliseconds into the play, arriving at once.
    pub(super) fn at(&mut self, at: i64, act: Act) -> &mut Self {
        self.signal(at, at, None, act)
    }

    /// A signal of a subagent.
    pub(super) fn sub(&mut self, at: i64, actor: &str, act: Act) -> &mut Self {
        self.signal(at, at, Some(actor), act)
    }

    /// A signal that starts at one time and arrives at another.
    pub(super) fn signal(
        &mut self,
        at: i64,
        arrives: i64,
        actor: Option<&str>,
        act: Act,
    ) -> &mut Self {
        self.serial += 1;
        let signal = signal(at, actor, act, self.serial);
        self.event(arrives, Event::Signal(signal));
        self
    }

    pub(super) fn event(&mut self, at: i64, event: Event) -> Applied {
        let applied = apply(&mut self.session, event, &self.policy, ms(at));
        for effect in &applied.effects {
            if let Effect::Journal(transition) = effect {
                self.journal.push(transition.clone());
            }
        }
        applied
    }

    /// The agent's own registry is read and says this since `at`.
    pub(super) fn registry(
        &mut self,
        read: i64,
        at: i64,
        status: RegistryStatus,
        kind: Option<BlockedKind>,
    ) -> &mut Self {
        self.event(
            read,
            Event::Registry(Some(RegistryReport {
                status,
                kind,
                at: ms(at),
                read: ms(read),
            })),
        );
        self
    }

    pub(super) fn verdict(&self, at: i64) -> Verdict {
        derive(&self.session, &self.policy, ms(at))
    }

    pub(super) fn state(&self, at: i64) -> State {
        self.verdict(at).state
    }

    /// How the session is put away.
    pub(super) fn away(&self, at: i64) -> Option<AwayView> {
        away(&self.session, &self.verdict(at), &self.policy, ms(at))
    }

    /// The states of the journal, in order.
    pub(super) fn shown(&self) -> Vec<State> {
        self.journal
            .iter()
            .filter(|transition| transition.is_of_state())
            .map(|transition| transition.to)
            .collect()
    }
}

pub(super) fn ms(ms: i64) -> Time {
    Time::from_ms(T0 + ms)
}

pub(super) fn pane() -> PaneKey {
    let server = ServerId {
        mux: Mux::Tmux,
        socket: "/tmp/s".into(),
        pid: 100,
        started: 1_699_999_000,
    };
    PaneKey {
        server,
        pane: PaneId(1),
    }
}

pub(super) fn signal(at: i64, actor: Option<&str>, act: Act, serial: u64) -> Signal {
    Signal {
        at: ms(at),
        source: SignalSource::Wired,
        fingerprint: fingerprint(format!("{serial}").as_bytes()),
        act,
        actor: actor.map(|actor| ActorId(actor.to_owned())),
        agent: Some("claude".parse().unwrap()),
        agent_session: None,
        message: None,
        event: "test".into(),
    }
}

pub(super) fn tool(id: &str) -> ToolRef {
    ToolRef {
        id: Some(id.to_owned()),
        name: Some("Bash".to_owned()),
    }
}

/// A tool that is known by its name only, as in Claude Code's PermissionRequest.
pub(super) fn named() -> ToolRef {
    ToolRef {
        id: None,
        name: Some("Bash".to_owned()),
    }
}

pub(super) fn start(id: &str) -> Act {
    Act::ToolStart { tool: tool(id) }
}

pub(super) fn end(id: &str) -> Act {
    Act::ToolEnd { tool: tool(id) }
}

pub(super) fn ask(tool: ToolRef) -> Act {
    Act::Ask {
        kind: Some(BlockedKind::Permission),
        tool,
        heuristic: false,
        settle_ms: 0,
    }
}

pub(super) fn stop(background: Option<bool>) -> Act {
    Act::Stop {
        background,
        settle_ms: 0,
    }
}

pub(super) fn fail() -> Act {
    Act::Fail {
        kind: ErrorKind::RateLimit,
    }
}

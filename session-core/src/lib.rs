//! The pure core of Tallylight.
//!
//! Everything that decides what state an agent session is in lives here, and nowhere else, so that
//! the tmux status line, the zellij bar and the command line cannot disagree. The crate has no clock,
//! environment, file, process or async code: time is a [`Time`] passed in, the world arrives as
//! [`Event`]s and leaves as [`Effect`]s. It builds for `wasm32-wasip1`.
//!
//! The road of a signal: a manifest's rules turn an agent's payload into an [`Act`]
//! ([`manifest`]); [`apply`] adds it to the [`Session`] record in order of its start stamp; the
//! [`Verdict`] of [`derive()`] says what is shown; a change of it is a [`Transition`], which the host
//! writes to the journal. [`Snapshot`] is what every face renders.

pub mod happening;
pub mod manifest;
pub mod view;
pub mod wire;

mod act;
mod attention;
mod away;
mod evidence;
mod ids;
mod launch;
mod machine;
mod place;
mod policy;
mod rollup;
mod session;
mod snapshot;
#[cfg(test)]
mod snapshot_tests;
mod state;
mod time;
mod turn;
mod worktree;

pub use act::{Act, ActorId, Signal, SignalSource, ToolRef};
pub use attention::{Attention, Need, attention};
pub use away::{Away, AwayBy, AwayChange, AwayView, Mark, Shelf};
pub use evidence::{Evidence, EvidenceSource, RANKS, Rank};
pub use ids::{
    AgentName, ClientId, IdError, MachineId, Mux, MuxSessionId, PaneId, PaneKey, ServerId,
    SessionId, WindowId,
};
pub use launch::{Launch, NameError, SessionName};
pub use machine::{
    Applied, Effect, Event, Explanation, Outcome, Transition, Verdict, apply, derive, explain,
};
pub use place::{ClientFact, Exit, PanePlace, ServerView};
pub use policy::Policy;
pub use rollup::{Counts, Rollup};
pub use session::{
    Corroboration, Gone, GoneWhy, ProcessRef, Refused, RegistryReport, RegistryStatus, Session,
    Shown,
};
pub use snapshot::{PaneView, SNAPSHOT_SCHEMA, ServerRollup, SessionView, Snapshot, snapshot};
pub use state::{BlockedKind, ErrorKind, State, URGENCY};
pub use time::Time;
pub use turn::{Block, Phase, Subagent, ToolInFlight, Turn};
pub use worktree::{Allowed, FanError, Removal, Stakes, Worktree, fan, worktree_path};

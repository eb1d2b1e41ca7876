//! The machine: one session, one event, one time, and what follows from them (design §4, §5).
//!
//! [`apply()`] is a pure function over the record; [`derive()`] says what a record shows at a given time, so
//! that whoever reads without a daemon sees the same as whoever follows with one. Timers are nothing but
//! [`Verdict::until`]: the next time at which `derive` may answer differently. A stale timer therefore does nothing.

mod apply;
mod derive;
mod event;
mod explain;
mod ledger;

#[cfg(test)]
mod tests;

pub use apply::apply;
pub use derive::{Verdict, derive};
pub use event::{Applied, Effect, Event, Outcome, Transition};
pub use explain::{Explanation, explain};

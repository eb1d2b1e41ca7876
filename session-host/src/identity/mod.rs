//! Where a signal comes from: never guessed (design §5.10).
//!
//! The environment of a hook names a pane, and it can lie: some agents run their hooks in a daemon that keeps the
//! environment of the first pane. So it is believed only when the multiplexer's server is among the ancestors of the
//! reporting process, and of two nested multiplexers the one whose server is nearer. Where the process table cannot
//! be read, the environment is taken at its word.

mod agents;
mod ancestry;
mod claim;
mod host_pane;
mod origin;
#[cfg(test)]
mod tests;

pub use ancestry::{Ancestry, End};
pub use claim::{Claim, TmuxClaim, ZellijClaim};
pub use host_pane::{host_pane, may_be_hosted};
pub(crate) use origin::not_an_ancestor;
pub use origin::{Origin, Place, Reporter, origin};

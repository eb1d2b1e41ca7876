//! The processes of this machine.

mod table;

pub use table::{ProcessGone, ProcessStat, ProcessTable};

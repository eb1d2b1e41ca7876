//! Looks at a session from outside, where no plugin tells.

mod list;
mod metadata;
mod outline;
mod processes;

pub(crate) use list::list;
pub(crate) use metadata::{Metadata, metadata_file};
pub use outline::{Outline, outline};
pub(crate) use processes::pane_processes;

//! The E cases, on files.

mod doubt;
mod evidence;
mod files;
mod launches;
mod merges;
mod stage;

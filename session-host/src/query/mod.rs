//! What the command line reads, with or without a daemon.

mod picture;
mod reference;

pub use picture::{picture, Picture, Viewer};
pub use reference::{resolve, RefError};

//! What the command line reads, with or without a daemon.

mod picture;
mod reference;
#[cfg(test)]
mod tests;

pub use picture::{Picture, Viewer, picture};
pub use reference::{RefError, resolve};

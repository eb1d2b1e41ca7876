//! What the command line reads, with or without a daemon.

mod picture;
mod reference;
#[cfg(test)]
mod tests;

pub use picture::{Fresh, Picture, Viewer, picture, recorded};
pub(crate) use picture::{is_of_another, may_have_missed};
pub use reference::{
    RefError, in_pane_of, in_zellij_pane, is_called, pane_of_server, resolve, server_of,
};

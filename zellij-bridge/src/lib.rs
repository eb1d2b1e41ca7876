//! Adapts running zellij sessions to Tallylight.

mod discover;
mod error;
mod version;
mod zellij;

pub use discover::{Finder, Found};
pub use error::ZellijError;
pub use version::{NoVersion, Version};
pub use zellij::{Address, DEADLINE, Zellij};

//! How states look in tmux: constant formats over the published options.

mod formats;
mod load;
mod snippet;
mod theme;

pub use formats::{BORDER, LAMP, SUMMARY, formats, reference};
pub use load::{Loaded, load, unload};
pub(crate) use load::{ensure_formats, remove_formats};
pub use snippet::{Kind, snippet};
pub use theme::Theme;

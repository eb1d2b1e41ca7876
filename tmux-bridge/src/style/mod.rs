//! How states look in tmux: constant formats over the published options.

mod load;
mod snippet;
mod theme;

pub use load::{Loaded, load, unload};
pub use snippet::{Kind, snippet};
pub use theme::{Colour, Colours, NotAColour, Theme};

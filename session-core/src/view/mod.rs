//! Words, glyphs and widths: how a [`Snapshot`](crate::Snapshot) is put into text, for every face alike.

mod age;
mod glyph;
mod summary;
mod text;

pub use age::age;
pub use glyph::{GlyphSet, glyph};
pub use summary::{Segment, summary};
pub use text::{clean, truncate, width};

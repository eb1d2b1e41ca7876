//! Puts entries of ours into a configuration file that is another program's and another person's, and takes exactly
//! those out again.
//!
//! Text in, text out: no file is read or written here. What is inserted goes next to what is there, and every byte that
//! is not ours stays, with comments, order, indentation, line ends, a byte order mark and a missing last line end. JSON
//! is read with comments and trailing commas. [`install`], then [`uninstall`] gives the same bytes (case E1 to E3, E7).
//!
//! An entry is ours when it equals, as a value, one that [`Made`] says we have written, or one that is written now;
//! never for a name that occurs in it. Whatever cannot be understood to the end is refused ([`MergeError`]), and each
//! result is read again: what is not ours must have the value it had.

mod bracket;
mod document;
mod entry;
mod error;
mod json;
mod json_text;
mod look;
mod made;
mod merge;
mod node;
mod toml;
mod toml_text;

pub use document::{Format, read};
pub use entry::{Entry, entries};
pub use error::{MergeError, Place};
pub use look::{Look, Standing, holds_lists, look};
pub use made::Made;
pub use merge::{install, uninstall};

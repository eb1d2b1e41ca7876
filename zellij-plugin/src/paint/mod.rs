//! Coloured text of a known width, and where a click on it leads.

mod colour;
mod row;
mod style;
mod text;

pub use colour::{Colour, NotAColour};
pub use row::{Row, Span, Target};
pub use style::Style;
pub use text::{columns, cut, safe};

//! How the model looks: a pure function of it. Nothing here depends on a border or on colour to be understood, so that
//! it is the same in every font, and every state differs in shape as well as in colour.

mod columns;
mod detail;
mod footer;
mod header;
mod help;
mod palette;
mod pen;
mod table;
mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::model::Model;

/// Draws the model.
pub(crate) fn view(model: &Model, buffer: &mut Buffer) {
    let areas = model.areas();
    if model.help {
        header::draw(model, areas.header, buffer);
        let below = Rect {
            y: areas.header.height,
            height: model.size.1.saturating_sub(areas.header.height),
            width: model.size.0,
            x: 0,
        };
        help::draw(model, below, buffer);
        return;
    }
    header::draw(model, areas.header, buffer);
    table::draw(model, &areas, buffer);
    detail::draw(model, areas.detail, buffer);
    footer::peek(model, areas.peek, buffer);
    footer::draw(model, areas.footer, buffer);
}

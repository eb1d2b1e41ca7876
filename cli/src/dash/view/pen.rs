//! Writes along one line, and never past its end.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use session_core::view::{truncate, width};

/// A place on a line.
pub(super) struct Pen<'b> {
    buffer: &'b mut Buffer,
    x: u16,
    y: u16,
    end: u16,
}

impl<'b> Pen<'b> {
    /// At the beginning of a line of an area; `None` where the area has no such line.
    pub(super) fn at(area: Rect, line: u16, buffer: &'b mut Buffer) -> Option<Self> {
        let area = area.intersection(buffer.area);
        (line < area.height && area.width > 0).then(|| Self {
            buffer,
            x: area.x,
            y: area.y + line,
            end: area.x + area.width,
        })
    }

    /// How many columns are left.
    pub(super) fn left(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// Writes a text, cut where the line ends.
    pub(super) fn put(&mut self, text: &str, style: Style) {
        let text = truncate(text, self.left());
        let (x, _) = self
            .buffer
            .set_stringn(self.x, self.y, &text, self.left(), style);
        self.x = x;
    }

    /// Writes a text into so many columns, at their left.
    pub(super) fn cell(&mut self, text: &str, columns: usize, style: Style) {
        let text = truncate(text, columns.min(self.left()));
        let gap = columns.saturating_sub(width(&text));
        self.put(&text, style);
        self.skip(gap);
    }

    /// Writes a text into so many columns, at their right.
    pub(super) fn cell_right(&mut self, text: &str, columns: usize, style: Style) {
        let text = truncate(text, columns.min(self.left()));
        self.skip(columns.saturating_sub(width(&text)));
        self.put(&text, style);
    }

    /// Leaves columns empty.
    pub(super) fn skip(&mut self, columns: usize) {
        let columns = u16::try_from(columns.min(self.left())).unwrap_or(0);
        self.x += columns;
    }

    /// Gives the whole of the line a style on top of what it has.
    pub(super) fn underlay(area: Rect, line: u16, style: Style, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if line < area.height {
            let line = Rect {
                y: area.y + line,
                height: 1,
                ..area
            };
            buffer.set_style(line, style);
        }
    }
}

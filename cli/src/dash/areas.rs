//! How the screen is divided.

use ratatui::layout::Rect;

use super::model::Face;

/// The least width at which details stand beside the table.
const BESIDE: u16 = 150;
/// The least height at which details are shown without being asked for.
const TALL: u16 = 28;
/// The least height at which there is room for details below the table.
const BELOW: u16 = 16;

/// The parts of the screen. One without room has no height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    /// The counts.
    pub header: Rect,
    /// The titles of the columns.
    pub titles: Rect,
    /// The rows.
    pub table: Rect,
    /// Two lines about the chosen session, where there are no details.
    pub peek: Rect,
    /// The details.
    pub detail: Rect,
    /// The keys, a note, or the filter.
    pub footer: Rect,
    /// Whether there is room for headings.
    pub headings: bool,
}

impl Areas {
    /// Divides a screen; `detail` is what the person asked for.
    pub(crate) fn of((width, height): (u16, u16), face: Face, detail: Option<bool>) -> Self {
        let mut rest = Rect::new(0, 0, width, height);
        let header = top(&mut rest, u16::from(height >= 3));
        let footer = bottom(&mut rest, u16::from(height >= 4));
        let wanted = detail.unwrap_or(face == Face::Dash && height >= TALL);
        let (mut detail, mut peek) = (Rect::default(), Rect::default());
        if wanted && width >= BESIDE {
            detail = right(&mut rest, width * 2 / 5);
        } else if wanted && height < BELOW {
            detail = bottom(&mut rest, height);
        } else if wanted {
            detail = bottom(&mut rest, height * 2 / 5);
        } else {
            peek = bottom(&mut rest, if height >= 8 { 2 } else { 0 });
        }
        let titled = height >= 14 && face == Face::Dash && rest.height > 2;
        let titles = top(&mut rest, u16::from(titled));
        Self {
            header,
            titles,
            table: rest,
            peek,
            detail,
            footer,
            headings: rest.height >= 8,
        }
    }
}

fn top(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    let part = Rect { height, ..*rest };
    rest.y += height;
    rest.height -= height;
    part
}

fn bottom(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    rest.height -= height;
    Rect {
        y: rest.y + rest.height,
        height,
        ..*rest
    }
}

fn right(rest: &mut Rect, width: u16) -> Rect {
    let width = width.min(rest.width);
    rest.width -= width;
    Rect {
        x: rest.x + rest.width,
        width,
        ..*rest
    }
}

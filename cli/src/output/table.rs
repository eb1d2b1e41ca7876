//! Aligned columns of text.

use session_core::view::{truncate, width};

/// The space between two columns.
const GAP: &str = "  ";

/// Which side of a column text stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// What stands over it.
    pub title: &'static str,
    /// Its side.
    pub align: Align,
}

/// Lays rows out below their titles, in at most `columns` columns; the last column gives way first. `paint` colours a
/// cell that has its final width: it is given the row (`None` for the titles), the column and the text.
pub(crate) fn table(
    titles: &[Column],
    rows: &[Vec<String>],
    columns: Option<usize>,
    paint: &dyn Fn(Option<usize>, usize, &str) -> String,
) -> String {
    let mut widths: Vec<usize> = titles.iter().map(|column| width(column.title)).collect();
    for row in rows {
        for (known, cell) in widths.iter_mut().zip(row) {
            *known = (*known).max(width(cell));
        }
    }
    if let Some(columns) = columns {
        shrink(&mut widths, columns);
    }
    let head: Vec<String> = titles
        .iter()
        .map(|column| column.title.to_owned())
        .collect();
    let mut text = String::new();
    for (index, row) in
        std::iter::once((None, &head)).chain(rows.iter().enumerate().map(|(i, row)| (Some(i), row)))
    {
        let mut line = String::new();
        let mut pending = 0;
        for (place, (cell, (column, room))) in
            row.iter().zip(titles.iter().zip(&widths)).enumerate()
        {
            let cell = truncate(cell, *room);
            let missing = room.saturating_sub(width(&cell));
            let (before, after) = match column.align {
                Align::Left => (0, missing),
                Align::Right => (missing, 0),
            };
            if place > 0 {
                pending += GAP.len();
            }
            if !cell.is_empty() {
                line.push_str(&" ".repeat(pending + before));
                line.push_str(&paint(index, place, &cell));
                pending = after;
            } else {
                pending += missing;
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Makes the columns fit: the last one first, then whichever is widest.
fn shrink(widths: &mut [usize], columns: usize) {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    let surplus = |widths: &[usize]| (widths.iter().sum::<usize>() + gaps).saturating_sub(columns);
    let over = surplus(widths);
    if let Some(last) = widths.last_mut() {
        *last = (*last).saturating_sub(over);
    }
    while surplus(widths) > 0 {
        let Some(widest) = widths
            .iter_mut()
            .max_by_key(|width| **width)
            .filter(|width| **width > 0)
        else {
            return;
        };
        *widest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cells: &[[&str; 3]]) -> Vec<Vec<String>> {
        cells
            .iter()
            .map(|row| row.map(str::to_owned).to_vec())
            .collect()
    }

    const TITLES: [Column; 3] = [
        Column {
            title: "STATE",
            align: Align::Left,
        },
        Column {
            title: "AGE",
            align: Align::Right,
        },
        Column {
            title: "MESSAGE",
            align: Align::Left,
        },
    ];

    fn plain(_: Option<usize>, _: usize, text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn columns_are_as_wide_as_they_must_be_and_lines_have_no_tail() {
        let rows = rows(&[["blocked", "4m", "日本語"], ["idle", "12m", ""]]);
        assert_eq!(
            table(&TITLES, &rows, None, &plain),
            "STATE    AGE  MESSAGE\nblocked   4m  日本語\nidle     12m\n"
        );
    }

    #[test]
    fn a_narrow_terminal_cuts_the_last_column_first_and_no_line_is_wider() {
        let rows = rows(&[["blocked", "4m", "a long message about a thing"]]);
        assert_eq!(
            table(&TITLES, &rows, Some(22), &plain),
            "STATE    AGE  MESSAGE\nblocked   4m  a long …\n"
        );
        for columns in 0..40 {
            for line in table(&TITLES, &rows, Some(columns), &plain).lines() {
                assert!(width(line) <= columns.max(4), "{columns}: {line:?}");
            }
        }
    }
}

//! Aligned columns of text.

use session_core::view::{truncate, width};

/// The space between two columns.
const GAP: &str = "  ";

/// Which side of a column text stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    title: &'static str,
    align: Align,
    /// How narrow it may become before other columns give way.
    least: usize,
    /// How narrow it may become before all else is gone.
    floor: usize,
}

impl Column {
    /// A column of text.
    pub(crate) const fn left(title: &'static str, least: usize) -> Self {
        Self {
            title,
            align: Align::Left,
            least,
            floor: 0,
        }
    }

    /// As [`Column::left`], for one that keeps some of its text when there is no room for the others.
    pub(crate) const fn lasting(title: &'static str, least: usize, floor: usize) -> Self {
        Self {
            title,
            align: Align::Left,
            least,
            floor,
        }
    }

    /// A column of numbers, which give way last.
    pub(crate) const fn right(title: &'static str) -> Self {
        Self {
            title,
            align: Align::Right,
            least: 8,
            floor: 0,
        }
    }
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
        shrink(&mut widths, titles, columns);
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
        let mut begun = false;
        for (place, (cell, (column, room))) in
            row.iter().zip(titles.iter().zip(&widths)).enumerate()
        {
            if *room == 0 {
                continue;
            }
            let cell = truncate(cell, *room);
            let missing = room.saturating_sub(width(&cell));
            let (before, after) = match column.align {
                Align::Left => (0, missing),
                Align::Right => (missing, 0),
            };
            if begun {
                pending += GAP.len();
            }
            begun = true;
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

/// Makes the columns fit: from the last one on, each gives way down to its least width, then down to its floor, then to
/// nothing; the first one is cut when it is alone.
fn shrink(widths: &mut [usize], titles: &[Column], columns: usize) {
    // A column without any width has no gap either.
    let surplus = |widths: &[usize]| {
        let shown = widths.iter().filter(|width| **width > 0).count();
        let gaps = GAP.len() * shown.saturating_sub(1);
        (widths.iter().sum::<usize>() + gaps).saturating_sub(columns)
    };
    let limits: [fn(&Column) -> usize; 3] = [|column| column.least, |column| column.floor, |_| 0];
    for limit in limits {
        for (index, column) in titles.iter().enumerate().rev() {
            let over = surplus(widths);
            if let Some(width) = widths.get_mut(index) {
                *width -= over.min(width.saturating_sub(limit(column)));
            }
        }
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
        Column::left("STATE", 7),
        Column::right("AGE"),
        Column::left("MESSAGE", 7),
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

//! A terminal's screen as SVG: one text element for each run of one style.
//!
//! Every letter is taken to be one column wide, so nothing wide may be in the scene.

use std::fmt::Write as _;

const COLUMN: f32 = 8.4;
const ROW: f32 = 18.0;
const EDGE: f32 = 12.0;

/// The sixteen colours of a theme, and those two that stand for "the terminal's own".
const NAMED: [&str; 16] = [
    "#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de",
    "#585b70", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#ffffff",
];
const TEXT: &str = "#cdd6f4";
const GROUND: &str = "#1e1e2e";

#[derive(Clone, Debug, Default, PartialEq)]
struct Style {
    colour: Option<String>,
    bold: bool,
    dim: bool,
    underline: bool,
    reverse: bool,
}

impl Style {
    /// Takes in the numbers of one SGR sequence.
    fn set(&mut self, numbers: &str) {
        let mut numbers = numbers
            .split([';', ':'])
            .map(|number| number.parse().unwrap_or(0_usize));
        while let Some(number) = numbers.next() {
            match number {
                0 => *self = Self::default(),
                1 => self.bold = true,
                2 => self.dim = true,
                4 => self.underline = true,
                7 => self.reverse = true,
                22 => (self.bold, self.dim) = (false, false),
                24 => self.underline = false,
                27 => self.reverse = false,
                30..=37 => self.colour = NAMED.get(number - 30).map(|hex| (*hex).to_owned()),
                90..=97 => self.colour = NAMED.get(number - 82).map(|hex| (*hex).to_owned()),
                39 => self.colour = None,
                38 => {
                    let kind = numbers.next();
                    let first = numbers.next().unwrap_or(0);
                    self.colour = Some(if kind == Some(2) {
                        let (green, blue) =
                            (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
                        format!("#{first:02x}{green:02x}{blue:02x}")
                    } else {
                        indexed(first)
                    });
                }
                _ => {}
            }
        }
    }
}

/// A colour of the 256-colour table.
fn indexed(index: usize) -> String {
    let level = |step: usize| if step == 0 { 0 } else { 55 + 40 * step };
    match index {
        0..=15 => NAMED.get(index).copied().unwrap_or(TEXT).to_owned(),
        16..=231 => {
            let cube = index - 16;
            let (red, green, blue) = (level(cube / 36), level(cube / 6 % 6), level(cube % 6));
            format!("#{red:02x}{green:02x}{blue:02x}")
        }
        _ => {
            let grey = 8 + 10 * (index.min(255) - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

/// The picture of a screen of this size.
pub(super) fn of(screen: &str, (columns, rows): (u16, u16)) -> String {
    let (width, height) = (
        f32::from(columns) * COLUMN + 2.0 * EDGE,
        f32::from(rows) * ROW + 2.0 * EDGE,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"ui-monospace, \
         'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" fill=\"{TEXT}\">\n<rect width=\"100%\" \
         height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n"
    );
    let mut style = Style::default();
    let mut top = EDGE;
    for line in screen.lines() {
        let (mut column, mut run) = (0_u16, String::new());
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            if letter != '\u{1b}' {
                run.push(letter);
                continue;
            }
            column += put(&mut svg, &run, &style, column, top);
            run.clear();
            let numbers: String = letters
                .by_ref()
                .skip(1)
                .take_while(|next| *next != 'm')
                .collect();
            style.set(&numbers);
        }
        put(&mut svg, &run, &style, column, top);
        top += ROW;
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes a run, and tells how many columns it takes.
fn put(svg: &mut String, run: &str, style: &Style, column: u16, top: f32) -> u16 {
    let columns = u16::try_from(run.chars().count()).unwrap_or(u16::MAX);
    let blank = run.trim().is_empty();
    if columns == 0 || (blank && !style.underline && !style.reverse) {
        return columns;
    }
    let (left, width) = (
        EDGE + f32::from(column) * COLUMN,
        f32::from(columns) * COLUMN,
    );
    let colour = style.colour.as_deref().unwrap_or(TEXT);
    let ink = if style.reverse { GROUND } else { colour };
    // Writing to a string cannot fail.
    if style.reverse {
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{ROW}\" fill=\"{colour}\"/>"
        );
    }
    if style.underline {
        let below = top + ROW - 2.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{below:.1}\" width=\"{width:.1}\" height=\"1\" fill=\"{ink}\" opacity=\"0.5\"/>"
        );
    }
    if !blank {
        let weight = if style.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let dim = if style.dim { " opacity=\"0.6\"" } else { "" };
        let text = run
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let base = top + ROW - 5.0;
        let _ = writeln!(
            svg,
            "<text x=\"{left:.1}\" y=\"{base:.1}\" textLength=\"{width:.1}\" xml:space=\"preserve\" fill=\"{ink}\"{weight}{dim}>{text}</text>"
        );
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stand_in_their_columns_in_their_colours() {
        let svg = of("a\u{1b}[1;31mb<\u{1b}[0m", (3, 1));
        assert!(svg.contains(">a</text>"), "{svg}");
        assert!(
            svg.contains("x=\"20.4\"")
                && svg.contains("fill=\"#f38ba8\" font-weight=\"bold\">b&lt;</text>"),
            "{svg}"
        );
    }

    #[test]
    fn the_table_of_colours_is_that_of_terminals() {
        assert_eq!(indexed(196), "#ff0000");
        assert_eq!(indexed(245), "#8a8a8a");
    }
}

//! One row of a screen.

use session_core::PaneId;

use super::text::{columns, cut};
use super::{Colour, Style};

/// Where a click leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A tab of this session, by position.
    Tab(u32),
    /// A pane of this session.
    Pane(PaneId),
    /// A pane of another zellij session.
    Away {
        /// The session's name.
        session: String,
        /// The pane.
        pane: PaneId,
    },
    /// A pane that only the daemon can go to.
    Beyond {
        /// The server.
        server_pid: u32,
        /// The pane.
        pane: PaneId,
    },
}

/// Text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, without control characters.
    pub text: String,
    /// Its style.
    pub style: Style,
    /// Where a click on it leads.
    pub target: Option<Target>,
}

/// Spans beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    spans: Vec<Span>,
    width: usize,
}

impl Row {
    /// A row without anything in it.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            spans: Vec::new(),
            width: 0,
        }
    }

    /// Adds a text at the end.
    pub fn push(&mut self, text: impl Into<String>, style: Style, target: Option<&Target>) {
        let text = text.into();
        if text.is_empty() {
            return;
        }
        self.width += columns(&text);
        self.spans.push(Span {
            text,
            style,
            target: target.cloned(),
        });
    }

    /// Adds all of another row at the end.
    pub fn append(&mut self, other: Self) {
        self.width += other.width;
        self.spans.extend(other.spans);
    }

    /// Fills with blanks up to a width.
    pub fn fill(&mut self, to: usize, style: Style) {
        let missing = to.saturating_sub(self.width);
        self.push(" ".repeat(missing), style, None);
    }

    /// Makes it exactly this wide; a wide character that does not fit leaves a blank.
    #[must_use]
    pub fn fit(self, to: usize, blank: Style) -> Self {
        let mut row = self.cut(to);
        row.fill(to, blank);
        row
    }

    /// How many columns it takes.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The colour behind its last letter.
    #[must_use]
    pub fn ground(&self) -> Option<Colour> {
        self.spans.last().map(|span| span.style.bg)
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Cuts it to a width.
    #[must_use]
    pub fn cut(self, max: usize) -> Self {
        if self.width <= max {
            return self;
        }
        let mut kept = Self::new();
        for span in self.spans {
            let room = max.saturating_sub(kept.width);
            let whole = columns(&span.text) <= room;
            kept.push(cut(&span.text, room), span.style, span.target.as_ref());
            if !whole {
                break;
            }
        }
        kept
    }

    /// Where a click on a column leads.
    #[must_use]
    pub fn target_at(&self, column: usize) -> Option<&Target> {
        let mut end = 0;
        let span = self.spans.iter().find(|span| {
            end += columns(&span.text);
            column < end
        });
        span.and_then(|span| span.target.as_ref())
    }

    /// The text without colours.
    #[must_use]
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The text with colours, for a terminal.
    pub fn ansi(&self, out: &mut String) {
        let mut selected = None;
        for span in &self.spans {
            if selected != Some(span.style) {
                span.style.select(out);
                selected = Some(span.style);
            }
            out.push_str(&span.text);
        }
        out.push_str("\u{1b}[0m");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(texts: &[&str]) -> Row {
        let mut row = Row::new();
        for (index, text) in (0..).zip(texts) {
            row.push(*text, Style::default(), Some(&Target::Tab(index)));
        }
        row
    }

    #[test]
    fn a_click_leads_where_the_text_under_it_does() {
        let row = row(&["ab", "日", "c"]);
        let targets: Vec<_> = (0..6)
            .map(|column| row.target_at(column).cloned())
            .collect();
        let tab = |position| Some(Target::Tab(position));
        assert_eq!(targets, [tab(0), tab(0), tab(1), tab(1), tab(2), None]);
    }

    #[test]
    fn a_style_is_selected_once_for_neighbours_that_share_it() {
        let mut row = Row::new();
        let red = Style::new(Colour::Index(1), Colour::Rgb(1, 2, 3)).bold();
        row.push("a", red, None);
        row.push("b", red, None);
        row.fill(4, Style::default());
        let mut out = String::new();
        row.ansi(&mut out);
        assert_eq!(out, "\u{1b}[0;1;38;5;1;48;2;1;2;3mab\u{1b}[0m  \u{1b}[0m");
    }

    proptest! {
        #[test]
        fn a_cut_row_fits(texts in prop::collection::vec("\\PC{0,8}", 0..5), max in 0_usize..20) {
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            let cut = row(&texts).cut(max);
            prop_assert!(cut.width() <= max);
            prop_assert_eq!(columns(&cut.text()), cut.width());
        }
    }
}

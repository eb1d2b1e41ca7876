//! What stands between two brackets: how a child is put behind the others, and how one is taken out.
//!
//! The two are the reverse of each other, to the byte. A child goes behind the last one, since the order of entries can
//! mean something to others (Codex binds its trust to it). On the lines that are there nothing changes but that a
//! comma may be put behind the last child.

use std::ops::Range;

/// A replacement of a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Splice {
    /// What is replaced.
    pub(crate) span: Range<usize>,
    /// What takes its place.
    pub(crate) text: String,
}

impl Splice {
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self {
            span: at..at,
            text: text.into(),
        }
    }

    pub(crate) fn cut(span: Range<usize>) -> Self {
        Self {
            span,
            text: String::new(),
        }
    }
}

/// The text with its splices, which do not overlap and are in their order.
pub(crate) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut result = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for splice in splices {
        result.push_str(text.get(done..splice.span.start).unwrap_or_default());
        result.push_str(&splice.text);
        done = splice.span.end;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}

/// How comments look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `//` and `/* */`.
    Slashes,
    /// `#`.
    Hash,
}

/// Brackets and what stands between them.
#[derive(Clone, Debug)]
pub(crate) struct Bracket<'t> {
    /// The whole text.
    pub(crate) text: &'t str,
    /// From the opening bracket to behind the closing one.
    pub(crate) span: Range<usize>,
    /// The children, in order.
    pub(crate) children: Vec<Range<usize>>,
    /// How comments look in it.
    pub(crate) comments: Comments,
}

/// How a child is put into its bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// On the line of the others.
    Inline,
    /// On a line of its own, with this before it: a line end and an indentation.
    Lines(String),
    /// As `Lines`, in a bracket that had nothing in it and was on one line: the second text goes before the closing one.
    Opened(String, String),
}

/// What lies between two children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Between {
    /// Where the comma is.
    comma: Option<usize>,
    /// The end of the last comment or comma; the beginning of the whole where there is none.
    end: usize,
    /// Whether a comment runs to the end of its line.
    line_comment: bool,
}

impl<'t> Bracket<'t> {
    /// The offset of the closing bracket.
    const fn close(&self) -> usize {
        self.span.end.saturating_sub(1)
    }

    fn slice(&self, span: Range<usize>) -> &'t str {
        self.text.get(span).unwrap_or_default()
    }

    /// Whether there is nothing in it, not even a comment.
    pub(crate) fn is_blank(&self) -> bool {
        self.slice(self.span.start + 1..self.close())
            .trim()
            .is_empty()
    }

    /// Whether the children have lines of their own.
    pub(crate) fn is_on_lines(&self) -> bool {
        let until = self
            .children
            .first()
            .map_or_else(|| self.close(), |child| child.start);
        self.slice(self.span.start..until).contains('\n')
            || self
                .after_last()
                .is_some_and(|between| between.line_comment)
    }

    /// What the first child's line begins with.
    pub(crate) fn indent_of_children(&self) -> Option<&'t str> {
        let first = self.children.first()?;
        let before = self.text.get(..first.start)?;
        let line = before.rsplit('\n').next()?;
        line.trim().is_empty().then_some(line)
    }

    fn after_last(&self) -> Option<Between> {
        let last = self.children.last();
        let from = last.map_or(self.span.start + 1, |last| last.end);
        Some(self.between(from, self.close()))
    }

    fn between(&self, from: usize, until: usize) -> Between {
        let mut found = Between {
            end: from,
            ..Between::default()
        };
        let mut at = from;
        while at < until {
            let rest = self.slice(at..until);
            let (line, block) = match self.comments {
                Comments::Slashes => ("//", "/*"),
                Comments::Hash => ("#", "\0"),
            };
            if rest.starts_with(line) {
                at += rest.find('\n').unwrap_or(rest.len());
                // The line end belongs to what follows.
                if self.slice(from..at).ends_with('\r') {
                    at -= 1;
                }
                found.end = at;
                found.line_comment = true;
            } else if rest.starts_with(block) {
                // The star of the beginning is not that of the end, as in `/*/ X */`.
                let end = rest.get(2..).and_then(|rest| rest.find("*/"));
                at += end.map_or(rest.len(), |end| end + 4);
                found.end = at;
            } else {
                let Some(char) = rest.chars().next() else {
                    break;
                };
                if char == ',' {
                    found.comma.get_or_insert(at);
                    found.end = at + 1;
                }
                at += char.len_utf8();
            }
        }
        found
    }

    /// Puts a child behind the last one.
    pub(crate) fn append(&self, child: &str, form: &Form) -> Vec<Splice> {
        let Some(after) = self.after_last() else {
            return Vec::new();
        };
        let (lead, tail) = match form {
            Form::Inline if self.children.is_empty() => ("", ""),
            Form::Inline => (" ", ""),
            Form::Lines(lead) => (lead.as_str(), ""),
            Form::Opened(lead, tail) => (lead.as_str(), tail.as_str()),
        };
        match (self.children.last(), after.comma) {
            (None, _) => vec![Splice::insert(after.end, format!("{lead}{child}{tail}"))],
            (Some(_), Some(_)) => vec![Splice::insert(after.end, format!("{lead}{child},"))],
            (Some(last), None) if after.end == last.end => {
                vec![Splice::insert(last.end, format!(",{lead}{child}"))]
            }
            (Some(last), None) => vec![
                Splice::insert(last.end, ","),
                Splice::insert(after.end, format!("{lead}{child}")),
            ],
        }
    }

    /// Takes a child out, with the comma that came or went with it.
    pub(crate) fn remove(&self, index: usize) -> Vec<Splice> {
        let Some(child) = self.children.get(index) else {
            return Vec::new();
        };
        let before = index
            .checked_sub(1)
            .and_then(|before| self.children.get(before));
        let next = self.children.get(index + 1);
        let from = before.map_or(self.span.start + 1, |before| before.end);
        let until = next.map_or_else(|| self.close(), |next| next.start);
        let start = self.start_of(from, child.start);
        let after = self.between(child.end, until);
        if let Some(comma) = after.comma {
            let behind = self.slice(comma + 1..until);
            let space = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let leads =
                start == self.span.start + 1 || self.slice(start..child.start).contains('\n');
            let shares = next.is_some_and(|next| comma + 1 + space == next.start);
            // The next one on the same line takes its place; else the line goes, and what is said behind it stays.
            let (start, end) = if leads && shares {
                (child.start, comma + 1 + space)
            } else {
                (start, comma + 1)
            };
            return vec![Splice::cut(start..child.end), Splice::cut(comma..end)];
        }
        let mut splices = Vec::new();
        if let Some(comma) = before.and_then(|_| self.between(from, child.start).comma) {
            splices.push(Splice::cut(comma..comma + 1));
        }
        splices.push(Splice::cut(start..child.end));
        splices
    }

    /// Where the space in front of a child begins that goes with it: its line, or its place on the line.
    fn start_of(&self, from: usize, child: usize) -> usize {
        let gap = self.slice(from..child);
        let blank = gap.len() - gap.trim_end().len();
        let space = gap.get(gap.len() - blank..).unwrap_or_default();
        match space.rfind('\n') {
            Some(line) => {
                let line = child - blank + line;
                if self.slice(from..line).ends_with('\r') {
                    line - 1
                } else {
                    line
                }
            }
            None => child - blank,
        }
    }
}

/// The line end that a text uses: that of its first line.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        _ => "\n",
    }
}

/// What the line of a byte begins with.
pub(crate) fn indent_at(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..indent).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn bracket(text: &str) -> Bracket<'_> {
        // Children are the letters.
        let children = text
            .char_indices()
            .filter(|(_, char)| char.is_ascii_lowercase())
            .map(|(at, _)| at..at + 1)
            .collect();
        Bracket {
            text,
            span: 0..text.len(),
            children,
            comments: Comments::Slashes,
        }
    }

    #[rstest]
    #[case("[]", "[z]")]
    #[case("[ ]", "[z ]")]
    #[case("[a]", "[a, z]")]
    #[case("[ a ]", "[ a, z ]")]
    #[case("[a,]", "[a, z,]")]
    #[case("[a, /* X */ b /* Y */]", "[a, /* X */ b, /* Y */ z]")]
    #[case("[a /*/ X, */]", "[a, /*/ X, */ z]")]
    #[case("[a /*/**** X ****/]", "[a, /*/**** X ****/ z]")]
    fn a_child_goes_behind_the_others_and_leaves_no_trace(#[case] text: &str, #[case] with: &str) {
        let appended = spliced(text, &bracket(text).append("z", &Form::Inline));
        assert_eq!(appended, with);
        let last = bracket(&appended).children.len() - 1;
        assert_eq!(spliced(&appended, &bracket(&appended).remove(last)), text);
    }

    #[rstest]
    #[case("[\n  a\n]", "[\n  a,\n  z\n]")]
    #[case("[\n  a,\n]", "[\n  a,\n  z,\n]")]
    #[case("[\r\n  a\r\n]", "[\r\n  a,\n  z\r\n]")]
    #[case("[\n  a // X, Y\n]", "[\n  a, // X, Y\n  z\n]")]
    #[case("[\n  a, // X\n  // Y\n\n]", "[\n  a, // X\n  // Y\n  z,\n\n]")]
    #[case("[ // X\r\n]", "[ // X\n  z\r\n]")]
    #[case("[a // X\n]", "[a, // X\n  z\n]")]
    fn on_lines_too(#[case] text: &str, #[case] with: &str) {
        assert!(bracket(text).is_on_lines());
        let lines = Form::Lines("\n  ".to_owned());
        let appended = spliced(text, &bracket(text).append("z", &lines));
        assert_eq!(appended, with);
        let last = bracket(&appended).children.len() - 1;
        assert_eq!(spliced(&appended, &bracket(&appended).remove(last)), text);
    }

    #[rstest]
    #[case("[a, b]", 0, "[b]")]
    #[case("[a, b, c]", 1, "[a, c]")]
    #[case("[\n  a,\n  b\n]", 0, "[\n  b\n]")]
    #[case("[\n  a,\n  // OF B\n  b\n]", 0, "[\n  // OF B\n  b\n]")]
    #[case("[\n  // OF A\n  a,\n  b\n]", 1, "[\n  // OF A\n  a\n]")]
    fn a_child_is_taken_out_of_the_middle(
        #[case] text: &str,
        #[case] index: usize,
        #[case] without: &str,
    ) {
        assert_eq!(spliced(text, &bracket(text).remove(index)), without);
    }
}

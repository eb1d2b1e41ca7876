//! TOML: tables with headers, dotted keys, lists of tables, inline tables and lists.
//!
//! A table that is an element of a list goes to the end of the file, under a header of its own, unless the person writes
//! that list in brackets. Headers are absolute, so it does not matter what stands before.

use std::ops::Range;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::bracket::{Bracket, Comments, Form, Splice, indent_at, line_end, spliced};
use crate::document::Document;
use crate::entry::Entry;
use crate::error::{MergeError, Place, shown};
use crate::made::Made;
use crate::node::{Kind, Member, Node};
use crate::toml_text::{block, inline, key};

/// A file in TOML.
pub(crate) struct Toml<'t> {
    text: &'t str,
    root: Node,
}

impl<'t> Toml<'t> {
    /// # Errors
    /// When it is no TOML.
    pub(crate) fn parse(text: &'t str) -> Result<Self, MergeError> {
        let table = DeTable::parse(text).map_err(|error| MergeError::Broken {
            place: Place::of(text, error.span().map_or(0, |span| span.start)),
            why: error.message().to_owned(),
        })?;
        Ok(Self {
            text,
            root: table_node(table.get_ref(), 0..0),
        })
    }

    fn starts_with(&self, node: &Node, bracket: char) -> bool {
        let there = self.text.get(node.span.start..);
        there.is_some_and(|there| there.starts_with(bracket))
    }

    /// Whether a table stands in braces. A header begins with a bracket, a dotted key with neither.
    fn is_inline(&self, table: &Node) -> bool {
        table.span.end > 0 && self.starts_with(table, '{')
    }

    /// Whether the elements of a list have headers: then the list stands where its first element does.
    fn has_headers(list: &Node) -> bool {
        let first = list.elements().first();
        first.is_some_and(|first| first.span.start == list.span.start)
    }

    fn bracket(&self, node: &Node) -> Bracket<'t> {
        let mut children: Vec<Range<usize>> = match &node.kind {
            Kind::Map(members) => members.iter().map(|member| member.span.clone()).collect(),
            _ => node
                .elements()
                .iter()
                .map(|child| child.span.clone())
                .collect(),
        };
        children.sort_by_key(|child| child.start);
        Bracket {
            text: self.text,
            span: node.span.clone(),
            children,
            comments: Comments::Hash,
        }
    }

    fn appended(&self, node: &Node, child: &str) -> String {
        let bracket = self.bracket(node);
        let form = if bracket.is_on_lines() {
            let outer = indent_at(self.text, node.span.start);
            let indent = bracket
                .indent_of_children()
                .map_or_else(|| format!("{outer}  "), str::to_owned);
            Form::Lines(format!("{}{indent}", line_end(self.text)))
        } else {
            Form::Inline
        };
        spliced(self.text, &bracket.append(child, &form))
    }

    /// The lines of an element that has a header, from its beginning to behind its end.
    fn lines_of(&self, element: &Node) -> Range<usize> {
        let before = self.text.get(..element.span.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let last = extent(element);
        let rest = self.text.get(last..).unwrap_or_default();
        let end = rest
            .find('\n')
            .map_or(self.text.len(), |end| last + end + 1);
        start..end
    }

    /// The element in lines of its own.
    fn block(&self, entry: &Entry) -> Result<String, MergeError> {
        match &entry.value {
            Value::Object(members) => Ok(block(&entry.list, members, line_end(self.text))),
            _ => Err(MergeError::Entangled(format!(
                "{} is to hold something else than tables",
                shown(&entry.list)
            ))),
        }
    }

    fn element(&self, list: &[String], index: usize) -> Result<(&Node, &Node), MergeError> {
        let node = self.root.list(self.text, list)?;
        node.and_then(|list| Some((list, list.elements().get(index)?)))
            .ok_or_else(|| MergeError::Entangled(shown(list)))
    }
}

impl Document for Toml<'_> {
    fn root(&self) -> &Node {
        &self.root
    }

    fn insert(&self, entry: &Entry, made: &mut Made) -> Result<String, MergeError> {
        let list = self.root.list(self.text, &entry.list)?;
        if let Some(list) = list.filter(|list| !Self::has_headers(list)) {
            return Ok(self.appended(list, &inline(&entry.value)));
        }
        let way = self.root.walk(self.text, &entry.list)?;
        if let Some(last) = way
            .last()
            .filter(|last| list.is_none() && self.is_inline(last))
        {
            let known = way.len().saturating_sub(1);
            for depth in known + 1..=entry.list.len() {
                made.note_container(entry.list.get(..depth).unwrap_or_default());
            }
            let keys: Vec<String> = entry
                .list
                .iter()
                .skip(known)
                .map(|name| key(name))
                .collect();
            let child = format!("{} = [{}]", keys.join("."), inline(&entry.value));
            return Ok(self.appended(last, &child));
        }
        let end = if self.text.is_empty() {
            ""
        } else {
            line_end(self.text)
        };
        // A blank line in front; behind a last line without an end, only that end.
        Ok(format!("{}{end}{}", self.text, self.block(entry)?))
    }

    fn replace(&self, entry: &Entry, index: usize) -> Result<String, MergeError> {
        let (list, element) = self.element(&entry.list, index)?;
        let splice = if Self::has_headers(list) {
            Splice {
                span: self.lines_of(element),
                text: self.block(entry)?,
            }
        } else {
            Splice {
                span: element.span.clone(),
                text: inline(&entry.value),
            }
        };
        Ok(spliced(self.text, &[splice]))
    }

    fn remove(&self, list: &[String], index: usize) -> Result<String, MergeError> {
        let (node, element) = self.element(list, index)?;
        if !Self::has_headers(node) {
            return Ok(spliced(self.text, &self.bracket(node).remove(index)));
        }
        let mut lines = self.lines_of(element);
        let before = self.text.get(..lines.start).unwrap_or_default();
        if let Some(rest) = before.strip_suffix(line_end(self.text)) {
            // What was written behind our lines must not come onto the line before them.
            let ends = rest.is_empty() || rest.ends_with('\n');
            if ends || lines.end == self.text.len() {
                lines.start = rest.len();
            }
        }
        Ok(spliced(self.text, &[Splice::cut(lines)]))
    }

    fn remove_empty(&self, path: &[String], made: &Made) -> Result<Option<String>, MergeError> {
        let way = self.root.walk(self.text, path)?;
        let (Some(found), Some(above)) = (
            way.get(path.len()),
            path.len().checked_sub(1).and_then(|above| way.get(above)),
        ) else {
            return Ok(None);
        };
        let empty = found.elements().is_empty() && found.members().is_empty();
        let ours = made.containers.iter().any(|known| known == path);
        if !empty || !ours || !self.is_inline(above) {
            return Ok(None);
        }
        let Some(member) = above
            .members()
            .iter()
            .find(|member| Some(&member.key) == path.last())
        else {
            return Ok(None);
        };
        let bracket = self.bracket(above);
        let index = bracket
            .children
            .iter()
            .position(|child| *child == member.span);
        Ok(index.map(|index| spliced(self.text, &bracket.remove(index))))
    }

    fn is_bare(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The end of all that belongs to a value.
fn extent(node: &Node) -> usize {
    let members = node.members().iter().map(|member| extent(&member.value));
    let elements = node.elements().iter().map(extent);
    members.chain(elements).fold(node.span.end, usize::max)
}

fn table_node(table: &DeTable<'_>, span: Range<usize>) -> Node {
    let members = table.iter().map(|(key, value)| {
        let value = node(value.get_ref(), value.span());
        Member {
            key: key.get_ref().to_string(),
            span: key.span().start..extent(&value),
            value,
        }
    });
    Node {
        span,
        kind: Kind::Map(members.collect()),
    }
}

fn node(value: &DeValue<'_>, span: Range<usize>) -> Node {
    let kind = match value {
        DeValue::Table(table) => return table_node(table, span),
        DeValue::Array(list) => Kind::List(
            list.iter()
                .map(|element| node(element.get_ref(), element.span()))
                .collect(),
        ),
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(number) => Kind::Number(match number.radix() {
            10 => number.as_str().to_owned(),
            radix => format!("{radix}:{}", number.as_str()),
        }),
        DeValue::Float(number) => Kind::Number(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Kind::Bool(*truth),
        DeValue::Datetime(moment) => Kind::Moment(moment.to_string()),
    };
    Node { span, kind }
}

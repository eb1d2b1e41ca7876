//! JSON, with comments and trailing commas.

use std::ops::Range;

use jsonc_parser::ast::{ObjectPropName, Value as Parsed};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::bracket::{Bracket, Comments, Form, Splice, indent_at, line_end, spliced};
use crate::document::Document;
use crate::entry::Entry;
use crate::error::{MergeError, Place, shown};
use crate::json_text::{Lines, inline, member};
use crate::made::Made;
use crate::node::{Kind, Member, Node};

/// A file in JSON.
pub(crate) struct Json<'t> {
    text: &'t str,
    root: Node,
}

impl<'t> Json<'t> {
    /// # Errors
    /// When it is no JSON, or no object.
    pub(crate) fn parse(text: &'t str) -> Result<Self, MergeError> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
            MergeError::Broken {
                place: Place::of(text, error.range().start),
                why: error.kind().to_string(),
            }
        })?;
        let root = node(&parsed.value.ok_or(MergeError::Empty)?);
        if !matches!(root.kind, Kind::Map(_)) {
            return Err(MergeError::Misfit {
                place: Place::of(text, root.span.start),
                what: shown(&[]),
                found: root.what(),
                wanted: "an object",
            });
        }
        Ok(Self { text, root })
    }

    fn bracket(&self, node: &Node) -> Bracket<'t> {
        let children: Vec<Range<usize>> = match &node.kind {
            Kind::Map(members) => members.iter().map(|member| member.span.clone()).collect(),
            _ => node
                .elements()
                .iter()
                .map(|child| child.span.clone())
                .collect(),
        };
        Bracket {
            text: self.text,
            span: node.span.clone(),
            children,
            comments: Comments::Slashes,
        }
    }

    /// What one level of indentation is here: that of the first member, else two spaces.
    fn unit(&self) -> &str {
        let root = self.bracket(&self.root);
        let outer = indent_at(self.text, self.root.span.start);
        root.indent_of_children()
            .and_then(|indent| indent.strip_prefix(outer))
            .filter(|unit| !unit.is_empty())
            .unwrap_or("  ")
    }

    /// How children of a bracket are put, and their indentation where they have lines of their own.
    fn form(&self, node: &Node, bracket: &Bracket<'t>) -> (Form, Option<String>) {
        let end = line_end(self.text);
        let outer = indent_at(self.text, node.span.start);
        let indent = bracket
            .indent_of_children()
            .map_or_else(|| format!("{outer}{}", self.unit()), str::to_owned);
        let lead = format!("{end}{indent}");
        if bracket.is_on_lines() {
            (Form::Lines(lead), Some(indent))
        } else if bracket.is_blank() && matches!(node.kind, Kind::Map(_)) {
            (Form::Opened(lead, format!("{end}{outer}")), Some(indent))
        } else {
            (Form::Inline, None)
        }
    }

    fn removed(&self, node: &Node, index: usize) -> String {
        spliced(self.text, &self.bracket(node).remove(index))
    }
}

impl Document for Json<'_> {
    fn root(&self) -> &Node {
        &self.root
    }

    fn insert(&self, entry: &Entry, made: &mut Made) -> Result<String, MergeError> {
        // The list's own place is asked first: what stands in the way is told of.
        let list = self.root.list(self.text, &entry.list)?;
        let way = self.root.walk(self.text, &entry.list)?;
        let last = list.or(way.last().copied()).unwrap_or(&self.root);
        let bracket = self.bracket(last);
        let (form, indent) = self.form(last, &bracket);
        let known = way.len().saturating_sub(1);
        let missing = entry.list.get(known..).unwrap_or_default();
        if matches!(form, Form::Opened(..)) {
            made.note_broken(entry.list.get(..known).unwrap_or_default());
        }
        let child = if list.is_some() {
            inline(&entry.value)
        } else {
            for depth in known + 1..=entry.list.len() {
                made.note_container(entry.list.get(..depth).unwrap_or_default());
            }
            let lines = indent.as_deref().map(|indent| Lines {
                end: line_end(self.text),
                indent,
                unit: self.unit(),
            });
            member(missing, &entry.value, lines)
        };
        Ok(spliced(self.text, &bracket.append(&child, &form)))
    }

    fn replace(&self, entry: &Entry, index: usize) -> Result<String, MergeError> {
        let list = self.root.list(self.text, &entry.list)?;
        let element = list.and_then(|list| list.elements().get(index));
        let element = element.ok_or_else(|| MergeError::Entangled(shown(&entry.list)))?;
        let splice = Splice {
            span: element.span.clone(),
            text: inline(&entry.value),
        };
        Ok(spliced(self.text, &[splice]))
    }

    fn remove(&self, list: &[String], index: usize) -> Result<String, MergeError> {
        let node = self.root.list(self.text, list)?;
        let node = node.ok_or_else(|| MergeError::Entangled(shown(list)))?;
        Ok(self.removed(node, index))
    }

    fn remove_empty(&self, path: &[String], made: &Made) -> Result<Option<String>, MergeError> {
        let way = self.root.walk(self.text, path)?;
        let Some(found) = way.get(path.len()) else {
            return Ok(None);
        };
        if !found.elements().is_empty() || !found.members().is_empty() {
            return Ok(None);
        }
        if !matches!(found.kind, Kind::List(_) | Kind::Map(_)) {
            return Ok(None);
        }
        let inside = self
            .text
            .get(found.span.start + 1..found.span.end.saturating_sub(1))
            .unwrap_or_default();
        if made.containers.iter().any(|known| known == path) && inside.trim().is_empty() {
            let (Some(parent), Some(key)) = (
                path.len().checked_sub(1).and_then(|above| way.get(above)),
                path.last(),
            ) else {
                return Ok(None);
            };
            let index = parent
                .members()
                .iter()
                .position(|member| member.key == *key);
            return Ok(index.map(|index| self.removed(parent, index)));
        }
        if made.broken.iter().any(|known| known == path) {
            let added = format!(
                "{}{}",
                line_end(self.text),
                indent_at(self.text, found.span.start)
            );
            let from = found.span.start + 1;
            if inside.starts_with(&added) {
                let cut = Splice::cut(from..from + added.len());
                return Ok(Some(spliced(self.text, &[cut])));
            }
        }
        Ok(None)
    }

    fn is_bare(&self) -> bool {
        self.text.trim() == "{}"
    }
}

fn node(parsed: &Parsed<'_>) -> Node {
    let span = parsed.range();
    let kind = match parsed {
        Parsed::NullKeyword(_) => Kind::Null,
        Parsed::BooleanLit(truth) => Kind::Bool(truth.value),
        Parsed::NumberLit(number) => Kind::Number(number.value.to_owned()),
        Parsed::StringLit(text) => Kind::Text(text.value.clone().into_owned()),
        Parsed::Array(list) => Kind::List(list.elements.iter().map(node).collect()),
        Parsed::Object(object) => Kind::Map(
            object
                .properties
                .iter()
                .map(|property| Member {
                    key: match &property.name {
                        ObjectPropName::String(text) => text.value.clone().into_owned(),
                        ObjectPropName::Word(word) => word.value.to_owned(),
                    },
                    span: property.range.start..property.range.end,
                    value: node(&property.value),
                })
                .collect(),
        ),
    };
    Node {
        span: span.start..span.end,
        kind,
    }
}

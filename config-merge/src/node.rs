//! A file as values with the places where they stand, the same for all formats.

use std::ops::Range;

use serde_json::{Map, Number, Value};

use crate::error::{MergeError, Place, shown};

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where it stands. Of a TOML table that has a header it is the header.
    pub(crate) span: Range<usize>,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A date or a time, as it is written.
    Moment(String),
    /// A list.
    List(Vec<Node>),
    /// A table or an object, in its order.
    Map(Vec<Member>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The key.
    pub(crate) key: String,
    /// From the key to the end of the value.
    pub(crate) span: Range<usize>,
    /// The value.
    pub(crate) value: Node,
}

impl Node {
    /// The words for what it is.
    pub(crate) const fn what(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a truth value",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::Moment(_) => "a date",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a table",
        }
    }

    /// The members of a table; none of anything else.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Map(members) => members,
            _ => &[],
        }
    }

    /// The elements of a list; none of anything else.
    pub(crate) fn elements(&self) -> &[Self] {
        match &self.kind {
            Kind::List(elements) => elements,
            _ => &[],
        }
    }

    /// Whether two values are the same, wherever they stand and in whatever order their members are.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(one), Kind::Bool(other)) => one == other,
            (Kind::Number(one), Kind::Number(other))
            | (Kind::Text(one), Kind::Text(other))
            | (Kind::Moment(one), Kind::Moment(other)) => one == other,
            (Kind::List(one), Kind::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.same(b))
            }
            (Kind::Map(one), Kind::Map(other)) => {
                // Keys that are given twice are compared in their order.
                let of = |members: &[Member], key: &str| -> Vec<Self> {
                    let known = members.iter().filter(|member| member.key == key);
                    known.map(|member| member.value.clone()).collect()
                };
                one.len() == other.len()
                    && one.iter().all(|member| {
                        let (a, b) = (of(one, &member.key), of(other, &member.key));
                        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(b))
                    })
            }
            _ => false,
        }
    }

    /// The value alone.
    pub(crate) fn value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(truth) => Value::Bool(*truth),
            Kind::Number(text) => text
                .parse::<Number>()
                .map_or_else(|_| Value::String(text.clone()), Value::Number),
            Kind::Text(text) | Kind::Moment(text) => Value::String(text.clone()),
            Kind::List(elements) => elements.iter().map(Self::value).collect(),
            Kind::Map(members) => Value::Object(
                members
                    .iter()
                    .map(|member| (member.key.clone(), member.value.value()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }

    /// The nodes on the way along a path, as far as it is there, this one first.
    ///
    /// # Errors
    /// When a key on the way is given twice, or something on it is no table.
    pub(crate) fn walk(&self, text: &str, path: &[String]) -> Result<Vec<&Self>, MergeError> {
        let mut way = vec![self];
        let mut here = self;
        for (index, key) in path.iter().enumerate() {
            let Kind::Map(members) = &here.kind else {
                return Err(MergeError::Misfit {
                    place: Place::of(text, here.span.start),
                    what: shown(path.get(..index).unwrap_or_default()),
                    found: here.what(),
                    wanted: "a table",
                });
            };
            let mut known = members.iter().filter(|member| member.key == *key);
            let Some(member) = known.next() else {
                return Ok(way);
            };
            if let Some(again) = known.next() {
                return Err(MergeError::Twice {
                    place: Place::of(text, again.span.start),
                    what: shown(path.get(..=index).unwrap_or_default()),
                });
            }
            here = &member.value;
            way.push(here);
        }
        Ok(way)
    }

    /// The list at a path; `None` where there is none.
    ///
    /// # Errors
    /// When something else is there, or on the way.
    pub(crate) fn list(&self, text: &str, path: &[String]) -> Result<Option<&Self>, MergeError> {
        let way = self.walk(text, path)?;
        let (true, Some(found)) = (way.len() > path.len(), way.last()) else {
            // What is there of the way must be tables.
            if let Some(last) = way.last().filter(|last| !matches!(last.kind, Kind::Map(_))) {
                return Err(MergeError::Misfit {
                    place: Place::of(text, last.span.start),
                    what: shown(path.get(..way.len().saturating_sub(1)).unwrap_or_default()),
                    found: last.what(),
                    wanted: "a table",
                });
            }
            return Ok(None);
        };
        if !matches!(found.kind, Kind::List(_)) {
            return Err(MergeError::Misfit {
                place: Place::of(text, found.span.start),
                what: shown(path),
                found: found.what(),
                wanted: "a list",
            });
        }
        Ok(Some(found))
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Self {
        let kind = match value {
            Value::Null => Kind::Null,
            Value::Bool(truth) => Kind::Bool(*truth),
            Value::Number(number) => Kind::Number(number.to_string()),
            Value::String(text) => Kind::Text(text.clone()),
            Value::Array(elements) => Kind::List(elements.iter().map(Self::from).collect()),
            Value::Object(members) => Kind::Map(
                members
                    .iter()
                    .map(|(key, value)| Member {
                        key: key.clone(),
                        span: 0..0,
                        value: Self::from(value),
                    })
                    .collect(),
            ),
        };
        Self { span: 0..0, kind }
    }
}

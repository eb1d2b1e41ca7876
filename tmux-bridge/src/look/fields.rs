//! The form of an answer: records and fields that no text can imitate.
//!
//! Window names may hold tabs, directories tabs and newlines (facts §5), so neither can be trusted to separate
//! anything. Each record and each free text begins with a mark that is made up anew for every question. Plain
//! fields come first, separated by tabs: `MARK TAB kind TAB field … TAB MARK text TAB MARK text`.

use std::str::FromStr;

use crate::error::TmuxError;
use crate::mark::Mark;

impl Mark {
    /// The format that prints a record.
    pub(super) fn record_format(&self, kind: char, fields: &[&str], free: &[&str]) -> String {
        let mut format = format!("{}\t{kind}", self.text());
        for field in fields {
            format.push_str(&format!("\t#{{{field}}}"));
        }
        for field in free {
            format.push_str(&format!("\t{}#{{{field}}}", self.text()));
        }
        format
    }

    /// The records of an answer.
    pub(super) fn records(&self, printed: &[u8]) -> Result<Vec<Record>, TmuxError> {
        let text = String::from_utf8_lossy(printed);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let begin = format!("{}\t", self.text());
        let Some(first) = text.strip_prefix(&begin) else {
            return Err(unreadable(text));
        };
        first.split(&format!("\n{begin}")).map(|record| self.record(record)).collect()
    }

    fn record(&self, text: &str) -> Result<Record, TmuxError> {
        let free = format!("\t{}", self.text());
        let mut parts = text.split(&free).map(str::to_owned);
        let plain = parts.next().unwrap_or_default();
        let mut fields = plain.split('\t').map(str::to_owned);
        let kind = fields.next().and_then(|kind| kind.chars().next()).ok_or_else(|| unreadable(text))?;
        Ok(Record { kind, fields: fields.collect(), free: parts.collect() })
    }
}

/// One record of an answer.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) kind: char,
    fields: Vec<String>,
    free: Vec<String>,
}

impl Record {
    /// A plain field.
    pub(super) fn field<T: FromStr>(&self, index: usize) -> Result<T, TmuxError> {
        self.fields.get(index).and_then(|field| field.parse().ok()).ok_or_else(|| self.unreadable())
    }

    /// A plain field that may be empty.
    pub(super) fn optional<T: FromStr>(&self, index: usize) -> Result<Option<T>, TmuxError> {
        match self.fields.get(index).map(String::as_str) {
            Some("") => Ok(None),
            _ => self.field(index).map(Some),
        }
    }

    /// A plain field that is `1` or `0`.
    pub(super) fn yes(&self, index: usize) -> bool {
        self.fields.get(index).is_some_and(|field| field == "1")
    }

    /// A free text.
    pub(super) fn free(&self, index: usize) -> Result<String, TmuxError> {
        self.free.get(index).cloned().ok_or_else(|| self.unreadable())
    }

    pub(super) fn unreadable(&self) -> TmuxError {
        unreadable(&format!("{} {}", self.kind, self.fields.join(" ")))
    }
}

fn unreadable(text: &str) -> TmuxError {
    TmuxError::Answer(session_core::view::clean(text, 80))
}

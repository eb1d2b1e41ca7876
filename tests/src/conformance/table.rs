//! The table in `docs/agents.md`: a row for each version of an agent, and the reasons below it.

use std::fs::{self, File};

use super::{Edge, Verdict};
use crate::tally::{target, workspace};

/// Where the table stands.
const FILE: &str = "docs/agents.md";

/// Set to write what came of the run into the table instead of comparing it.
const UPDATE: &str = "TALLY_UPDATE_DOCS";

/// What came of one run.
#[derive(Debug)]
pub(super) struct Row {
    /// What the agent is called.
    pub(super) title: &'static str,
    /// The version.
    pub(super) version: &'static str,
    /// What came of each edge.
    pub(super) verdicts: Vec<(Edge, Verdict)>,
}

impl Row {
    fn head(&self) -> String {
        format!("| {} {} |", self.title, self.version)
    }

    fn line(&self) -> String {
        let cell = |edge: &Edge| {
            let verdict = self.verdicts.iter().find(|(known, _)| known == edge);
            verdict.expect("every edge is tried").1.cell()
        };
        let cells: Vec<_> = Edge::ALL.iter().map(cell).collect();
        format!("{} {} |", self.head(), cells.join(" | "))
    }

    /// The reasons, one line each, in the order of the table.
    fn reasons(&self) -> Vec<String> {
        let why = |edge: &Edge| {
            let (_, verdict) = self.verdicts.iter().find(|(known, _)| known == edge)?;
            let why = verdict.why()?;
            Some(format!(
                "- {} {}, {}: {why}",
                self.title,
                self.version,
                edge.word()
            ))
        };
        Edge::ALL.iter().filter_map(why).collect()
    }
}

/// Compares a run with the table, or writes it there.
pub(super) fn check(row: &Row) {
    let path = workspace().join(FILE);
    // The runs of several agents may write at the same time.
    let lock = File::create(target().join("agents.md.lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let text = fs::read_to_string(&path).expect(FILE);
    let updated = with_row(&text, row);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, updated).expect(FILE);
        return;
    }
    assert!(
        text == updated,
        "{FILE} does not say what came of the run; with {UPDATE}=1 the test writes it there:\n{}\n{}",
        row.line(),
        row.reasons().join("\n")
    );
}

/// The text with the row and its reasons in the place of the earlier ones, or behind the last ones.
fn with_row(text: &str, row: &Row) -> String {
    let (head, separator) = header();
    let about = format!("- {} {}, ", row.title, row.version);
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with(&about))
        .map(str::to_owned)
        .collect();
    let start = lines
        .iter()
        .position(|line| *line == head)
        .expect("the head of the table");
    assert_eq!(lines[start + 1], separator, "below the head of the table");
    let is_row = |line: &String| line.starts_with('|');
    let end = start
        + lines[start..]
            .iter()
            .take_while(|line| is_row(line))
            .count();
    match lines[start..end]
        .iter()
        .position(|line| line.starts_with(&row.head()))
    {
        Some(at) => lines[start + at] = row.line(),
        None => lines.insert(end, row.line()),
    }
    let end = start
        + lines[start..]
            .iter()
            .take_while(|line| is_row(line))
            .count();
    // A blank line stands between the table and the reasons.
    let reasons = lines
        .iter()
        .skip(end + 1)
        .take_while(|line| line.starts_with("- "))
        .count();
    let mut all: Vec<String> = lines[end + 1..end + 1 + reasons].to_vec();
    all.extend(row.reasons());
    all.sort();
    if reasons == 0 && !all.is_empty() {
        all.push(String::new());
    }
    lines.splice(end + 1..end + 1 + reasons, all);
    lines.join("\n") + "\n"
}

/// The head of the table and the line below it.
fn header() -> (String, String) {
    let words: Vec<_> = Edge::ALL.iter().map(|edge| edge.word()).collect();
    (
        format!("| agent | {} |", words.join(" | ")),
        format!("|---|{}", "---|".repeat(words.len())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(title: &'static str, question: Verdict) -> Row {
        let verdict = |edge: Edge| match edge {
            Edge::Question => (edge, question),
            _ => (edge, Verdict::Verified),
        };
        Row {
            title,
            version: "1.2",
            verdicts: Edge::ALL.into_iter().map(verdict).collect(),
        }
    }

    #[test]
    fn a_row_replaces_its_own_and_reasons_go_below_the_table() {
        let (head, separator) = header();
        let text = format!("# Agents\n\n{head}\n{separator}\n\nThe end.\n");
        let one = with_row(&text, &row("One", Verdict::NotExpressible("no such tool.")));
        let both = with_row(&one, &row("Two", Verdict::Verified));
        assert!(
            both.contains("| One 1.2 | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | ✓"),
            "{both}"
        );
        assert!(
            both.contains("|\n\n- One 1.2, question: no such tool.\n"),
            "{both}"
        );
        assert!(both.ends_with("\nThe end.\n"), "{both}");
        assert_eq!(with_row(&both, &row("Two", Verdict::Verified)), both);
        let cured = with_row(&both, &row("One", Verdict::Verified));
        assert!(!cured.contains("no such tool"), "{cured}");
    }
}

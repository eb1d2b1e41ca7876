//! Why a session shows what it shows, as text.

use session_core::manifest::BlockedCoverage;
use session_core::view::{age, clean};
use session_core::{Explanation, SessionView};
use session_host::config::Look;

use super::list::{place, state_text, who};
use super::paint::Paint;
use super::table::{Align, Column, table};

const TITLES: [Column; 5] = [
    Column {
        title: "RANK",
        align: Align::Right,
    },
    Column {
        title: "EVIDENCE",
        align: Align::Left,
    },
    Column {
        title: "AGE",
        align: Align::Right,
    },
    Column {
        title: "USED",
        align: Align::Left,
    },
    Column {
        title: "SAYS",
        align: Align::Left,
    },
];

/// Tells of one session.
pub(crate) fn explanation(
    view: &SessionView,
    why: &Explanation,
    now_ms: i64,
    look: &Look,
    paint: Paint,
    columns: Option<usize>,
) -> String {
    let mut text = format!(
        "{} for {}, because {}\n",
        paint.state(&state_text(view, look), view.state, look),
        age(view.state_age_ms),
        clean(&why.reason, 200),
    );
    if let Some(message) = &view.message {
        text.push_str(&format!("  {}\n", clean(message, 200)));
    }
    text.push('\n');
    for (name, value) in about(view) {
        text.push_str(&format!("{} {value}\n", paint.dim(&format!("{name:<10}"))));
    }
    text.push('\n');
    let rows: Vec<Vec<String>> = why
        .evidence
        .iter()
        .map(|piece| {
            let says = if piece.why.is_empty() {
                piece.says.clone()
            } else {
                format!("{} ({})", piece.says, piece.why)
            };
            vec![
                piece.rank.to_string(),
                piece.source.word().to_owned(),
                age(now_ms - piece.at.ms()),
                if piece.used { "yes" } else { "no" }.to_owned(),
                clean(&says, 200),
            ]
        })
        .collect();
    if rows.is_empty() {
        text.push_str("There is no evidence at all.\n");
    } else {
        let used = |row: usize| why.evidence.get(row).is_some_and(|piece| piece.used);
        text.push_str(&table(&TITLES, &rows, columns, &|row, _, cell| match row {
            Some(row) if used(row) => cell.to_owned(),
            _ => paint.dim(cell),
        }));
    }
    for (index, refused) in why.refused.iter().rev().enumerate() {
        if index == 0 {
            text.push_str("\nReports that changed nothing, the latest first:\n");
        }
        let ago = age(now_ms - refused.at.ms());
        text.push_str(&format!(
            "  {ago} ago  {}: {}\n",
            clean(&refused.event, 60),
            refused.why
        ));
    }
    text
}

fn about(view: &SessionView) -> Vec<(&'static str, String)> {
    let mut lines = vec![("session", view.id.to_string()), ("agent", who(view))];
    if let Some(as_agent) = &view.reports_as {
        lines.push(("reports as", as_agent.to_string()));
    }
    lines.push(("pane", place(view, true)));
    if let Some(cwd) = view.pane.as_ref().and_then(|pane| pane.cwd.as_ref()) {
        lines.push(("directory", clean(cwd, 400)));
    }
    if let Some(pid) = view.pid {
        lines.push(("process", format!("{pid}, {}", view.corroboration.word())));
    }
    let seen = match (view.viewed, view.acknowledged) {
        (true, _) => "in view now",
        (false, true) => "acknowledged",
        (false, false) => "not acknowledged",
    };
    lines.push(("turn", format!("{}, {seen}", view.turn)));
    if view.tools + view.subagents > 0 {
        lines.push((
            "in flight",
            format!("{} tools, {} subagents", view.tools, view.subagents),
        ));
    }
    lines.push(("can report", coverage(view)));
    lines
}

fn coverage(view: &SessionView) -> String {
    let words: Vec<&str> = view
        .coverage
        .reportable
        .iter()
        .map(|state| state.word())
        .collect();
    if words.is_empty() {
        return "only what scripts report".to_owned();
    }
    let blocked = match view.coverage.blocked {
        BlockedCoverage::Structured => "; blocked by a structured event",
        BlockedCoverage::Heuristic => "; blocked by a match on a text",
        BlockedCoverage::None => "",
    };
    let tested = if view.coverage.experimental {
        "; not verified against the agent"
    } else {
        ""
    };
    format!("{}{blocked}{tested}", words.join(", "))
}

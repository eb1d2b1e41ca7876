//! What the mux sessions and windows of a server really show: an option that one of them has for itself hides the
//! server's.

use std::collections::BTreeSet;

use session_core::view::clean;
use tmux_bridge::{Batch, Line, Tmux, TmuxError};

use super::tmux::LIMIT;

/// The options in which a mux session can show a lamp; the second line of a status line is looked at as well.
const OF_SESSION: [(&str, &str); 4] = [
    ("status-left", "status-left"),
    ("status-right", "status-right"),
    ("status-format", "status-format[0]"),
    ("status-format", "status-format[1]"),
];
/// The options in which a window can show one.
const OF_WINDOW: [(&str, &str); 3] = [
    ("window-status-format", "window-status-format"),
    (
        "window-status-current-format",
        "window-status-current-format",
    ),
    ("pane-border-format", "pane-border-format"),
];
/// The longest name that is told.
const NAME: usize = 40;

/// A window as a member of one mux session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The mux session's id and name.
    session: (String, String),
    /// The window's id, number and name.
    window: (String, String),
    /// Whether the mux session has a status line.
    status: bool,
    /// The options that refer to ours, as they hold there.
    shows: BTreeSet<&'static str>,
}

/// Somebody who has an option for themselves, without a lamp in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hides {
    /// A mux session, and the options.
    Session(String, Vec<&'static str>),
    /// A mux session without a status line.
    Status(String),
    /// A window, and the options.
    Window(String, Vec<&'static str>),
}

impl Hides {
    /// In words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Session(name, options) => {
                format!("the mux session {name} ({})", options.join(", "))
            }
            Self::Status(name) => format!("the mux session {name} (status)"),
            Self::Window(name, options) => format!("the window {name} ({})", options.join(", ")),
        }
    }
}

/// Asks the server, in one call, which options refer to what begins with `prefix`, as they hold for each mux session
/// and each window.
///
/// # Errors
/// When it does not answer.
pub(super) fn rows(tmux: &Tmux, prefix: &str) -> Result<Vec<Row>, TmuxError> {
    let refers = options()
        .map(|(_, option)| format!("#{{m:*{prefix}*,#{{{option}}}}}"))
        .collect::<Vec<_>>()
        .join(" ");
    let format = format!(
        "#{{session_id}} #{{window_id}} {refers} #{{status}} #{{window_index}} #{{session_name}} #{{window_name}}"
    );
    let list = Line::new("list-windows").flag("-a").with("-F", &format);
    let printed = tmux.run(&Batch::from(list), LIMIT)?;
    Ok(String::from_utf8_lossy(&printed)
        .lines()
        .filter_map(row)
        .collect())
}

fn options() -> impl Iterator<Item = (&'static str, &'static str)> {
    OF_SESSION.into_iter().chain(OF_WINDOW)
}

/// Reads one line. A mux session's name has no `:` and may have blanks; so the names are only for people.
fn row(line: &str) -> Option<Row> {
    let mut words = line.split(' ');
    let (session, window) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut shows = BTreeSet::new();
    for (name, _) in options() {
        if words.next()? == "1" {
            shows.insert(name);
        }
    }
    let (status, index) = (words.next()? != "off", words.next()?);
    let names: Vec<&str> = words.collect();
    let (name, of_window) = names.split_first()?;
    Some(Row {
        session: (session, clean(name, NAME)),
        window: (
            window,
            clean(&format!("{name}:{index} {}", of_window.join(" ")), NAME),
        ),
        status,
        shows,
    })
}

/// All options in which any of them shows a lamp.
pub(super) fn shown(rows: &[Row]) -> BTreeSet<&'static str> {
    rows.iter().flat_map(|row| row.shows.clone()).collect()
}

/// Those that have an option for themselves which hides a lamp that the server shows; `global` names the server's
/// options that refer to ours.
pub(super) fn hiding(rows: &[Row], global: &[&str]) -> Vec<Hides> {
    let lacking = |row: &Row, of: &[(&'static str, &str)]| -> Vec<&'static str> {
        let mut names: Vec<&'static str> = of.iter().map(|(name, _)| *name).collect();
        names.dedup();
        names.retain(|name| global.contains(name) && !row.shows.contains(name));
        names
    };
    let mut hiding = BTreeSet::new();
    let any_status = rows.iter().any(|row| row.status);
    for row in rows {
        let (session, window) = (row.session.1.clone(), row.window.1.clone());
        if !row.status {
            if any_status {
                hiding.insert(Hides::Status(session));
            }
            continue;
        }
        let whole = row.shows.contains("status-format");
        let of_session = lacking(row, &OF_SESSION);
        let elsewhere = OF_SESSION.iter().any(|(name, _)| row.shows.contains(name));
        if !of_session.is_empty() && !elsewhere {
            hiding.insert(Hides::Session(session, of_session));
        }
        let of_window = lacking(row, &OF_WINDOW);
        if !of_window.is_empty() && !whole {
            hiding.insert(Hides::Window(window, of_window));
        }
    }
    hiding.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOBAL: [&str; 3] = [
        "status-right",
        "window-status-format",
        "window-status-current-format",
    ];

    fn rows(lines: &[&str]) -> Vec<Row> {
        lines.iter().map(|line| row(line).unwrap()).collect()
    }

    #[test]
    fn who_has_an_option_for_itself_is_named() {
        let rows = rows(&[
            "$0 @0 0 1 0 0 1 1 0 on 0 main shell",
            "$0 @1 0 1 0 0 0 1 0 on 1 main two words",
            "$1 @2 0 0 0 0 1 1 0 on 0 own x",
            "$2 @3 1 0 0 0 1 1 0 2 0 left x",
            "$3 @4 0 1 0 0 1 1 0 off 0 bare x",
            "$4 @5 0 0 1 0 0 0 0 on 0 whole x",
        ]);
        let told: Vec<String> = hiding(&rows, &GLOBAL).iter().map(Hides::text).collect();
        assert_eq!(
            told,
            [
                "the mux session own (status-right)",
                "the mux session bare (status)",
                "the window main:1 two words (window-status-format)",
            ]
        );
    }

    #[test]
    fn where_nobody_has_one_nobody_hides_anything() {
        let all = rows(&["$0 @0 0 1 0 0 1 1 0 on 0 main x"]);
        assert_eq!(hiding(&all, &GLOBAL), []);
        assert_eq!(shown(&all), GLOBAL.into_iter().collect());
        assert_eq!(row("$0 @0 1"), None);
    }
}

//! The list of sessions as text.

use session_core::view::{age, clean, glyph};
use session_core::{BlockedKind, ErrorKind, PaneView, Session, SessionView, State};
use session_host::config::Look;

use super::paint::Paint;
use super::table::{Column, table};

/// What is waited for matters more than where, and where more than what the agent says of it: the longest state is
/// `◉ blocked (permission?)`, and a pane's cell begins with its id.
const TITLES: [Column; 5] = [
    Column::lasting("STATE", 23, 23),
    Column::right("AGE"),
    Column::left("AGENT", 6),
    Column::lasting("PANE", 16, 4),
    Column::left("MESSAGE", 16),
];
/// As long as any beginning of an id that is shown: half of one names nobody.
const ID: Column = Column::left("ID", ID_MOST);
/// Where it stands: before the message, which gives way.
const ID_PLACE: usize = 4;
/// How much of an id is shown: as much as tells it from the others, but at least the first group of digits.
const ID_LEAST: usize = 8;
const ID_MOST: usize = 13;

/// The longest text of one cell, in graphemes.
const CELL: usize = 200;

/// What the list is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListText<'l> {
    /// The sessions, in their order; one that ended says why.
    pub sessions: &'l [&'l SessionView],
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// Whether the beginnings of their ids are shown.
    pub ids: bool,
    /// Glyphs and colours.
    pub look: &'l Look,
    /// The painter.
    pub paint: Paint,
    /// The width of the terminal.
    pub columns: Option<usize>,
}

/// One line a session, below a line of titles.
pub(crate) fn list(text: &ListText<'_>) -> String {
    let many = more_than_one_server(text.sessions);
    let mut titles = TITLES.to_vec();
    let mut rows: Vec<Vec<String>> = text
        .sessions
        .iter()
        .map(|view| row(view, text, many))
        .collect();
    if text.ids {
        titles.insert(ID_PLACE, ID);
        for (row, id) in rows.iter_mut().zip(short_ids(text.sessions)) {
            row.insert(ID_PLACE, id);
        }
    }
    table(&titles, &rows, text.columns, &|row, column, cell| {
        let view = row.and_then(|row| text.sessions.get(row));
        match (view, column) {
            (None, _) => text.paint.dim(cell),
            (Some(view), _) if view.gone.is_some() || view.state == State::None => {
                text.paint.dim(cell)
            }
            (Some(view), 0) => text.paint.state(cell, view.state, text.look),
            (Some(_), 1) => text.paint.dim(cell),
            _ => cell.to_owned(),
        }
    })
}

/// Whether the sessions are on several servers, so that a pane has to be named with its own.
pub(crate) fn more_than_one_server(sessions: &[&SessionView]) -> bool {
    let mut servers = sessions
        .iter()
        .filter_map(|view| view.pane.as_ref())
        .map(|pane| (pane.mux, &pane.server));
    let first = servers.next();
    servers.any(|server| Some(server) != first)
}

/// As much of each id as tells it from those of the others, so that it can be given as a REF.
fn short_ids(sessions: &[&SessionView]) -> Vec<String> {
    let ids: Vec<String> = sessions.iter().map(|view| view.id.to_string()).collect();
    let short = |id: &String| {
        let tells = |length: &usize| {
            let begin = id.get(..*length).unwrap_or(id);
            let alike = ids.iter().filter(|other| other.starts_with(begin)).count();
            alike == 1 && !begin.ends_with('-')
        };
        let length = (ID_LEAST..id.len()).find(tells).unwrap_or(id.len());
        id.get(..length).unwrap_or(id).to_owned()
    };
    ids.iter().map(short).collect()
}

fn row(view: &SessionView, text: &ListText<'_>, many: bool) -> Vec<String> {
    if let Some(gone) = view.gone {
        return vec![
            "  ended".to_owned(),
            age(text.now_ms - gone.at.ms()),
            who(view),
            place(view, many),
            gone.why.words().to_owned(),
        ];
    }
    vec![
        state_text(view, text.look),
        age(view.state_age_ms),
        who(view),
        place(view, many),
        message(view),
    ]
}

/// The lamp, the state and its kind.
pub(crate) fn state_text(view: &SessionView, look: &Look) -> String {
    let lamp = match glyph(look.glyphs, view.state) {
        "" => " ",
        glyph => glyph,
    };
    let kind = match view.state {
        State::Blocked => view.blocked_kind.map(BlockedKind::word),
        State::Error => view.error_kind.map(ErrorKind::word),
        _ => None,
    };
    let doubt = if view.blocked_heuristic { "?" } else { "" };
    match kind {
        Some(kind) => format!("{lamp} {} ({kind}{doubt})", view.state),
        None => format!("{lamp} {}{doubt}", view.state),
    }
}

/// The agent, by the name a person gave the session where there is one.
pub(crate) fn who(view: &SessionView) -> String {
    let agent = view
        .agent
        .as_ref()
        .map_or("-", session_core::AgentName::as_str);
    match &view.name {
        Some(name) => clean(&format!("{name} ({agent})"), CELL),
        None => agent.to_owned(),
    }
}

/// Where the session is, in the form of a REF where one is needed.
pub(crate) fn place(view: &SessionView, many: bool) -> String {
    let Some(pane) = &view.pane else {
        return view.id.to_string().chars().take(13).collect();
    };
    let mut text = pane.pane_id.to_string();
    if many {
        text.push_str(&format!(" {}", server_name(pane)));
    }
    if let (Some(mux_session), Some(window)) = (&pane.mux_session, &pane.window_name) {
        let gap = if many { "/" } else { " " };
        text.push_str(&format!("{gap}{mux_session}:{window}"));
    }
    clean(&text, CELL)
}

/// A server's short name: the last part of its socket's path.
fn server_name(pane: &PaneView) -> &str {
    pane.server.rsplit('/').next().unwrap_or(&pane.server)
}

/// What the agent says, or why its state is what it is where that is worth a word.
pub(crate) fn message(view: &SessionView) -> String {
    let mut text = match (&view.message, view.state) {
        (Some(message), _) => message.clone(),
        (None, State::Error | State::Unknown) => view.state_reason.clone(),
        (None, _) => String::new(),
    };
    if let Some(since) = view.stale_since_ms {
        let ago = age(view.state_since_ms + view.state_age_ms - since);
        text = format!("[server silent for {ago}] {text}");
    }
    clean(&text, CELL)
}

/// A session in one line, in the form that a REF can have: for a list of candidates.
pub(crate) fn short_place(session: &Session) -> String {
    let agent = session
        .agent
        .as_ref()
        .map_or("-", session_core::AgentName::as_str);
    let end = session.gone.map_or_else(String::new, |gone| {
        format!("  (ended: {})", gone.why.words())
    });
    match &session.pane {
        Some(pane) => clean(&format!("{pane}  {agent}  {}{end}", session.id), CELL),
        None => format!("{}  {agent}{end}", session.id),
    }
}

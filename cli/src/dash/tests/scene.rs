//! Fleets to look at, and a screen to look at them on.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use session_core::view::width;
use session_core::{
    BlockedKind, Corroboration, Counts, ErrorKind, EvidenceSource, MachineId, Mux, PaneId,
    PaneView, Rollup, SessionId, SessionView, State, URGENCY, WindowId,
};
use session_host::config::Look;
use session_host::repo::Checkout;

use super::super::event::{Effect, Event};
use super::super::fleet::Fleet;
use super::super::model::{Face, Model};
use super::super::past::Change;
use super::super::view::view;

/// The time of every test, in milliseconds since the Unix epoch.
pub(super) const NOW: i64 = 1_700_000_000_000;

/// An id.
pub(super) fn id(number: u32) -> SessionId {
    format!("{number:032x}").parse().unwrap()
}

/// A session in a window of its own, in a state for so many seconds.
pub(super) fn session(number: u32, state: State, seconds: i64, message: &str) -> SessionView {
    let repo = ["/src/api", "/src/web", "/src/infra"][number as usize % 3];
    SessionView {
        id: id(number),
        name: None,
        machine: MachineId("m".to_owned()),
        agent: ["claude", "codex", "pi"][number as usize % 3].parse().ok(),
        reports_as: None,
        state,
        blocked_kind: (state == State::Blocked).then_some(BlockedKind::Permission),
        blocked_heuristic: false,
        error_kind: (state == State::Error).then_some(ErrorKind::RateLimit),
        exit: None,
        state_source: EvidenceSource::Signal,
        state_reason: "a turn is open".to_owned(),
        state_since_ms: NOW - seconds * 1_000,
        state_age_ms: 0,
        turn: u64::from(number % 4),
        message: (!message.is_empty()).then(|| message.to_owned()),
        tools: usize::from(state == State::Working),
        subagents: number as usize % 2,
        pane: Some(PaneView {
            mux: Mux::Tmux,
            server: "/tmp/tmux-1000/default".to_owned(),
            server_pid: 7,
            pane_id: PaneId(number),
            window_id: Some(WindowId(number)),
            window_name: Some(format!("win{number}")),
            mux_session: Some("main".to_owned()),
            mux_sessions: vec!["main".to_owned()],
            cwd: Some(repo.to_owned()),
        }),
        repo: Some(repo.to_owned()),
        pid: None,
        agent_session: None,
        away: None,
        settles_at_ms: None,
        viewed: false,
        acknowledged: false,
        coverage: Default::default(),
        corroboration: Corroboration::Unknown,
        stale_since_ms: None,
        gone: None,
    }
}

/// A fleet of these, in the order of urgency, as the lookout gives it.
pub(super) fn fleet(mut sessions: Vec<SessionView>) -> Fleet {
    sessions.sort_by_key(|view| (view.state.urgency(&URGENCY), view.state_since_ms, view.id));
    let triples = |views: &[SessionView]| -> Vec<(State, i64, SessionId)> {
        let triple = |view: &SessionView| (view.state, view.state_since_ms, view.id);
        views.iter().map(triple).collect()
    };
    let rollup = Rollup::of(triples(&sessions), &URGENCY);
    let mut fleet = Fleet::of(sessions, rollup);
    for (repo, head) in [("/src/api", "main"), ("/src/web", "feature/login")] {
        let checkout = Checkout {
            head: head.to_owned(),
            worktree: None,
        };
        fleet.checkouts.insert(repo.to_owned(), checkout);
        let of_repo: Vec<SessionView> = fleet
            .sessions
            .iter()
            .filter(|view| view.repo.as_deref() == Some(repo))
            .cloned()
            .collect();
        let rollup = Rollup::of(triples(&of_repo), &URGENCY);
        fleet.repos.insert(repo.to_owned(), rollup);
    }
    for view in fleet.sessions.clone() {
        let changes = [
            (20, State::Idle, State::Working),
            (6, State::Working, State::Blocked),
            (5, State::Blocked, State::Working),
        ];
        let change = |(minutes, from, to): (i64, State, State)| Change {
            at_ms: NOW - minutes * 60_000,
            from,
            to,
        };
        fleet.past.insert(view.id, changes.map(change).to_vec());
    }
    fleet.daemon = Some(true);
    fleet
}

/// So many sessions in all states.
pub(super) fn many(count: u32) -> Fleet {
    let one = |number: u32| {
        let (state, seconds, message) = match number % 10 {
            0 => (
                State::Blocked,
                240,
                "Bash: cargo test --workspace -- --nocapture",
            ),
            1 => (State::Error, 20, "API Error: 429"),
            2 => (
                State::Done,
                65,
                "I have moved the parser into a module of its own and added tests for it.",
            ),
            3 => (State::Idle, 7_300, ""),
            4 => (State::Running, 12, ""),
            5 => (State::Unknown, 90, ""),
            _ => (State::Working, 33, ""),
        };
        session(number, state, seconds, message)
    };
    fleet((0..count).map(one).collect())
}

/// A model that has been told of a fleet.
pub(super) fn model(face: Face, size: (u16, u16), fleet: Fleet) -> Model {
    let mut model = Model::new(face, Look::default(), URGENCY.to_vec(), true, size);
    model.update(Event::Fleet(Box::new(fleet)), NOW);
    model
}

/// Presses a key.
pub(super) fn press(model: &mut Model, code: KeyCode) -> Vec<Effect> {
    let now = model.now_ms;
    model.update(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), now)
}

/// The screen, with its styles.
pub(super) fn drawn(model: &Model) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    let frame = terminal
        .draw(|frame| view(model, frame.buffer_mut()))
        .unwrap();
    frame.buffer.clone()
}

/// The screen as text, without the blanks at the ends of its lines.
pub(super) fn text(model: &Model) -> String {
    let screen = drawn(model);
    let mut lines = Vec::new();
    for row in 0..screen.area.height {
        let (mut line, mut column) = (String::new(), 0);
        while let Some(cell) = screen.cell((column, row)) {
            line.push_str(cell.symbol());
            // What a wide letter covers is not shown.
            column += u16::try_from(width(cell.symbol())).unwrap().max(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// No counts, for a fleet of nothing.
pub(super) fn nobody() -> Fleet {
    let rollup = Rollup::of([], &URGENCY);
    assert_eq!(rollup.counts, Counts::default());
    Fleet::of(Vec::new(), rollup)
}

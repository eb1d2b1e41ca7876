//! How wide each column is. What an agent says gives way last of all: the columns that are not needed to know who
//! waits, and why, come only where there is room beside it.

use session_core::SessionView;
use session_core::view::width;

use super::super::fleet::Fleet;
use super::super::model::Model;
use super::words::{flight, state};
use crate::output::{message, more_than_one_server, place, who};

/// The columns, in their order, with their widths; 0 for one that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// Whether the state is only what is waited for.
    pub short: bool,
    /// Whether panes are named with their servers.
    pub many: bool,
    /// The space between two columns.
    pub gap: usize,
    /// The lamp and the state.
    pub state: usize,
    /// The age.
    pub age: usize,
    /// The agent and its name.
    pub who: usize,
    /// The pane, the mux session and the window.
    pub place: usize,
    /// The branch and the worktree.
    pub branch: usize,
    /// What the agent says.
    pub message: usize,
    /// The turn and what is in flight.
    pub flight: usize,
    /// The evidence.
    pub source: usize,
    /// The cells of the last half hour.
    pub strip: usize,
}

/// The mark of the cursor and the blank after it.
pub(super) const MARK: usize = 2;
/// The least width at which a state is written out.
const LONG_STATE: usize = 72;
/// What the message is to keep when a column comes.
const KEPT: usize = 24;

impl Columns {
    /// The columns of a model in so many columns of the screen.
    pub(super) fn of(model: &Model, total: usize) -> Self {
        let fleet = &model.fleet;
        let views: Vec<&SessionView> = model
            .placed()
            .iter()
            .filter_map(|one| fleet.session(one.session))
            .collect();
        let many = more_than_one_server(&views);
        let short = total < LONG_STATE;
        let widest = |text: &dyn Fn(&SessionView) -> String, least: usize, most: usize| {
            let widths = views.iter().map(|view| width(&text(view)));
            let widest = widths.max().unwrap_or(0);
            if widest == 0 {
                0
            } else {
                widest.clamp(least, most)
            }
        };
        let mut columns = Self {
            short,
            many,
            gap: if total < 60 { 1 } else { 2 },
            state: widest(&|view| state(view, &model.look, short), 7, 24),
            age: 3,
            who: widest(&who, 5, (total / 6).clamp(8, 24)),
            ..Self::default()
        };
        let used = MARK + columns.state + columns.age + columns.who + 2 * columns.gap;
        let mut left = total.saturating_sub(used);
        let gap = columns.gap;
        let mut take = |wanted: usize, kept: usize| {
            if wanted == 0 || left < wanted + kept + 2 * gap {
                return 0;
            }
            left -= wanted + gap;
            wanted
        };
        columns.place = take(widest(&|view| place(view, many), 5, 26), KEPT);
        columns.branch = take(widest(&|view| fleet.branch(view), 6, 20), KEPT + 6);
        columns.strip = take(15, KEPT + 2);
        columns.flight = take(widest(&flight, 4, 9), KEPT + 8);
        columns.source = take(widest(&source, 8, 8), KEPT + 16);
        if columns.strip > 0 && take(15 - gap.min(15), 60) > 0 {
            columns.strip = 30 - gap;
        }
        // As wide as what is said, so that what follows stands near it.
        let said = widest(&message, 7, 120);
        columns.message = left.saturating_sub(gap).min(said.max(KEPT));
        columns
    }
}

/// The evidence, in a word.
pub(super) fn source(view: &SessionView) -> String {
    view.state_source.word().to_owned()
}

/// The branch and the worktree.
pub(super) fn branch(fleet: &Fleet, view: &SessionView) -> String {
    fleet.branch(view)
}

//! Bars as they are drawn, at the widths that people have.

use proptest::prelude::*;
use rstest::rstest;
use session_core::view::GlyphSet;
use session_core::wire::{Down, Lamp, Tally, Theme, Top};
use session_core::{Mux, PaneId, State, URGENCY};

use super::{Doubt, Notice, Scene, bar, notice};
use crate::layout::Layout;
use crate::look::Look;
use crate::mode::{InputMode, Mode};
use crate::paint::{Row, Target, columns};
use crate::palette::Palette;
use crate::samples::{NOW, lamp, layout, picture};
use crate::settings::{Part, Settings};

/// A bar to draw: everything a test may want to change.
#[derive(Debug)]
struct Given {
    layout: Layout,
    mode: Mode,
    picture: Result<Down, Doubt>,
    settings: Settings,
}

impl Given {
    fn new(layout: Layout, picture: Down) -> Self {
        Self {
            layout,
            mode: Mode {
                session: "work".into(),
                ..Mode::default()
            },
            picture: Ok(picture),
            settings: Settings::default(),
        }
    }

    fn draw(&self, columns: usize) -> Row {
        let unset = Theme::default();
        let scene = Scene {
            layout: &self.layout,
            mode: &self.mode,
            picture: self.picture.as_ref().map_err(|doubt| *doubt),
            look: Look::new(Palette::default(), &unset, &self.settings),
            settings: &self.settings,
            now_ms: NOW,
        };
        bar(&scene, columns)
    }

    /// The bar at each width, with marks at its ends.
    fn shown(&self) -> String {
        let mut shown = String::new();
        for columns in [120, 80, 40, 20, 10] {
            let text = self.draw(columns).text();
            shown.push_str(&format!("{columns:>3} |{text}|\n"));
        }
        shown
    }
}

fn three_tabs() -> Given {
    Given::new(
        layout(&[("code", &[1, 2]), ("web", &[3]), ("docs", &[4])]),
        picture(vec![
            lamp(1, State::Blocked),
            lamp(3, State::Working),
            lamp(2, State::Done),
        ]),
    )
}

#[test]
fn three_tabs_and_one_that_waits() {
    insta::assert_snapshot!(three_tabs().shown());
}

/// Where a word begins, in columns.
fn place(row: &Row, word: &str) -> Option<usize> {
    let text = row.text();
    text.find(word)
        .map(|at| columns(text.get(..at).unwrap_or_default()))
}

#[rstest]
fn a_change_of_state_moves_no_tab(#[values(0, 1, 2)] active: usize) {
    let places = |state: State| {
        let mut given = three_tabs();
        given.picture = Ok(picture(vec![lamp(1, state), lamp(3, State::Working)]));
        for (index, tab) in given.layout.tabs.iter_mut().enumerate() {
            tab.active = index == active;
        }
        let row = given.draw(120);
        (place(&row, "2 web"), place(&row, "3 docs"))
    };
    let wanted = places(State::Idle);
    assert!(wanted.0.is_some() && wanted.1.is_some());
    for state in URGENCY.into_iter().filter(|state| *state != State::None) {
        assert_eq!(places(state), wanted, "{state:?}");
    }
}

#[test]
fn nothing_waits() {
    let given = Given::new(
        layout(&[("code", &[1]), ("web", &[3])]),
        picture(vec![lamp(1, State::Working), lamp(3, State::Idle)]),
    );
    insta::assert_snapshot!(given.shown());
}

#[test]
fn no_agents() {
    let given = Given::new(layout(&[("Tab #1", &[1])]), picture(Vec::new()));
    insta::assert_snapshot!(given.shown());
}

#[test]
fn nothing_at_all() {
    let given = Given::new(Layout::default(), picture(Vec::new()));
    insta::assert_snapshot!(given.shown());
}

#[test]
fn many_tabs() {
    let tabs: Vec<(String, [u32; 1])> = (0..14).map(|n| (format!("project-{n}"), [n])).collect();
    let tabs: Vec<(&str, &[u32])> = tabs
        .iter()
        .map(|(name, panes)| (name.as_str(), panes.as_slice()))
        .collect();
    let mut layout = layout(&tabs);
    layout.tabs[0].active = false;
    layout.tabs[7].active = true;
    let given = Given::new(
        layout,
        picture(vec![
            lamp(12, State::Blocked),
            lamp(2, State::Working),
            lamp(7, State::Working),
            lamp(8, State::Done),
        ]),
    );
    insta::assert_snapshot!(given.shown());
}

#[test]
fn wide_names() {
    let mut given = Given::new(
        layout(&[
            ("日本語のプロジェクト", &[1]),
            ("wide wide wide wide wide wide wide", &[2]),
        ]),
        picture(vec![
            Lamp {
                name: Some("翻訳エージェント二号".into()),
                message: Some("書き込みを許可しますか".into()),
                ..lamp(1, State::Blocked)
            },
            lamp(2, State::Error),
        ]),
    );
    given.mode.session = "セッション".into();
    insta::assert_snapshot!(given.shown());
}

#[test]
fn one_waits_in_another_session() {
    let mut picture = picture(vec![lamp(1, State::Working)]);
    picture.machine = Tally {
        blocked: 1,
        working: 2,
        ..Tally::default()
    };
    picture.top = Some(Top {
        mux: Some(Mux::Zellij),
        server_pid: 99,
        mux_session: "backend".into(),
        lamp: lamp(7, State::Blocked),
    });
    let given = Given::new(layout(&[("code", &[1])]), picture);
    insta::assert_snapshot!(given.shown());
}

#[test]
fn several_agents_in_a_tab() {
    let mut given = Given::new(
        layout(&[("code", &[1, 2, 3, 4, 5]), ("web", &[6])]),
        picture(vec![
            lamp(1, State::Blocked),
            lamp(2, State::Blocked),
            lamp(6, State::Error),
            lamp(3, State::Working),
            lamp(4, State::Done),
            lamp(5, State::Idle),
        ]),
    );
    given.layout.tabs[1].sync = true;
    insta::assert_snapshot!(given.shown());
}

#[test]
fn each_glyph_set() {
    let mut shown = String::new();
    for glyphs in [GlyphSet::Unicode, GlyphSet::Ascii, GlyphSet::Nerd] {
        let mut given = three_tabs();
        given.settings.glyphs = Some(glyphs);
        shown.push_str(&format!("{}\n", given.draw(80).text()));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn each_mode() {
    let mut given = three_tabs();
    let mut shown = String::new();
    for input in InputMode::ALL {
        given.mode.input = input;
        let (wide, narrow) = (given.draw(80).text(), given.draw(20).text());
        shown.push_str(&format!("|{wide}| |{narrow}|\n"));
    }
    insta::assert_snapshot!(shown);
}

#[rstest]
#[case::unheard(Doubt::Unheard)]
#[case::away(Doubt::Away)]
#[case::outdated(Doubt::Outdated)]
fn case_i5_without_a_picture_nothing_is_known_and_nothing_is_idle(#[case] doubt: Doubt) {
    let mut given = three_tabs();
    given.picture = Err(doubt);
    let shown = given.shown();
    assert!(!shown.contains('◦'));
    assert_eq!(shown.lines().filter(|line| line.contains('?')).count(), 5);
    insta::assert_snapshot!(format!("{doubt:?}"), shown);
}

#[test]
fn beside_zellijs_own_bar_only_some_parts_are_shown() {
    let mut given = three_tabs();
    given.settings.parts = vec![Part::Attention, Part::Counts];
    insta::assert_snapshot!(given.shown());
}

#[test]
fn colours_are_those_of_the_theme() {
    let mut out = String::new();
    three_tabs().draw(80).ansi(&mut out);
    insta::assert_snapshot!(out.replace('\u{1b}', "␛").replace("␛[0m␛", "␛[0m\n␛"));
}

#[test]
fn a_click_on_a_lamp_goes_to_its_pane_and_one_on_a_name_to_its_tab() {
    let row = three_tabs().draw(80);
    let target = |text: &str| {
        let before = row.text().find(text).unwrap();
        let column = columns(&row.text()[..before]);
        row.target_at(column).cloned()
    };
    assert_eq!(target("code"), Some(Target::Tab(0)));
    assert_eq!(target("web"), Some(Target::Tab(1)));
    assert_eq!(target("◉"), Some(Target::Pane(PaneId(1))));
    assert_eq!(target("⟳"), Some(Target::Pane(PaneId(3))));
    assert_eq!(target("permission"), Some(Target::Pane(PaneId(1))));
    assert_eq!(target("NORMAL"), None);
}

#[test]
fn case_i1_a_notice_fits_into_20_columns() {
    let look_theme = Theme::default();
    let settings = Settings::default();
    let look = Look::new(Palette::default(), &look_theme, &settings);
    let mut shown = String::new();
    for text in [
        Notice::Shy,
        Notice::Waiting,
        Notice::Denied,
        Notice::TooOld {
            found: "0.43.1".into(),
        },
    ] {
        for columns in [120, 80, 40, 20] {
            let row = notice(&text, &look, columns);
            assert_eq!(row.width(), columns);
            shown.push_str(&format!("{columns:>3} |{}|\n", row.text()));
        }
        assert!(!notice(&text, &look, 20).text().contains('…'));
    }
    insta::assert_snapshot!(shown);
}

prop_compose! {
    fn any_lamp()(
        pane in 0_u32..12,
        state in prop::sample::select(URGENCY.to_vec()),
        age in 0_i64..10_000_000_000,
        name in prop::option::of("\\PC{0,20}"),
        message in prop::option::of("\\PC{0,60}"),
    ) -> Lamp {
        Lamp { name, message, since_ms: NOW - age, ..lamp(pane, state) }
    }
}

prop_compose! {
    fn any_given()(
        names in prop::collection::vec("\\PC{0,30}", 0..8),
        active in 0_usize..8,
        sessions in prop::collection::vec(any_lamp(), 0..8),
        top in prop::option::of(any_lamp()),
        known in any::<bool>(),
        session in "\\PC{0,30}",
        input in prop::sample::select(InputMode::ALL.to_vec()),
        machine in 0_usize..5_000,
    ) -> Given {
        let panes: Vec<[u32; 2]> = (0..).map(|n| [n * 2, n * 2 + 1]).take(names.len()).collect();
        let tabs: Vec<(&str, &[u32])> = names
            .iter()
            .zip(&panes)
            .map(|(name, panes)| (name.as_str(), panes.as_slice()))
            .collect();
        let mut layout = layout(&tabs);
        for tab in &mut layout.tabs {
            tab.active = usize::try_from(tab.position).unwrap() == active;
        }
        let mut picture = picture(sessions);
        picture.machine.done += machine;
        picture.top = top.map(|lamp| Top {
            mux: Some(Mux::Tmux),
            server_pid: 1,
            mux_session: "elsewhere".into(),
            lamp,
        });
        let mut given = Given::new(layout, picture);
        given.mode = Mode { session, input, ..Mode::default() };
        if !known {
            given.picture = Err(Doubt::Unheard);
        }
        given
    }
}

proptest! {
    #[test]
    fn a_bar_is_as_wide_as_asked_and_never_panics(given in any_given(), width in 0_usize..200) {
        let row = given.draw(width);
        prop_assert_eq!(row.width(), width);
        prop_assert_eq!(columns(&row.text()), width);
    }

    #[test]
    fn the_active_tab_is_there_from_20_columns_on(given in any_given(), width in 20_usize..120) {
        let active = given.layout.tabs.iter().find(|tab| tab.active);
        if let Some(active) = active {
            let target = Target::Tab(active.position);
            let row = given.draw(width);
            prop_assert!((0..width).any(|column| row.target_at(column) == Some(&target)), "{}", row.text());
        }
    }

    #[test]
    fn whoever_waits_here_is_there_from_20_columns_on(given in any_given(), width in 20_usize..120) {
        let waits = given.picture.as_ref().is_ok_and(|picture| {
            picture.sessions.iter().any(|lamp| {
                lamp.state == State::Blocked && given.layout.holds(lamp)
            })
        });
        if waits {
            prop_assert!(given.draw(width).text().contains('◉'), "{}", given.draw(width).text());
        }
    }
}

//! What it looks like.

use crossterm::event::KeyCode;
use ratatui::style::Modifier;
use rstest::rstest;
use session_core::view::{GlyphSet, width};
use session_core::{EvidenceSource, Explanation, State};

use super::super::detail::{Detail, Row};
use super::super::event::Event;
use super::super::model::Face;
use super::scene::{NOW, drawn, fleet, id, many, model, nobody, press, session, text};

#[rstest]
#[case(40, 10)]
#[case(80, 24)]
#[case(120, 30)]
#[case(200, 50)]
fn the_dashboard_at_every_width(#[case] columns: u16, #[case] rows: u16) {
    for count in [0, 1, 30, 500] {
        let fleet = if count == 0 { nobody() } else { many(count) };
        let model = model(Face::Dash, (columns, rows), fleet);
        insta::assert_snapshot!(format!("dash-{columns}x{rows}-{count}"), text(&model));
    }
}

#[test]
fn the_picker_is_the_same_list_in_little_room() {
    for (columns, rows) in [(40, 10), (100, 20)] {
        let model = model(Face::Pick, (columns, rows), many(30));
        insta::assert_snapshot!(format!("pick-{columns}x{rows}"), text(&model));
    }
}

#[test]
fn grouped_by_repository_the_one_that_waits_comes_first() {
    let mut model = model(Face::Dash, (100, 20), many(12));
    press(&mut model, KeyCode::Char('g'));
    insta::assert_snapshot!("by-repository", text(&model));
}

#[test]
fn the_keys_and_the_lamps_are_told() {
    for (columns, rows) in [(40, 26), (100, 24)] {
        let mut model = model(Face::Dash, (columns, rows), many(3));
        press(&mut model, KeyCode::Char('?'));
        insta::assert_snapshot!(format!("help-{columns}x{rows}"), text(&model));
    }
}

#[test]
fn the_details_say_why_and_show_the_screen() {
    let mut model = model(Face::Dash, (120, 30), many(12));
    let detail = Detail {
        session: id(0),
        why: Explanation {
            state: State::Blocked,
            source: EvidenceSource::Signal,
            reason: "waits for a permission".to_owned(),
            since: session_core::Time::from_ms(NOW - 240_000),
            evidence: Vec::new(),
            refused: Vec::new(),
        },
        journal: vec![Row {
            at_ms: NOW - 240_000,
            from: State::Working,
            to: State::Blocked,
            reason: "waits for a permission".to_owned(),
        }],
        screen: Ok(vec![
            "Do you want to proceed?".to_owned(),
            "  1. Yes".to_owned(),
        ]),
    };
    model.update(Event::Detail(Box::new(detail)), NOW);
    insta::assert_snapshot!("details", text(&model));
}

/// Texts that would break a line, a column or the terminal itself.
const HOSTILE: [&str; 6] = [
    "日本語の長い長い長い長い長い長い長い長い長い長い長い長い長い長い文章",
    "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7} \u{9b}2J after",
    "\u{202e}right to left\u{202c} \u{200b}\u{feff}zero width",
    "👨‍👩‍👧‍👦 family ⚠️ sign 🚀 e\u{301}e\u{301}e\u{301}",
    "a\nb\r\nc\td",
    "####{pane_id} #(touch x) %1$s `x` $(x)",
];

#[rstest]
fn case_k3_no_text_breaks_a_line_or_reaches_the_terminal(
    #[values(10, 39, 40, 79, 80, 120, 200)] columns: u16,
    #[values(1, 3, 10, 24, 40)] rows: u16,
) {
    let all = (0..).zip(HOSTILE).map(|(number, said)| {
        let mut view = session(number, State::Blocked, 9, said);
        view.name = Some(said.to_owned());
        if let Some(pane) = &mut view.pane {
            pane.window_name = Some(said.to_owned());
            pane.cwd = Some(format!("/{said}"));
        }
        view
    });
    for face in [Face::Dash, Face::Pick] {
        let mut model = model(face, (columns, rows), fleet(all.clone().collect()));
        for key in [
            KeyCode::Char('j'),
            KeyCode::Char('g'),
            KeyCode::Char(' '),
            KeyCode::Char('?'),
        ] {
            press(&mut model, key);
            let screen = text(&model);
            for line in screen.lines() {
                assert!(width(line) <= usize::from(columns), "{columns}: {line:?}");
                let obeyed =
                    |char: char| char.is_control() || ('\u{202a}'..='\u{202e}').contains(&char);
                assert!(!line.contains(obeyed), "{line:?}");
            }
        }
    }
}

#[test]
fn every_state_differs_in_shape_and_in_colour_and_without_colour_in_shape() {
    let states = [
        State::Blocked,
        State::Error,
        State::Working,
        State::Done,
        State::Running,
        State::Idle,
        State::Unknown,
    ];
    let all = (0..)
        .zip(states)
        .map(|(number, state)| session(number, state, 5, ""));
    let fleet = fleet(all.collect());
    for set in [GlyphSet::Unicode, GlyphSet::Ascii, GlyphSet::Nerd] {
        for colour in [true, false] {
            let mut model = model(Face::Pick, (60, 8), fleet.clone());
            model.look.glyphs = set;
            model.colour = colour;
            let screen = drawn(&model);
            let area = model.areas().table;
            let lamps: Vec<_> = (area.y..area.y + area.height)
                .filter_map(|row| screen.cell((2, row)))
                .filter(|cell| cell.symbol() != " ")
                .map(|cell| (cell.symbol().to_owned(), cell.fg))
                .collect();
            let distinct = |keys: Vec<String>| {
                let count = keys.len();
                let unique: std::collections::BTreeSet<String> = keys.into_iter().collect();
                unique.len() == count
            };
            assert!(lamps.len() >= 4, "{lamps:?}");
            assert!(distinct(
                lamps.iter().map(|(glyph, _)| glyph.clone()).collect()
            ));
            let colours = distinct(lamps.iter().map(|(_, fg)| format!("{fg:?}")).collect());
            assert_eq!(colours, colour, "{lamps:?}");
        }
    }
}

#[test]
fn the_cursor_is_a_mark_and_a_chosen_row_stands_out_without_colour() {
    let mut model = model(Face::Dash, (80, 12), many(3));
    model.colour = false;
    let reversed = |model: &super::super::model::Model| {
        let screen = drawn(model);
        let area = model.areas().table;
        (area.y..area.y + area.height)
            .filter(|row| {
                screen
                    .cell((5, *row))
                    .is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED))
            })
            .count()
    };
    assert!(text(&model).lines().any(|line| line.starts_with('>')));
    assert_eq!(reversed(&model), 0);
    press(&mut model, KeyCode::Down);
    assert_eq!(reversed(&model), 1);
}

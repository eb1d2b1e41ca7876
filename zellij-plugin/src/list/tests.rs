//! Lists as they are drawn.

use proptest::prelude::*;
use session_core::wire::{Elsewhere, Lamp, Theme};
use session_core::{Mux, PaneId, State, URGENCY};

use super::{Choice, Entry, Move, entries, screen};
use crate::bar::{Doubt, Scene};
use crate::look::Look;
use crate::mode::Mode;
use crate::paint::{Row, Target, columns};
use crate::palette::Palette;
use crate::samples::{NOW, lamp, layout, picture};
use crate::settings::Settings;

fn everything() -> Vec<Entry> {
    let layout = layout(&[("code", &[1]), ("web", &[2])]);
    let picture = picture(vec![lamp(1, State::Blocked), lamp(2, State::Working)]);
    let elsewhere = [
        Elsewhere {
            mux: Some(Mux::Tmux),
            server_pid: 99,
            mux_session: "main".into(),
            sessions: vec![
                Lamp {
                    window: Some("editor".into()),
                    since_ms: NOW - 7_200_000,
                    ..lamp(3, State::Blocked)
                },
                Lamp {
                    window: Some("notes".into()),
                    ..lamp(4, State::Idle)
                },
            ],
        },
        Elsewhere {
            mux: Some(Mux::Zellij),
            server_pid: 77,
            mux_session: "backend".into(),
            sessions: vec![Lamp {
                window: Some("api".into()),
                name: Some("migrations".into()),
                ..lamp(0, State::Done)
            }],
        },
        Elsewhere {
            mux: None,
            server_pid: 0,
            mux_session: String::new(),
            sessions: vec![lamp(0, State::Running)],
        },
    ];
    entries(&picture, &elsewhere, &layout)
}

fn draw(
    entries: &[Entry],
    chosen: usize,
    rows: usize,
    columns: usize,
    doubt: Option<Doubt>,
) -> Vec<Row> {
    let (theme, settings, mode) = (Theme::default(), Settings::default(), Mode::default());
    let (layout, picture) = (layout(&[]), picture(Vec::new()));
    let scene = Scene {
        layout: &layout,
        mode: &mode,
        picture: doubt.map_or(Ok(&picture), Err),
        look: Look::new(Palette::default(), &theme, &settings),
        settings: &settings,
        now_ms: NOW,
    };
    screen(&scene, entries, chosen, rows, columns)
}

fn shown(rows: &[Row]) -> String {
    rows.iter()
        .map(|row| format!("|{}|\n", row.text()))
        .collect()
}

#[test]
fn all_sessions_of_all_servers_by_urgency() {
    let entries = everything();
    insta::assert_snapshot!(shown(&draw(&entries, 1, 10, 100, None)));
    insta::assert_snapshot!(shown(&draw(&entries, 0, 10, 60, None)));
    insta::assert_snapshot!(shown(&draw(&entries, 0, 10, 30, None)));
    insta::assert_snapshot!(shown(&draw(&entries, 5, 5, 30, None)));
}

#[test]
fn an_empty_list_says_why() {
    insta::assert_snapshot!(shown(&draw(&[], 0, 6, 40, None)));
    insta::assert_snapshot!(shown(&draw(&[], 0, 6, 40, Some(Doubt::Unheard))));
}

#[test]
fn an_entry_leads_where_its_session_is() {
    let targets: Vec<_> = everything().into_iter().map(|entry| entry.target).collect();
    let beyond = |pane| {
        Some(Target::Beyond {
            server_pid: 99,
            pane: PaneId(pane),
        })
    };
    assert_eq!(
        targets,
        [
            beyond(3),
            Some(Target::Pane(PaneId(1))),
            Some(Target::Pane(PaneId(2))),
            Some(Target::Away {
                session: "backend".into(),
                pane: PaneId(0)
            }),
            None,
            beyond(4),
        ]
    );
}

#[test]
fn the_choice_stays_on_its_session_when_the_order_changes() {
    let mut entries = everything();
    let mut choice = Choice::default();
    choice.step(Move::By(2), &entries);
    let chosen = entries[2].target.clone();
    entries.swap(0, 2);
    assert_eq!(choice.index(&entries), 0);
    assert_eq!(entries[choice.index(&entries)].target, chosen);
    entries.remove(0);
    assert_eq!(choice.index(&entries), 2, "its session is gone");
    choice.step(Move::Last, &entries);
    choice.step(Move::By(5), &entries);
    assert_eq!(choice.index(&entries), entries.len() - 1);
    choice.step(Move::First, &entries);
    choice.step(Move::By(-5), &entries);
    assert_eq!(choice.index(&entries), 0);
}

proptest! {
    #[test]
    fn a_list_is_as_large_as_asked_and_shows_the_choice(
        states in prop::collection::vec(prop::sample::select(URGENCY.to_vec()), 0..30),
        name in "\\PC{0,30}",
        chosen in 0_usize..30,
        rows in 0_usize..20,
        width in 0_usize..120,
    ) {
        let sessions = states.iter().zip(0..).map(|(state, pane)| Lamp {
            name: Some(name.clone()),
            ..lamp(pane, *state)
        });
        let entries = entries(&picture(sessions.collect()), &[], &layout(&[]));
        let chosen = chosen.min(entries.len().saturating_sub(1));
        let drawn = draw(&entries, chosen, rows, width, None);
        prop_assert_eq!(drawn.len(), rows);
        for row in &drawn {
            prop_assert_eq!(columns(&row.text()), width);
        }
        if rows > 0 && width > 3 && !entries.is_empty() {
            prop_assert!(drawn.iter().any(|row| row.text().starts_with(" >")));
        }
    }
}

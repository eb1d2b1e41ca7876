//! In which order sessions stand, and for how long.

use crossterm::event::KeyCode;
use session_core::{SessionId, State};

use super::super::event::Event;
use super::super::model::{Face, Model};
use super::scene::{NOW, fleet, id, model, press, session};

fn ids(model: &Model) -> Vec<SessionId> {
    model.placed().iter().map(|one| one.session).collect()
}

fn changed() -> Box<super::super::fleet::Fleet> {
    Box::new(fleet(vec![
        session(1, State::Working, 1, ""),
        session(2, State::Blocked, 1, ""),
        session(4, State::Blocked, 1, ""),
    ]))
}

fn first() -> Model {
    let sessions = vec![
        session(1, State::Blocked, 50, ""),
        session(2, State::Working, 40, ""),
        session(3, State::Working, 30, ""),
    ];
    model(Face::Dash, (80, 20), fleet(sessions))
}

#[test]
fn the_order_follows_urgency_while_nobody_uses_the_cursor() {
    let mut model = first();
    assert_eq!(ids(&model), [id(1), id(2), id(3)]);
    model.update(Event::Fleet(changed()), NOW);
    assert_eq!(ids(&model), [id(2), id(4), id(1)]);
    assert_eq!(model.at().map(|view| view.id), Some(id(2)));
}

#[test]
fn the_order_rests_while_the_cursor_is_in_use_and_then_the_cursor_keeps_its_session() {
    let mut model = first();
    press(&mut model, KeyCode::Down);
    model.update(Event::Fleet(changed()), NOW + 1_000);
    // Session 3 is gone, and 4 is new: it comes behind.
    assert_eq!(ids(&model), [id(1), id(2), id(4)]);
    assert_eq!(model.at().map(|view| view.id), Some(id(2)));
    model.update(Event::Tick, NOW + 10_000);
    assert_eq!(ids(&model), [id(2), id(4), id(1)]);
    assert_eq!(model.at().map(|view| view.id), Some(id(2)));
}

#[test]
fn a_cursor_whose_session_ends_stays_in_its_row() {
    let mut model = first();
    press(&mut model, KeyCode::End);
    assert_eq!(model.at().map(|view| view.id), Some(id(3)));
    model.update(Event::Fleet(changed()), NOW);
    assert_eq!(model.at().map(|view| view.id), Some(id(4)));
}

#[test]
fn it_wakes_when_an_age_changes_and_not_before() {
    let of = |seconds: i64| {
        model(
            Face::Dash,
            (80, 20),
            fleet(vec![session(1, State::Idle, seconds, "")]),
        )
    };
    assert_eq!(of(5).wakes_in_ms(), 1_000);
    assert_eq!(of(90).wakes_in_ms(), 30_000);
    assert_eq!(of(7_200).wakes_in_ms(), 60_000);
}

#[test]
fn the_cursor_is_always_in_view() {
    let mut model = model(Face::Dash, (80, 12), super::scene::many(100));
    for key in [
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::Home,
        KeyCode::PageDown,
        KeyCode::PageDown,
    ] {
        press(&mut model, key);
        let at = model.at().map(|view| view.id);
        let shown = usize::from(model.areas().table.height);
        let lines = model.lines();
        let visible = lines.iter().skip(model.top).take(shown);
        let is_cursor = |line: &super::super::model::Line| matches!(line, super::super::model::Line::Row(id) if Some(*id) == at);
        assert_eq!(visible.filter(|line| is_cursor(line)).count(), 1);
    }
}

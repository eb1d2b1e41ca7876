//! What it does with keys and clicks.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use session_core::{AwayBy, AwayView, Shelf, State};

use super::super::event::{Effect, Event, PutAway};
use super::super::model::{Face, Model};
use super::scene::{NOW, fleet, id, many, model, nobody, press, session, text};

fn typed(model: &mut Model, text: &str) {
    for letter in text.chars() {
        press(model, KeyCode::Char(letter));
    }
}

fn click(model: &mut Model, row: u16) -> Vec<Effect> {
    let mouse = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 5,
        row,
        modifiers: KeyModifiers::NONE,
    };
    model.update(Event::Mouse(mouse), NOW)
}

#[test]
fn enter_goes_to_the_most_urgent_one_unless_another_is_chosen() {
    let mut model = model(Face::Dash, (80, 20), many(12));
    assert_eq!(press(&mut model, KeyCode::Enter), [Effect::Go(id(0))]);
    press(&mut model, KeyCode::Down);
    assert_eq!(press(&mut model, KeyCode::Enter), [Effect::Go(id(10))]);
    press(&mut model, KeyCode::Esc);
    assert_eq!(press(&mut model, KeyCode::Enter), [Effect::Go(id(0))]);
}

#[test]
fn n_goes_through_those_that_are_blocked_and_says_when_there_is_none() {
    let mut model = model(Face::Dash, (80, 20), many(21));
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut model, KeyCode::Char('n'));
        seen.extend(model.at().map(|view| view.id));
    }
    assert_eq!(seen, [id(0), id(10), id(20), id(0)]);
    let calm = fleet(vec![session(1, State::Idle, 5, "")]);
    model.update(Event::Fleet(Box::new(calm)), NOW);
    press(&mut model, KeyCode::Char('n'));
    assert_eq!(model.note(), Some("No agent is blocked."));
}

#[test]
fn only_a_finished_turn_is_acknowledged_and_only_that_one() {
    let mut model = model(Face::Dash, (80, 20), many(3));
    assert_eq!(press(&mut model, KeyCode::Char('a')), []);
    assert!(model.note().is_some_and(|note| note.contains("blocked")));
    press(&mut model, KeyCode::End);
    let effects = press(&mut model, KeyCode::Char('a'));
    assert_eq!(effects, [Effect::Acknowledge(id(2), 2)]);
}

#[test]
fn a_session_is_settled_and_taken_back_by_one_key_and_stands_last_meanwhile() {
    let mut sessions = many(4).sessions;
    let mut model = model(Face::Dash, (80, 20), fleet(sessions.clone()));
    press(&mut model, KeyCode::Home);
    let first = model.at().map(|view| view.id);
    let Some(first) = first else {
        panic!("there is a session")
    };
    let effects = press(&mut model, KeyCode::Char('s'));
    assert_eq!(effects, [Effect::PutAway(first, PutAway::Settle)]);
    let effects = press(&mut model, KeyCode::Char('z'));
    assert_eq!(
        effects,
        [Effect::PutAway(first, PutAway::Snooze(3_600_000))]
    );
    for view in &mut sessions {
        if view.id == first {
            view.away = Some(AwayView {
                is: Shelf::Settled,
                by: AwayBy::Person,
                since_ms: NOW,
                until_ms: None,
            });
        }
    }
    press(&mut model, KeyCode::Esc);
    model.update(Event::Fleet(Box::new(fleet(sessions))), NOW);
    let last = model.placed().last().map(|one| one.session);
    assert_eq!(last, Some(first));
    assert!(text(&model).contains("put away 1"), "{}", text(&model));
    press(&mut model, KeyCode::End);
    let effects = press(&mut model, KeyCode::Char('s'));
    assert_eq!(effects, [Effect::PutAway(first, PutAway::Back)]);
}

#[test]
fn a_filter_takes_what_is_shown_of_a_session_and_escape_gives_all_back() {
    let mut model = model(Face::Dash, (80, 20), many(30));
    typed(&mut model, "/login done");
    press(&mut model, KeyCode::Enter);
    assert!(!model.placed().is_empty());
    for one in model.placed() {
        let view = model.fleet.session(one.session).unwrap();
        assert_eq!(
            (view.state, view.repo.as_deref()),
            (State::Done, Some("/src/web"))
        );
    }
    assert!(text(&model).contains("1 of 30"), "{}", text(&model));
    press(&mut model, KeyCode::Esc);
    assert_eq!(model.placed().len(), 30);
    typed(&mut model, "/nothing has this");
    assert!(text(&model).contains("No agent matches."));
    assert_eq!(press(&mut model, KeyCode::Enter), []);
}

#[test]
fn a_click_chooses_and_a_second_one_goes_but_the_picker_goes_at_once() {
    let mut dash = model(Face::Dash, (80, 12), many(3));
    let first = dash.areas().table.y;
    // A heading, the first session, a heading, the second one.
    assert_eq!(click(&mut dash, first + 2), []);
    assert_eq!(click(&mut dash, first + 3), []);
    assert_eq!(click(&mut dash, first + 3), [Effect::Go(id(1))]);
    assert_eq!(click(&mut dash, 0), []);
    let mut pick = model(Face::Pick, (80, 12), many(3));
    let first = pick.areas().table.y + u16::from(pick.areas().headings);
    assert_eq!(click(&mut pick, first), [Effect::Go(id(0))]);
}

#[test]
fn details_are_asked_for_only_while_they_are_shown() {
    let mut model = model(Face::Dash, (80, 20), many(3));
    assert_eq!(
        press(&mut model, KeyCode::Char(' ')),
        [Effect::Watch(Some(id(0)))]
    );
    assert_eq!(
        press(&mut model, KeyCode::Down),
        [Effect::Watch(Some(id(1)))]
    );
    assert_eq!(press(&mut model, KeyCode::Char(' ')), [Effect::Watch(None)]);
}

#[test]
fn escape_closes_the_picker_and_not_the_dashboard() {
    let mut dash = model(Face::Dash, (80, 20), many(3));
    assert_eq!(press(&mut dash, KeyCode::Esc), []);
    assert_eq!(press(&mut dash, KeyCode::Char('q')), [Effect::Quit]);
    let mut pick = model(Face::Pick, (80, 20), many(3));
    assert_eq!(press(&mut pick, KeyCode::Esc), [Effect::Quit]);
}

#[test]
fn every_key_is_harmless_without_a_session() {
    let mut model = model(Face::Dash, (80, 20), nobody());
    for key in "jkGnay/g ?".chars().map(KeyCode::Char).chain([
        KeyCode::Enter,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageDown,
        KeyCode::Esc,
    ]) {
        assert_eq!(press(&mut model, key), []);
        model.filter.editing = false;
        model.help = false;
        text(&model);
    }
}

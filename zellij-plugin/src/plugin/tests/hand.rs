//! The person's mouse and keys.

use session_core::PaneId;
use session_core::wire::{Flavour, Show};

use super::{IDS, blocked, down, loaded_as, mode, running, running_as, text, up_pipe};
use crate::list::Move;
use crate::plugin::stub::Stub;
use crate::plugin::{Click, Command, Event, Key, Message, Scroll};

#[test]
fn a_click_goes_where_it_points() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(down(&blocked()), &host);
    let text = text(&mut plugin, &host);
    host.told();
    for (what, command) in [
        ("web", Command::GoToTab(1)),
        ("permission", Command::GoToPane(PaneId(3))),
        ("⟳", Command::GoToPane(PaneId(1))),
    ] {
        let before = text.find(what).unwrap();
        let column = crate::paint::columns(&text[..before]);
        plugin.update(Event::Click(Click { line: 0, column }), &host);
        assert_eq!(host.told(), [command], "{what}");
    }
    plugin.update(
        Event::Click(Click {
            line: 5,
            column: 500,
        }),
        &host,
    );
    assert_eq!(host.told(), []);
}

#[test]
fn a_client_that_is_to_be_shown_a_pane_is_taken_there_by_the_bar_it_looks_at() {
    let host = Stub::default();
    let mut plugin = running(&host);
    let show = |client, pane| {
        Event::Message(Message {
            name: Flavour::BUILD.show().into(),
            pipe: Some("show".into()),
            payload: Some(Show::to(client, PaneId(pane)).line().unwrap()),
        })
    };
    assert!(!plugin.update(show(IDS.client, 3), &host));
    assert_eq!(host.told(), [Command::GoToPane(PaneId(3))]);
    plugin.update(show(IDS.client + 1, 3), &host);
    assert_eq!(host.told(), [], "another client");
    plugin.update(Event::Visible(false), &host);
    host.told();
    plugin.update(show(IDS.client, 3), &host);
    assert_eq!(host.told(), [], "a bar in a hidden tab");
    let mut stranger = loaded_as(&[], "0.45.1", &host);
    host.told();
    stranger.update(show(IDS.client, 3), &host);
    assert_eq!(host.told(), [], "one that was not let in");
}

#[test]
fn the_wheel_goes_through_the_tabs_and_stops_at_the_ends() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(Event::Scroll(Scroll::Up), &host);
    assert_eq!(host.told(), []);
    plugin.update(Event::Scroll(Scroll::Down), &host);
    assert_eq!(host.told(), [Command::GoToTab(1)]);
}

#[test]
fn the_list_goes_to_the_chosen_session_and_closes() {
    let host = Stub::default();
    let mut plugin = running_as(&[("view", "list")], &host);
    plugin.update(down(&blocked()), &host);
    plugin.render(8, 80, &host);
    host.told();
    assert!(plugin.update(Event::Key(Key::Step(Move::By(1))), &host));
    plugin.update(Event::Key(Key::Go), &host);
    let told = host.told();
    assert_eq!(
        told[told.len() - 2..],
        [Command::GoToPane(PaneId(1)), Command::Close]
    );
    plugin.update(Event::Key(Key::Close), &host);
    assert_eq!(host.told().last(), Some(&Command::Close));
}

#[test]
fn a_list_stays_selectable_and_reports_no_focus() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[("view", "list")], "0.45.1", &host);
    assert_eq!(host.told()[0], Command::Subscribe { keys: true });
    plugin.update(Event::Permission(true), &host);
    assert!(host.told().contains(&Command::Selectable(true)));
    plugin.update(mode("work"), &host);
    plugin.update(up_pipe("up"), &host);
    assert!(host.lines().iter().all(|line| line.focus.is_none()));
}

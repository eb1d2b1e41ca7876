//! Being let in.

use std::collections::BTreeMap;

use super::{IDS, blocked, down, loaded_as, mode, tabs, text, up_pipe};
use crate::plugin::stub::Stub;
use crate::plugin::{Click, Command, Event, Ids, Plugin};

/// What an instance does to ask a person who has not let it in yet: one that was denied before is passed over.
const ASKS: [Command; 2] = [Command::Selectable(true), Command::RequestPermission];

#[test]
fn case_i1_nothing_is_done_before_the_person_has_answered() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[], "0.45.1", &host);
    assert_eq!(
        host.told(),
        [Command::Subscribe { keys: false }, Command::Wake(1.9)]
    );
    plugin.update(Event::Timer, &host);
    assert_eq!(host.told(), ASKS);
    plugin.update(down(&blocked()), &host);
    plugin.update(up_pipe("up"), &host);
    plugin.update(Event::Click(Click { line: 0, column: 3 }), &host);
    plugin.update(Event::Timer, &host);
    plugin.update(Event::Visible(true), &host);
    assert_eq!(host.told(), []);
    assert!(text(&mut plugin, &host).contains("press y"));
    plugin.update(Event::Permission(true), &host);
    assert_eq!(host.told()[0], Command::Selectable(false));
    assert!(text(&mut plugin, &host).contains("claude permission"));
}

#[test]
fn case_i1_of_many_instances_one_asks_by_itself_and_the_others_when_they_are_shown() {
    let host = Stub::default();
    let mut first = loaded_as(&[], "0.45.1", &host);
    let mut second = loaded_as(&[], "0.45.1", &host);
    let mut third = loaded_as(&[], "0.45.1", &host);
    host.told();
    first.update(Event::Timer, &host);
    assert_eq!(host.told(), ASKS);
    for seconds in [1.0, 3.0] {
        second.update(Event::Timer, &host);
        third.update(Event::Timer, &host);
        assert_eq!(
            host.told(),
            [Command::Wake(seconds), Command::Wake(seconds)]
        );
    }
    assert!(text(&mut second, &host).contains("click here"));
    second.update(Event::Click(Click { line: 0, column: 3 }), &host);
    assert_eq!(host.told(), ASKS);
    first.update(Event::Permission(true), &host);
    host.told();
    third.update(Event::Timer, &host);
    assert_eq!(
        host.told(),
        [Command::RequestPermission],
        "it is known that it may"
    );
}

#[test]
fn an_instance_that_was_let_in_late_is_loaded_anew_unless_it_is_told_the_mode() {
    for told in [true, false] {
        let host = Stub::default();
        let mut plugin = loaded_as(&[], "0.45.1", &host);
        plugin.update(Event::Visible(true), &host);
        plugin.update(Event::Permission(true), &host);
        if told {
            plugin.update(mode("work"), &host);
        }
        host.told();
        plugin.update(Event::Timer, &host);
        plugin.update(Event::Timer, &host);
        let expected: &[Command] = if told { &[] } else { &[Command::Reload] };
        assert_eq!(host.told(), expected);
    }
}

#[test]
fn the_first_plugin_of_a_server_asks_at_once() {
    let host = Stub::default();
    let first = Ids { plugin: 1, ..IDS };
    for asks in [true, false] {
        let mut plugin = Plugin::default();
        plugin.load(&BTreeMap::new(), first, "0.45.1", &host);
        assert_eq!(host.told().contains(&Command::RequestPermission), asks);
    }
}

#[test]
fn whoever_is_told_of_panes_was_let_in_whether_or_not_zellij_said_so() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[], "0.45.1", &host);
    plugin.update(Event::Visible(true), &host);
    host.told();
    plugin.update(Event::Panes(tabs().panes.into()), &host);
    assert_eq!(host.told()[0], Command::Selectable(false));
    assert!(text(&mut plugin, &host).contains("unknown"));
}

#[test]
fn those_who_were_let_in_before_ask_as_they_are_loaded_and_make_room_for_each_other() {
    let host = Stub::default();
    loaded_as(&[], "0.45.1", &host).update(Event::Permission(true), &host);
    host.told();
    let asks = [
        Command::Subscribe { keys: false },
        Command::RequestPermission,
    ];
    loaded_as(&[], "0.45.1", &host);
    assert_eq!((host.told(), host.rested.take()), (asks.to_vec(), 0));
    loaded_as(&[], "0.45.1", &host);
    assert_eq!((host.told(), host.rested.take()), (asks.to_vec(), 12));
    host.pass(200);
    loaded_as(&[], "0.45.1", &host);
    assert_eq!((host.told(), host.rested.take()), (asks.to_vec(), 0));
    loaded_as(&[], "0.45.1", &host).update(Event::Permission(false), &host);
    host.told();
    loaded_as(&[], "0.45.1", &host);
    assert!(!host.told().contains(&Command::RequestPermission));
}

#[test]
fn case_i1_when_denied_it_says_so_and_does_nothing() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[], "0.45.1", &host);
    plugin.update(Event::Visible(true), &host);
    host.told();
    assert!(plugin.update(Event::Permission(false), &host));
    assert_eq!(
        host.told(),
        [Command::Selectable(false)],
        "what is typed next is not for it"
    );
    plugin.update(down(&blocked()), &host);
    plugin.update(up_pipe("up"), &host);
    plugin.update(Event::Visible(true), &host);
    plugin.update(Event::Timer, &host);
    plugin.update(Event::Click(Click { line: 0, column: 3 }), &host);
    let told = host.told();
    assert!(
        told.iter()
            .all(|command| matches!(command, Command::Wake(_))),
        "{told:?}"
    );
    assert!(text(&mut plugin, &host).contains("tally: denied"));
}

#[test]
fn below_the_floor_it_says_so_and_calls_nothing() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[], "0.43.1", &host);
    plugin.update(Event::Permission(true), &host);
    plugin.update(down(&blocked()), &host);
    plugin.update(Event::Panes(tabs().panes.into()), &host);
    assert_eq!(host.told(), []);
    assert_eq!(host.questions.get(), 0);
    assert!(text(&mut plugin, &host).contains("0.43.1"));
}

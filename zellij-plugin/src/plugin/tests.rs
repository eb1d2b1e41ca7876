//! The plugin's life, told by what it does to zellij.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rstest::rstest;
use session_core::wire::{Down, Flavour, file};
use session_core::{Exit, PaneId, State, WindowId};

use super::stub::Stub;
use super::{Click, Command, Event, Focused, Ids, Key, Message, Plugin, Scroll};
use crate::layout::{Layout, Panes};
use crate::list::Move;
use crate::mode::Mode;
use crate::samples::{NOW, lamp, layout, picture};

const IDS: Ids = Ids {
    plugin: 3,
    client: 1,
    server_pid: 4711,
};

fn loaded_as(pairs: &[(&str, &str)], version: &str, host: &Stub) -> Plugin {
    let pairs = pairs.iter();
    let configuration: BTreeMap<String, String> = pairs
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let mut plugin = Plugin::default();
    plugin.load(&configuration, IDS, version, host);
    plugin
}

fn tabs() -> Layout {
    layout(&[("code", &[1, 2]), ("web", &[3])])
}

/// An instance that was let in, has been told everything and painted once.
fn running(host: &Stub) -> Plugin {
    running_as(&[], host)
}

fn running_as(pairs: &[(&str, &str)], host: &Stub) -> Plugin {
    let mut plugin = loaded_as(pairs, "0.45.1", host);
    plugin.update(Event::Permission(true), host);
    plugin.update(mode("work"), host);
    plugin.update(Event::Tabs(tabs().tabs), host);
    plugin.update(Event::Panes(tabs().panes.into()), host);
    plugin.render(8, 80, host);
    host.told();
    plugin
}

fn mode(session: &str) -> Event {
    Event::Mode(Box::new(Mode {
        session: session.into(),
        ..Mode::default()
    }))
}

fn down(line: &Down) -> Event {
    Event::Message(Message {
        name: Flavour::BUILD.down().into(),
        pipe: Some("down".into()),
        payload: Some(line.line().unwrap()),
    })
}

fn up_pipe(id: &str) -> Event {
    Event::Message(Message {
        name: Flavour::BUILD.up().into(),
        pipe: Some(id.into()),
        payload: Some("hello".into()),
    })
}

fn blocked() -> Down {
    picture(vec![lamp(3, State::Blocked), lamp(1, State::Working)])
}

fn text(plugin: &mut Plugin, host: &Stub) -> String {
    plugin.render(1, 80, host)[0].text()
}

#[test]
fn case_i1_nothing_is_done_before_the_person_has_answered() {
    let host = Stub::default();
    let mut plugin = loaded_as(&[], "0.45.1", &host);
    assert_eq!(
        host.told(),
        [Command::Subscribe { keys: false }, Command::Wake(1.9)]
    );
    plugin.update(Event::Timer, &host);
    assert_eq!(host.told(), [Command::RequestPermission]);
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
    assert_eq!(host.told(), [Command::RequestPermission]);
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
    assert_eq!(host.told(), [Command::RequestPermission]);
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
    assert!(text(&mut plugin, &host).contains("permission denied"));
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

#[test]
fn case_i5_a_new_instance_shows_what_the_daemon_kept_for_it() {
    let host = Stub::default();
    let path = file::in_plugin(Flavour::BUILD, IDS.server_pid);
    let line = Down {
        server_pid: IDS.server_pid,
        ..blocked()
    };
    host.files.borrow_mut().insert(path, line.line().unwrap());
    let mut plugin = running(&host);
    assert!(text(&mut plugin, &host).contains("◉ claude permission"));
}

#[test]
fn case_i5_until_the_first_picture_it_is_unknown() {
    let host = Stub::default();
    let mut plugin = running(&host);
    assert!(text(&mut plugin, &host).contains("? unknown"));
    assert!(plugin.update(down(&blocked()), &host));
    assert!(!text(&mut plugin, &host).contains("unknown"));
}

#[test]
fn only_a_change_is_painted() {
    let host = Stub::default();
    let mut plugin = running(&host);
    let mut line = blocked();
    assert!(plugin.update(down(&line), &host));
    plugin.render(1, 80, &host);
    assert!(!plugin.update(down(&line), &host), "the same line again");
    line.seq += 1;
    assert!(!plugin.update(down(&line), &host), "the same picture again");
    assert!(!plugin.update(Event::Tabs(tabs().tabs), &host));
    assert!(!plugin.update(Event::Panes(tabs().panes.into()), &host));
    assert!(!plugin.update(mode("work"), &host));
    let mut panes = tabs().panes;
    panes[0].focused = true;
    assert!(
        !plugin.update(Event::Panes(panes.into()), &host),
        "nothing of it is shown"
    );
    line.seq += 1;
    line.sessions.remove(0);
    assert!(plugin.update(down(&line), &host));
}

#[rstest]
#[case::another_plugins("zjstatus", Some("x"))]
#[case::of_the_other_flavour(Flavour::Release.down(), Some("x"))]
#[case::the_end_of_a_one_shot_pipe(Flavour::BUILD.down(), None)]
#[case::rubbish(Flavour::BUILD.down(), Some("rubbish"))]
#[case::the_end_of_the_up_pipe(Flavour::BUILD.up(), None)]
fn foreign_and_empty_messages_are_ignored(#[case] name: &str, #[case] payload: Option<&str>) {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(down(&blocked()), &host);
    plugin.render(1, 80, &host);
    host.told();
    let message = Message {
        name: name.into(),
        pipe: Some("other".into()),
        payload: payload.map(str::to_owned),
    };
    assert!(!plugin.update(Event::Message(message), &host));
    assert_eq!(host.told(), []);
}

#[test]
fn when_the_daemon_ends_the_bar_says_so_after_the_grace() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(down(&blocked()), &host);
    plugin.render(1, 80, &host);
    host.told();
    let end = Message {
        name: Flavour::BUILD.down().into(),
        pipe: Some("down".into()),
        payload: None,
    };
    assert!(!plugin.update(Event::Message(end), &host));
    assert_eq!(host.told(), [Command::Wake(3.0)]);
    host.pass(3_000);
    assert!(plugin.update(Event::Timer, &host));
    assert!(text(&mut plugin, &host).contains("? tally is away"));
    let mut line = blocked();
    line.run = 2;
    assert!(plugin.update(down(&line), &host));
    assert!(text(&mut plugin, &host).contains("◉ claude"));
}

#[test]
fn a_timer_runs_while_an_age_is_shown_and_only_while_it_is_seen() {
    let host = Stub::default();
    let mut plugin = running(&host);
    assert_eq!(host.told(), []);
    let mut line = blocked();
    line.sessions[0].since_ms = NOW - 5_400;
    plugin.update(down(&line), &host);
    plugin.render(1, 80, &host);
    assert_eq!(host.told(), [Command::Wake(0.6)]);
    host.pass(600);
    assert!(plugin.update(Event::Timer, &host));
    plugin.render(1, 80, &host);
    assert_eq!(host.told(), [Command::Wake(1.0)]);
    host.pass(60_000);
    assert!(plugin.update(Event::Timer, &host));
    plugin.render(1, 80, &host);
    assert_eq!(host.told(), [Command::Wake(54.0)], "minutes are coarser");
    plugin.update(Event::Visible(false), &host);
    host.pass(54_000);
    assert!(!plugin.update(Event::Timer, &host) || host.told().is_empty());
    assert_eq!(host.told(), []);
    assert!(plugin.update(Event::Visible(true), &host));
    assert!(matches!(host.told()[..], [Command::Wake(_)]));
    line.seq += 1;
    line.sessions.clear();
    plugin.update(down(&line), &host);
    assert_eq!(host.told(), []);
}

#[test]
fn case_i3_an_instance_whose_client_left_says_so_once_and_keeps_quiet() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    plugin.update(down(&blocked()), &host);
    plugin.render(1, 80, &host);
    host.told();
    host.focused.set(None);
    host.pass(60_000);
    assert!(!plugin.update(Event::Timer, &host));
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].absent);
    let mut line = blocked();
    for seq in 2..5 {
        line.seq = seq;
        line.sessions[0].since_ms += 1_000;
        host.pass(60_000);
        plugin.update(down(&line), &host);
        plugin.update(Event::Timer, &host);
    }
    assert_eq!(host.told(), []);
    // The next client takes the instance over.
    let focused = Focused {
        tab: WindowId(10),
        pane: Some(PaneId(2)),
    };
    host.focused.set(Some(focused));
    plugin.update(Event::Visible(true), &host);
    let told = host.told();
    assert!(
        told.iter()
            .any(|command| matches!(command, Command::Wake(_)))
    );
    assert!(
        told.iter()
            .any(|command| matches!(command, Command::Print { .. }))
    );
}

#[test]
fn a_new_up_pipe_is_held_and_told_everything() {
    let host = Stub::default();
    let mut plugin = running(&host);
    assert!(!plugin.update(up_pipe("up"), &host));
    let told = host.told();
    assert_eq!(told[0], Command::Block("up".into()));
    let Command::Print { pipe, line } = &told[1] else {
        panic!("{told:?}")
    };
    assert_eq!(pipe, "up");
    assert!(line.ends_with('\n'));
    insta::assert_snapshot!(line.trim_end());
    assert_eq!(told.len(), 2);
    plugin.update(up_pipe("up"), &host);
    assert_eq!(host.lines(), [], "nothing is news");
}

#[test]
fn an_instance_that_is_not_seen_reads_nothing_and_only_introduces_itself() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(Event::Visible(false), &host);
    let line = Down {
        up_pipe: Some("up".into()),
        ..blocked()
    };
    assert!(!plugin.update(down(&line), &host));
    assert_eq!(host.told(), []);
    assert!(text(&mut plugin, &host).contains("unknown"));
    plugin.update(up_pipe("up"), &host);
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].hello.is_some() && lines[0].focus.is_none() && lines[0].layout.is_none());
    plugin.update(Event::Closed(PaneId(2)), &host);
    assert_eq!(host.lines(), []);
    plugin.update(Event::Visible(true), &host);
    let lines = host.lines();
    assert!(lines[0].hello.is_none() && lines[0].focus.is_some() && lines[0].layout.is_none());
    assert!(text(&mut plugin, &host).contains("◉ claude"));
    plugin.update(Event::Panes(tabs().panes.into()), &host);
    assert_eq!(host.lines(), [], "the tabs that it knows may be old");
    plugin.update(Event::Tabs(tabs().tabs), &host);
    assert!(host.lines()[0].layout.is_some());
}

#[test]
fn focus_is_told_when_it_changes_and_asked_for_only_then() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    let questions = host.questions.get();
    plugin.update(Event::Panes(tabs().panes.into()), &host);
    assert_eq!(host.questions.get(), questions, "a copy of the same panes");
    let mut panes = tabs().panes;
    panes[1].focused = true;
    host.focused.set(Some(Focused {
        tab: WindowId(10),
        pane: Some(PaneId(2)),
    }));
    plugin.update(Event::Panes(panes.into()), &host);
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(
        lines[0].focus.map(|focus| focus.pane),
        Some(Some(PaneId(2)))
    );
    assert!(lines[0].layout.is_none(), "only the focus is news");
}

#[test]
fn coming_back_to_a_tab_is_told_although_this_instance_said_the_same_before() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    let before = host.lines()[0].focus;
    plugin.update(Event::Visible(false), &host);
    plugin.update(Event::Panes(tabs().panes.into()), &host);
    assert_eq!(host.lines()[0].focus, before);
    plugin.update(Event::Visible(false), &host);
    plugin.update(Event::Visible(true), &host);
    assert_eq!(host.lines()[0].focus, before);
}

#[test]
fn the_processes_of_many_panes_are_asked_for_a_few_at_a_time() {
    let host = Stub::default();
    let mut plugin = running(&host);
    let ids: Vec<u32> = (0..20).collect();
    let many = layout(&[("code", &ids)]);
    plugin.update(Event::Tabs(many.tabs.clone()), &host);
    plugin.update(Event::Panes(many.panes.clone().into()), &host);
    plugin.update(up_pipe("up"), &host);
    let mut known = Vec::new();
    for _ in 0..5 {
        for layout in host.lines().into_iter().filter_map(|line| line.layout) {
            known.push(
                layout
                    .panes
                    .iter()
                    .filter(|pane| pane.pid.is_some())
                    .count(),
            );
        }
        plugin.update(Event::Panes(many.panes.clone().into()), &host);
    }
    assert_eq!(known, [8, 16, 20]);
}

#[test]
fn an_instance_whose_client_is_in_another_tab_is_silent_though_it_was_told_it_is_shown() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    let panes = Panes {
        home: Some(1),
        ..tabs().panes.into()
    };
    plugin.update(Event::Panes(panes), &host);
    host.told();
    let at = |tab| {
        Some(Focused {
            tab: WindowId(tab),
            pane: None,
        })
    };
    host.focused.set(at(10));
    plugin.update(Event::Visible(true), &host);
    plugin.update(down(&blocked()), &host);
    assert_eq!(host.told(), [], "neither a line nor a timer");
    host.focused.set(at(11));
    plugin.update(Event::Visible(true), &host);
    assert!(host.lines()[0].focus.is_some());
}

#[test]
fn a_dead_pane_is_told_with_its_status() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    let mut panes = tabs().panes;
    panes[0].exited = true;
    panes[0].exit_status = Some(127);
    plugin.update(Event::Panes(panes.into()), &host);
    let layout = host.lines().remove(0).layout.unwrap();
    assert!(layout.panes[0].exited);
    assert_eq!(layout.panes[0].exit, Some(Exit::Status(127)));
}

#[test]
fn a_rename_is_told_as_a_new_hello() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    plugin.update(mode("renamed"), &host);
    let hello = host.lines().remove(0).hello.unwrap();
    assert_eq!(
        (hello.session.as_str(), hello.pipe.as_str()),
        ("renamed", "up")
    );
}

#[test]
fn the_daemons_question_is_answered_once() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    let mut line = Down {
        ask: Some(7),
        up_pipe: Some("up".into()),
        ..blocked()
    };
    plugin.update(down(&line), &host);
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].re, lines[0].focus.is_some()), (Some(7), true));
    line.seq += 1;
    plugin.update(down(&line), &host);
    assert_eq!(host.lines(), []);
    line.seq += 1;
    line.ask = Some(8);
    host.focused.set(None);
    plugin.update(down(&line), &host);
    let lines = host.lines();
    assert_eq!((lines[0].re, lines[0].absent), (Some(8), true));
}

#[test]
fn a_closed_pane_is_told_by_the_one_that_was_seen_last_even_with_nobody_attached() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    host.focused.set(None);
    plugin.update(Event::Visible(false), &host);
    assert!(
        host.lines()[0].absent,
        "a client that detaches is told at once"
    );
    plugin.update(Event::Visible(false), &host);
    plugin.update(Event::Closed(PaneId(2)), &host);
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].closed, [PaneId(2)]);
}

#[test]
fn a_tab_that_was_moved_is_told_once_and_right() {
    let host = Stub::default();
    let mut plugin = running(&host);
    plugin.update(up_pipe("up"), &host);
    host.told();
    let mut moved = layout(&[("web", &[3]), ("code", &[1, 2])]);
    moved.tabs[0].id = 11;
    moved.tabs[1].id = 10;
    plugin.update(Event::Tabs(moved.tabs.clone()), &host);
    assert_eq!(host.lines(), []);
    plugin.update(Event::Panes(moved.panes.clone().into()), &host);
    plugin.update(Event::Tabs(moved.tabs), &host);
    plugin.update(Event::Panes(moved.panes.into()), &host);
    let lines = host.lines();
    assert_eq!(lines.len(), 1);
    let layout = lines[0].layout.as_ref().unwrap();
    assert_eq!(
        (layout.panes[2].id, layout.panes[2].tab),
        (PaneId(3), WindowId(11))
    );
}

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

fn any_event() -> impl Strategy<Value = Event> {
    let pane = 0_u32..6;
    prop_oneof![
        any::<bool>().prop_map(Event::Permission),
        any::<bool>().prop_map(Event::Visible),
        Just(Event::Timer),
        Just(Event::Tabs(tabs().tabs)),
        Just(Event::Tabs(Vec::new())),
        Just(Event::Panes(tabs().panes.into())),
        Just(Event::Panes(Vec::new().into())),
        pane.prop_map(|id| Event::Closed(PaneId(id))),
        "\\PC{0,12}".prop_map(|name| mode(&name)),
        (0_usize..3, 0_usize..90).prop_map(|(line, column)| Event::Click(Click { line, column })),
        prop_oneof![Just(Scroll::Up), Just(Scroll::Down)].prop_map(Event::Scroll),
        prop_oneof![
            Just(Key::Go),
            Just(Key::Close),
            (-20_i64..20).prop_map(|by| Key::Step(Move::By(by))),
            Just(Key::Step(Move::Last)),
        ]
        .prop_map(Event::Key),
        (0_u64..9, 0_u64..3, prop::option::of(0_u64..4)).prop_map(|(seq, run, ask)| down(&Down {
            seq,
            run,
            ask,
            up_pipe: ask.map(|ask| ask.to_string()),
            ..blocked()
        })),
        "[a-c]".prop_map(|id| up_pipe(&id)),
        ("\\PC{0,12}", prop::option::of("\\PC{0,40}")).prop_map(|(name, payload)| {
            Event::Message(Message {
                name,
                pipe: None,
                payload,
            })
        }),
    ]
}

proptest! {
    #[test]
    fn no_order_of_events_makes_it_panic_or_draw_too_wide(
        events in prop::collection::vec((any_event(), 0_i64..5_000, any::<bool>()), 0..40),
        list in any::<bool>(),
        width in 0_usize..130,
    ) {
        let host = Stub::default();
        let view = if list { "list" } else { "bar" };
        let mut plugin = loaded_as(&[("view", view)], "0.45.1", &host);
        for (event, ms, attached) in events {
            host.pass(ms);
            host.focused.set(attached.then_some(Focused { tab: WindowId(10), pane: None }));
            plugin.update(event, &host);
            for row in plugin.render(4, width, &host) {
                prop_assert_eq!(row.width(), width);
            }
        }
    }

    #[test]
    fn the_same_events_paint_the_same_bar_whatever_came_before(events in prop::collection::vec(any_event(), 0..20)) {
        let host = Stub::default();
        let mut plugin = loaded_as(&[], "0.45.1", &host);
        for event in events {
            plugin.update(event, &host);
        }
        let mut last = blocked();
        last.run = 99;
        for event in [Event::Visible(true), Event::Permission(true), mode("work"), Event::Tabs(tabs().tabs), Event::Panes(tabs().panes.into()), down(&last)] {
            plugin.update(event, &host);
        }
        let fresh = Stub::default();
        let mut other = running(&fresh);
        other.update(down(&last), &fresh);
        prop_assert_eq!(text(&mut plugin, &host), text(&mut other, &fresh));
    }
}

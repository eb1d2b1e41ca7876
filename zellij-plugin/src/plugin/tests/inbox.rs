//! Pictures, and the time that passes.

use rstest::rstest;
use session_core::wire::{Down, Flavour, file};

use super::{IDS, blocked, down, mode, running, tabs, text};
use crate::plugin::stub::Stub;
use crate::plugin::{Command, Event, Message};
use crate::samples::NOW;

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

//! What is told to the daemon, and by whom.

use session_core::wire::Down;
use session_core::{Exit, PaneId, WindowId};

use super::{blocked, down, mode, running, tabs, text, up_pipe};
use crate::layout::Panes;
use crate::plugin::stub::Stub;
use crate::plugin::{Command, Event, Focused};
use crate::samples::layout;

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

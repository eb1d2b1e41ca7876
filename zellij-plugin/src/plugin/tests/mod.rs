//! The plugin's life, told by what it does to zellij.

mod admission;
mod any;
mod hand;
mod inbox;
mod presence;

use std::collections::BTreeMap;

use session_core::State;
use session_core::wire::{Down, Flavour};

use super::stub::Stub;
use super::{Event, Ids, Message, Plugin};
use crate::layout::Layout;
use crate::mode::Mode;
use crate::samples::{lamp, layout, picture};

pub(super) const IDS: Ids = Ids {
    plugin: 3,
    client: 1,
    server_pid: 4711,
};

pub(super) fn loaded_as(pairs: &[(&str, &str)], version: &str, host: &Stub) -> Plugin {
    let pairs = pairs.iter();
    let configuration: BTreeMap<String, String> = pairs
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let mut plugin = Plugin::default();
    plugin.load(&configuration, IDS, version, host);
    plugin
}

pub(super) fn tabs() -> Layout {
    layout(&[("code", &[1, 2]), ("web", &[3])])
}

/// An instance that was let in, has been told everything and painted once.
pub(super) fn running(host: &Stub) -> Plugin {
    running_as(&[], host)
}

pub(super) fn running_as(pairs: &[(&str, &str)], host: &Stub) -> Plugin {
    let mut plugin = loaded_as(pairs, "0.45.1", host);
    plugin.update(Event::Permission(true), host);
    plugin.update(mode("work"), host);
    plugin.update(Event::Tabs(tabs().tabs), host);
    plugin.update(Event::Panes(tabs().panes.into()), host);
    plugin.render(8, 80, host);
    host.told();
    plugin
}

pub(super) fn mode(session: &str) -> Event {
    Event::Mode(Box::new(Mode {
        session: session.into(),
        ..Mode::default()
    }))
}

pub(super) fn down(line: &Down) -> Event {
    Event::Message(Message {
        name: Flavour::BUILD.down().into(),
        pipe: Some("down".into()),
        payload: Some(line.line().unwrap()),
    })
}

pub(super) fn up_pipe(id: &str) -> Event {
    Event::Message(Message {
        name: Flavour::BUILD.up().into(),
        pipe: Some(id.into()),
        payload: Some("hello".into()),
    })
}

pub(super) fn blocked() -> Down {
    picture(vec![lamp(3, State::Blocked), lamp(1, State::Working)])
}

pub(super) fn text(plugin: &mut Plugin, host: &Stub) -> String {
    plugin.render(1, 80, host)[0].text()
}

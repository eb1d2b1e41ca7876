//! zellij's events in the plugin's words.

use session_core::PaneId;
use zellij_tile::prelude as tile;

use crate::layout::{Pane, Panes, Tab};
use crate::list::Move;
use crate::mode::{InputMode, Mode};
use crate::paint::{Colour, safe};
use crate::palette::{Pair, Palette};
use crate::plugin::{Click, Event, Key, Message, Scroll};

/// The most graphemes of a tab's or session's name.
const MAX_NAME: usize = 48;

/// The event, if the plugin knows it; `own` is the plugin's own pane.
pub(super) fn event(event: tile::Event, own: u32) -> Option<Event> {
    Some(match event {
        tile::Event::PermissionRequestResult(status) => {
            Event::Permission(status == tile::PermissionStatus::Granted)
        }
        tile::Event::PaneUpdate(manifest) => Event::Panes(panes(&manifest, own)),
        tile::Event::TabUpdate(tabs) => Event::Tabs(tabs.iter().map(tab).collect()),
        tile::Event::ModeUpdate(info) => Event::Mode(Box::new(mode(&info))),
        tile::Event::PaneClosed(tile::PaneId::Terminal(id)) => Event::Closed(PaneId(id)),
        tile::Event::Timer(_) => Event::Timer,
        tile::Event::Visible(visible) => Event::Visible(visible),
        tile::Event::Mouse(tile::Mouse::LeftClick(line, column)) => Event::Click(Click {
            line: usize::try_from(line).ok()?,
            column,
        }),
        tile::Event::Mouse(tile::Mouse::ScrollUp(_)) => Event::Scroll(Scroll::Up),
        tile::Event::Mouse(tile::Mouse::ScrollDown(_)) => Event::Scroll(Scroll::Down),
        tile::Event::Key(pressed) => Event::Key(key(&pressed)?),
        _ => return None,
    })
}

/// A message that came by a pipe.
pub(super) fn message(message: tile::PipeMessage) -> Event {
    let pipe = match message.source {
        tile::PipeSource::Cli(id) => Some(id),
        tile::PipeSource::Plugin(_) | tile::PipeSource::Keybind => None,
    };
    Event::Message(Message {
        name: message.name,
        pipe,
        payload: message.payload,
    })
}

fn panes(manifest: &tile::PaneManifest, own: u32) -> Panes {
    let mut all = Vec::new();
    let mut home = None;
    for (position, panes) in &manifest.panes {
        let tab = number(*position);
        let (plugins, terminals): (Vec<_>, Vec<_>) = panes.iter().partition(|pane| pane.is_plugin);
        if plugins.iter().any(|pane| pane.id == own) {
            home = Some(tab);
        }
        all.extend(terminals.into_iter().map(|pane| Pane {
            id: PaneId(pane.id),
            tab,
            focused: pane.is_focused,
            exited: pane.exited,
            exit_status: pane.exit_status,
        }));
    }
    all.sort_by_key(|pane| pane.id);
    Panes {
        terminals: all,
        home,
    }
}

fn tab(tab: &tile::TabInfo) -> Tab {
    Tab {
        id: number(tab.tab_id),
        position: number(tab.position),
        name: safe(&tab.name, MAX_NAME),
        active: tab.active,
        fullscreen: tab.is_fullscreen_active,
        sync: tab.is_sync_panes_active,
        bell: tab.has_bell_notification || tab.is_flashing_bell,
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn mode(info: &tile::ModeInfo) -> Mode {
    let session = info.session_name.as_deref().unwrap_or_default();
    Mode {
        input: input(info.mode),
        base: info.base_mode.map_or(InputMode::Normal, input),
        session: safe(session, MAX_NAME),
        palette: palette(&info.style.colors),
    }
}

const fn input(mode: tile::InputMode) -> InputMode {
    match mode {
        tile::InputMode::Normal => InputMode::Normal,
        tile::InputMode::Locked => InputMode::Locked,
        tile::InputMode::Resize => InputMode::Resize,
        tile::InputMode::Pane => InputMode::Pane,
        tile::InputMode::Tab => InputMode::Tab,
        tile::InputMode::Scroll => InputMode::Scroll,
        tile::InputMode::EnterSearch => InputMode::EnterSearch,
        tile::InputMode::Search => InputMode::Search,
        tile::InputMode::RenameTab => InputMode::RenameTab,
        tile::InputMode::RenamePane => InputMode::RenamePane,
        tile::InputMode::Session => InputMode::Session,
        tile::InputMode::Move => InputMode::Move,
        tile::InputMode::Prompt => InputMode::Prompt,
        tile::InputMode::Tmux => InputMode::Tmux,
    }
}

fn palette(style: &tile::Styling) -> Palette {
    let pair = |declared: &tile::StyleDeclaration| Pair {
        fg: colour(declared.base),
        bg: colour(declared.background),
    };
    let text = &style.text_unselected;
    Palette {
        text: pair(text),
        active_tab: pair(&style.ribbon_selected),
        chosen: pair(&style.list_selected),
        emphasis: [
            text.emphasis_0,
            text.emphasis_1,
            text.emphasis_2,
            text.emphasis_3,
        ]
        .map(colour),
        success: colour(style.exit_code_success.base),
        failure: colour(style.exit_code_error.base),
    }
}

const fn colour(colour: tile::PaletteColor) -> Colour {
    match colour {
        tile::PaletteColor::Rgb((red, green, blue)) => Colour::Rgb(red, green, blue),
        tile::PaletteColor::EightBit(index) => Colour::Index(index),
    }
}

fn key(pressed: &tile::KeyWithModifier) -> Option<Key> {
    let shift = pressed.key_modifiers.contains(&tile::KeyModifier::Shift);
    let others = pressed
        .key_modifiers
        .iter()
        .any(|modifier| *modifier != tile::KeyModifier::Shift);
    if others {
        return None;
    }
    Some(match pressed.bare_key {
        tile::BareKey::Up | tile::BareKey::Char('k') => Key::Step(Move::By(-1)),
        tile::BareKey::Down | tile::BareKey::Char('j') => Key::Step(Move::By(1)),
        tile::BareKey::PageUp => Key::Step(Move::By(-10)),
        tile::BareKey::PageDown => Key::Step(Move::By(10)),
        tile::BareKey::Char('G') => Key::Step(Move::Last),
        tile::BareKey::Char('g') if shift => Key::Step(Move::Last),
        tile::BareKey::Home | tile::BareKey::Char('g') => Key::Step(Move::First),
        tile::BareKey::End => Key::Step(Move::Last),
        tile::BareKey::Enter => Key::Go,
        tile::BareKey::Esc | tile::BareKey::Char('q') => Key::Close,
        _ => return None,
    })
}

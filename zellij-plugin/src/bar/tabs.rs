//! The tabs, each with its lamp.

use session_core::{Counts, State};

use super::scene::Scene;
use crate::layout::{Tab, TabLamp};
use crate::paint::{Row, Style, Target, cut};
use crate::settings::Part;

/// How much of the tabs is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tabs {
    /// Names, and the count of every state.
    Counts,
    /// Names of at most so many columns, and the most urgent state.
    Names(usize),
    /// The active tab's name of at most so many columns, and the others' numbers.
    Numbers(usize),
    /// As many of them around the active one as fit.
    Window(usize),
}

pub(super) fn tabs(scene: &Scene<'_>, detail: Tabs, room: usize) -> Row {
    if !scene.settings.shows(Part::Tabs) {
        return Row::new();
    }
    let lamps = scene
        .picture
        .map(|picture| scene.layout.lamps(picture))
        .unwrap_or_default();
    let items: Vec<Item<'_>> = scene
        .layout
        .tabs
        .iter()
        .map(|tab| {
            let lamp = lamps.iter().find(|(position, _)| *position == tab.position);
            Item {
                tab,
                lamp: lamp.map(|(_, lamp)| lamp),
            }
        })
        .collect();
    if let Tabs::Window(max) = detail {
        return window(scene, &items, max, room);
    }
    let mut row = Row::new();
    let mut after_lamp = false;
    for item in &items {
        let keeps_still = after_lamp && matches!(detail, Tabs::Counts | Tabs::Names(_));
        append(
            scene,
            &mut row,
            item.draw(scene, detail),
            item.tab.active,
            keeps_still,
        );
        after_lamp = item.lamp.is_some();
    }
    row
}

/// Adds a tab; between a lamp on a ground of its own and the active tab's ground there is a blank, and between any lamp and
/// it where the tabs are to keep still.
fn append(scene: &Scene<'_>, row: &mut Row, tab: Row, active: bool, keeps_still: bool) {
    let blank = scene.look.text();
    let grounded = row.ground().is_some_and(|ground| ground != blank.bg);
    if active && (grounded || keeps_still) {
        row.push(" ", blank, None);
    }
    row.append(tab);
}

/// A tab and its lamp.
#[derive(Clone, Copy, Debug)]
struct Item<'s> {
    tab: &'s Tab,
    lamp: Option<&'s TabLamp>,
}

impl Item<'_> {
    fn draw(&self, scene: &Scene<'_>, detail: Tabs) -> Row {
        let look = scene.look;
        let tab = self.tab;
        let target = Target::Tab(tab.position);
        let mut row = Row::new();
        let style = look.tab(tab.active);
        let max = match detail {
            Tabs::Counts => 24,
            Tabs::Names(max) => max,
            Tabs::Numbers(max) | Tabs::Window(max) if tab.active => max,
            Tabs::Numbers(_) | Tabs::Window(_) => 0,
        };
        let flags = match detail {
            Tabs::Counts | Tabs::Names(_) => flags(tab),
            Tabs::Numbers(_) | Tabs::Window(_) => String::new(),
        };
        let label = format!("{}{}{flags}", tab.position + 1, name(tab, max));
        row.push(format!(" {label} "), style, Some(&target));
        if let Some(lamp) = self.lamp {
            row.append(draw_lamp(scene, lamp, tab.active, detail));
        }
        row
    }

    fn urgency(&self, scene: &Scene<'_>) -> usize {
        let order = scene.urgency();
        self.lamp
            .map_or(usize::MAX, |lamp| lamp.state.urgency(order))
    }
}

/// The name with a blank before it; none where the person gave none, as the number says the same.
fn name(tab: &Tab, max: usize) -> String {
    let given = tab.name.strip_prefix("Tab #").is_none_or(|number| {
        number.is_empty() || number.bytes().any(|byte| !byte.is_ascii_digit())
    });
    if given && max > 0 && !tab.name.is_empty() {
        format!(" {}", cut(&tab.name, max))
    } else {
        String::new()
    }
}

fn flags(tab: &Tab) -> String {
    let mut flags = String::new();
    for (set, flag) in [
        (tab.sync, " sync"),
        (tab.fullscreen, " full"),
        (tab.bell, " !"),
    ] {
        if set {
            flags.push_str(flag);
        }
    }
    flags
}

/// A lamp: a click on it goes to the pane it speaks of.
fn draw_lamp(scene: &Scene<'_>, lamp: &TabLamp, after_ground: bool, detail: Tabs) -> Row {
    let look = scene.look;
    let target = Target::Pane(lamp.pane);
    let counts: Counts = lamp.tally.into();
    let text = |state: State| match counts.of(state) {
        0 | 1 => look.glyph(state).to_owned(),
        count => format!("{}{count}", look.glyph(state)),
    };
    let mut row = Row::new();
    let own_ground = |style: Style| style.bg != look.text().bg;
    let mut push = |text: String, style: Style| {
        // A lamp on a ground of its own has a rim; another is set off from a tab's ground by a blank. Where there is room
        // every tab's lamp has that column, so that the tabs behind it stay where they are when its state changes.
        let keeps_still = matches!(detail, Tabs::Counts | Tabs::Names(_));
        let rim = own_ground(style) || (row.is_empty() && (after_ground || keeps_still));
        let before = if rim { " " } else { "" };
        row.push(format!("{before}{text} "), style, Some(&target));
    };
    if detail == Tabs::Counts {
        let order = scene.urgency().iter();
        for state in order.filter(|state| counts.of(**state) > 0) {
            push(text(*state), look.lamp(*state));
        }
    } else {
        push(text(lamp.state), look.lamp(lamp.state));
    }
    row
}

/// The active tab and as many neighbours as fit; marks at the ends show the most urgent lamp beyond them.
fn window(scene: &Scene<'_>, items: &[Item<'_>], max: usize, room: usize) -> Row {
    let detail = Tabs::Window(max);
    let drawn: Vec<Row> = items.iter().map(|item| item.draw(scene, detail)).collect();
    let active = items.iter().position(|item| item.tab.active).unwrap_or(0);
    let width = |range: std::ops::Range<usize>| -> usize {
        let tabs = drawn.get(range.clone()).unwrap_or_default();
        let before = items.get(..range.start).unwrap_or_default();
        let after = items.get(range.end..).unwrap_or_default();
        tabs.iter().map(Row::width).sum::<usize>()
            + beyond(scene, before, true).width()
            + beyond(scene, after, false).width()
    };
    let (mut start, mut end) = (active, (active + 1).min(items.len()));
    loop {
        let right = (end < items.len()).then_some((start, end + 1));
        let left = start.checked_sub(1).map(|before| (before, end));
        let fits = |range: &(usize, usize)| width(range.0..range.1) <= room;
        // The shorter side grows first, so that the active tab stays in the middle.
        let (first, second) = if end - active > active - start + 1 {
            (left, right)
        } else {
            (right, left)
        };
        match first.filter(fits).or_else(|| second.filter(fits)) {
            Some(range) => (start, end) = range,
            None => break,
        }
    }
    let mut row = beyond(scene, items.get(..start).unwrap_or_default(), true);
    for (item, tab) in items.iter().zip(&drawn).skip(start).take(end - start) {
        append(scene, &mut row, tab.clone(), item.tab.active, false);
    }
    row.append(beyond(scene, items.get(end..).unwrap_or_default(), false));
    row
}

/// The mark for tabs that are not shown: it carries the lamp of the most urgent, and leads there.
fn beyond(scene: &Scene<'_>, items: &[Item<'_>], left: bool) -> Row {
    let mut row = Row::new();
    let Some(most) = items.iter().min_by_key(|item| {
        let distance = if left {
            u32::MAX - item.tab.position
        } else {
            item.tab.position
        };
        (item.urgency(scene), distance)
    }) else {
        return row;
    };
    let look = scene.look;
    let (glyph, style, target) = match most.lamp {
        Some(lamp) => (
            look.glyph(lamp.state),
            look.letters(lamp.state),
            Target::Pane(lamp.pane),
        ),
        None => ("", look.text(), Target::Tab(most.tab.position)),
    };
    if left {
        row.push("<", look.text(), Some(&target));
        row.push(glyph, style, Some(&target));
    } else {
        row.push(glyph, style, Some(&target));
        row.push(">", look.text(), Some(&target));
    }
    row
}

//! The left end: session and input mode.

use super::scene::Scene;
use crate::paint::{Row, cut};
use crate::settings::Part;

/// How much of the left end is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// Session and mode.
    Full,
    /// The mode.
    Mode,
    /// The mode's letters, unless it is the one zellij is in when nothing is going on.
    Letters,
    /// Nothing: whoever waits comes first.
    Gone,
}

pub(super) fn head(scene: &Scene<'_>, head: Head) -> Row {
    let mut row = Row::new();
    let look = scene.look;
    if head == Head::Full && scene.settings.shows(Part::Session) {
        let session = cut(&scene.mode.session, 24);
        if !session.is_empty() {
            row.push(format!(" {session}"), look.text().bold(), None);
        }
    }
    if scene.settings.shows(Part::Mode) {
        let quiet = scene.mode.is_quiet();
        let input = scene.mode.input;
        let word = match head {
            Head::Full | Head::Mode => input.word(),
            Head::Gone => "",
            Head::Letters if quiet => "",
            Head::Letters => input.letters(),
        };
        if !word.is_empty() {
            row.push(format!(" {word}"), look.mode(quiet), None);
        }
    }
    if !row.is_empty() {
        row.push(" ", look.text(), None);
    }
    row
}

//! What the person set for the plugin in the layout.
//!
//! ```kdl
//! pane size=1 borderless=true {
//!     plugin location="tally" {
//!         parts "session mode tabs attention counts"
//!         glyphs "unicode"
//!         colour_blocked "brightred"
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use session_core::view::GlyphSet;
use session_core::wire::Flavour;
use session_core::{State, URGENCY};

use crate::paint::Colour;

/// What the plugin's pane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// A status bar of one row.
    #[default]
    Bar,
    /// A list of all sessions, to choose one.
    List,
}

/// A part of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The zellij session's name.
    Session,
    /// zellij's input mode.
    Mode,
    /// The tabs with their lamps.
    Tabs,
    /// Who waits for the person.
    Attention,
    /// How many are in each state.
    Counts,
}

const PARTS: [(&str, Part); 5] = [
    ("session", Part::Session),
    ("mode", Part::Mode),
    ("tabs", Part::Tabs),
    ("attention", Part::Attention),
    ("counts", Part::Counts),
];

/// The settings, each with a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `view`: `bar` or `list`.
    pub view: View,
    /// `parts`: what the bar shows; all by default, fewer beside zellij's own tab bar.
    pub parts: Vec<Part>,
    /// `glyphs`: `nerd`, `unicode` or `ascii`; else the person's configuration decides.
    pub glyphs: Option<GlyphSet>,
    /// `colour_<state>`: a state's colour; else the configuration's, else the theme's.
    pub colours: BTreeMap<&'static str, Colour>,
    /// `foreground` of the bar; else the theme's.
    pub foreground: Option<Colour>,
    /// `background` of the bar; else the theme's.
    pub background: Option<Colour>,
    /// `flavour`: `dev` to listen to a development build of the daemon.
    pub flavour: Flavour,
    /// Settings that are not understood, for zellij's log.
    pub faults: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            view: View::default(),
            parts: PARTS.iter().map(|(_, part)| *part).collect(),
            glyphs: None,
            colours: BTreeMap::new(),
            foreground: None,
            background: None,
            flavour: Flavour::BUILD,
            faults: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads what the layout says; what is not understood keeps its default and is told as a fault.
    #[must_use]
    pub fn read(configuration: &BTreeMap<String, String>) -> Self {
        let mut settings = Self::default();
        for (key, value) in configuration {
            if settings.set(key, value.trim()).is_none() {
                let fault = format!("{key} {value:?} is not understood and was passed over");
                settings.faults.push(fault);
            }
        }
        settings
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "view" => {
                self.view = match value {
                    "bar" => View::Bar,
                    "list" => View::List,
                    _ => return None,
                }
            }
            "parts" => self.parts = parts(value)?,
            "glyphs" => self.glyphs = Some(value.parse().ok()?),
            "foreground" => self.foreground = Some(value.parse().ok()?),
            "background" => self.background = Some(value.parse().ok()?),
            "flavour" => self.flavour = value.parse().ok()?,
            // zellij adds keys of its own.
            "caller_cwd" => {}
            _ if key.starts_with('_') => {}
            _ => {
                let state: State = key.strip_prefix("colour_")?.parse().ok()?;
                let word = URGENCY.into_iter().find(|known| *known == state)?.word();
                self.colours.insert(word, value.parse().ok()?);
            }
        }
        Some(())
    }

    /// Whether the bar has a part.
    #[must_use]
    pub fn shows(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

fn parts(value: &str) -> Option<Vec<Part>> {
    value
        .split_whitespace()
        .map(|word| {
            let known = PARTS.iter().find(|(name, _)| *name == word);
            known.map(|(_, part)| *part)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Settings {
        let pairs = pairs.iter();
        Settings::read(
            &pairs
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn each_setting_is_read() {
        let settings = read(&[
            ("view", "list"),
            ("parts", "tabs  counts"),
            ("glyphs", "ascii"),
            ("colour_blocked", "#ff0000"),
            ("background", "default"),
            ("flavour", "dev"),
            ("caller_cwd", "/"),
            ("_zellij_id", "1"),
        ]);
        assert_eq!(settings.faults, [""; 0]);
        assert_eq!(settings.view, View::List);
        assert_eq!(settings.parts, [Part::Tabs, Part::Counts]);
        assert_eq!(settings.glyphs, Some(GlyphSet::Ascii));
        assert_eq!(
            settings.colours.get("blocked"),
            Some(&Colour::Rgb(255, 0, 0))
        );
        assert_eq!(settings.background, Some(Colour::Default));
        assert_eq!(settings.flavour, Flavour::Dev);
    }

    #[test]
    fn what_is_not_understood_changes_nothing_and_is_told() {
        let settings = read(&[
            ("view", "tree"),
            ("parts", "tabs weather"),
            ("colour_sleeping", "red"),
            ("colour_done", "rainbow"),
            ("color", "red"),
        ]);
        assert_eq!(settings.faults.len(), 5);
        assert_eq!(
            settings,
            Settings {
                faults: settings.faults.clone(),
                ..Settings::default()
            }
        );
    }
}

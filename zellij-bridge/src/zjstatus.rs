//! The same states for a bar of zjstatus: its pipe widgets show a text that is sent to them (facts §5).
//!
//! A line is `zjstatus::pipe::pipe_NAME::TEXT`, whatever pipe it comes through. The text ends at the next `::`, so it
//! holds none.

use std::fmt;
use std::str::FromStr;

use session_core::view::{clean, glyph};
use session_core::wire::Theme;
use session_core::{ServerId, Snapshot, State, URGENCY};

/// The name of a pipe widget: `pipe_` and letters, digits or `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widget(String);

/// A text that names no pipe widget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no pipe widget of zjstatus; it would be called pipe_tally")]
pub struct NoWidget(String);

impl Default for Widget {
    fn default() -> Self {
        Self("pipe_tally".to_owned())
    }
}

impl FromStr for Widget {
    type Err = NoWidget;

    fn from_str(text: &str) -> Result<Self, NoWidget> {
        let name = text.strip_prefix("pipe_").unwrap_or_default();
        let well_formed = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || !well_formed {
            return Err(NoWidget(text.chars().take(32).collect()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Widget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The line that makes the widget show a session: a glyph and a number for each state that some agent is in, most
/// urgent first, in the colours of zjstatus's dynamic mode.
#[must_use]
pub fn line(widget: &Widget, snapshot: &Snapshot, server: &ServerId, theme: &Theme) -> String {
    format!(
        "zjstatus::pipe::{widget}::{}",
        text(snapshot, server, theme)
    )
}

/// The line that makes the widget show nothing.
pub(crate) fn nothing(widget: &Widget) -> String {
    format!("zjstatus::pipe::{widget}::")
}

fn text(snapshot: &Snapshot, server: &ServerId, theme: &Theme) -> String {
    let rollup = snapshot
        .servers
        .iter()
        .find(|rollup| rollup.server == *server);
    let Some(counts) = rollup.map(|rollup| rollup.rollup.counts) else {
        return String::new();
    };
    let order = if theme.urgency.is_empty() {
        &URGENCY[..]
    } else {
        &theme.urgency
    };
    let lamps = order.iter().filter_map(|state| {
        let count = counts.of(*state);
        (count > 0).then(|| lamp(*state, count, theme))
    });
    lamps.collect::<Vec<_>>().join(" ").replace("::", ":")
}

fn lamp(state: State, count: usize, theme: &Theme) -> String {
    let glyph = glyph(theme.glyphs, state);
    let colour = theme
        .colours
        .get(state.word())
        .and_then(|colour| known(colour));
    let colour = colour.unwrap_or_else(|| default_colour(state).to_owned());
    format!("#[fg={colour}]{glyph}{count}#[default]")
}

/// A colour in zjstatus's words; the rest of ours it does not know.
fn known(colour: &str) -> Option<String> {
    const NAMES: [&str; 8] = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    ];
    let is_hex = colour
        .strip_prefix('#')
        .is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let plain = clean(colour.strip_prefix("bright").unwrap_or(colour), 16);
    if is_hex {
        Some(colour.to_owned())
    } else if NAMES.contains(&plain.as_str()) {
        Some(match colour.strip_prefix("bright") {
            Some(name) => format!("bright_{name}"),
            None => plain,
        })
    } else {
        colour
            .strip_prefix("colour")
            .filter(|index| index.parse::<u8>().is_ok())
            .map(str::to_owned)
    }
}

const fn default_colour(state: State) -> &'static str {
    match state {
        State::Blocked => "red",
        State::Error => "magenta",
        State::Working => "yellow",
        State::Done => "green",
        State::Running => "cyan",
        State::Idle | State::Unknown | State::None => "white",
    }
}

/// What a person puts into the configuration of zjstatus.
#[must_use]
pub fn snippet(widget: &Widget) -> String {
    format!(
        "// In the plugin block of zjstatus:\n\
         {widget}_format     \"{{output}}\"\n\
         {widget}_rendermode \"dynamic\"\n\
         // and {{{widget}}} wherever the lamps are to be, for example:\n\
         format_right \"{{{widget}}} {{datetime}}\"\n"
    )
}

/// Whether a plugin at this location is zjstatus.
pub(crate) fn is_zjstatus(location: &str) -> bool {
    location.contains("zjstatus")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;
    use session_core::view::GlyphSet;
    use session_core::{Counts, MachineId, Policy, Rollup, ServerRollup, Time};

    use super::*;
    use crate::facts::tests::server;

    fn snapshot(counts: Counts) -> Snapshot {
        let none: [&session_core::Session; 0] = [];
        let coverage = |_: &session_core::AgentName| session_core::manifest::Coverage::default();
        let machine = MachineId("here".into());
        let mut snapshot = session_core::snapshot(
            &machine,
            0,
            none,
            &[],
            coverage,
            &Policy::default(),
            Time(0),
        );
        let rollup = Rollup {
            state: State::Blocked,
            session: None,
            since_ms: Some(0),
            counts,
        };
        snapshot.servers.push(ServerRollup {
            server: server(),
            rollup,
            windows: BTreeMap::new(),
            mux_sessions: BTreeMap::new(),
        });
        snapshot
    }

    #[test]
    fn the_line_counts_the_states_most_urgent_first() {
        let counts = Counts {
            blocked: 1,
            working: 12,
            ..Counts::default()
        };
        let theme = Theme {
            glyphs: GlyphSet::Ascii,
            ..Theme::default()
        };
        let line = line(&Widget::default(), &snapshot(counts), &server(), &theme);
        let text = "#[fg=red]!1#[default] #[fg=yellow]~12#[default]";
        assert_eq!(line, format!("zjstatus::pipe::pipe_tally::{text}"));
    }

    #[test]
    fn a_session_without_agents_shows_nothing() {
        let line = line(
            &Widget::default(),
            &snapshot(Counts::default()),
            &server(),
            &Theme::default(),
        );
        assert_eq!(line, "zjstatus::pipe::pipe_tally::");
    }

    #[rstest]
    #[case("#a6e3a1", "#a6e3a1")]
    #[case("brightblue", "bright_blue")]
    #[case("colour245", "245")]
    #[case("a::b", "red")]
    #[case("#[bg=red]", "red")]
    fn only_colours_that_zjstatus_knows_get_into_the_text(
        #[case] colour: &str,
        #[case] shown: &str,
    ) {
        let counts = Counts {
            blocked: 1,
            ..Counts::default()
        };
        let theme = Theme {
            glyphs: GlyphSet::Ascii,
            colours: [("blocked".to_owned(), colour.to_owned())].into(),
            ..Theme::default()
        };
        assert_eq!(
            text(&snapshot(counts), &server(), &theme),
            format!("#[fg={shown}]!1#[default]")
        );
    }

    #[rstest]
    #[case("pipe_tally", true)]
    #[case("pipe_2", true)]
    #[case("pipe_", false)]
    #[case("tally", false)]
    #[case("pipe_a::b", false)]
    fn a_widget_has_a_name_that_zjstatus_takes(#[case] text: &str, #[case] ok: bool) {
        assert_eq!(text.parse::<Widget>().is_ok(), ok);
    }
}

//! The constant formats: `#{E:@tally_lamp}`, `#{E:@tally_summary}` and `#{E:@tally_border}`.
//!
//! `E:` expands an option and would run what it holds (facts §8), so these options hold nothing but text of ours,
//! validated colours and references to the published options, which are themselves never expanded.
//!
//! The formats keep to what tmux 3.2 knows: no else-if, and one condition a state, side by side rather than nested.
//! Styles stand one by one, as `#[fg=red]#[bold]`: a comma would have to be `#,` inside a condition and `,` outside.

use session_core::State;
use session_core::view::glyph;

use super::theme::Theme;
use crate::options::option_name;
use crate::publish::{COUNTED, MACHINE_COUNTS, SERVER_COUNTS, WINDOW, WINDOW_SINCE};

/// The lamp of a window, with a blank before it; for `window-status-format` and `window-status-current-format`.
pub const LAMP: &str = option_name!("lamp");
/// The counts of the server; for `status-right` or `status-left`.
pub const SUMMARY: &str = option_name!("summary");
/// The lamp of a pane, with a blank before it; for `pane-border-format`.
pub const BORDER: &str = option_name!("border");

/// Whether the client has no room for words: tmux cuts the right of the status line at its left, where the most urgent
/// count stands.
const NARROW: &str = "#{&&:#{client_width},#{e|<|:#{client_width},90}}";
/// Whether it has not even room for blanks: all counts of one digit have to stand beside the name of a mux session.
const TIGHT: &str = "#{&&:#{client_width},#{e|<|:#{client_width},60}}";

/// A dark ground on tmux's own green status line: half of all colours cannot be read on that.
const GROUND: &str = "#{?#{m:*bg=green*,#{status-style}},#[bg=black],}";

/// The states that have a lamp.
const LIT: [State; 7] = [
    State::Blocked,
    State::Error,
    State::Working,
    State::Done,
    State::Running,
    State::Idle,
    State::Unknown,
];

/// The formats by option name.
#[must_use]
pub fn formats(theme: &Theme) -> [(&'static str, String); 3] {
    [
        (LAMP, lamp(theme)),
        (SUMMARY, summary(theme)),
        (BORDER, border(theme)),
    ]
}

/// What stands in a format of the person's to show one of ours.
#[must_use]
pub fn reference(option: &str) -> String {
    format!("#{{E:{option}}}")
}

fn lamp(theme: &Theme) -> String {
    LIT.into_iter()
        .map(|state| {
            let age = if state == State::Blocked {
                format!(" {}", age(WINDOW_SINCE))
            } else {
                String::new()
            };
            let lamp = painted(
                theme,
                state,
                &format!("{}{age}", glyph(theme.look.glyphs, state)),
            );
            when_state(WINDOW, state, &format!(" {GROUND}{lamp}"))
        })
        .collect()
}

fn border(theme: &Theme) -> String {
    let pane = option_name!("pane");
    LIT.into_iter()
        .map(|state| {
            let words = match state {
                State::Blocked => format!(
                    "{} {state} {}",
                    glyph(theme.look.glyphs, state),
                    age(option_name!("since"))
                ),
                _ => format!("{} {state}", glyph(theme.look.glyphs, state)),
            };
            when_state(pane, state, &format!(" {}", painted(theme, state, &words)))
        })
        .collect()
}

fn summary(theme: &Theme) -> String {
    let mut format = String::new();
    let mut before: Option<String> = None;
    let counted = theme.urgency.iter().filter_map(|state| {
        let index = COUNTED.iter().position(|counted| counted == state)?;
        SERVER_COUNTS.get(index).map(|name| (*state, *name))
    });
    for (state, count) in counted {
        let count = format!("#{{{count}}}");
        let gap = before.as_deref().map(gap).unwrap_or_default();
        let word = format!("#{{?{NARROW},, {state}}}");
        let blank = format!("#{{?{TIGHT},, }}");
        let words = painted(
            theme,
            state,
            &format!("{}{blank}{count}{word}", glyph(theme.look.glyphs, state)),
        );
        format.push_str(&when(&count, &format!("{gap}{GROUND}{words}")));
        before = Some(match before {
            Some(any) => format!("#{{||:{any},{count}}}"),
            None => count,
        });
    }
    format + &elsewhere(theme, before.as_deref())
}

/// The blocked ones of the other servers, if there are any.
fn elsewhere(theme: &Theme, before: Option<&str>) -> String {
    let ([machine, ..], [server, ..]) = (MACHINE_COUNTS, SERVER_COUNTS);
    let others = format!("#{{e|-|:#{{{machine}}},#{{{server}}}}}");
    let gap = before.map(gap).unwrap_or_default();
    let words = format!(
        "{}#{{?{TIGHT},, }}+{others}#{{?{NARROW},, elsewhere}}",
        glyph(theme.look.glyphs, State::Blocked)
    );
    when(
        &format!("#{{e|>|:#{{{machine}}},#{{{server}}}}}"),
        &format!("{gap}{GROUND}{}", painted(theme, State::Blocked, &words)),
    )
}

/// What stands between two counts, if there is one before.
fn gap(before: &str) -> String {
    when(before, &format!(" #{{?{TIGHT},, }}"))
}

fn painted(theme: &Theme, state: State, text: &str) -> String {
    let bold = if state == State::Blocked {
        "#[bold]"
    } else {
        ""
    };
    format!("#[fg={}]{bold}{text}#[default]", theme.look.colour(state))
}

fn when_state(option: &str, state: State, then: &str) -> String {
    when(&format!("#{{==:#{{{option}}},{state}}}"), then)
}

fn when(condition: &str, then: &str) -> String {
    format!("#{{?{condition},{then},}}")
}

/// The age in one unit, as [`session_core::view::age`] puts it; counted by tmux at each `status-interval`, with no
/// process (facts §7).
fn age(since: &str) -> String {
    let age = format!("#{{e|-|:%s,#{{{since}}}}}");
    let unit = |secs: u32, unit: char| format!("#{{e|/|:{age},{secs}}}{unit}");
    let below = |limit: u32, then: &str, otherwise: &str| {
        format!("#{{?#{{e|<|:{age},{limit}}},{then},{otherwise}}}")
    };
    let hours = below(86_400, &unit(3_600, 'h'), &unit(86_400, 'd'));
    below(
        60,
        &format!("{age}s"),
        &below(3_600, &unit(60, 'm'), &hours),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use session_core::view::GlyphSet;
    use session_host::config::{Colour, Look};

    use super::*;

    #[test]
    fn case_g1_no_format_runs_a_command() {
        for (name, format) in formats(&Theme::default()) {
            assert!(!format.contains("#("), "{name}");
            assert!(name.starts_with(option_name!("")));
            assert!(format.len() < 4_000, "{name}: {}", format.len());
        }
    }

    #[test]
    fn nothing_but_the_age_could_be_taken_for_a_date() {
        for (name, format) in formats(&Theme::default()) {
            let dates: Vec<_> = format
                .match_indices('%')
                .map(|(at, _)| &format[at..at + 2])
                .collect();
            assert!(dates.iter().all(|date| *date == "%s"), "{name}: {dates:?}");
        }
    }

    fn balanced(format: &str) -> bool {
        let mut depth = 0_i32;
        for char in format.chars() {
            match char {
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
        }
        depth == 0
    }

    proptest! {
        #[test]
        fn no_theme_can_bring_a_format_of_its_own(texts in proptest::collection::vec("\\PC{0,10}|red|#(touch x)|#\\{x\\}", 7)) {
            let mut look = Look::default();
            for (state, text) in LIT.into_iter().zip(&texts) {
                if let Ok(colour) = text.parse::<Colour>() {
                    look.set_colour(state, colour);
                }
            }
            for glyphs in [GlyphSet::Nerd, GlyphSet::Unicode, GlyphSet::Ascii] {
                look.glyphs = glyphs;
                let theme = Theme { look: look.clone(), ..Theme::default() };
                for (_, format) in formats(&theme) {
                    prop_assert!(!format.contains("#("));
                    prop_assert!(balanced(&format));
                }
            }
        }
    }
}

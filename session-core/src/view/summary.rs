//! The summary of many sessions in one line.

use super::glyph::{GlyphSet, glyph};
use super::text::width;
use crate::rollup::Counts;
use crate::state::State;

/// One part of a summary: the counted state and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The state, for its colour.
    pub state: State,
    /// The text, such as `◉ 2 blocked`.
    pub text: String,
}

/// The counted states, most urgent first, in at most `max` columns with two spaces between them: with words where
/// they fit, else as glyph and number, else only as many as fit.
#[must_use]
pub fn summary(counts: &Counts, urgency: &[State], set: GlyphSet, max: usize) -> Vec<Segment> {
    let mut states: Vec<State> = urgency
        .iter()
        .copied()
        .filter(|state| counts.of(*state) > 0)
        .collect();
    states.dedup();
    let segments = |words: bool| -> Vec<Segment> {
        states
            .iter()
            .map(|state| {
                let (glyph, count) = (glyph(set, *state), counts.of(*state));
                let text = if words {
                    format!("{glyph} {count} {state}")
                } else {
                    format!("{glyph}{count}")
                };
                Segment {
                    state: *state,
                    text,
                }
            })
            .collect()
    };
    let total = |segments: &[Segment]| {
        segments
            .iter()
            .map(|segment| width(&segment.text))
            .sum::<usize>()
            + 2 * segments.len().saturating_sub(1)
    };
    let long = segments(true);
    if total(&long) <= max {
        return long;
    }
    let mut short = segments(false);
    while total(&short) > max {
        short.pop();
    }
    short
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::state::URGENCY;

    #[rstest]
    #[case(80, "◉ 2 blocked  ⟳ 1 working  ✓ 13 done")]
    #[case(30, "◉2  ⟳1  ✓13")]
    #[case(8, "◉2  ⟳1")]
    #[case(1, "")]
    fn a_summary_gives_up_words_before_states_and_the_least_urgent_first(
        #[case] max: usize,
        #[case] line: &str,
    ) {
        let counts = Counts {
            blocked: 2,
            working: 1,
            done: 13,
            ..Counts::default()
        };
        let texts: Vec<_> = summary(&counts, &URGENCY, GlyphSet::Unicode, max)
            .into_iter()
            .map(|segment| segment.text)
            .collect();
        assert_eq!(texts.join("  "), line);
    }
}

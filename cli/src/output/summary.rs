//! All states in one line.

use session_core::view::Segment;
use session_host::config::Look;

use super::paint::Paint;

/// The space between two states.
const GAP: &str = "  ";

/// As text.
pub(crate) fn plain(segments: &[Segment]) -> String {
    segments
        .iter()
        .map(|segment| segment.text.clone())
        .collect::<Vec<_>>()
        .join(GAP)
}

/// In the colours of a terminal.
pub(crate) fn styled_for_terminal(segments: &[Segment], look: &Look) -> String {
    let paint = |segment: &Segment| Paint::new(true).state(&segment.text, segment.state, look);
    segments.iter().map(paint).collect::<Vec<_>>().join(GAP)
}

/// In the styles of tmux.
pub(crate) fn styled_for_tmux(segments: &[Segment], look: &Look) -> String {
    let paint = |segment: &Segment| {
        let text = segment.text.replace('#', "##");
        format!("#[fg={}]{text}#[default]", look.colour(segment.state))
    };
    segments.iter().map(paint).collect::<Vec<_>>().join(GAP)
}

#[cfg(test)]
mod tests {
    use session_core::State;

    use super::*;

    #[test]
    fn a_summary_is_styled_for_where_it_goes() {
        let segments = [
            Segment {
                state: State::Blocked,
                text: "◉ 2 blocked".to_owned(),
            },
            Segment {
                state: State::Done,
                text: "✓ 1 done".to_owned(),
            },
        ];
        let look = Look::default();
        assert_eq!(plain(&segments), "◉ 2 blocked  ✓ 1 done");
        assert_eq!(
            styled_for_tmux(&segments, &look),
            "#[fg=red]◉ 2 blocked#[default]  #[fg=green]✓ 1 done#[default]"
        );
        assert_eq!(
            styled_for_terminal(&segments, &look),
            "\u{1b}[1m\u{1b}[31m◉ 2 blocked\u{1b}[0m  \u{1b}[32m✓ 1 done\u{1b}[0m"
        );
    }
}

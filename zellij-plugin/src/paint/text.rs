//! Widths as zellij counts them.
//!
//! zellij gives each character its own cells, whatever it combines to: a pair that a terminal draws in two columns may
//! take four. So widths are summed up by character here, and not by grapheme as in the core.

use session_core::view;

/// The mark of a cut text.
const CUT: char = '…';

/// The columns a text takes in a zellij pane.
#[must_use]
pub fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char_columns).sum()
}

fn char_columns(char: char) -> usize {
    if char.is_ascii() {
        return 1;
    }
    view::width(char.encode_utf8(&mut [0; 4]))
}

/// Cleans a text from outside, and drops the selectors that make terminals disagree about a width (case G4).
#[must_use]
pub fn safe(text: &str, max: usize) -> String {
    view::clean(text, max)
        .chars()
        .filter(|char| !matches!(char, '\u{fe00}'..='\u{fe0f}'))
        .collect()
}

/// Cuts a text to at most `max` columns, with a mark where something is missing.
#[must_use]
pub fn cut(text: &str, max: usize) -> String {
    if columns(text) <= max {
        return text.to_owned();
    }
    let Some(room) = max.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let mut kept: String = text
        .chars()
        .take_while(|char| {
            used += char_columns(*char);
            used <= room
        })
        .collect();
    kept.truncate(kept.trim_end().len());
    kept.push(CUT);
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("plain", 5, "plain")]
    #[case("plain", 4, "pla…")]
    #[case("a lot", 3, "a…")]
    #[case("日本語", 5, "日本…")]
    #[case("日本語", 4, "日…")]
    #[case("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…")]
    #[case("abc", 1, "…")]
    #[case("abc", 0, "")]
    fn a_text_is_cut_where_a_mark_still_fits(
        #[case] text: &str,
        #[case] max: usize,
        #[case] kept: &str,
    ) {
        assert_eq!(cut(text, max), kept);
    }

    #[test]
    fn case_g4_a_pair_that_combines_takes_the_cells_of_both() {
        assert_eq!(columns("👍🏽"), 4);
        assert_eq!(safe("❤\u{fe0f} love", 20), "❤ love");
    }

    proptest! {
        #[test]
        fn what_was_cut_fits(text in "\\PC{0,20}", max in 0_usize..20) {
            prop_assert!(columns(&cut(&text, max)) <= max);
        }
    }
}

//! Text from outside: cleaned once, at the door, and cut by width.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The mark of a cut text.
const CUT: &str = "…";

/// Cleans text from an agent (design §5.12, case K3): escape sequences, control characters, bidirectional controls
/// and zero-width characters are dropped, white space becomes single spaces, and at most `max` graphemes are kept.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let mut cleaned = String::with_capacity(text.len().min(max.saturating_mul(4)));
    let mut chars = text.chars().peekable();
    let mut space = false;
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_csi(&mut chars),
            '\u{90}' | '\u{9d}' | '\u{98}' | '\u{9e}' | '\u{9f}' => skip_string(&mut chars),
            _ if char.is_whitespace() => space = true,
            _ if hidden(char) => {}
            _ => {
                if space && !cleaned.is_empty() {
                    cleaned.push(' ');
                }
                space = false;
                cleaned.push(char);
            }
        }
    }
    cut(cleaned, max)
}

fn cut(text: String, max: usize) -> String {
    match text.grapheme_indices(true).nth(max) {
        None => text,
        Some(_) if max == 0 => String::new(),
        Some(_) => {
            let end = text
                .grapheme_indices(true)
                .nth(max - 1)
                .map_or(0, |(index, _)| index);
            format!("{}{CUT}", text.get(..end).unwrap_or("").trim_end())
        }
    }
}

fn hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

type Chars<'t> = std::iter::Peekable<std::str::Chars<'t>>;

fn skip_escape(chars: &mut Chars<'_>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_csi(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            skip_string(chars);
        }
        Some(' '..='/') => {
            while chars.next_if(|char| matches!(char, ' '..='/')).is_some() {}
            chars.next_if(|char| matches!(char, '0'..='~'));
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => {}
    }
}

fn skip_csi(chars: &mut Chars<'_>) {
    while chars.next_if(|char| matches!(char, ' '..='?')).is_some() {}
    chars.next_if(|char| matches!(char, '@'..='~'));
}

/// Skips to the end of a control string, or of the line: a string that never ends must not swallow the rest.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(char) = chars.next_if(|char| *char != '\n') {
        match char {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' if chars.peek() == Some(&'\\') => {
                chars.next();
                return;
            }
            _ => {}
        }
    }
}

/// The width of a text in columns.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text to at most `max` columns, on a grapheme boundary, with a mark where something is missing.
#[must_use]
pub fn truncate(text: &str, max: usize) -> String {
    if width(text) <= max {
        return text.to_owned();
    }
    let room = max.saturating_sub(width(CUT));
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += width(grapheme);
        if used > room {
            break;
        }
        kept.push_str(grapheme);
    }
    if max >= width(CUT) {
        kept.push_str(CUT);
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("plain", "plain")]
    #[case("  a\n\tb\r\n c ", "a b c")]
    #[case("\u{1b}[31mred\u{1b}[0m", "red")]
    #[case("\u{1b}]0;title\u{7}after", "after")]
    #[case("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link")]
    #[case("a\u{202e}b\u{2066}c\u{200b}d\u{feff}", "abcd")]
    #[case("\u{9b}1mx\u{85}y\u{7f}\0z", "x yz")]
    #[case("\u{1b}(Bx", "x")]
    #[case("\u{1b}", "")]
    #[case(
        "\u{1b}]never ends\nbut the next line stays",
        "but the next line stays"
    )]
    fn case_k3_what_a_terminal_would_obey_is_dropped(#[case] text: &str, #[case] cleaned: &str) {
        assert_eq!(clean(text, 100), cleaned);
    }

    #[test]
    fn case_k3_a_cut_falls_between_graphemes() {
        assert_eq!(
            clean("e\u{301}e\u{301}e\u{301}e\u{301}", 3),
            "e\u{301}e\u{301}…"
        );
        assert_eq!(truncate("日本語", 5), "日本…");
        assert_eq!(truncate("日本語", 4), "日…");
        assert_eq!(truncate("abc", 0), "");
    }

    proptest! {
        #[test]
        fn cleaned_text_holds_no_control_and_no_more_than_was_asked(text in "\\PC*|[\\x00-\\x9f\u{202e}a]*", max in 0_usize..20) {
            let cleaned = clean(&text, max);
            prop_assert!(!cleaned.chars().any(|char| char.is_control() || hidden(char)));
            prop_assert!(cleaned.graphemes(true).count() <= max);
            prop_assert_eq!(clean(&cleaned, max), cleaned);
        }

        #[test]
        fn a_truncated_text_fits(text in "\\PC*", max in 0_usize..30) {
            prop_assert!(width(&truncate(&text, max)) <= max);
        }
    }
}

//! A layout of our own, `zellij -n tally`: the person's zellij's default with our bar in the place of its tab bar.
//!
//! Pure text. A layout that is used as a default loses zellij's built-in arrangements unless they lie beside it, so both
//! are made from what this very zellij prints as its defaults; without that, a plain one is made.

use session_host::paths::FLAVOUR;

use super::config::url;

/// The first line of a file that is ours.
const MARK: &str =
    "// tally: made by 'tally zellij install', which 'tally zellij uninstall' removes";

/// Under it, for a file that a person has changed to keep.
const KEEP: &str = "// Take these two lines away to keep a file of your own.";

/// What zellij's defaults call the bar that ours replaces.
const TAB_BARS: [&str; 2] = ["location=\"tab-bar\"", "location=\"zellij:tab-bar\""];

const PLAIN: &str = "layout {
    pane size=1 borderless=true {
        plugin location=\"tab-bar\"
    }
    pane
    pane size=1 borderless=true {
        plugin location=\"status-bar\"
    }
}
";

/// The name of the layout, without its ending.
#[must_use]
pub const fn name() -> &'static str {
    FLAVOUR
}

/// The layout, made from zellij's default one if that is known.
#[must_use]
pub fn layout(default: Option<&str>, plugin: &str) -> String {
    let with_bar = default.and_then(|text| with_our_bar(text, plugin));
    let text = with_bar
        .or_else(|| with_our_bar(PLAIN, plugin))
        .unwrap_or_default();
    format!("{MARK}\n{KEEP}\n{text}")
}

/// The arrangements beside it, made from zellij's default ones; `None` where they are not known.
#[must_use]
pub fn swap_layout(default: &str, plugin: &str) -> Option<String> {
    let text = with_our_bar(default, plugin)?;
    Some(format!("{MARK}\n{KEEP}\n{text}"))
}

/// Whether a file is ours, and not one that a person keeps.
#[must_use]
pub fn is_ours(text: &str) -> bool {
    text.lines().next() == Some(MARK)
}

/// The text with our bar for each tab bar; `None` when it has none, or could not be read.
fn with_our_bar(text: &str, plugin: &str) -> Option<String> {
    let ours = format!("location=\"{}\"", url(plugin));
    let mut changed = text.to_owned();
    for bar in TAB_BARS {
        let settings = settings();
        changed = changed.replace(
            &format!("plugin {bar}"),
            &format!("plugin {ours}{settings}"),
        );
    }
    let parses = changed.parse::<kdl::KdlDocument>().is_ok();
    (changed != text && parses).then_some(if changed.ends_with('\n') {
        changed
    } else {
        changed + "\n"
    })
}

/// What the plugin is told: a debug build talks to its own daemon.
const fn settings() -> &'static str {
    if cfg!(debug_assertions) {
        " { flavour \"dev\"; }"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLUGIN: &str = "/home/me/tally.wasm";

    #[test]
    fn our_bar_takes_the_place_of_the_tab_bar() {
        let text = layout(Some(PLAIN), PLUGIN);
        assert!(is_ours(&text));
        assert!(
            text.contains("plugin location=\"file:/home/me/tally.wasm\""),
            "{text}"
        );
        assert!(text.contains("plugin location=\"status-bar\""));
        assert!(!text.contains("tab-bar"));
        assert_eq!(layout(None, PLUGIN), text);
        assert_eq!(layout(Some("layout {\n    pane\n}\n"), PLUGIN), text);
        assert_eq!(layout(Some("layout {"), PLUGIN), text);
    }

    #[test]
    fn the_arrangements_carry_our_bar_too() {
        let swap = "tab_template name=\"ui\" {\n   pane size=1 {\n       plugin location=\"zellij:tab-bar\"\n   }\n   children\n}\n";
        let text = swap_layout(swap, PLUGIN).unwrap();
        assert!(text.contains("file:/home/me/tally.wasm") && text.contains("children"));
        assert_eq!(swap_layout("nothing { known; }\n", PLUGIN), None);
    }

    #[test]
    fn a_file_without_our_first_line_is_the_persons() {
        assert!(!is_ours("layout {\n}\n"));
        assert!(!is_ours(""));
        assert!(!is_ours(&format!("// mine\n{MARK}\n")));
    }
}

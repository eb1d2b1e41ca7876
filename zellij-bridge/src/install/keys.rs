//! The key in the person's `config.kdl` that opens the picker in a floating pane.
//!
//! Pure text, as the alias is: the file is read by the parser that zellij uses, the change is an insertion of lines that
//! carry a mark, and they go with it.

use kdl::{KdlDocument, KdlNode};

use super::config::{ConfigError, parse};

/// What marks our lines.
const MARK: &str =
    "tally: key added by 'tally zellij install --keys', which 'tally zellij uninstall' undoes";

/// The text with a key that runs the picker of the program at a path of plain text.
///
/// # Errors
/// When in doubt, and when the person has bound the key; the file is then to be left alone.
pub fn install(text: &str, program: &str, key: &str) -> Result<String, ConfigError> {
    let plain = |text: &str| {
        !text.is_empty()
            && !text
                .chars()
                .any(|char| char.is_control() || "\"\\".contains(char))
    };
    if !plain(program) || !plain(key) {
        return Err(ConfigError::Key(key.chars().take(32).collect()));
    }
    let bare = uninstall(text)?;
    let document = parse(&bare)?;
    if is_bound(&document, key) {
        return Err(ConfigError::Bound(key.to_owned()));
    }
    let eol = if bare.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = format!(
        "shared {{ bind \"{key}\" {{ Run \"{program}\" \"pick\" {{ floating true; close_on_exit true; name \"agents\"; }}; }}; }} // {MARK}"
    );
    let installed = match document.get("keybinds") {
        None => {
            let block = format!("keybinds {{ // {MARK}{eol}    {entry}{eol}}} // {MARK}");
            if bare.is_empty() || bare.ends_with('\n') {
                format!("{bare}{block}{eol}")
            } else {
                // A file without a final line break ends without one again, which tells what to take back.
                format!("{bare}{eol}{block}")
            }
        }
        Some(block) => {
            let inside = block.children().ok_or(ConfigError::Keys)?.span().offset();
            let (before, after) = bare.split_at_checked(inside).ok_or(ConfigError::Keys)?;
            let end = after.find('\n').map(|end| end + 1);
            match end.and_then(|end| after.split_at_checked(end)) {
                Some((rest, next))
                    if rest.trim().is_empty() || rest.trim_start().starts_with("//") =>
                {
                    format!("{before}{rest}    {entry}{eol}{next}")
                }
                _ => return Err(ConfigError::Keys),
            }
        }
    };
    let right = parse(&installed).is_ok_and(|document| is_bound(&document, key));
    if right && uninstall(&installed).as_deref() == Ok(bare.as_str()) {
        Ok(installed)
    } else {
        Err(ConfigError::Keys)
    }
}

/// The text without our key: what it was before [`install`], to the byte.
///
/// # Errors
/// When what is left could not be read.
pub fn uninstall(text: &str) -> Result<String, ConfigError> {
    let end = format!("// {MARK}");
    let is_ours = |line: &&str| line.trim_end().ends_with(&end);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Our own block goes only when it holds nothing but our line.
    let whole_block = lines.windows(3).any(|lines| {
        lines.iter().all(is_ours)
            && lines
                .first()
                .is_some_and(|line| line.starts_with("keybinds {"))
            && lines.last().is_some_and(|line| line.starts_with('}'))
    });
    let mut kept = String::with_capacity(text.len());
    for line in &lines {
        let goes = is_ours(line) && (whole_block || line.trim_start().starts_with("shared {"));
        if !goes {
            kept.push_str(line);
        } else if !line.ends_with('\n') && kept.ends_with('\n') {
            let end = if kept.ends_with("\r\n") { 2 } else { 1 };
            kept.truncate(kept.len() - end);
        }
    }
    parse(&kept).map_err(|_| ConfigError::Keys)?;
    Ok(kept)
}

/// Whether our key is there.
#[must_use]
pub fn is_installed(text: &str) -> bool {
    text.contains(&format!("// {MARK}"))
}

/// Whether any mode has a binding of the key.
fn is_bound(document: &KdlDocument, key: &str) -> bool {
    let is_key = |node: &KdlNode| {
        let mut keys = node
            .entries()
            .iter()
            .filter_map(|entry| entry.value().as_string());
        node.name().value() == "bind" && keys.any(|known| known == key)
    };
    let modes = document.get("keybinds").and_then(KdlNode::children);
    modes.is_some_and(|modes| {
        let mut binds = modes
            .nodes()
            .iter()
            .filter_map(KdlNode::children)
            .flat_map(KdlDocument::nodes);
        binds.any(is_key)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const TALLY: &str = "/home/me/.cargo/bin/tally";

    #[rstest]
    #[case("")]
    #[case("\n")]
    #[case("theme \"x\"")]
    #[case("theme \"x\"\n// the end")]
    #[case("keybinds {\n    normal { bind \"Alt n\" { NewPane; }; }\n}\n")]
    #[case(
        "keybinds clear-defaults=true { // mine\r\n    shared { bind \"Alt b\" { Quit; }; }\r\n}"
    )]
    #[case("keybinds {\n}")]
    fn the_key_is_there_and_the_text_comes_back_to_the_byte(#[case] text: &str) {
        let once = install(text, TALLY, "Alt a").unwrap();
        assert!(is_installed(&once));
        assert!(is_bound(&parse(&once).unwrap(), "Alt a"), "{once}");
        assert_eq!(install(&once, TALLY, "Alt a").unwrap(), once);
        assert_eq!(uninstall(&once).unwrap(), text);
    }

    #[test]
    fn it_stands_beside_the_alias_and_neither_takes_the_other() {
        let text = "theme \"x\"\n";
        let alias = super::super::config::install(text, "/p/tally.wasm").unwrap();
        let both = install(&alias, TALLY, "Alt a").unwrap();
        assert_eq!(uninstall(&both).unwrap(), alias);
        let key = super::super::config::uninstall(&both).unwrap();
        assert_eq!(uninstall(&key).unwrap(), text);
    }

    #[rstest]
    #[case(
        "keybinds {\n  shared { bind \"Alt b\" \"Alt a\" { Quit; }; }\n}\n",
        "Alt a"
    )]
    #[case("keybinds { shared { bind \"Alt b\" { Quit; }; }; }\n", "Alt a")]
    #[case("keybinds\n", "Alt a")]
    #[case("theme {\n", "Alt a")]
    #[case("", "\"")]
    fn case_e3_in_doubt_the_text_is_left_alone(#[case] text: &str, #[case] key: &str) {
        assert!(install(text, TALLY, key).is_err());
    }
}

//! The grant in zellij's own file of permissions: what the person would say to the prompt, said beforehand.
//!
//! Pure text. An entry is named by the plugin's path and lists what was granted. zellij rewrites the whole file whenever a
//! plugin that is listed starts, and not at once (facts §2); hence the care with sessions that are starting.

use kdl::{KdlDocument, KdlNode};

/// All that the plugin ever asks for. A set that changes would ask every person again.
pub const PERMISSIONS: [&str; 3] = [
    "ReadApplicationState",
    "ChangeApplicationState",
    "ReadCliPipes",
];

/// The file cannot be read: zellij itself would begin a new one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be read as KDL: {0}")]
pub struct Unreadable(String);

/// The text with the grant for the plugin at this path. Other entries keep their bytes.
///
/// # Errors
/// When the text cannot be read.
pub fn grant(text: &str, plugin: &str) -> Result<String, Unreadable> {
    if is_granted(text, plugin)? {
        return Ok(text.to_owned());
    }
    let mut granted = revoke(text, plugin)?;
    if !granted.is_empty() && !granted.ends_with('\n') {
        granted.push('\n');
    }
    let permissions: String = PERMISSIONS
        .iter()
        .map(|name| format!("    {name}\n"))
        .collect();
    granted.push_str(&format!("{} {{\n{permissions}}}\n", KdlNode::new(plugin)));
    if !is_granted(&granted, plugin)? {
        return Err(Unreadable("the grant would not be understood".to_owned()));
    }
    Ok(granted)
}

/// The text without any entry for the plugin at this path. Other entries keep their bytes.
///
/// # Errors
/// When the text cannot be read.
pub fn revoke(text: &str, plugin: &str) -> Result<String, Unreadable> {
    let document = parse(text)?;
    let mut rest = text.to_owned();
    for node in document
        .nodes()
        .iter()
        .rev()
        .filter(|node| node.name().value() == plugin)
    {
        let (begin, len) = (node.span().offset(), node.span().len());
        let end = begin + len;
        // The line break behind it is its own.
        let own = rest
            .get(end..)
            .and_then(|after| after.split_inclusive('\n').next())
            .filter(|line| line.trim().is_empty());
        let end = end + own.map_or(0, str::len);
        if rest.is_char_boundary(begin) && rest.is_char_boundary(end) {
            rest.replace_range(begin..end, "");
        }
    }
    let left = parse(&rest)?;
    if left
        .nodes()
        .iter()
        .any(|node| node.name().value() == plugin)
    {
        return Err(Unreadable("the entry could not be taken out".to_owned()));
    }
    Ok(rest)
}

/// Whether everything is granted to the plugin at this path. Of several entries the last one counts.
///
/// # Errors
/// When the text cannot be read.
pub fn is_granted(text: &str, plugin: &str) -> Result<bool, Unreadable> {
    let document = parse(text)?;
    let entry = document
        .nodes()
        .iter()
        .rfind(|node| node.name().value() == plugin);
    let Some(granted) = entry.and_then(KdlNode::children) else {
        return Ok(false);
    };
    Ok(PERMISSIONS.iter().all(|name| granted.get(name).is_some()))
}

fn parse(text: &str) -> Result<KdlDocument, Unreadable> {
    text.parse()
        .map_err(|error: kdl::KdlError| Unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLUGIN: &str = "/home/me/.local/share/tally/tally.wasm";
    const OTHER: &str =
        "\"/home/me/zjstatus.wasm\" {\n    ReadApplicationState\n    RunCommands\n}\n";

    #[test]
    fn the_grant_is_added_and_the_others_keep_their_bytes() {
        let granted = grant(OTHER, PLUGIN).unwrap();
        let ours = "\"/home/me/.local/share/tally/tally.wasm\" {\n    ReadApplicationState\n    ChangeApplicationState\n    ReadCliPipes\n}\n";
        assert_eq!(granted, format!("{OTHER}{ours}"));
        assert_eq!(grant("", PLUGIN).unwrap(), ours);
        assert!(is_granted(&granted, PLUGIN).unwrap());
        assert_eq!(grant(&granted, PLUGIN).unwrap(), granted);
        assert_eq!(revoke(&granted, PLUGIN).unwrap(), OTHER);
    }

    #[test]
    fn a_denial_and_a_smaller_grant_are_replaced() {
        let denied = format!("\"{PLUGIN}\" {{\n}}\n{OTHER}");
        assert!(!is_granted(&denied, PLUGIN).unwrap());
        let granted = grant(&denied, PLUGIN).unwrap();
        assert!(granted.starts_with(OTHER));
        assert!(is_granted(&granted, PLUGIN).unwrap());
        let more = format!("{granted}\"{PLUGIN}\" {{\n    ReadCliPipes\n}}\n");
        assert!(!is_granted(&more, PLUGIN).unwrap(), "the last entry counts");
        assert!(is_granted(&grant(&more, PLUGIN).unwrap(), PLUGIN).unwrap());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        assert!(grant("\"/x\" {\n", PLUGIN).is_err());
        assert!(revoke("{", PLUGIN).is_err());
    }
}

//! The difference between two texts.

use std::path::Path;

use session_core::view::clean;
use similar::TextDiff;

/// What `diff -u` would print; nothing where there is no difference. A file that is not there is `/dev/null`.
pub(super) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    // A name is one line, whatever it holds.
    let name = clean(&path.display().to_string(), 4096);
    let name = |text: Option<&str>| text.map_or("/dev/null", |_| name.as_str());
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    diff.unified_diff()
        .header(name(before), name(after))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_told_line_by_line() {
        let path = Path::new("/h/a");
        assert_eq!(
            unified(path, Some("1\n2"), Some("1\n3\n")),
            "--- /h/a\n+++ /h/a\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n"
        );
        assert_eq!(
            unified(path, None, Some("1\n")),
            "--- /dev/null\n+++ /h/a\n@@ -0,0 +1 @@\n+1\n"
        );
        assert_eq!(unified(path, Some("1\n"), Some("1\n")), "");
    }
}

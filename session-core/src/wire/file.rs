//! Where the newest picture of a zellij server lies for instances that are just loaded.
//!
//! zellij shows each plugin its own temporary folder as `/tmp`, without any permission. On the outside that is
//! `<TMPDIR>/zellij-<uid>`, mode 0700, with the *server's* `TMPDIR` (or the system's folder for temporary files where that
//! is not set). The daemon reads the variable from the server's environment or takes it from
//! [`Hello::tmpdir`](super::Hello::tmpdir). It makes the folder below it with mode 0700, refuses one that is not its own, writes the
//! file beside its place and renames it, and removes it when the server has ended.

use super::Flavour;

/// The file below zellij's temporary folder: `tally/4711.json` for the server with that process id.
#[must_use]
pub fn below_zellij_tmp(flavour: Flavour, server_pid: u32) -> String {
    format!("{}/{server_pid}.json", flavour.prefix())
}

/// The same file as the plugin sees it.
#[must_use]
pub fn in_plugin(flavour: Flavour, server_pid: u32) -> String {
    format!("/tmp/{}", below_zellij_tmp(flavour, server_pid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_has_its_own_file_and_each_flavour_its_own_folder() {
        assert_eq!(in_plugin(Flavour::Release, 7), "/tmp/tally/7.json");
        assert_eq!(below_zellij_tmp(Flavour::Dev, 7), "tally-dev/7.json");
    }
}

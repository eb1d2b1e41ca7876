//! zellij's servers among the processes.

use std::path::PathBuf;

/// The socket that a process serves, when it is the server of a zellij session: `zellij --server PATH`.
///
/// Its last part is the session's first name, and stays so for the life of the process, whatever the session is called
/// later. No variable of a pane names the process.
#[must_use]
pub fn zellij_socket(comm: &str, argv: &[String]) -> Option<PathBuf> {
    if !comm.starts_with("zellij") {
        return None;
    }
    let mut words = argv
        .iter()
        .skip(1)
        .skip_while(|word| *word != "--server")
        .skip(1);
    words
        .next()
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "zellij",
        "zellij --server /run/zellij/contract_version_1/work",
        Some("/run/zellij/contract_version_1/work")
    )]
    #[case("zellij", "/usr/bin/zellij --debug --server /a/b/c", Some("/a/b/c"))]
    #[case("zellij-0.45", "zellij --server /a/b/c", Some("/a/b/c"))]
    #[case("zellij", "zellij attach work", None)]
    #[case("zellij", "zellij --server", None)]
    #[case("zellij", "zellij --server work", None)]
    #[case("bash", "bash --server /a/b/c", None)]
    fn a_server_tells_its_socket(
        #[case] comm: &str,
        #[case] argv: &str,
        #[case] socket: Option<&str>,
    ) {
        let argv: Vec<String> = argv.split(' ').map(str::to_owned).collect();
        assert_eq!(zellij_socket(comm, &argv), socket.map(PathBuf::from));
    }
}

//! The sockets that may have a server.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use session_host::env::Env;

use super::socket::{is_trusted, is_trusted_folder};
use super::world::World;
use crate::processes::{TmuxProcess, tmux_processes};

/// More sockets than that in one folder are not somebody's servers.
const MOST: usize = 256;

/// The folder in which tmux keeps the user's sockets.
pub(super) fn folder(env: &Env) -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    // tmux takes `/tmp` when the folder that is named is not there.
    let base = env.path("TMUX_TMPDIR").filter(|base| base.is_dir()).unwrap_or_else(|| PathBuf::from("/tmp"));
    base.join(format!("tmux-{user}"))
}

/// The sockets in the user's folder, each once; blocking.
pub(crate) fn sockets(env: &Env) -> Vec<PathBuf> {
    distinct(sockets_in(&folder(env)))
}

/// These, and the sockets that the process table tells of; blocking.
pub(crate) fn candidates(env: &Env, world: &World) -> Vec<PathBuf> {
    let mut sockets = sockets_in(&folder(env));
    let processes = tmux_processes().filter(|process| process.env.as_ref().is_none_or(|env| world.has(env)));
    sockets.extend(processes.filter_map(|process| socket_of(&process, env)).filter(|socket| is_trusted(socket)));
    distinct(sockets)
}

/// The same socket may be named in more than one way.
fn distinct(sockets: Vec<PathBuf>) -> Vec<PathBuf> {
    let sockets: BTreeSet<PathBuf> =
        sockets.into_iter().map(|socket| socket.canonicalize().unwrap_or(socket)).collect();
    sockets.into_iter().collect()
}

fn sockets_in(folder: &Path) -> Vec<PathBuf> {
    if !is_trusted_folder(folder) {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|socket| is_trusted(socket)).take(MOST).collect()
}

/// The socket that a tmux process was started for.
fn socket_of(process: &TmuxProcess, env: &Env) -> Option<PathBuf> {
    match address(&process.argv) {
        Address::Path(path) => {
            let path = Path::new(path);
            if path.is_absolute() { Some(path.to_owned()) } else { Some(process.cwd.as_ref()?.join(path)) }
        }
        Address::Name(name) => Some(folder(process.env.as_ref().unwrap_or(env)).join(name)),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Address<'a> {
    Path(&'a OsStr),
    Name(&'a OsStr),
}

/// Reads `-S PATH` and `-L NAME` from tmux's own options, which end where its command begins.
fn address<S: AsRef<OsStr>>(argv: &[S]) -> Address<'_> {
    let mut found = Address::Name(OsStr::new("default"));
    let mut words = argv.iter().skip(1).map(AsRef::as_ref);
    while let Some(word) = words.next() {
        let Some(flags) = word.as_bytes().strip_prefix(b"-").filter(|flags| !flags.is_empty()) else { break };
        if flags == b"-" {
            break;
        }
        let Some(at) = flags.iter().position(|flag| b"LScfT".contains(flag)) else { continue };
        let attached = OsStr::from_bytes(flags.get(at + 1..).unwrap_or_default());
        let value = if attached.is_empty() { words.next() } else { Some(attached) };
        let Some(value) = value.filter(|value| !value.is_empty()) else { break };
        match flags.get(at) {
            Some(b'S') => return Address::Path(value),
            Some(b'L') if !value.as_bytes().contains(&b'/') => found = Address::Name(value),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["tmux"], Address::Name(OsStr::new("default")))]
    #[case(&["tmux", "attach", "-S", "x"], Address::Name(OsStr::new("default")))]
    #[case(&["tmux", "-L", "work"], Address::Name(OsStr::new("work")))]
    #[case(&["tmux", "-uLwork", "new"], Address::Name(OsStr::new("work")))]
    #[case(&["tmux", "-2u", "-f", "/c", "-S", "/s", "new"], Address::Path(OsStr::new("/s")))]
    #[case(&["tmux", "-S/s"], Address::Path(OsStr::new("/s")))]
    #[case(&["tmux", "-L", "work", "-S", "/s"], Address::Path(OsStr::new("/s")))]
    #[case(&["tmux", "-f", "-S", "new"], Address::Name(OsStr::new("default")))]
    #[case(&["tmux", "--", "-S", "/s"], Address::Name(OsStr::new("default")))]
    #[case(&["tmux", "-S"], Address::Name(OsStr::new("default")))]
    fn case_b6_a_process_tells_its_socket(#[case] argv: &[&str], #[case] wanted: Address<'_>) {
        assert_eq!(address(argv), wanted);
    }

    #[test]
    fn case_k5_a_folder_that_others_may_write_to_is_not_looked_into() {
        use std::os::unix::fs::PermissionsExt;
        let base = tempfile::tempdir().unwrap();
        let env: Env = [("TMUX_TMPDIR", base.path())].into_iter().collect();
        let folder = folder(&env);
        std::fs::create_dir(&folder).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(folder.join("s")).unwrap();
        let open = |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
        open(0o700);
        assert_eq!(sockets_in(&folder).len(), 1);
        open(0o777);
        assert_eq!(sockets_in(&folder).len(), 0);
        let link = base.path().join("link");
        open(0o700);
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert_eq!(sockets_in(&link).len(), 0, "a link is not followed");
    }
}

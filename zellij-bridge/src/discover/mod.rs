//! Finds the user's zellij sessions, without configuration.
//!
//! A session is a server process and a socket file. The process is what it *is*: it keeps its number and its command
//! line for life. The file's name is what it is *called*: renaming a session renames its file (facts §3). Which file
//! belongs to which process is asked of the kernel, since a command line keeps the first name for ever.

mod peer;
mod servers;
mod sockets;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use session_core::{Mux, ProcessRef, ServerId};
use session_host::env::Env;
use session_host::process::ProcessTable;

pub(crate) use servers::is_server;
use servers::{ServerProcess, server_processes};
pub(crate) use sockets::folders;
use sockets::{SocketFile, SocketKey, socket_files};

/// A live session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its server, for the life of it: the socket in it is the session's *first* name.
    pub server: ServerId,
    /// The server's process.
    pub process: ProcessRef,
    /// What the session is called now; `None` when its socket is gone, so that nobody can reach it.
    pub name: Option<String>,
    /// The folder to name in `ZELLIJ_SOCKET_DIR`.
    pub sockets: PathBuf,
    /// The program the server runs, as far as the system tells.
    pub program: Option<PathBuf>,
}

/// Finds sessions, and remembers which socket file belongs to which process, so that each server is asked once.
#[derive(Debug, Default)]
pub struct Finder {
    owners: HashMap<SocketKey, u32>,
}

impl Finder {
    /// All live sessions of the user. Blocking.
    #[must_use]
    pub fn find(&mut self, env: &Env, processes: &dyn ProcessTable) -> Vec<Found> {
        self.find_among(
            &server_processes(processes),
            env,
            processes,
            &peer::listener,
        )
    }

    fn find_among(
        &mut self,
        servers: &[ServerProcess],
        env: &Env,
        processes: &dyn ProcessTable,
        listener: &dyn Fn(&Path) -> Option<u32>,
    ) -> Vec<Found> {
        let folders = folders(
            env,
            servers.iter().filter_map(|server| server.socket.parent()),
        );
        let files = socket_files(&folders);
        self.owners.retain(|key, pid| {
            files.iter().any(|file| file.key == *key)
                && servers.iter().any(|server| server.stat.pid == *pid)
        });
        let mut called: HashMap<u32, &SocketFile> = HashMap::new();
        for file in &files {
            let owner = self.owners.get(&file.key).copied().or_else(|| {
                let owner = owner(file, servers, listener)?;
                self.owners.insert(file.key, owner);
                Some(owner)
            });
            if let Some(owner) = owner {
                called.insert(owner, file);
            }
        }
        servers
            .iter()
            .filter_map(|server| {
                let file = called.get(&server.stat.pid);
                let path = file.map_or(server.socket.as_path(), |file| file.path.as_path());
                Some(Found {
                    server: server_id(server, processes)?,
                    process: server.stat.reference(),
                    name: file.and_then(|file| file.path.file_name()?.to_str().map(str::to_owned)),
                    sockets: path.parent()?.parent()?.to_owned(),
                    program: processes.exe(server.stat.pid),
                })
            })
            .collect()
    }
}

/// The process that listens on a socket file. Where the kernel does not tell, the command line with that very path,
/// when it is the only one.
fn owner(
    file: &SocketFile,
    servers: &[ServerProcess],
    listener: &dyn Fn(&Path) -> Option<u32>,
) -> Option<u32> {
    if let Some(pid) = listener(&file.path) {
        return servers
            .iter()
            .any(|server| server.stat.pid == pid)
            .then_some(pid);
    }
    if cfg!(target_os = "linux") {
        return None;
    }
    let mut named = servers.iter().filter(|server| server.socket == file.path);
    let first = named.next()?;
    named.next().is_none().then_some(first.stat.pid)
}

fn server_id(server: &ServerProcess, processes: &dyn ProcessTable) -> Option<ServerId> {
    Some(ServerId {
        mux: Mux::Zellij,
        socket: server.socket.file_name()?.to_str()?.to_owned(),
        pid: server.stat.pid,
        started: processes.started_epoch(&server.stat).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use session_host::process::FakeProcesses;

    use super::*;

    struct Scene {
        folder: tempfile::TempDir,
        table: FakeProcesses,
        env: Env,
        finder: Finder,
    }

    impl Scene {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("contract_version_1")).unwrap();
            let base = folder.path().to_str().unwrap().to_owned();
            let env = [
                ("ZELLIJ_SOCKET_DIR", base.as_str()),
                ("XDG_RUNTIME_DIR", "/nowhere"),
                ("TMPDIR", "/nowhere"),
            ];
            let env = env.into_iter().collect();
            Self {
                folder,
                table: FakeProcesses::default(),
                env,
                finder: Finder::default(),
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join("contract_version_1").join(name)
        }

        fn server(&mut self, pid: u32, first_name: &str) {
            let path = self.path(first_name);
            let table = std::mem::take(&mut self.table);
            self.table = table.with(
                pid,
                1,
                &format!("/usr/bin/zellij --server {}", path.display()),
            );
        }

        fn find(
            &mut self,
            pids: &[u32],
            listener: &dyn Fn(&Path) -> Option<u32>,
        ) -> Vec<(Option<String>, String, u32)> {
            let servers: Vec<_> = pids
                .iter()
                .filter_map(|pid| servers::server(&self.table, *pid))
                .collect();
            let found = self
                .finder
                .find_among(&servers, &self.env, &self.table, listener);
            let base = self.folder.path().to_owned();
            found
                .into_iter()
                .map(|found| {
                    assert_eq!(found.sockets, base);
                    assert_eq!(found.server.started, i64::from(found.server.pid));
                    (found.name, found.server.socket, found.server.pid)
                })
                .collect()
        }
    }

    fn called(name: &str, first: &str, pid: u32) -> (Option<String>, String, u32) {
        (Some(name.to_owned()), first.to_owned(), pid)
    }

    #[test]
    fn a_rename_changes_what_a_session_is_called_and_not_what_it_is() {
        let mut scene = Scene::new();
        let _listener = UnixListener::bind(scene.path("work")).unwrap();
        scene.server(7, "work");
        let listener = |_: &Path| Some(7);
        assert_eq!(scene.find(&[7], &listener), [called("work", "work", 7)]);
        std::fs::rename(scene.path("work"), scene.path("play")).unwrap();
        assert_eq!(scene.find(&[7], &listener), [called("play", "work", 7)]);
    }

    #[test]
    fn a_new_session_with_the_first_name_of_a_renamed_one_is_told_apart() {
        let mut scene = Scene::new();
        let _first = UnixListener::bind(scene.path("play")).unwrap();
        let _second = UnixListener::bind(scene.path("work")).unwrap();
        scene.server(7, "work");
        scene.server(9, "work");
        let listener = |path: &Path| Some(if path.ends_with("play") { 7 } else { 9 });
        assert_eq!(
            scene.find(&[7, 9], &listener),
            [called("play", "work", 7), called("work", "work", 9)]
        );
    }

    #[test]
    fn each_socket_is_asked_once() {
        let mut scene = Scene::new();
        let _listener = UnixListener::bind(scene.path("work")).unwrap();
        scene.server(7, "work");
        let asked = std::cell::Cell::new(0);
        let listener = |_: &Path| {
            asked.set(asked.get() + 1);
            Some(7)
        };
        for _ in 0..3 {
            assert_eq!(scene.find(&[7], &listener).len(), 1);
        }
        assert_eq!(asked.get(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_leftover_socket_is_no_session_and_a_server_without_a_socket_has_no_name() {
        let mut scene = Scene::new();
        drop(UnixListener::bind(scene.path("dead")).unwrap());
        assert_eq!(scene.find(&[], &peer::listener), []);
        scene.server(7, "work");
        assert_eq!(
            scene.find(&[7], &peer::listener),
            [(None, "work".to_owned(), 7)]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_says_who_listens() {
        let scene = Scene::new();
        let listener = UnixListener::bind(scene.path("work")).unwrap();
        assert_eq!(
            peer::listener(&scene.path("work")),
            Some(std::process::id())
        );
        drop(listener);
        assert_eq!(peer::listener(&scene.path("work")), None);
    }

    #[test]
    fn files_and_links_are_no_sockets() {
        let mut scene = Scene::new();
        std::fs::File::create(scene.path("file")).unwrap();
        let _listener = UnixListener::bind(scene.path("work")).unwrap();
        std::os::unix::fs::symlink(scene.path("work"), scene.path("link")).unwrap();
        scene.server(7, "work");
        assert_eq!(scene.find(&[7], &|_| Some(7)), [called("work", "work", 7)]);
    }
}

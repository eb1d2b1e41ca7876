//! Finds the user's zellij sessions, without configuration.
//!
//! A session is a server process and a socket file. The process is what it *is*: it keeps its number and its command
//! line for life. The file's name is what it is *called*: renaming a session renames its file (facts §3). Which file
//! belongs to which process is asked of the kernel, since a command line keeps the first name for ever.
//!
//! To be asked, the kernel wants a connection, and a server that is still starting can die of one that comes and goes.
//! So a young socket is taken for that of the server which was started on its path at that time, and asked later.

mod peer;
mod servers;
mod sockets;
mod world;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use session_core::{Mux, ProcessRef, ServerId, Time};
use session_host::env::Env;
use session_host::process::ProcessTable;

use crate::zellij::{Address, Zellij};

pub(crate) use servers::zellij_processes;
use servers::{ServerProcess, server_processes};
use sockets::{SocketFile, SocketKey, socket_files};
pub(crate) use sockets::{bases, folders};
use world::is_ours;
pub(crate) use world::same_store;

/// How old a socket must be for its server to be past its start.
const YOUNG_MS: i64 = 10_000;

/// How long a server may take from its start to its socket; process tables tell whole seconds.
const NEAR_SECS: i64 = 3;

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
    /// The folder of the socket itself.
    pub folder: Option<PathBuf>,
    /// The program the server runs, as far as the system tells.
    pub program: Option<PathBuf>,
    /// Whether it is past its start: what is said to it before may be the end of it.
    pub ready: bool,
}

impl Found {
    /// How to talk to it; `None` while nobody can. `zellij` is the program on the path.
    ///
    /// The program that the server runs speaks its language for sure. It may have been replaced, or be run by another
    /// one, such as a loader: then the one on the path has to do.
    #[must_use]
    pub fn address(&self, zellij: &Zellij) -> Option<Address> {
        Some(
            self.program(zellij)
                .session(self.name.clone()?, self.sockets.clone()),
        )
    }

    /// The program that speaks its language: the one that the server runs, where it is still there.
    #[must_use]
    pub fn program(&self, zellij: &Zellij) -> Zellij {
        let is_zellij = |program: &&PathBuf| {
            let name = program.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("zellij")) && program.is_file()
        };
        let program = self.program.as_ref().filter(is_zellij);
        program.map_or_else(
            || zellij.clone(),
            |program| zellij.with_program(program.clone()),
        )
    }
}

/// Whether a session of the user is starting.
pub(crate) fn is_starting(env: &Env, processes: &dyn ProcessTable, now: Time) -> bool {
    let is_ours = |pid| same_store(env, processes, pid) == Some(true);
    servers::is_starting(processes, now, is_ours)
}

/// Finds sessions, and remembers which socket file belongs to which process, so that each server is asked once.
#[derive(Debug, Default)]
pub struct Finder {
    owners: HashMap<SocketKey, Owner>,
}

impl Finder {
    /// All live sessions of the user. Blocking.
    #[must_use]
    pub fn find(&mut self, env: &Env, processes: &dyn ProcessTable, now: Time) -> Vec<Found> {
        let mut servers = server_processes(processes);
        servers.retain(|server| is_ours(env, processes, server.stat.pid));
        self.find_among(&servers, env, processes, now, &peer::listener)
    }

    fn find_among(
        &mut self,
        servers: &[ServerProcess],
        env: &Env,
        processes: &dyn ProcessTable,
        now: Time,
        listener: &dyn Fn(&Path) -> Option<u32>,
    ) -> Vec<Found> {
        let folders = folders(
            env,
            servers.iter().filter_map(|server| server.socket.parent()),
        );
        let files = socket_files(&folders);
        self.owners.retain(|key, owner| {
            files.iter().any(|file| file.key == *key)
                && servers.iter().any(|server| server.stat.pid == owner.pid)
        });
        let mut called: HashMap<u32, &SocketFile> = HashMap::new();
        for file in &files {
            let known = self.owners.get(&file.key).copied();
            let old = now.ms_since(file.key.made()) >= YOUNG_MS;
            let owner = match known {
                Some(owner) if owner.proven || !old => Some(owner),
                _ => Owner::proven(file, servers, listener, old)
                    .or(known)
                    .or_else(|| Owner::likely(file, servers, processes)),
            };
            if let Some(owner) = owner {
                self.owners.insert(file.key, owner);
                called.insert(owner.pid, file);
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
                    folder: path.parent().map(Path::to_owned),
                    program: processes.exe(server.stat.pid),
                    // It starts its first pane when it is ready for clients.
                    ready: !processes.children(server.stat.pid).is_empty()
                        || file.is_some_and(|file| now.ms_since(file.key.made()) >= YOUNG_MS),
                })
            })
            .collect()
    }
}

/// The process that a socket file belongs to.
#[derive(Clone, Copy, Debug)]
struct Owner {
    pid: u32,
    proven: bool,
}

impl Owner {
    /// The server that listens on the file, as the kernel says, if it is `old` enough to be asked.
    fn proven(
        file: &SocketFile,
        servers: &[ServerProcess],
        listener: &dyn Fn(&Path) -> Option<u32>,
        old: bool,
    ) -> Option<Self> {
        let pid = if old { listener(&file.path) } else { None }?;
        let is_server = servers.iter().any(|server| server.stat.pid == pid);
        is_server.then_some(Self { pid, proven: true })
    }

    /// The server that was started on the file's path when the file was made, when there is but one; where there is
    /// none, the one that was started then in that folder and has lost its file, which was renamed.
    fn likely(
        file: &SocketFile,
        servers: &[ServerProcess],
        processes: &dyn ProcessTable,
    ) -> Option<Self> {
        let made = file.key.made().secs();
        let started = |server: &ServerProcess| processes.started_epoch(&server.stat);
        let near = |started: i64| (made - started).abs() <= NEAR_SECS;
        let is_named = |server: &&ServerProcess| {
            server.socket == file.path && started(server).is_none_or(near)
        };
        let is_renamed = |server: &&ServerProcess| {
            server.socket.parent() == file.path.parent()
                && started(server).is_some_and(near)
                && !server.socket.exists()
        };
        let named: Vec<&ServerProcess> = servers.iter().filter(is_named).collect();
        let likely = if named.is_empty() {
            servers.iter().filter(is_renamed).collect()
        } else {
            named
        };
        match likely.as_slice() {
            [server] => Some(Self {
                pid: server.stat.pid,
                proven: false,
            }),
            _ => None,
        }
    }
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

    /// Sockets of tests are made now, and servers of the fake table when their number says.
    const LATER: Time = Time(i64::MAX / 2);

    struct Scene {
        folder: tempfile::TempDir,
        table: FakeProcesses,
        env: Env,
        finder: Finder,
        now: Time,
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
            let table = FakeProcesses::default();
            Self {
                folder,
                table,
                env,
                finder: Finder::default(),
                now: LATER,
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join("contract_version_1").join(name)
        }

        fn bind(&self, name: &str) -> UnixListener {
            UnixListener::bind(self.path(name)).unwrap()
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

        /// What each server is called, first and now.
        fn find(
            &mut self,
            pids: &[u32],
            listener: &dyn Fn(&Path) -> Option<u32>,
        ) -> Vec<(u32, String, Option<String>)> {
            let servers: Vec<_> = pids
                .iter()
                .filter_map(|pid| servers::server(&self.table, *pid))
                .collect();
            let found =
                self.finder
                    .find_among(&servers, &self.env, &self.table, self.now, listener);
            let base = self.folder.path().to_owned();
            found
                .into_iter()
                .map(|found| {
                    assert_eq!(found.sockets, base);
                    assert_eq!(found.server.started, i64::from(found.server.pid));
                    (found.server.pid, found.server.socket, found.name)
                })
                .collect()
        }
    }

    fn called(pid: u32, first: &str, now: &str) -> (u32, String, Option<String>) {
        (pid, first.to_owned(), Some(now.to_owned()))
    }

    #[test]
    fn a_rename_changes_what_a_session_is_called_and_not_what_it_is() {
        let mut scene = Scene::new();
        let _listener = scene.bind("work");
        scene.server(7, "work");
        let listener = |_: &Path| Some(7);
        assert_eq!(scene.find(&[7], &listener), [called(7, "work", "work")]);
        std::fs::rename(scene.path("work"), scene.path("play")).unwrap();
        assert_eq!(scene.find(&[7], &listener), [called(7, "work", "play")]);
    }

    #[test]
    fn a_new_session_with_the_first_name_of_a_renamed_one_is_told_apart() {
        let mut scene = Scene::new();
        let _first = scene.bind("play");
        let _second = scene.bind("work");
        scene.server(7, "work");
        scene.server(9, "work");
        let listener = |path: &Path| Some(if path.ends_with("play") { 7 } else { 9 });
        let found = scene.find(&[7, 9], &listener);
        assert_eq!(
            found,
            [called(7, "work", "play"), called(9, "work", "work")]
        );
    }

    #[test]
    fn each_socket_is_asked_once() {
        let mut scene = Scene::new();
        let _listener = scene.bind("work");
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

    #[test]
    fn a_server_that_is_just_starting_is_not_connected_to() {
        let mut scene = Scene::new();
        let _listener = scene.bind("work");
        let made = std::fs::metadata(scene.path("work")).unwrap();
        let made = std::os::unix::fs::MetadataExt::mtime(&made);
        let pid = u32::try_from(made).unwrap();
        scene.server(pid, "work");
        scene.server(9, "work");
        scene.now = Time(made * 1_000_000);
        let listener = |_: &Path| -> Option<u32> { panic!("it was asked") };
        let found = scene.find(&[pid, 9], &listener);
        assert_eq!(
            found,
            [called(pid, "work", "work"), (9, "work".to_owned(), None)]
        );
    }

    #[test]
    fn a_young_session_that_was_renamed_is_known_to_somebody_who_never_saw_it_before() {
        let mut scene = Scene::new();
        let _listener = scene.bind("work");
        let made = std::fs::metadata(scene.path("work")).unwrap();
        let made = std::os::unix::fs::MetadataExt::mtime(&made);
        let pid = u32::try_from(made).unwrap();
        scene.server(pid, "work");
        std::fs::rename(scene.path("work"), scene.path("play")).unwrap();
        scene.now = Time(made * 1_000_000);
        let listener = |_: &Path| -> Option<u32> { panic!("it was asked") };
        assert_eq!(scene.find(&[pid], &listener), [called(pid, "work", "play")]);
        // Of two that it could be it is neither.
        scene.server(pid + 1, "other");
        scene.finder = Finder::default();
        let unknown = |pid, first: &str| (pid, first.to_owned(), None);
        assert_eq!(
            scene.find(&[pid, pid + 1], &listener),
            [unknown(pid, "work"), unknown(pid + 1, "other")]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_leftover_socket_is_no_session_and_a_server_without_a_socket_has_no_name() {
        let mut scene = Scene::new();
        drop(scene.bind("dead"));
        assert_eq!(scene.find(&[], &peer::listener), []);
        scene.server(7, "work");
        assert_eq!(
            scene.find(&[7], &peer::listener),
            [(7, "work".to_owned(), None)]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_kernel_says_who_listens() {
        let scene = Scene::new();
        let listener = scene.bind("work");
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
        let _listener = scene.bind("work");
        std::os::unix::fs::symlink(scene.path("work"), scene.path("link")).unwrap();
        scene.server(7, "work");
        assert_eq!(scene.find(&[7], &|_| Some(7)), [called(7, "work", "work")]);
    }
}

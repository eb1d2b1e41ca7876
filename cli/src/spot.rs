//! Where a new window or tab is opened.

use std::thread::sleep;
use std::time::{Duration, Instant};

use session_core::view::clean;
use session_core::{Mux, MuxSessionId, PaneId, PaneKey, ServerId};
use session_host::clock::Clock as _;
use session_host::env::Env;
use session_host::process::ProcessTable as _;
use session_host::query::is_called;
use tmux_bridge::Tmux;
use zellij_bridge::{Address, Finder, Zellij};

use crate::args::SpotArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::sight::Sight;

/// Between two looks for a pane that zellij was asked for.
const PAUSE: Duration = Duration::from_millis(10);

/// A place for a new window or tab.
pub(crate) struct Spot {
    pub(crate) server: ServerId,
    way: Way,
    detached: bool,
}

/// How it is talked to.
enum Way {
    Tmux(Tmux, MuxSessionId),
    Zellij(Address),
}

/// What was opened.
pub(crate) struct Opened {
    /// The pane.
    pub(crate) pane: PaneKey,
    /// Its process, as far as it is known.
    pub(crate) pid: Option<u32>,
}

/// A mux session in which a window could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    mux: Mux,
    /// The server's socket (tmux) or the session's name now (zellij).
    server: String,
    /// The tmux session; none for zellij, whose server is the session.
    mux_session: Option<(MuxSessionId, String)>,
    /// Whether the command was given in it.
    here: bool,
}

impl Candidate {
    fn words(&self) -> String {
        let server = self.server.rsplit('/').next().unwrap_or(&self.server);
        let server = clean(&format!("--server {}:{server}", self.mux), 120);
        match &self.mux_session {
            Some((_, name)) => format!("{server} --session {}", clean(name, 60)),
            None => server,
        }
    }

    fn is_named(&self, server: &str) -> bool {
        let (mux, server) = match server.split_once(':') {
            Some(("tmux", server)) => (Some(Mux::Tmux), server),
            Some(("zellij", server)) => (Some(Mux::Zellij), server),
            _ => (None, server),
        };
        mux.is_none_or(|mux| mux == self.mux) && is_called(&self.server, server)
    }
}

/// Which of them is meant: the one that was named, the one the command was given in, or the only one.
fn choose(
    candidates: &[Candidate],
    server: Option<&str>,
    session: Option<&str>,
) -> Result<usize, Failure> {
    let named = |candidate: &Candidate| {
        server.is_none_or(|server| candidate.is_named(server))
            && session.is_none_or(|name| {
                candidate
                    .mux_session
                    .as_ref()
                    .is_some_and(|(id, known)| known == name || id.to_string() == name)
            })
    };
    let found: Vec<(usize, &Candidate)> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| named(candidate))
        .collect();
    let here = found.iter().find(|(_, candidate)| candidate.here);
    match (here, found.as_slice()) {
        (Some((index, _)), _) | (None, [(index, _)]) => Ok(*index),
        (None, []) if candidates.is_empty() => Err(Failure::failed(
            "there is no tmux server and no zellij session to open a window in",
        )
        .hint("Start one: tmux, or zellij.")),
        (None, []) => {
            let none = Failure::failed("there is no such tmux or zellij session; there are:");
            Err(listed(none, candidates.iter()))
        }
        (None, _) => {
            let several = Failure::new(
                exit::AMBIGUOUS,
                "this is outside of tmux and zellij, and there are several sessions; say which:",
            );
            Err(listed(
                several,
                found.iter().map(|(_, candidate)| *candidate),
            ))
        }
    }
}

fn listed<'c>(failure: Failure, candidates: impl Iterator<Item = &'c Candidate>) -> Failure {
    candidates.fold(failure, |failure, candidate| {
        failure.hint(format!("  {}", candidate.words()))
    })
}

/// The tmux session that the command was given in.
fn mux_session_of(env: &Env) -> Option<MuxSessionId> {
    let number = env.get("TMUX")?.rsplit(',').next()?;
    number.parse().ok().map(MuxSessionId)
}

impl Spot {
    /// Finds it.
    ///
    /// # Errors
    /// When nothing can be meant, or several.
    pub(crate) fn find(args: &SpotArgs, context: &Context) -> Result<Self, Failure> {
        let (mut candidates, mut ways) = (Vec::new(), Vec::new());
        let in_zellij = context.zellij_pane().map(|(server, _)| server);
        let inside = context.inside().filter(|_| in_zellij.is_none());
        let own = mux_session_of(&context.env);
        for found in Sight::now(context).found {
            let Ok(view) = found.server else { continue };
            let is_here = inside
                .as_ref()
                .is_some_and(|inside| inside.socket.as_os_str() == view.server.socket.as_str());
            let mut sessions: Vec<(MuxSessionId, String)> = Vec::new();
            for known in view.panes.iter().flat_map(|pane| &pane.mux_sessions) {
                if sessions.iter().all(|(id, _)| *id != known.0) {
                    sessions.push(known.clone());
                }
            }
            for session in sessions {
                let tmux = Tmux::at(&view.server.socket, &context.env);
                ways.push((view.server.clone(), Way::Tmux(tmux, session.0)));
                candidates.push(Candidate {
                    mux: Mux::Tmux,
                    server: view.server.socket.clone(),
                    here: is_here && own == Some(session.0),
                    mux_session: Some(session),
                });
            }
        }
        let zellij = Zellij::on_path(&context.env);
        let now = context.clock.now();
        for found in Finder::default().find(&context.env, &context.processes, now) {
            let Some(address) = found.address(&zellij) else {
                continue;
            };
            candidates.push(Candidate {
                mux: Mux::Zellij,
                server: address.name().to_owned(),
                mux_session: None,
                here: in_zellij == Some(found.server.pid),
            });
            ways.push((found.server, Way::Zellij(address)));
        }
        let chosen = choose(&candidates, args.server.as_deref(), args.session.as_deref())?;
        let (server, way) = ways.swap_remove(chosen);
        Ok(Self {
            server,
            way,
            detached: args.detached,
        })
    }

    /// Windows are opened there without going to them.
    pub(crate) const fn stay(&mut self) {
        self.detached = true;
    }

    /// The server that a pane is on, while it lives. Windows are opened in the mux session that `near` is in.
    pub(crate) fn of_pane(near: &PaneKey, context: &Context) -> Option<(Self, bool)> {
        let (server, way, there) = match near.server.mux {
            Mux::Tmux => {
                let found = Sight::now(context).found.into_iter();
                let mut views = found.filter_map(|found| found.server.ok());
                let view = views.find(|view| {
                    view.server.pid == near.server.pid && view.server.socket == near.server.socket
                })?;
                let place = view.pane(near.pane);
                let session = place
                    .or_else(|| view.panes.first())
                    .and_then(|place| place.mux_sessions.first())?
                    .0;
                let tmux = Tmux::at(&view.server.socket, &context.env);
                let there = place.is_some();
                (view.server, Way::Tmux(tmux, session), there)
            }
            Mux::Zellij => {
                let now = context.clock.now();
                let found = Finder::default().find(&context.env, &context.processes, now);
                let mut found = found.into_iter();
                let found = found.find(|found| found.server.pid == near.server.pid)?;
                let address = found.address(&Zellij::on_path(&context.env))?;
                // Only zellij knows, and it says so when it is asked to replace the pane.
                (found.server, Way::Zellij(address), true)
            }
        };
        let spot = Self {
            server,
            way,
            detached: true,
        };
        Some((spot, there))
    }

    /// Opens a window or tab with a command of ours in it; `argv` has at least two words.
    ///
    /// # Errors
    /// When the multiplexer refuses, or does not answer.
    pub(crate) fn open(
        &self,
        name: Option<&str>,
        argv: &[&str],
        context: &Context,
    ) -> anyhow::Result<Opened> {
        Ok(match &self.way {
            Way::Tmux(tmux, session) => {
                let opened = tmux_bridge::open_window(tmux, *session, name, argv, self.detached)?;
                self.opened(opened.pane, Some(opened.pid))
            }
            Way::Zellij(address) => {
                let pane = zellij_bridge::open_tab(address, name, argv, self.detached)?;
                self.opened(pane, self.process(argv, context))
            }
        })
    }

    /// Ends what runs in a pane and starts a command of ours in its place.
    ///
    /// # Errors
    /// When the multiplexer refuses, or does not answer.
    pub(crate) fn replace(
        &self,
        pane: PaneId,
        argv: &[&str],
        context: &Context,
    ) -> anyhow::Result<Opened> {
        Ok(match &self.way {
            Way::Tmux(tmux, _) => {
                let opened = tmux_bridge::respawn(tmux, pane, argv)?;
                self.opened(opened.pane, Some(opened.pid))
            }
            Way::Zellij(address) => {
                zellij_bridge::replace(address, pane, argv)?;
                let (pane, pid) = self.appeared(argv, context).ok_or_else(|| {
                    Failure::failed(
                        "zellij was asked to start it again, and no pane of it appeared",
                    )
                })?;
                self.opened(pane, Some(pid))
            }
        })
    }

    fn opened(&self, pane: PaneId, pid: Option<u32>) -> Opened {
        let server = self.server.clone();
        Opened {
            pane: PaneKey { server, pane },
            pid,
        }
    }

    /// The pane of a process of ours that zellij was asked for, by what it gave that process to know it by.
    fn appeared(&self, argv: &[&str], context: &Context) -> Option<(PaneId, u32)> {
        let end = Instant::now() + zellij_bridge::DEADLINE;
        loop {
            let found = self.process(argv, context).and_then(|pid| {
                let pane = context.processes.variable(pid, "ZELLIJ_PANE_ID")?;
                Some((PaneId(pane.parse().ok()?), pid))
            });
            if found.is_some() || Instant::now() >= end {
                return found;
            }
            sleep(PAUSE);
        }
    }

    /// zellij does not tell the process in a pane; its command line is of a kind that no other has.
    fn process(&self, argv: &[&str], context: &Context) -> Option<u32> {
        let id = argv.last()?;
        let children = context.processes.children(self.server.pid);
        children.into_iter().find(|child| {
            let words = context.processes.argv(*child);
            words.last().is_some_and(|last| last == id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tmux(server: &str, session: (u32, &str), here: bool) -> Candidate {
        Candidate {
            mux: Mux::Tmux,
            server: format!("/tmp/tmux-1000/{server}"),
            mux_session: Some((MuxSessionId(session.0), session.1.to_owned())),
            here,
        }
    }

    fn zellij(server: &str, here: bool) -> Candidate {
        Candidate {
            mux: Mux::Zellij,
            server: server.to_owned(),
            mux_session: None,
            here,
        }
    }

    #[test]
    fn a_window_is_opened_where_one_is_or_where_one_says() {
        let all = [
            tmux("default", (0, "work"), false),
            tmux("default", (1, "play"), true),
            zellij("main", false),
        ];
        let chosen = |server, session| choose(&all, server, session).ok();
        assert_eq!(chosen(None, None), Some(1));
        assert_eq!(chosen(None, Some("work")), Some(0));
        assert_eq!(chosen(Some("tmux:default"), Some("$0")), Some(0));
        assert_eq!(chosen(Some("zellij:main"), None), Some(2));
        assert_eq!(chosen(Some("main"), None), Some(2));
        assert_eq!(chosen(Some("tmux:main"), None), None);
    }

    #[test]
    fn outside_the_only_one_is_meant_and_of_several_none() {
        let one = [tmux("a", (0, "work"), false)];
        assert_eq!(choose(&one, None, None).ok(), Some(0));
        let several = [tmux("a", (0, "work"), false), zellij("main", false)];
        let failure = format!("{:?}", choose(&several, None, None).unwrap_err());
        assert!(
            failure.contains("status: 3")
                && failure.contains("--server tmux:a --session work")
                && failure.contains("--server zellij:main"),
            "{failure}"
        );
        let failure = format!("{:?}", choose(&[], None, None).unwrap_err());
        assert!(failure.contains("Start one"), "{failure}");
    }

    #[test]
    fn the_environment_names_the_tmux_session() {
        let env: Env = [("TMUX", "/tmp/a,b,17,3")].into_iter().collect();
        assert_eq!(mux_session_of(&env), Some(MuxSessionId(3)));
        assert_eq!(mux_session_of(&Env::default()), None);
    }
}

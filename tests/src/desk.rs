//! A person's desk: tmux with Tallylight's lamps, an attached client, and an agent on the path.
//!
//! Everything is set up the way the README tells a person to: the shell's line in `.bashrc`,
//! `tally up`, `tally tmux load`. Each server has two windows: in window 0, named `claude`, an
//! agent is to run; window 1, named `other`, is where the person is meanwhile.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::claude::{self, Claude, ClaudeVersion};
use crate::client::Client;
use crate::lamp::{ASCII_CONFIG, Lamp};
use crate::lamp_log::LampLog;
use crate::pane::Pane;
use crate::stub_model::StubModel;
use crate::tmux::TmuxServer;
use crate::wait::{LIMIT, wait_until};
use crate::world::World;

/// The entry of the agent's window in the status line.
pub const AGENT_WINDOW: &str = "0:claude";

/// The desk. What is dropped first comes first.
#[derive(Debug)]
pub struct Desk {
    seats: Vec<Seat>,
    model: StubModel,
    world: World,
}

/// A tmux server of the desk and the person's terminal on it.
#[derive(Debug)]
pub struct Seat {
    client: Client,
    agent_pane: Pane,
    server: TmuxServer,
}

impl Desk {
    /// A desk with these tmux servers.
    #[must_use]
    pub fn with_servers(version: ClaudeVersion, servers: &[&str]) -> Self {
        Self::furnished(servers, |world, model| {
            claude::install(world, version, model);
        })
    }

    /// A desk with one tmux server and another agent than Claude Code, which `install` puts on the path.
    #[must_use]
    pub fn with_agent(install: impl FnOnce(&mut World, &StubModel)) -> Self {
        Self::furnished(&["default"], install)
    }

    fn furnished(servers: &[&str], install: impl FnOnce(&mut World, &StubModel)) -> Self {
        let mut world = World::with_tally();
        let model = StubModel::start(&world.log("model.jsonl"));
        install(&mut world, &model);
        world.append("home/.bashrc", "eval \"$(tally init bash)\"");
        world.configure(ASCII_CONFIG);
        let seats: Vec<_> = servers.iter().map(|name| Seat::new(&world, name)).collect();
        world.expect_tally(&["up"]);
        for seat in &seats {
            let socket = seat.server.socket().to_str().expect("a path");
            world.expect_tally(&["tmux", "load", "--socket", socket]);
        }
        Self {
            seats,
            model,
            world,
        }
    }

    /// A desk with one tmux server.
    #[must_use]
    pub fn new(version: ClaudeVersion) -> Self {
        Self::with_servers(version, &["default"])
    }

    /// The world of the desk.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The model that answers.
    #[must_use]
    pub fn model(&self) -> &StubModel {
        &self.model
    }

    /// The server of that number.
    #[must_use]
    pub fn seat(&self, number: usize) -> &Seat {
        &self.seats[number]
    }

    /// Types `claude` into the agent's window of a server, as a person does, and waits for its
    /// input box.
    #[must_use]
    pub fn launch(&self, seat: &Seat) -> Claude {
        Claude::launch(
            &self.world,
            &seat.agent_pane,
            "claude --permission-mode default",
        )
    }

    /// The session of a server's agent in `tally list --json`, if it is listed.
    #[must_use]
    pub fn listed(&self, seat: &Seat) -> Option<Value> {
        let list = self.world.tally_json(&["list", "--json"]);
        let socket = seat.server.socket().to_str().expect("a path");
        let is_there = |session: &&Value| {
            session["pane"]["server"] == socket
                && session["pane"]["pane_id"] == seat.agent_pane.id()
        };
        list["sessions"]
            .as_array()
            .into_iter()
            .flatten()
            .find(is_there)
            .cloned()
    }

    /// Waits until the person sees the lamp, and then checks that `tally list` says the same.
    /// Returns the session as listed, or null.
    pub fn expect(&self, seat: &Seat, lamp: Lamp) -> Value {
        wait_until(
            &format!("the lamp {lamp:?} in the status line"),
            LIMIT,
            || (seat.lamp() == Some(lamp)).then_some(()),
            || self.report(seat),
        );
        let listed = || {
            let session = self.listed(seat).unwrap_or_default();
            let word = session["state"].as_str().unwrap_or("none");
            (word == lamp.word()).then_some(session)
        };
        let shown = || self.report(seat);
        wait_until(
            &format!("{} in the list", lamp.word()),
            Duration::from_secs(2),
            listed,
            shown,
        )
    }

    /// What a person would look at when a lamp is wrong.
    fn report(&self, seat: &Seat) -> String {
        let said = |args: &[&str]| {
            let outcome = self.world.tally(args);
            format!(
                "$ tally {}\n{}{}",
                args.join(" "),
                outcome.stdout,
                outcome.stderr
            )
        };
        format!(
            "{}\n{}\n{}\n{}",
            seat.client.status_line(),
            seat.agent_pane.capture(),
            said(&["list", "--json", "--all"]),
            said(&["explain", seat.agent_pane.id()]),
        )
    }
}

impl Seat {
    fn new(world: &World, name: &str) -> Self {
        let server = TmuxServer::new(world, name);
        let agent_pane = server.new_session("work", "claude");
        // The person is elsewhere: what an agent does is not seen by chance.
        drop(server.new_window("work", "other"));
        server.run(["select-window", "-t", "=work:1"]);
        let client = Client::attach(world, &server, "work");
        Self {
            client,
            agent_pane,
            server,
        }
    }

    /// The tmux server.
    #[must_use]
    pub fn server(&self) -> &TmuxServer {
        &self.server
    }

    /// The person's terminal.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The pane in which an agent is to run.
    #[must_use]
    pub fn agent_pane(&self) -> &Pane {
        &self.agent_pane
    }

    /// The lamp that the person sees now.
    #[must_use]
    pub fn lamp(&self) -> Option<Lamp> {
        Lamp::of_window(&self.client.status_line(), AGENT_WINDOW)
    }

    /// Writes every lamp down from now on.
    #[must_use]
    pub fn follow(&self) -> LampLog {
        LampLog::start(&self.client, AGENT_WINDOW)
    }
}

/// Prints how long something took, for the record; the limit is a bench's business.
pub fn tell_time(what: &str, since: Instant) {
    eprintln!("{what}: {} ms", since.elapsed().as_millis());
}

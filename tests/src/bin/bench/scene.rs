//! A world with a daemon and a tmux server for a bench.

use std::time::Duration;

use tally_tests::pane::Pane;
use tally_tests::tmux::TmuxServer;
use tally_tests::wait::wait_until;
use tally_tests::world::World;

/// The world, its server (dropped first) and the first pane.
pub(crate) struct Scene {
    pub(crate) pane: Pane,
    pub(crate) server: TmuxServer,
    pub(crate) world: World,
}

impl Scene {
    /// A server with one session, and the daemon up.
    pub(crate) fn new() -> Self {
        Self::of(World::with_tally())
    }

    /// The same in a world that was made before.
    pub(crate) fn of(world: World) -> Self {
        let server = TmuxServer::new(&world, "bench");
        let pane = server.new_session("bench", "first");
        let up = world.tally(&["up"]);
        assert_eq!(up.status, 0, "tally up: {up:?}");
        Self {
            pane,
            server,
            world,
        }
    }

    /// The daemon's process id.
    pub(crate) fn daemon(&self) -> u32 {
        let status = self.world.tally_json(&["daemon", "status", "--json"]);
        u32::try_from(status["pid"].as_u64().expect("the daemon's pid")).expect("a pid")
    }

    /// Signals a state from within a pane, and returns the id of the session that it began.
    pub(crate) fn session_in(&self, pane: &Pane) -> String {
        pane.tmux().run([
            "send-keys",
            "-t",
            pane.id(),
            "tally signal --state idle",
            "Enter",
        ]);
        wait_until(
            "the session to be listed",
            Duration::from_secs(30),
            || {
                let list = self.world.tally_json(&["list", "--json"]);
                let sessions = list["sessions"].as_array()?.clone();
                let session = sessions
                    .iter()
                    .find(|session| session["pane"]["pane_id"] == pane.id())?;
                session["id"].as_str().map(str::to_owned)
            },
            || pane.capture(),
        )
    }
}

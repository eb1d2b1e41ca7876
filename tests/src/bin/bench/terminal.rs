//! A client of a multiplexer on a pseudo-terminal of the bench's own, so that each byte can be timed.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tally_tests::tmux::Tmux;

/// An attached client whose output can be waited for.
pub(crate) struct Terminal {
    chunks: Receiver<(Instant, Vec<u8>)>,
    keys: File,
    client: Child,
}

impl Terminal {
    pub(crate) fn attach(server: &Tmux, session: &str) -> Self {
        Self::run(&server.command(["attach-session", "-t", session]))
    }

    /// Runs a client, with nothing of its surroundings but the environment that it is given.
    pub(crate) fn run(client: &Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("grantpt");
        unlockpt(&master).expect("unlockpt");
        let size = Winsize {
            ws_row: 50,
            ws_col: 200,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("its size");
        let name = ptsname(&master, Vec::new()).expect("its name");
        let slave = rustix::fs::open(
            name.as_c_str(),
            OFlags::RDWR | OFlags::NOCTTY,
            Mode::empty(),
        )
        .expect("the other end");
        let slave = File::from(slave);
        // A terminal of its own needs a session of its own; std has no way to make one.
        let mut command = Command::new("setsid");
        command
            .arg("--ctty")
            .arg(client.get_program())
            .args(client.get_args());
        command.env_clear().envs(
            client
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        command
            .stdin(Stdio::from(slave.try_clone().expect("stdin")))
            .stdout(Stdio::from(slave.try_clone().expect("stdout")))
            .stderr(Stdio::from(slave));
        let client = command.spawn().expect("setsid and the client run");
        let (sender, chunks) = channel();
        let mut reader = File::from(master);
        let keys = reader.try_clone().expect("the way in");
        thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender
                    .send((Instant::now(), buffer[..count].to_vec()))
                    .is_err()
                {
                    return;
                }
            }
        });
        Self {
            chunks,
            keys,
            client,
        }
    }

    /// Types keys, as the bytes that a terminal sends for them.
    pub(crate) fn write(&self, keys: &str) {
        (&self.keys)
            .write_all(keys.as_bytes())
            .expect("the client reads");
    }

    /// Drops what has come so far, until nothing comes for the given time.
    pub(crate) fn settle(&self, quiet: Duration) {
        while self.chunks.recv_timeout(quiet).is_ok() {}
    }

    /// Waits for a text and returns when its chunk came, and how many bytes came up to it.
    pub(crate) fn wait_for(&self, text: &str, limit: Duration) -> (Instant, usize) {
        let end = Instant::now() + limit;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let (at, chunk) = self
                .chunks
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("{text:?} was never painted"));
            seen.extend_from_slice(&chunk);
            if seen
                .windows(text.len())
                .any(|window| window == text.as_bytes())
            {
                return (at, seen.len());
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

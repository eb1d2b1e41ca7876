//! Measures the budgets that belong to the bridge (design §9):
//! `cargo test --release -p tallylight-tmux-bridge --test measure -- --ignored --nocapture --test-threads 1`.

// It reads /proc.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    reason = "this is test code, outside the functions that are known to be tests"
)]

mod support;

use std::fs::File;
use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use session_core::State;
use support::picture::{lit, picture};
use support::service::Service;
use support::{Server, World, wait_for};
use tmux_bridge::style::{Theme, load};
use tmux_bridge::{DEADLINE, Depth, look};

/// A client whose terminal is read byte by byte.
struct Terminal {
    master: File,
    client: Child,
}

impl Terminal {
    fn attach(world: &World, server: &Server) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let size = rustix::termios::Winsize {
            ws_row: 50,
            ws_col: 200,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&master, size).unwrap();
        let end = || {
            File::from(
                rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap(),
            )
        };
        let client = Command::new("tmux")
            .env_clear()
            .envs(world.env().iter())
            .args(["-u", "-S"])
            .arg(&server.socket)
            .args(["attach-session", "-t", "=one"])
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        rustix::io::ioctl_fionbio(&master, true).unwrap();
        Self {
            master: File::from(master),
            client,
        }
    }

    /// Reads until the text comes, and counts the bytes.
    fn read_until(&mut self, text: &str, limit: Duration) -> Option<usize> {
        let until = Instant::now() + limit;
        let mut read = Vec::new();
        let mut buffer = [0; 65536];
        while Instant::now() < until {
            match self.master.read(&mut buffer) {
                Ok(count) => read.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(_) => std::thread::sleep(Duration::from_micros(50)),
            }
            if !text.is_empty()
                && read
                    .windows(text.len())
                    .any(|window| window == text.as_bytes())
            {
                return Some(read.len());
            }
        }
        text.is_empty().then_some(read.len())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

fn quantile(sorted: &[Duration], part: f64) -> Duration {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "small"
    )]
    let index = ((sorted.len() - 1) as f64 * part).round() as usize;
    sorted.get(index).copied().unwrap_or_default()
}

#[test]
#[ignore = "measures"]
fn from_a_picture_to_the_terminal() {
    let world = World::new();
    let server = world.server("default");
    load(&server.tmux(), &Theme::default()).unwrap();
    let service = Service::start(world.env());
    let view = service.wait_for_server(&server);
    let mut terminal = Terminal::attach(&world, &server);
    terminal.read_until("", Duration::from_secs(2));
    let mut times = Vec::new();
    let mut bytes = 0;
    for round in 0..200_i64 {
        let (state, glyph) = if round % 2 == 0 {
            (State::Working, "⟳")
        } else {
            (State::Done, "✓")
        };
        let next = picture(std::slice::from_ref(&view), &[lit(0, state, round)]);
        let begun = Instant::now();
        service.send(next);
        bytes = terminal.read_until(glyph, Duration::from_secs(2)).unwrap();
        times.push(begun.elapsed());
        terminal.read_until("", Duration::from_millis(120));
    }
    // The floor in the same run: tmux itself, started by hand with the options it is given.
    let mut floor = Vec::new();
    service.stop();
    for round in 0..200 {
        let (word, glyph) = if round % 2 == 0 {
            ("working", "⟳")
        } else {
            ("done", "✓")
        };
        let begun = Instant::now();
        server.run(&[
            "set-option",
            "-w",
            "-t",
            "@0",
            &support::option("window"),
            word,
            ";",
            "set-option",
            "-g",
            "@x",
            word,
        ]);
        if round == 0 {
            load(&server.tmux(), &Theme::default()).unwrap();
        }
        terminal.read_until(glyph, Duration::from_secs(2)).unwrap();
        floor.push(begun.elapsed());
        terminal.read_until("", Duration::from_millis(120));
    }
    floor.sort_unstable();
    println!(
        "tmux set-option to painted lamp: p50 {:?} p99 {:?}",
        quantile(&floor, 0.5),
        quantile(&floor, 0.99)
    );
    times.sort_unstable();
    println!(
        "picture to painted lamp: p50 {:?} p90 {:?} p99 {:?} ({bytes} bytes to the lamp)",
        quantile(&times, 0.5),
        quantile(&times, 0.9),
        quantile(&times, 0.99)
    );
}

#[test]
#[ignore = "measures"]
fn from_a_change_in_tmux_to_the_service() {
    let world = World::new();
    let server = world.server("default");
    let service = Service::start(world.env());
    service.wait_for_server(&server);
    std::thread::sleep(Duration::from_secs(2));
    let pid = server.pid();
    let mut times = Vec::new();
    for round in 0..50 {
        let name = format!("w{round}");
        let begun = Instant::now();
        server.run(&["rename-window", "-t", "@0", &name]);
        let ran = begun.elapsed();
        while service
            .view(pid)
            .unwrap()
            .panes
            .first()
            .unwrap()
            .window_name
            != name
        {
            std::thread::sleep(Duration::from_micros(100));
        }
        times.push(begun.elapsed() - ran);
        std::thread::sleep(Duration::from_millis(1300));
    }
    times.sort_unstable();
    println!(
        "rename-window done to seen: p50 {:?} p99 {:?}",
        quantile(&times, 0.5),
        quantile(&times, 0.99)
    );
}

/// A process's time on the CPU, its ended children's included, in milliseconds.
fn cpu_ms(pid: u32, children: bool) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<u64> = stat
        .rsplit_once(") ")
        .unwrap()
        .1
        .split(' ')
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    fields
        .iter()
        .skip(11)
        .take(if children { 4 } else { 2 })
        .sum::<u64>()
        * 10
}

/// How often the threads of this process were woken.
fn wakeups() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("status")).ok())
        .filter_map(|status| {
            let line = status
                .lines()
                .find(|line| line.starts_with("voluntary_ctxt_switches"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .sum()
}

#[test]
#[ignore = "measures"]
fn two_hundred_idle_panes() {
    let world = World::new();
    let server = world.server("default");
    for number in 0..199 {
        server.new_window(&format!("w{number}"));
    }
    let mut times: Vec<Duration> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(
                look(&server.tmux(), Depth::Quick, DEADLINE)
                    .unwrap()
                    .view
                    .panes
                    .len(),
                200
            );
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("quick look at 200 panes: p50 {:?}", quantile(&times, 0.5));
    let service = Service::start(world.env());
    let view = service.wait_for_server(&server);
    let panes: Vec<_> = (0..200).map(|pane| lit(pane, State::Idle, 5)).collect();
    let begun = Instant::now();
    service.send(picture(&[view], &panes));
    wait_for("all panes", || {
        server.pane_option("%199", "state") == "idle"
    });
    println!("200 panes published in {:?}", begun.elapsed());
    // Until the pace has slowed down.
    std::thread::sleep(Duration::from_secs(130));
    let us = std::process::id();
    let (ours, tmuxs, woken, told) = (
        cpu_ms(us, true),
        cpu_ms(server.pid(), false),
        wakeups(),
        service.told(),
    );
    let seconds = 60;
    std::thread::sleep(Duration::from_secs(seconds));
    let per_second = |now: u64, before: u64| {
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let rate = (now - before) as f64 / seconds as f64;
        rate
    };
    println!(
        "idle: {:.3} % of a core with the clients we start, {:.3} % in tmux, {:.2} wake-ups/s of our threads, {} words to the service",
        per_second(cpu_ms(us, true), ours) / 10.0,
        per_second(cpu_ms(server.pid(), false), tmuxs) / 10.0,
        per_second(wakeups(), woken),
        service.told() - told
    );
}

//! What a signal costs inside its process: opening the store, one transaction, reading a payload, walking the
//! ancestors. Prints medians; `cargo bench -p tallylight-session-host`.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use session_core::manifest::parse_payload;
use session_core::{
    Act, Event, MachineId, Mux, PaneId, PaneKey, Policy, ServerId, Session, Signal, SignalSource,
    Time, apply,
};
use session_host::agents::{AgentSource, EmbeddedAgents};
use session_host::clock::{Clock, SystemClock};
use session_host::env::Env;
use session_host::identity::{Reporter, origin};
use session_host::intake::new_id;
use session_host::manifests;
use session_host::paths::Paths;
use session_host::process::{Recogniser, SystemProcesses};
use session_host::store::{Row, Store};

const ROUNDS: usize = 2_000;
const WAIT: Duration = Duration::from_millis(200);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let paths = Paths {
        config: at("config"),
        state: at("state"),
        runtime: at("run"),
    };
    let now = SystemClock.now();
    let server = ServerId {
        mux: Mux::Tmux,
        socket: "/tmp/tmux-1000/default".into(),
        pid: 42,
        started: 1,
    };
    let key = PaneKey {
        server,
        pane: PaneId(7),
    };
    let session = Session::new(new_id(now), MachineId("bench".into()), Some(key), now);
    let id = session.id;
    // Held open, as by a daemon.
    let mut daemon = Store::open_writing(&paths, WAIT)?;
    daemon.write(now, |transaction| transaction.save(&Row::new(session), &[]))?;

    let mut turn = 0;
    let mut event = || {
        turn += 1;
        let act = if turn % 2 == 1 {
            Act::Prompt
        } else {
            Act::Stop {
                background: None,
                settle_ms: 0,
            }
        };
        signal(act, now.plus_ms(turn * 10))
    };
    report("open the store", || {
        Store::open_writing(&paths, WAIT)?;
        Ok(())
    })?;
    report("open and update with a journal row", || {
        let mut store = Store::open_writing(&paths, WAIT)?;
        store.without_checkpoints()?;
        let event = event();
        store.update(id, now, |session| {
            apply(session, event, &Policy::default(), SystemClock.now())
        })?;
        Ok(())
    })?;
    let mut store = Store::open_writing(&paths, WAIT)?;
    report("update alone", || {
        let event = event();
        store.update(id, now, |session| {
            apply(session, event, &Policy::default(), SystemClock.now())
        })?;
        Ok(())
    })?;
    let payload = std::fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../extensions/claude/fixtures/PreToolUse.json"),
    )?;
    report("read the manifest and the payload", || {
        let manifest = manifests::find("claude").ok_or("no manifest")?;
        manifest.read(&parse_payload(&payload)?, &|_| None, now);
        Ok(())
    })?;
    report("collect what recognises agents", || {
        EmbeddedAgents.processes();
        Ok(())
    })?;
    let recogniser = Recogniser::new(EmbeddedAgents.processes());
    let env: Env = [("TMUX", "/tmp/x,4000000,0"), ("TMUX_PANE", "%1")]
        .into_iter()
        .collect();
    let processes = SystemProcesses;
    report("walk the ancestors and recognise agents among them", || {
        let _ = origin(&env, &processes, &recogniser, Reporter::default());
        Ok(())
    })?;
    Ok(())
}

fn signal(act: Act, at: Time) -> Event {
    Event::Signal(Signal {
        at,
        source: SignalSource::Wired,
        act,
        actor: None,
        agent: None,
        agent_session: None,
        message: Some("a line for the person".into()),
        event: "bench".into(),
        fingerprint: at.0.unsigned_abs(),
    })
}

#[expect(clippy::print_stdout, reason = "a bench prints what it measured")]
fn report(
    what: &str,
    mut work: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        work()?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    let of = |part: usize| times.get(ROUNDS * part / 100).copied().unwrap_or_default();
    println!("{what}: {:?} (p90 {:?})", of(50), of(90));
    Ok(())
}

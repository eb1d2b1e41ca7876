//! One run of `tally signal`.

use std::time::{Duration, Instant};

use session_core::SignalSource;

use super::deliver::Desk;
use super::delivery::{Delivered, Delivery, Probed};
use super::report::{Understood, understand};
use super::request::{Fate, SignalAnswer, SignalRequest, World};
use super::spooled::take_oldest;
use crate::identity::{Reporter, origin};
use crate::nudge::{Nudge, Nudged, nudge};
use crate::process::Recogniser;
use crate::store::{Counter, Store, StoreError};
use crate::wiring::REPORTS_AS;
use crate::{host, registry, spool};

/// How much the log of the store may grow while no daemon tidies it up.
const LOG_BYTES: u64 = 512 * 1024;
/// The least time that is left for writing a signal down somewhere.
const LAST_RESORT: Duration = Duration::from_millis(20);

/// Takes one signal in, within the request's deadline.
///
/// It is for a process that ends right after: the store is left open, since closing it costs more than ending does.
#[must_use]
pub fn take_signal(request: &SignalRequest<'_>, world: &World<'_>) -> SignalAnswer {
    let late = u64::try_from(world.clock.now().ms_since(request.at)).unwrap_or(0);
    let end = Instant::now() + request.deadline.saturating_sub(Duration::from_millis(late));
    let understood = match understand(request, world.agents) {
        Ok(understood) => understood,
        Err(why) => {
            return SignalAnswer {
                diagnostic: Some(why),
                ..SignalAnswer::default()
            };
        }
    };
    let stdout = understood.stdout.clone();
    match delivery(request, world, &understood) {
        Some(delivery) => SignalAnswer {
            stdout,
            ..send(request, world, delivery, end)
        },
        None => SignalAnswer {
            stdout,
            diagnostic: understood.remark,
            fate: Fate::Ignored,
        },
    }
}

/// Finds out where a report comes from; `None` when it says nothing about a state.
fn delivery(
    request: &SignalRequest<'_>,
    world: &World<'_>,
    understood: &Understood,
) -> Option<Delivery> {
    let signal = understood.signal.clone()?;
    let recogniser = Recogniser::new(world.agents.processes());
    let reporter = Reporter {
        agent: signal.agent.as_ref(),
        pid: understood.pid,
    };
    let origin = origin(request.env, world.processes, &recogniser, reporter);
    let env = |name: &str| request.env.get(name).map(str::to_owned);
    let registry_path = match (&understood.manifest, origin.process) {
        (Some(manifest), Some(process)) if signal.source == SignalSource::Wired => {
            registry::path(manifest, &env, process.pid)
        }
        _ => None,
    };
    Some(Delivery {
        signal,
        origin,
        session: request.session.clone(),
        registry_path,
        cwd: understood.cwd.clone(),
        reports_as: env(REPORTS_AS).and_then(|agent| agent.parse().ok()),
        probed: Probed::NotAsked,
        sandboxed: false,
    })
}

fn send(
    request: &SignalRequest<'_>,
    world: &World<'_>,
    mut delivery: Delivery,
    end: Instant,
) -> SignalAnswer {
    // A daemon that has more nudges than it can hold looks anyway.
    let heard = || {
        let nudged = nudge(request.paths, &Nudge::Look);
        matches!(nudged, Nudged::Heard | Nudged::Full)
    };
    // What waits came first: a daemon takes all of it in at once, this signal in its place behind it.
    if spool::any(request.paths) {
        let waits = heard()
            || match others_wait(request, world, end) {
                Ok(waits) => waits,
                Err(error) => return aside(request, delivery, &error, end),
            };
        if waits && spool::put(request.paths, &delivery).is_ok() {
            let _ = nudge(request.paths, &Nudge::Look);
            return SignalAnswer {
                fate: Fate::Spooled,
                diagnostic: Some("it waits in the spool behind earlier signals, which could not be stored when they came; whoever can write the store next takes them in".to_owned()),
                ..SignalAnswer::default()
            };
        }
    }
    let mut stored = store(request, world, &mut delivery, end);
    if matches!(stored, Err(StoreError::Corrupt(_) | StoreError::Replaced)) {
        // It was set aside or taken away, and the store is a fresh one by now.
        stored = store(request, world, &mut delivery, end);
    }
    match stored {
        Ok((store, delivered)) => {
            let (fate, diagnostic, changed) = match delivered {
                Delivered::Taken(id) => (Fate::Stored, None, Some(Nudge::Changed(id))),
                Delivered::Repeated(_) => (Fate::Stored, None, None),
                Delivered::Refused(why) => (Fate::Ignored, Some(why), Some(Nudge::Look)),
                Delivered::Unrouted(why) => (Fate::Unrouted, Some(why), None),
                Delivered::AskFirst => (Fate::Lost, Some("the pane is not known".to_owned()), None),
            };
            let store = match changed {
                Some(changed) => after(request, world, store, &changed),
                None => store,
            };
            if !cfg!(test) {
                std::mem::forget(store);
            }
            SignalAnswer {
                stdout: String::new(),
                fate,
                diagnostic,
            }
        }
        Err(error) => aside(request, delivery, &error, end),
    }
}

/// Takes in what waits in the spool where no daemon does, as far as the time allows. Returns whether more waits.
fn others_wait(
    request: &SignalRequest<'_>,
    world: &World<'_>,
    end: Instant,
) -> Result<bool, StoreError> {
    let left = || {
        end.saturating_duration_since(Instant::now())
            .saturating_sub(LAST_RESORT)
    };
    let machine = host::machine();
    let mut store = Store::open_writing(request.paths, left())?;
    store.without_checkpoints()?;
    let mut more = true;
    while more && !left().is_zero() {
        store.set_wait(left());
        let (paths, processes, clock) = (request.paths, world.processes, world.clock);
        more = take_oldest(&mut store, paths, processes, &machine, clock)?;
    }
    Ok(more)
}

/// Writes a delivery into the store, asking the multiplexer first where that is needed, and never while the store is
/// held.
fn store(
    request: &SignalRequest<'_>,
    world: &World<'_>,
    delivery: &mut Delivery,
    end: Instant,
) -> Result<(Store, Delivered), StoreError> {
    let left = || {
        end.saturating_duration_since(Instant::now())
            .saturating_sub(LAST_RESORT)
    };
    let mut store = Store::open_writing(request.paths, left())?;
    store.without_checkpoints()?;
    let machine = host::machine();
    loop {
        store.set_wait(left());
        let now = world.clock.now();
        let delivered = store.write(now, |transaction| {
            let desk = Desk {
                book: transaction,
                processes: world.processes,
                machine: &machine,
                now,
            };
            desk.deliver(delivery)
        })?;
        if delivered != Delivered::AskFirst || delivery.probed != Probed::NotAsked {
            return Ok((store, delivered));
        }
        delivery.probed = probe(world, delivery);
    }
}

fn probe(world: &World<'_>, delivery: &Delivery) -> Probed {
    let Some(place) = &delivery.origin.place else {
        return Probed::NoAnswer;
    };
    match world.probe.pane(&place.socket, place.pane) {
        Ok(Some(pane)) => Probed::Pane(pane),
        Ok(None) => Probed::NoSuchPane,
        Err(_) => Probed::NoAnswer,
    }
}

/// Wakes the daemon. Where none runs, the store's log is tidied up once in a while; where a sandbox forbids it, that
/// is counted (case D8).
fn after(
    request: &SignalRequest<'_>,
    world: &World<'_>,
    mut store: Store,
    changed: &Nudge,
) -> Store {
    match nudge(request.paths, changed) {
        Nudged::Heard | Nudged::Full | Nudged::Failed => {}
        Nudged::Nobody | Nudged::NotOurs => {
            let _ = store.checkpoint(LOG_BYTES);
        }
        Nudged::Forbidden => {
            let _ = store.write(world.clock.now(), |transaction| {
                transaction.count(Counter::Sandboxed)
            });
        }
    }
    store
}

/// The store cannot be written: the signal waits in the spool, and a live daemon is given it as well.
fn aside(
    request: &SignalRequest<'_>,
    mut delivery: Delivery,
    error: &StoreError,
    end: Instant,
) -> SignalAnswer {
    delivery.sandboxed = matches!(error, StoreError::Refused(_));
    let spooled = spool::put(request.paths, &delivery);
    let message = Nudge::Delivery(Box::new(delivery));
    let heard = loop {
        match nudge(request.paths, &message) {
            Nudged::Heard => break true,
            Nudged::Full if spooled.is_err() && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(1));
            }
            _ => break false,
        }
    };
    let fate = match (&spooled, heard) {
        (Ok(()), _) => Fate::Spooled,
        (Err(_), true) => Fate::HandedOver,
        (Err(_), false) => Fate::Lost,
    };
    let also = spooled
        .err()
        .map(|spool| format!("; the spool cannot be written either: {spool}"))
        .unwrap_or_default();
    SignalAnswer {
        stdout: String::new(),
        fate,
        diagnostic: Some(format!("{error}{also}")),
    }
}

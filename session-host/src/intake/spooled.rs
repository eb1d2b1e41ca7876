//! Taking spooled signals in: by the daemon, and by any command that opens the store for writing.

use session_core::MachineId;

use super::deliver::Desk;
use super::delivery::{Delivered, Delivery, Probed};
use crate::bridge::PaneProbe;
use crate::clock::Clock;
use crate::paths::Paths;
use crate::process::ProcessTable;
use crate::spool::{self, Waiting};
use crate::store::{Counter, Store, StoreError};

/// How many are taken in at a time: whoever else writes waits for so long.
const BATCH: usize = 64;

/// What came of a look into the spool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// How many signals were taken in.
    pub count: usize,
}

/// Takes the spooled signals in, in order of their start stamps; each is removed once it is committed.
///
/// # Errors
/// When the store cannot be written: the rest keeps waiting.
pub fn take_spooled(
    store: &mut Store,
    paths: &Paths,
    processes: &dyn ProcessTable,
    machine: &MachineId,
    clock: &dyn Clock,
    probe: Option<&dyn PaneProbe>,
) -> Result<Taken, StoreError> {
    let mut taken = Taken::default();
    for batch in spool::waiting(paths).chunks(BATCH) {
        taken.count += take_batch(store, batch, processes, machine, clock, probe)?;
    }
    if taken.count > 0 {
        spool::close(paths);
    }
    Ok(taken)
}

/// Takes the oldest of the spooled signals in, no more than hold others up for long. Returns whether others still wait.
///
/// # Errors
/// When the store cannot be written: all of them keep waiting.
pub(super) fn take_oldest(
    store: &mut Store,
    paths: &Paths,
    processes: &dyn ProcessTable,
    machine: &MachineId,
    clock: &dyn Clock,
) -> Result<bool, StoreError> {
    let (batch, others) = spool::oldest(paths, BATCH);
    take_batch(store, &batch, processes, machine, clock, None)?;
    if others == 0 {
        spool::close(paths);
    }
    Ok(others > 0)
}

fn take_batch(
    store: &mut Store,
    batch: &[Waiting],
    processes: &dyn ProcessTable,
    machine: &MachineId,
    clock: &dyn Clock,
    probe: Option<&dyn PaneProbe>,
) -> Result<usize, StoreError> {
    let deliveries: Vec<&Delivery> = batch.iter().map(|waiting| &waiting.delivery).collect();
    let delivered = take(store, &deliveries, processes, machine, clock)?;
    for (waiting, delivered) in batch.iter().zip(delivered) {
        if delivered == Delivered::AskFirst {
            let mut delivery = waiting.delivery.clone();
            delivery.probed = ask(probe, &delivery);
            take(store, &[&delivery], processes, machine, clock)?;
        }
        waiting.done();
    }
    Ok(batch.len())
}

/// Takes these in, in one transaction.
fn take(
    store: &mut Store,
    deliveries: &[&Delivery],
    processes: &dyn ProcessTable,
    machine: &MachineId,
    clock: &dyn Clock,
) -> Result<Vec<Delivered>, StoreError> {
    let now = clock.now();
    store.write(now, |transaction| {
        let desk = Desk {
            book: transaction,
            processes,
            machine,
            now,
        };
        let take = |delivery: &&Delivery| {
            let delivered = desk.deliver(delivery)?;
            if delivered != Delivered::AskFirst {
                transaction.count(Counter::Spooled)?;
            }
            Ok(delivered)
        };
        deliveries.iter().map(take).collect()
    })
}

fn ask(probe: Option<&dyn PaneProbe>, delivery: &Delivery) -> Probed {
    match (probe, &delivery.origin.place) {
        (Some(probe), Some(place)) => match probe.pane(&place.socket, place.pane) {
            Ok(Some(pane)) => Probed::Pane(pane),
            Ok(None) => Probed::NoSuchPane,
            Err(_) => Probed::NoAnswer,
        },
        _ => Probed::NoAnswer,
    }
}

//! Taking spooled signals in: by the daemon, and by any command that opens the store for writing.

use session_core::MachineId;

use super::deliver::Desk;
use super::delivery::{Delivered, Delivery, Probed};
use crate::bridge::PaneProbe;
use crate::clock::Clock;
use crate::paths::Paths;
use crate::process::ProcessTable;
use crate::spool;
use crate::store::{Counter, Store, StoreError};

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
    for waiting in spool::waiting(paths) {
        let mut delivery = waiting.delivery.clone();
        let mut delivered = take(store, &delivery, processes, machine, clock)?;
        if delivered == Delivered::AskFirst {
            delivery.probed = ask(probe, &delivery);
            delivered = take(store, &delivery, processes, machine, clock)?;
        }
        tracing::debug!(
            ?delivered,
            event = delivery.signal.event,
            "took a spooled signal in"
        );
        waiting.done();
        taken.count += 1;
    }
    Ok(taken)
}

fn take(
    store: &mut Store,
    delivery: &Delivery,
    processes: &dyn ProcessTable,
    machine: &MachineId,
    clock: &dyn Clock,
) -> Result<Delivered, StoreError> {
    let now = clock.now();
    store.write(now, |transaction| {
        let delivered = Desk {
            book: transaction,
            processes,
            machine,
            now,
        }
        .deliver(delivery)?;
        if delivered != Delivered::AskFirst {
            transaction.count(Counter::Spooled)?;
        }
        Ok(delivered)
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

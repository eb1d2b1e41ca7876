//! The order of signals: by start stamp, whatever order they arrive in (design §5.11, case L1).

use crate::act::Signal;
use crate::session::Session;
use crate::turn::Turn;

/// How many signals are kept for putting a late one in its place.
const KEPT: usize = 16;
/// How long they are kept, in milliseconds before the newest.
const KEPT_MS: i64 = 5_000;
/// The same report again within this time, in milliseconds, is a repetition (case D7).
const REPEAT_MS: i64 = 1_000;

/// Where a signal ended up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filed {
    /// In its place, and read.
    Read,
    /// It says the same as its neighbour.
    Repeated,
    /// Before anything that is still kept.
    TooLate,
}

/// Puts the signal in its place and reads the turn book again from there.
pub(super) fn file(session: &mut Session, signal: Signal) -> Filed {
    if signal.at < session.settled.heard {
        return Filed::TooLate;
    }
    let key = (signal.at, signal.fingerprint);
    let index = session
        .recent
        .partition_point(|known| (known.at, known.fingerprint) <= key);
    session.recent.insert(index, signal);
    let repeated = repeats(&session.recent, index);
    read_again(session);
    fold(session);
    if repeated {
        Filed::Repeated
    } else {
        Filed::Read
    }
}

fn repeats(recent: &[Signal], index: usize) -> bool {
    let Some((signal, before)) = recent
        .get(index)
        .zip(index.checked_sub(1).and_then(|before| recent.get(before)))
    else {
        return false;
    };
    before.fingerprint == signal.fingerprint
        && before.source == signal.source
        && signal.at.ms_since(before.at) <= REPEAT_MS
}

fn read_again(session: &mut Session) {
    let mut turn = session.settled.clone();
    for (index, signal) in session.recent.iter().enumerate() {
        if !repeats(&session.recent, index) {
            turn.take(signal);
        }
    }
    session.turn = turn;
}

/// Folds the signals that are too many or too old into the settled book.
fn fold(session: &mut Session) {
    let Some(newest) = session.recent.last().map(|signal| signal.at) else {
        return;
    };
    let too_many = session.recent.len().saturating_sub(KEPT);
    let too_old = session
        .recent
        .partition_point(|signal| newest.ms_since(signal.at) > KEPT_MS);
    let folded = too_many.max(too_old);
    let repeated: Vec<bool> = (0..folded)
        .map(|index| repeats(&session.recent, index))
        .collect();
    for (signal, repeated) in session.recent.drain(..folded).zip(repeated) {
        if !repeated {
            session.settled.take(&signal);
        }
    }
}

/// Forgets the order: the clock was set back, and what comes now is the newest.
pub(super) fn forget_order(session: &mut Session) {
    session.settled = Turn {
        heard: crate::time::Time::default(),
        ..session.turn.clone()
    };
    session.turn.heard = crate::time::Time::default();
    session.recent.clear();
}

//! `tally settle`, `tally snooze` and `tally unsettle`.

use session_core::Event;
use session_host::clock::Clock as _;

use crate::args::{RefArgs, SnoozeArgs};
use crate::commands::clear::change;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// The longest snooze: a year.
const LONGEST_MS: i64 = 365 * 24 * 3_600_000;

/// Puts a session away until something new happens in it.
pub(crate) fn settle(args: &RefArgs, context: &Context) -> anyhow::Result<u8> {
    change(args.reference.as_deref(), context, Event::Settle)
}

/// Takes a session back, whoever has put it away.
pub(crate) fn unsettle(args: &RefArgs, context: &Context) -> anyhow::Result<u8> {
    change(args.reference.as_deref(), context, Event::Unsettle)
}

/// Puts a session away for a while.
pub(crate) fn snooze(args: &SnoozeArgs, context: &Context) -> anyhow::Result<u8> {
    let (reference, length) = args.read().map_err(|word| {
        Failure::new(exit::USAGE, format!("{word:?} is not a length of time"))
            .hint("Such as 90s, 10m, 2h or 1d: tally snooze %5 10m.")
    })?;
    let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
    let until = context.clock.now().plus_ms(length.min(LONGEST_MS));
    change(reference, context, Event::Snooze { until })
}

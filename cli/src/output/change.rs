//! A change of what a session shows, in one line.

use session_core::view::clean;
use session_core::{AwayChange, BlockedKind, ErrorKind, SessionView};
use session_host::config::Look;
use session_host::store::JournalRow;

use super::list::{place, who};
use super::paint::Paint;

/// The longest text of one part, in graphemes.
const PART: usize = 200;
const DAY: i64 = 86_400;

/// The time (UTC), the session, the states, the agent, the pane, and what the agent says: two blanks between them.
pub(crate) fn change(
    row: &JournalRow,
    view: Option<&SessionView>,
    look: &Look,
    paint: Paint,
) -> String {
    let what = &row.transition;
    let kind = what
        .blocked_kind
        .map(BlockedKind::word)
        .or(what.error_kind.map(ErrorKind::word));
    let kind = kind.map_or_else(String::new, |kind| format!(" ({kind})"));
    let id: String = what.session.to_string().chars().take(13).collect();
    let mut parts = vec![
        paint.dim(&stamp(what.at.secs())),
        id,
        match what.away {
            Some(away) => put_away(away).to_owned(),
            None => format!(
                "{} -> {}",
                paint.state(what.from.word(), what.from, look),
                paint.state(&format!("{}{kind}", what.to), what.to, look)
            ),
        },
    ];
    if let Some(view) = view {
        parts.push(who(view));
        parts.push(place(view, true));
    }
    let said = what.message.as_deref().filter(|_| what.is_of_state());
    let said = said.unwrap_or(&what.reason);
    parts.push(clean(said, PART));
    parts.retain(|part| !part.is_empty());
    parts.join("  ")
}

const fn put_away(change: AwayChange) -> &'static str {
    match change {
        AwayChange::Settled => "settled",
        AwayChange::Snoozed { .. } => "snoozed",
        AwayChange::Back => "back",
        AwayChange::Other => "put away otherwise",
    }
}

/// A point in time as RFC 3339 has it, in UTC.
fn stamp(secs: i64) -> String {
    let (days, rest) = (secs.div_euclid(DAY), secs.rem_euclid(DAY));
    // Years that begin in March, so that the leap day is the last one; 400 of them are 146097 days.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_time_is_told_as_a_calendar_has_it() {
        for (secs, told) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_796_083_200, "2026-12-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(stamp(secs), told);
        }
    }
}

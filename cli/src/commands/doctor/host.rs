//! Settings, store and sessions.

use std::fs::OpenOptions;
use std::io::ErrorKind;

use session_core::view::age;
use session_core::{SessionView, State};
use session_host::clock::Clock;
use session_host::config;
use session_host::manifests;
use session_host::spool;
use session_host::store::{Counter, Store, StoreError};

use super::disk;
use super::finding::Finding;
use crate::context::{Context, STORE_WAIT};
use crate::output::counted;
use crate::standings::Standings;
use crate::unrouted::{RECENT_MS, Recent};

/// How long an agent may run without a word before that is odd.
const SILENT_MS: i64 = 60_000;
/// How many reasons are told.
const REASONS: usize = 4;
/// How far a stamp may lie ahead of the clock.
const AHEAD_MS: i64 = 5_000;

/// The settings.
pub(super) fn settings(context: &Context) -> Vec<Finding> {
    let loaded = config::load(&context.paths.config_file());
    if loaded.notes.is_empty() {
        let file = loaded.file.display();
        let found = if loaded.file.exists() {
            file.to_string()
        } else {
            format!("{file} is not there: the defaults hold")
        };
        return vec![Finding::ok("settings", found)];
    }
    loaded
        .lines()
        .map(|line| Finding::warning("settings", line))
        .collect()
}

/// The store.
pub(super) fn store(context: &Context) -> Vec<Finding> {
    let path = context.paths.store();
    // Before the store is open: a second look at its file would let go of its locks.
    if let Err(error) = OpenOptions::new().read(true).write(true).open(&path)
        && error.kind() != ErrorKind::NotFound
    {
        return vec![
            Finding::broken(
                "store",
                format!("{} cannot be written: {error}", path.display()),
            )
            .expected("a file that you can write: signals are stored in it")
            .repair(disk::repair_of(error.kind(), &path).unwrap_or_else(|| {
                "give it back to yourself, or move it out of the way".to_owned()
            })),
        ];
    }
    let store = match Store::open_reading(&context.paths, STORE_WAIT) {
        Ok(store) => store,
        Err(StoreError::Missing) => {
            return vec![Finding::note("store", "empty: nothing was ever reported")];
        }
        Err(error @ StoreError::Busy) => {
            return vec![
                Finding::warning("store", error.to_string()).repair("try again in a moment"),
            ];
        }
        Err(error @ StoreError::Corrupt(_)) => {
            return vec![Finding::warning("store", error.to_string()).repair(
                "nothing: the next signal sets it aside, and work goes on with an empty one",
            )];
        }
        Err(error) => {
            return vec![
                Finding::broken("store", error.to_string()).expected(path.display().to_string()),
            ];
        }
    };
    let mut findings = vec![Finding::ok("store", path.display().to_string())];
    for aside in store.set_aside().unwrap_or_default() {
        let found = format!(
            "a damaged one was set aside as {}: {}",
            aside.path, aside.why
        );
        findings.push(
            Finding::note("store", found)
                .repair("remove the file when you do not want to look into it"),
        );
    }
    findings.extend(unrouted(&store, context));
    findings.extend(sandboxed(&store, context));
    findings
}

/// Signals of sandboxed agents: those of the last hour say what is so now.
fn sandboxed(store: &Store, context: &Context) -> Option<Finding> {
    let sandboxed = store.counted(Counter::Sandboxed).ok()?;
    let ago_ms = context.clock.now().ms_since(sandboxed.at);
    if sandboxed.count == 0 || ago_ms > RECENT_MS {
        return None;
    }
    let count = usize::try_from(sandboxed.count).unwrap_or(usize::MAX);
    let found = format!("{}, the last {} ago", counted(count, "signal"), age(ago_ms));
    Some(
        Finding::note("sandboxed agents", found)
            .expected("agents that may write the state folder and send to the runtime folder's socket")
            .repair(
                "nothing is lost, but lamps can be late; whether to open the sandbox is yours to decide",
            ),
    )
}

/// Signals that named no live pane: why those of the last hour did not.
fn unrouted(store: &Store, context: &Context) -> Option<Finding> {
    let unrouted = store
        .unrouted()
        .ok()
        .filter(|unrouted| unrouted.count > 0)?;
    let recent = Recent::of(&unrouted, context.clock.now());
    let about = "signals without a pane";
    if recent.count == 0 {
        return Some(Finding::ok(
            about,
            format!("none in the last hour, {} in all", unrouted.count),
        ));
    }
    let reasons = recent.reasons.iter().take(REASONS).map(|reason| {
        let times = match reason.count {
            1 => String::new(),
            count => format!("{count} × "),
        };
        let ago = age(context.clock.now().ms_since(reason.newest));
        format!(
            "{times}{}, {} ({ago} ago): {}",
            reason.agent, reason.event, reason.why
        )
    });
    let mut reasons = reasons.collect::<Vec<_>>();
    if let more @ 1.. = recent.reasons.len().saturating_sub(REASONS) {
        reasons.push(format!("and {}", counted(more, "other reason")));
    }
    let found = format!(
        "{} in the last hour, {} in all: {}",
        recent.shown_count(),
        unrouted.count,
        reasons.join("; ")
    );
    Some(
        Finding::note(about, found)
            .expected(
                "signals from agents in panes; those of agents outside every pane are only counted",
            )
            .repair(
                "nothing where no pane was meant; a script that means one names its session: tally signal --session REF",
            ),
    )
}

/// Signals that wait to be taken in.
pub(super) fn spool(context: &Context) -> Option<Finding> {
    let (waiting, broken) = spool::count(&context.paths);
    let found = match (waiting, broken) {
        (0, 0) => return None,
        (waiting, 0) => format!("{} waiting", counted(waiting, "signal")),
        (waiting, broken) => format!(
            "{} waiting, and {} that cannot be read",
            counted(waiting, "signal"),
            counted(broken, "other")
        ),
    };
    Some(
        Finding::warning("spool", found)
            .expected("none: they are taken in by the daemon as soon as the store can be written")
            .repair("tally up"),
    )
}

/// The sessions: agents that never said a word, and stamps from the future.
pub(super) fn sessions(context: &Context) -> Vec<Finding> {
    let config = config::load(&context.paths.config_file()).config;
    // What is wrong with the store is told already.
    let Ok(picture) = context.picture(&config, None, false) else {
        return Vec::new();
    };
    let standings = Standings::read(context);
    let mut findings: Vec<Finding> = picture
        .snapshot
        .sessions
        .iter()
        .filter(|view| is_wired(view, &standings))
        .filter_map(silent)
        .collect();
    let now = context.clock.now();
    if picture
        .sessions
        .iter()
        .any(|session| session.turn.heard.ms_since(now) > AHEAD_MS)
    {
        findings.push(
            Finding::warning(
                "clock",
                "signals were stamped in the future: the clock was set back",
            )
            .expected("a clock that runs forward; the next signals count as the newest"),
        );
    }
    findings
}

/// Whether a report is to be expected: the agent is wired at launch or in its own configuration.
fn is_wired(view: &SessionView, standings: &Standings<'_>) -> bool {
    let manifest = view
        .agent
        .as_ref()
        .and_then(|agent| manifests::find(agent.as_str()));
    manifest.is_some_and(|manifest| {
        let at_launch = manifest.is_wired() && !standings.opted_out(&manifest);
        let own = standings.of(&manifest, false);
        at_launch || own.is_some_and(|own| own.written.is_some())
    })
}

fn silent(view: &SessionView) -> Option<Finding> {
    let odd = view.state == State::Running
        && view.state_age_ms > SILENT_MS
        && !view.coverage.reportable.is_empty();
    odd.then(|| {
        let agent = view.agent.as_ref().map_or("an agent", session_core::AgentName::as_str);
        let pane = view.pane.as_ref().map_or_else(|| view.id.to_string(), |pane| pane.pane_id.to_string());
        Finding::warning(
            format!("{agent} in {pane}"),
            format!("has run for {} and never reported anything", age(view.state_age_ms)),
        )
        .expected("a report at its start: it was started without its wiring, or its hooks are switched off")
        .repair(format!("end it and start it with `tally run {agent}`, or by name after `tally init`"))
    })
}

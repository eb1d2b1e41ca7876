//! `tally hooks`, and `tally __hook`, which the daemon starts for each errand.

use std::time::Duration;

use serde::Serialize;
use session_core::happening::{Happening, HookEvent, PlaceFact, Side, variables};
use session_core::view::{age, clean};
use session_core::{Mux, PaneId, State, WindowId};
use session_host::clock::Clock as _;
use session_host::config;
use session_host::hooks::{self, HookCommand, HookTable, Limits};
use session_host::store::{HookRun, Logged, Store, StoreError};

use crate::args::HooksCommand;
use crate::commands::daemon;
use crate::context::{Context, STORE_WAIT};
use crate::failure::{exit, of_store};
use crate::output::{Column, Document, Paint, table};

/// How many happenings are listed.
const LOGGED: u32 = 50;
/// The longest text that is listed, in graphemes.
const LISTED: usize = 1024;

/// Runs the commands of one errand.
pub(crate) fn errand(seq: u64, context: &Context) -> anyhow::Result<u8> {
    daemon::log();
    // It is to outlive the daemon and its terminal. Already so when it leads a group of its own.
    let _ = rustix::process::setsid();
    hooks::run_errand(seq, &context.paths, &context.env, &context.clock)?;
    Ok(exit::OK)
}

/// Lists the hooks, tries them, or lists what happened.
pub(crate) fn run(command: &HooksCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        HooksCommand::List { event, json } => list(*event, *json, context),
        HooksCommand::Test { event } => test(*event, context),
        HooksCommand::Log { json } => log(*json, context),
    }
}

/// The table, with the mistakes told.
fn configured(context: &Context) -> (HookTable, bool) {
    let loaded = config::load(&context.paths.config_file());
    if loaded.hooks_doubtful {
        loaded.lines().for_each(|line| context.out.note(&line));
        context
            .out
            .note("A daemon that runs keeps the table it had until this is repaired.");
    }
    (loaded.config.hooks, loaded.hooks_doubtful)
}

/// One command of the configuration.
#[derive(Serialize)]
struct Listed<'l> {
    event: HookEvent,
    side: Side,
    command: &'l str,
    timeout_ms: u64,
    #[serde(flatten)]
    run: HookRun,
}

#[derive(Serialize)]
struct ListDocument<'l> {
    /// Whether the configuration can be read.
    ok: bool,
    hooks: Vec<Listed<'l>>,
}

/// The store for reading; `None` when there is none yet.
fn store(context: &Context) -> anyhow::Result<Option<Store>> {
    match Store::open_reading(&context.paths, STORE_WAIT) {
        Ok(store) => Ok(Some(store)),
        Err(StoreError::Missing) => Ok(None),
        Err(error) => Err(of_store(&error, &context.paths).into()),
    }
}

fn list(event: Option<HookEvent>, json: bool, context: &Context) -> anyhow::Result<u8> {
    let (configured, doubtful) = configured(context);
    let store = store(context)?;
    let mut listed = Vec::new();
    for (of, command) in configured.iter() {
        if event.is_some_and(|event| event != of) {
            continue;
        }
        let run = match &store {
            Some(store) => store.hook_run(of, &command.run)?,
            None => HookRun::default(),
        };
        listed.push(Listed {
            event: of,
            side: of.side(),
            command: &command.run,
            timeout_ms: command.timeout_ms,
            run,
        });
    }
    if json {
        context.out.json(&Document::new(ListDocument {
            ok: !doubtful,
            hooks: listed,
        }))?;
    } else if listed.is_empty() {
        context
            .out
            .note("No command is configured; docs/hooks.md tells how to write one.");
    } else {
        context.out.data(&text(&listed, context))?;
    }
    Ok(exit::OK)
}

fn text(listed: &[Listed<'_>], context: &Context) -> String {
    let now = context.clock.now();
    let cell = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let rows = listed
        .iter()
        .map(|hook| {
            let run = &hook.run;
            vec![
                hook.event.to_string(),
                hook.side.to_string(),
                run.runs.to_string(),
                run.dropped.to_string(),
                cell(run.last_exit.map(|exit| exit.to_string())),
                cell(run.last_at.map(|at| age(now.ms_since(at)))),
                cell(run.last_ms.map(|ms| ms.to_string())),
                clean(hook.command, LISTED),
                clean(run.last_error.as_deref().unwrap_or("-"), LISTED),
            ]
        })
        .collect::<Vec<_>>();
    let columns = [
        Column::left("EVENT", 10),
        Column::left("SIDE", 6),
        Column::right("RUNS"),
        Column::right("DROPPED"),
        Column::right("EXIT"),
        Column::right("AGO"),
        Column::right("MS"),
        Column::lasting("COMMAND", 20, 10),
        Column::left("ERROR", 10),
    ];
    table(&columns, &rows, context.out.columns(), &|_, _, cell| {
        cell.to_owned()
    })
}

fn test(event: HookEvent, context: &Context) -> anyhow::Result<u8> {
    let (configured, _) = configured(context);
    let commands = configured.of(event);
    if commands.is_empty() {
        context
            .out
            .note(&format!("No command is configured for {event}."));
        return Ok(exit::FAILED);
    }
    let happening = made_up(event, context);
    let failed = commands
        .iter()
        .filter(|command| !try_one(command, &happening, context))
        .count();
    Ok(if failed == 0 { exit::OK } else { exit::FAILED })
}

fn try_one(command: &HookCommand, happening: &Happening, context: &Context) -> bool {
    let paint = Paint::new(context.out.colour());
    let limits = Limits {
        timeout: Duration::from_millis(command.timeout_ms),
        folder: Some(happening.place.folder.as_ref()),
    };
    context.out.note(&paint.bold(&command.run));
    let ran = hooks::run(&command.run, &variables(happening, 0), &context.env, limits);
    if !ran.stdout.is_empty() {
        // A reader that went away is told by the status.
        drop(context.out.data(&ran.stdout));
    }
    if !ran.stderr.is_empty() {
        context.out.note(ran.stderr.trim_end());
    }
    let how = ran.failure.as_deref().unwrap_or("exit 0");
    context.out.note(&format!("{how}, after {} ms", ran.ms));
    ran.failure.is_none()
}

/// Something that could have happened.
fn made_up(event: HookEvent, context: &Context) -> Happening {
    let mut happening = Happening::new(event, context.clock.now());
    let folder = std::env::current_dir().unwrap_or_default();
    happening.place = PlaceFact {
        mux: Some(Mux::Tmux),
        server: "/tmp/tmux-test/default".to_owned(),
        mux_session: "test".to_owned(),
        window: Some(WindowId(1)),
        window_name: "a test".to_owned(),
        pane: Some(PaneId(1)),
        workspace: 1,
        folder: folder.to_string_lossy().into_owned(),
        ..PlaceFact::default()
    };
    if event == HookEvent::AfterAgentState {
        happening.agent.state = Some(State::Blocked);
        happening.agent.before = Some(State::Working);
        happening.agent.harness = "claude".parse().ok();
        "This is a test of your hooks.".clone_into(&mut happening.agent.message);
    }
    happening
}

#[derive(Serialize)]
struct LogDocument {
    happenings: Vec<Logged>,
}

fn log(json: bool, context: &Context) -> anyhow::Result<u8> {
    let logged = match store(context)? {
        Some(store) => store.errands_logged(LOGGED)?,
        None => Vec::new(),
    };
    if json {
        context
            .out
            .json(&Document::new(LogDocument { happenings: logged }))?;
        return Ok(exit::OK);
    }
    if logged.is_empty() {
        context.out.note("Nothing has happened that has a hook.");
        return Ok(exit::OK);
    }
    let now = context.clock.now();
    let rows = logged
        .into_iter()
        .map(|logged| {
            vec![
                logged.seq.to_string(),
                age(now.ms_since(logged.at)),
                logged.event,
                logged.state,
                logged.why.unwrap_or_else(|| "-".to_owned()),
            ]
        })
        .collect::<Vec<_>>();
    let columns = [
        Column::right("SEQ"),
        Column::right("AGO"),
        Column::left("EVENT", 10),
        Column::left("STATE", 8),
        Column::left("WHY", 10),
    ];
    context.out.data(&table(
        &columns,
        &rows,
        context.out.columns(),
        &|_, _, cell| cell.to_owned(),
    ))?;
    Ok(exit::OK)
}

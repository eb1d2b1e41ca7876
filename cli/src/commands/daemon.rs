//! `tally daemon`.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use serde::Serialize;
use session_core::view::age;
use session_core::wire::{self, Flavour, Go};
use session_core::{State, URGENCY};
use session_host::bridge::Bridge;
use session_host::clock::Clock;
use session_host::config::{Config, Look};
use session_host::process::SystemProcesses;
use session_host::service::{self, BridgeMaker, ControlError, Service, Status};
use tmux_bridge::BridgeConfig;
use tmux_bridge::style::Theme;
use tokio::sync::mpsc;
use tracing_subscriber::EnvFilter;
use zellij_bridge::ZellijBridge;

use crate::args::DaemonCommand;
use crate::bridge::NamedServers;
use crate::commands::guard::Guard;
use crate::commands::jumps;
use crate::commands::up::running;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Document, counted};

/// Runs the daemon, or tells how it is.
pub(crate) fn run(command: &DaemonCommand, context: &Context) -> anyhow::Result<u8> {
    match command {
        DaemonCommand::Run { detach } => serve(*detach, context),
        DaemonCommand::Status { json } => tell(*json, context),
    }
}

fn serve(detach: bool, context: &Context) -> anyhow::Result<u8> {
    if detach {
        // Neither a closed terminal nor its Ctrl-C is for us from here on.
        rustix::process::setsid()?;
    }
    log();
    let _guard = Guard::post(context, detach)
        .inspect_err(|error| tracing::warn!(%error, "the daemon has no guard"));
    let config = context.config();
    let jumps = jumps::start(Context::new(context.env.clone(), context.out)?)?;
    service::run(Service {
        paths: context.paths.clone(),
        machine: context.machine.clone(),
        policy: config.policy.clone(),
        agents: Arc::new(context.agents),
        processes: Arc::<SystemProcesses>::default(),
        clock: Arc::new(context.clock),
        bridges: vec![tmux(&config, context), zellij(&config, context, jumps)],
        version: env!("CARGO_PKG_VERSION").to_owned(),
        hook_runner: vec![context.program().into(), "__hook".into()],
    })?;
    Ok(exit::OK)
}

pub(super) fn log() {
    let filter = EnvFilter::try_from_env("TALLY_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_target(false);
    drop(log.with_ansi(io::stderr().is_terminal()).try_init());
}

fn tmux(config: &Config, context: &Context) -> BridgeMaker {
    let (env, theme, wake_hooks) = (context.env.clone(), theme(config), config.tmux.wake_hooks);
    let clock = context.clock;
    let hold: Vec<OsString> = vec![context.program().into(), "__hold".into()];
    Box::new(move || -> Box<dyn Bridge> {
        let config = BridgeConfig {
            env: env.clone(),
            clock: Arc::new(clock),
            wake_hooks,
            hold: hold.clone(),
            theme: theme.clone(),
        };
        Box::new(NamedServers { config })
    })
}

fn zellij(config: &Config, context: &Context, jumps: mpsc::Sender<Go>) -> BridgeMaker {
    let (env, theme, clock) = (context.env.clone(), zellij_theme(config), context.clock);
    let feeds_zjstatus = config.zellij.zjstatus;
    Box::new(move || -> Box<dyn Bridge> {
        Box::new(ZellijBridge::new(zellij_bridge::BridgeConfig {
            env: env.clone(),
            clock: Arc::new(clock),
            processes: Arc::<SystemProcesses>::default(),
            flavour: Flavour::BUILD,
            theme: theme.clone(),
            zjstatus: feeds_zjstatus.then(zellij_bridge::zjstatus::Widget::default),
            go: Some(jumps.clone()),
        }))
    })
}

/// The look of the lamps in zellij: only what the person has changed, for the rest follows zellij's theme.
fn zellij_theme(config: &Config) -> wire::Theme {
    let default = Look::default();
    let changed = |state: &State| config.look.colour(*state) != default.colour(*state);
    let colours = URGENCY.into_iter().filter(changed);
    wire::Theme {
        glyphs: config.look.glyphs,
        colours: colours
            .map(|state| {
                (
                    state.word().to_owned(),
                    config.look.colour(state).to_string(),
                )
            })
            .collect(),
        urgency: config.policy.urgency.clone(),
    }
}

/// The look of the lamps in tmux.
pub(super) fn theme(config: &Config) -> Theme {
    Theme {
        look: config.look.clone(),
        urgency: config.policy.urgency.clone(),
    }
}

#[derive(Serialize)]
struct DaemonDocument<'d> {
    running: bool,
    #[serde(flatten)]
    status: Option<&'d Status>,
}

fn tell(json: bool, context: &Context) -> anyhow::Result<u8> {
    let found = match running(&context.paths) {
        Ok(status) => Some(status),
        Err(ControlError::NotRunning) => None,
        Err(error) => return Err(error.into()),
    };
    if json {
        context.out.json(&Document::new(DaemonDocument {
            running: found.is_some(),
            status: found.as_ref(),
        }))?;
    } else if let Some(found) = &found {
        let up = age(context.clock.now().ms() - found.since_ms);
        context.out.data(&format!(
            "running for {up}, pid {}, version {}: {} on {}, journal at {}",
            found.pid,
            found.version,
            counted(found.sessions, "session"),
            counted(found.servers, "server"),
            found.seq
        ))?;
    } else {
        context
            .out
            .note("No daemon is running; `tally up` starts one.");
    }
    Ok(if found.is_some() {
        exit::OK
    } else {
        exit::FAILED
    })
}

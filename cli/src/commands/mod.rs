//! The commands, one file each.

mod ack;
mod agent;
mod attention;
mod away;
mod clear;
mod completions;
mod conf;
mod config;
mod daemon;
mod dash;
mod doctor;
mod down;
mod enter;
mod events;
mod explain;
mod extension;
mod focus;
mod guard;
mod hold;
mod hooks;
mod init;
mod jumps;
mod list;
mod man;
mod new;
mod next;
mod reports_as;
mod restart;
mod resume;
mod run;
mod status;
mod tmux;
mod up;
mod wait;
mod watch;
mod worktree;
mod zellij;

pub(crate) use clear::tell;
pub(crate) use focus::{Reached, reach};
pub(crate) use up::runs as daemon_runs;

use std::ffi::OsString;
use std::io::IsTerminal;

use clap::Parser;
use clap::error::ErrorKind;
use session_core::Time;
use session_host::env::Env;
use session_host::manifests;

use crate::args::{Cli, Command, ExtensionCommand};
use crate::context::Context;
use crate::failure::{self, exit};
use crate::output::Output;
use crate::signal;

/// Runs the command that the words name, and gives the status to end with.
pub(crate) fn run(words: &[OsString], at: Time) -> u8 {
    let signals = words.get(1).is_some_and(|word| word == "signal");
    let parsed = if signals {
        Cli::try_parse_from(signal::in_utf8(words).iter().map(AsRef::<str>::as_ref))
    } else {
        Cli::try_parse_from(words)
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error, words),
    };
    let env = Env::of_process();
    let out = Output::of_process(&env);
    let command = match cli.command {
        Command::Signal(signal) => return signal::run(&signal, at),
        command => command,
    };
    let context = match Context::new(env.clone(), out) {
        Ok(context) => context,
        Err(_) if command.only_prints() => Context::without_home(env, out),
        Err(error) => return failure::report(&error.into(), &out),
    };
    own_agents(&command, &context);
    match dispatch(command, &context) {
        Ok(status) => status,
        Err(error) => failure::report(&error, &out),
    }
}

/// Makes the person's own agents known; mistakes in them are told in one line, but where they are checked.
fn own_agents(command: &Command, context: &Context) {
    let mistakes = manifests::add_own(&context.paths);
    let checks = matches!(
        command,
        Command::Extension {
            command: ExtensionCommand::Check { .. }
        }
    );
    match mistakes.as_slice() {
        [] => {}
        _ if checks => {}
        [mistake] => context.out.note(&format!("tally: {mistake}")),
        mistakes => context.out.note(&format!(
            "tally: {} mistakes in your own agents; `tally extension check` lists them",
            mistakes.len()
        )),
    }
}

fn dispatch(command: Command, context: &Context) -> anyhow::Result<u8> {
    match command {
        Command::List(args) => list::run(&args, context),
        Command::Status(args) => status::run(&args, context),
        Command::Dash(args) => dash::dashboard(&args, context),
        Command::Pick(args) => dash::picker(&args, context),
        Command::Watch => watch::run(context),
        Command::Events(args) => events::run(&args, context),
        Command::Explain(args) => explain::run(&args, context),
        Command::Focus(args) => focus::run(&args, context),
        Command::Next(args) => next::run(&args, context),
        Command::Ack(args) => ack::run(&args, context),
        Command::Clear(args) => clear::run(&args, context),
        Command::Wait(args) => wait::run(&args, context),
        Command::Attention(args) => attention::run(&args, context),
        Command::Settle(args) => away::settle(&args, context),
        Command::Snooze(args) => away::snooze(&args, context),
        Command::Unsettle(args) => away::unsettle(&args, context),
        Command::Signal(_) => Ok(exit::OK),
        Command::Run(args) => run::run(args, context),
        Command::New(args) => new::run(&args, context),
        Command::Restart(args) => restart::run(&args, context),
        Command::Resume(args) => resume::run(&args, context),
        Command::Worktree { command } => worktree::run(&command, context),
        Command::ReportsAs(args) => reports_as::run(&args, context),
        Command::Enter(args) => enter::run(&args, context),
        Command::Init(args) => init::run(&args, context),
        Command::Up(args) => up::run(&args, context),
        Command::Down => down::run(context),
        Command::Daemon { command } => daemon::run(&command, context),
        Command::Tmux { command } => tmux::run(&command, context),
        Command::Zellij { command } => zellij::run(&command, context),
        Command::Hooks { command } => hooks::run(&command, context),
        Command::Config { command } => config::run(&command, context),
        Command::Agent { command } => agent::run(&command, context),
        Command::Extension { command } => extension::run(&command, context),
        Command::Doctor(args) => doctor::run(&args, context),
        Command::Completions { shell } => completions::run(shell, context),
        Command::Man { folder } => man::run(&folder),
        Command::Guard(args) => guard::run(&args, context),
        Command::Hook { seq } => hooks::errand(seq, context),
        Command::Hold { command } => Ok(hold::run(&command)),
    }
}

/// Tells what is wrong with the command line.
///
/// A `tally signal` in an agent's hook must not end with status 2, which agents take for "stop": unless somebody sits
/// at a terminal to read it, or asked for it with `--strict`, a wrong one says nothing and ends well.
fn usage(error: &clap::Error, words: &[OsString]) -> u8 {
    let wanted = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let signals = words.get(1).is_some_and(|word| word == "signal");
    let strict = words.iter().any(|word| word == "--strict");
    if signals && !wanted && !strict && !std::io::stderr().is_terminal() {
        return exit::OK;
    }
    drop(error.print());
    if wanted { exit::OK } else { exit::USAGE }
}

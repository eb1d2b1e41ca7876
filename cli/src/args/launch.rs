//! What can be typed to start sessions, to start them again, and to say what they report as.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

/// `tally new`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").args(["command", "agent"])))]
pub(crate) struct NewArgs {
    /// The session's name, by which it can be named from then on, and its window's.
    #[arg(long, short, value_name = "NAME")]
    pub name: String,
    /// The program to run; without it, and without --agent, your shell.
    #[arg(long, value_name = "PROGRAM")]
    pub command: Option<OsString>,
    /// An argument of the program; may be given several times, and comes before those behind the --.
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<OsString>,
    /// The agent to start with its wiring, as `tally run` does.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The agent whose coverage the session is read against.
    #[arg(long, value_name = "AGENT")]
    pub reports_as: Option<String>,
    /// The directory; without it, this one.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Where.
    #[command(flatten)]
    pub spot: SpotArgs,
    /// More arguments.
    #[arg(last = true, value_name = "ARGS")]
    pub rest: Vec<OsString>,
}

/// Where a window or tab is opened.
#[derive(Debug, Args)]
pub(crate) struct SpotArgs {
    /// The server, by its name: tmux:work, zellij:main, or work; without it, the one you are in, or the only one.
    #[arg(long, value_name = "SERVER")]
    pub server: Option<String>,
    /// The tmux session on it, by its name; without it, the one you are in, or the only one.
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Stay where you are: do not go to the new window.
    #[arg(long, short)]
    pub detached: bool,
}

/// `tally restart`.
#[derive(Debug, Args)]
pub(crate) struct RestartArgs {
    /// The session; without it, the one in this pane.
    #[arg(value_name = "REF")]
    pub reference: Option<String>,
    /// Also while its agent works or waits for you: what it is doing is cut off.
    #[arg(long, visible_alias = "force")]
    pub yes: bool,
}

/// `tally resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The session; one that is over as well.
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Become the agent here, with its wiring, in the directory of the session.
    #[arg(long)]
    pub run: bool,
}

/// `tally reports-as`.
#[derive(Debug, Args)]
pub(crate) struct ReportsAsArgs {
    /// The session and the agent; without the session, the one in this pane. With --clear the session alone.
    #[arg(value_name = "[REF] AGENT", num_args = 0..=2)]
    pub words: Vec<String>,
    /// Take the declaration back.
    #[arg(long)]
    pub clear: bool,
}

/// `tally __enter`.
#[derive(Debug, Args)]
pub(crate) struct EnterArgs {
    /// The session whose command this process becomes.
    pub session: String,
}

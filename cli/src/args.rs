//! What can be typed: the whole command line, and its help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use session_core::happening::HookEvent;

mod away;
mod events;
mod launch;
mod wait;
mod wiring;
mod worktree;

pub(crate) use away::{AttentionArgs, SnoozeArgs};
pub(crate) use events::EventsArgs;
pub(crate) use launch::{EnterArgs, NewArgs, ReportsAsArgs, RestartArgs, ResumeArgs, SpotArgs};
pub(crate) use wait::WaitArgs;
pub(crate) use wiring::{DiffArgs, Whose, WiringArgs};
pub(crate) use worktree::{
    MakeArgs, WorktreeCommand, WorktreeFanArgs, WorktreeListArgs, WorktreeNewArgs,
    WorktreeRemoveArgs,
};

/// See which of your coding agents waits for you, in the tmux you already use.
///
/// Tallylight puts a lamp on every tmux window in which a coding agent runs: working, blocked on you, done, idle,
/// or failed. The same states are here on the command line.
#[derive(Debug, Parser)]
#[command(
    name = "tally",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Start with `tally tmux load` inside tmux and `eval \"$(tally init bash)\"` in your shell, then \
                  type `claude`.\nWhen something looks wrong: `tally doctor`, and `tally explain REF`.",
    after_long_help = AFTER
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
A REF names a session: a pane such as %5, a pane of one server such as tmux:default:%5, or its id or the beginning of
it (`tally list --all` shows them). When it names several, the command ends with status 3 and lists them.

Exit status:
  0  done
  1  it failed, or the answer is no; each command says which
  2  the command line is wrong
  3  REF names several sessions
  124  `tally wait`: the time was up
  4  `tally signal --strict`: not stored yet, and taken in as soon as it can be

Files:
  ~/.config/tally/config.toml   settings; `tally config show` prints them with their defaults
  ~/.local/state/tally/         sessions and their history

Start with `tally tmux load` inside tmux and `eval \"$(tally init bash)\"` in your shell, then type `claude`.
When something looks wrong: `tally doctor`, and `tally explain REF`.";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the agents and what they are doing, the most urgent first.
    ///
    /// Works with and without the daemon. Ends with status 0 also when there is nothing to list.
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Print all states in one short line, for a status bar or a prompt.
    Status(StatusArgs),
    /// Show all agents, live, in the whole terminal: who waits, why, and for how long.
    ///
    /// Enter goes to the agent's pane, n to the next one that is blocked, ? shows the keys.
    #[command(visible_alias = "dashboard")]
    Dash(FaceArgs),
    /// Pick an agent from a small list and go to its pane: for a popup of tmux and a floating pane of zellij.
    ///
    /// `tally tmux install --keys` and `tally zellij install --keys` bind a key to it.
    Pick(FaceArgs),
    /// Print a line for each change of a state as it comes, for people without a full screen.
    ///
    /// Goes on until nobody reads it any more, also while the daemon is started and stopped.
    Watch,
    /// Print the journal of all changes, for programs: each once, with its number, and a word where some are missing.
    ///
    /// Needs no daemon. With --follow it goes on until nobody reads it any more, also while the daemon comes and goes.
    Events(EventsArgs),
    /// Tell why a session shows the state it shows: the evidence, its ranks, and what was refused.
    Explain(ExplainArgs),
    /// Go to the pane of a session.
    ///
    /// Inside tmux your own terminal is switched; outside, at a terminal, the session is attached. Where no terminal can
    /// show the pane it is made the active one, and the status is 1.
    Focus(FocusArgs),
    /// Go to the session that most needs you: blocked, failed or done.
    ///
    /// Called again from there, it goes to the next one. Ends with status 1 when nobody needs you.
    Next(NextArgs),
    /// Acknowledge a finished turn: done becomes idle.
    ///
    /// A turn is acknowledged by itself when you look at its pane for a moment and then leave.
    Ack(AckArgs),
    /// List those that need you, the most urgent and longest waiting first, and those that are put away.
    ///
    /// Blocked, failed and finished agents of all servers. Ends with status 0 also when nobody needs you.
    Attention(AttentionArgs),
    /// Put a session away: it needs you no more until something new happens in it.
    ///
    /// A new turn, a new question or a new failure brings it back. Its lamp stays what it is. What has been at rest for an
    /// hour counts as settled by itself.
    Settle(RefArgs),
    /// Put a session away for a while, such as 10m or 2h, or until something new happens in it.
    Snooze(SnoozeArgs),
    /// Take a session back that is settled or snoozed.
    Unsettle(RefArgs),
    /// Wait until sessions are in one of some states, for scripts: `tally wait %5 --until done,error`.
    ///
    /// Ends with status 0 when they are, 1 when one has ended that can come there no more, 124 when the time is up.
    Wait(WaitArgs),
    /// Tell that nothing runs or waits in a session: it becomes idle.
    ///
    /// For the rare block or turn that an agent left behind without a word. Whatever the agent reports next counts
    /// again.
    Clear(RefArgs),
    /// Report a state: for scripts and for agents that Tallylight does not wire.
    ///
    /// Says nothing and ends with status 0 whatever happens, so that it can never disturb the agent that calls it;
    /// with --strict it tells what went wrong and ends with status 1, or with 4 when the signal waits to be taken in.
    Signal(SignalArgs),
    /// Start an agent with its wiring, in the place of this command.
    ///
    /// `tally init` makes a shell function of it for each agent, so that typing `claude` is enough. The agent's own
    /// configuration is not touched. If it cannot be wired it is started all the same. Ends with the agent's own
    /// status; 127 when there is no such agent or program, 126 when it cannot be run. All words after the agent's name
    /// are the agent's own, options as well; a -- in front of them is not passed on.
    #[command(override_usage = "tally run [--reports-as AGENT] AGENT [--] [ARGS]...")]
    Run(RunArgs),
    /// Open a window or tab with a command or an agent in it, as a session with a name.
    ///
    /// In the tmux or zellij you are in; outside, --server and --session say which, or the only one is meant. The
    /// command is kept exactly, so that `tally restart` starts it again. Prints the id of the session.
    New(NewArgs),
    /// Start the command of a session again, in the same pane.
    ///
    /// Only for sessions that `tally new` or `tally worktree` started: name, command, directory and what was declared
    /// of the session stay. Where the pane is gone a new window is opened. Prints the id of the new session.
    Restart(RestartArgs),
    /// Print the command with which the agent goes on with the conversation of a session, or run it.
    ///
    /// For sessions that are over as well: `tally list --all` shows them.
    Resume(ResumeArgs),
    /// Make worktrees of git with an agent in each, list them, and remove them without losing work.
    Worktree {
        /// What to do.
        #[command(subcommand)]
        command: WorktreeCommand,
    },
    /// Declare which agent a session is, so that what it can report is known.
    ///
    /// For an agent that was started by something else, and reports by `tally signal`. It changes only what coverage
    /// the session is read against, never its state or its command.
    #[command(
        name = "reports-as",
        override_usage = "tally reports-as [REF] AGENT\n       tally reports-as [REF] --clear"
    )]
    ReportsAs(ReportsAsArgs),
    /// Print shell code that wires agents when you type their names.
    ///
    /// bash: eval "$(tally init bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc; fish: tally init fish |
    /// source in config.fish.
    Init(InitArgs),
    /// Start the daemon unless it runs, and wait until it answers.
    Up(UpArgs),
    /// Stop the daemon. Lamps go out; what is known is kept.
    Down,
    /// Run the daemon here, or ask how it is.
    Daemon {
        /// What to do.
        #[command(subcommand)]
        command: DaemonCommand,
    },
    /// Put the lamps into tmux, for now or for good, and take them out again.
    Tmux {
        /// What to do.
        #[command(subcommand)]
        command: TmuxCommand,
    },
    /// Put the lamps into zellij and take them out again.
    Zellij {
        /// What to do.
        #[command(subcommand)]
        command: ZellijCommand,
    },
    /// Show how your own commands fare that run for events, and try them.
    ///
    /// They are written in the table `[hooks]` of the configuration.
    Hooks {
        /// What to do.
        #[command(subcommand)]
        command: HooksCommand,
    },
    /// Show the settings, check the file, or print its path.
    Config {
        /// What to do.
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// List the agents that are known, and which of them are here.
    Agent {
        /// What to do.
        #[command(subcommand)]
        command: AgentCommand,
    },
    /// Show how agents are recognised, wired and understood, wire them or not, and check an extension of your own.
    Extension {
        /// What to do.
        #[command(subcommand)]
        command: ExtensionCommand,
    },
    /// Check that states can arrive, and tell how to repair what is in the way.
    ///
    /// What signals need is tried for real, and nothing is left changed. Ends with status 1 when states cannot arrive.
    Doctor(DoctorArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages, one for each command, into a folder: for those who package Tallylight.
    ///
    /// The folder is made where there is none. Needs no home, as in a build.
    Man {
        /// The folder, such as /usr/share/man/man1.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Clear away what the daemon at the other end of standard input leaves behind when it dies.
    #[command(name = "__guard", hide = true)]
    Guard(GuardArgs),
    /// Wait for the session that begins in this pane, and become its command.
    #[command(name = "__enter", hide = true)]
    Enter(EnterArgs),
    /// Run the commands of one errand of the hooks.
    #[command(name = "__hook", hide = true)]
    Hook {
        /// The errand's number.
        seq: u64,
    },
    /// Run a command until it or standard input ends.
    #[command(name = "__hold", hide = true, disable_help_flag = true)]
    Hold {
        /// The command.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
}

impl Command {
    /// Whether it only gives out what does not depend on anybody's files.
    pub(crate) fn only_prints(&self) -> bool {
        matches!(
            self,
            Self::Init(_)
                | Self::Completions { .. }
                | Self::Man { .. }
                | Self::Tmux {
                    command: TmuxCommand::Snippet { .. }
                }
        )
    }
}

/// `tally list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
    /// Also list sessions that ended lately, and why, and show of each id what tells it from the others.
    #[arg(long, short)]
    pub all: bool,
}

/// `tally status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The form; without it, ansi on a terminal and plain elsewhere.
    #[arg(long, value_enum)]
    pub format: Option<StatusFormat>,
    /// The most columns to use.
    #[arg(long, default_value_t = 80)]
    pub width: usize,
    /// Only this window: @3 of the server you are in, or tmux:SERVER:@3.
    #[arg(long, value_name = "WINDOW")]
    pub window: Option<String>,
}

/// The forms of `tally status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusFormat {
    /// Text.
    Plain,
    /// Text with the colours of a terminal, wherever it goes and whatever `NO_COLOR` says.
    Ansi,
    /// Text with the styles of tmux.
    Tmux,
    /// A JSON document with the counts (docs/json.md).
    Json,
}

/// `tally dash` and `tally pick`.
#[derive(Debug, Args)]
pub(crate) struct FaceArgs {
    /// The terminal to switch, by the name tmux gives it (`tmux list-clients`).
    #[arg(long, value_name = "NAME")]
    pub client: Option<String>,
}

/// `tally explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The session; without it, the one in this pane.
    #[arg(value_name = "REF")]
    pub reference: Option<String>,
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// `tally focus`.
#[derive(Debug, Args)]
pub(crate) struct FocusArgs {
    /// The session.
    #[arg(value_name = "REF")]
    pub reference: String,
    /// The terminal to switch, by the name tmux gives it (`tmux list-clients`).
    #[arg(long, value_name = "NAME")]
    pub client: Option<String>,
}

/// `tally next`.
#[derive(Debug, Args)]
pub(crate) struct NextArgs {
    /// The terminal to switch, by the name tmux gives it (`tmux list-clients`).
    #[arg(long, value_name = "NAME")]
    pub client: Option<String>,
    /// Only tell which session it is.
    #[arg(long)]
    pub print: bool,
}

/// `tally ack`.
#[derive(Debug, Args)]
pub(crate) struct AckArgs {
    /// The session; without it, the one in this pane.
    #[arg(value_name = "REF")]
    pub reference: Option<String>,
    /// The turn that was seen: a newer one stays as it is.
    #[arg(long, value_name = "N")]
    pub turn: Option<u64>,
}

/// A command about one session.
#[derive(Debug, Args)]
pub(crate) struct RefArgs {
    /// The session; without it, the one in this pane.
    #[arg(value_name = "REF")]
    pub reference: Option<String>,
}

/// `tally signal`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct SignalArgs {
    /// Take an agent's own report from standard input and read it by the agent's rules.
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["state", "kind", "message", "agent"])]
    pub from: Option<String>,
    /// The state: working, blocked, done, idle or error.
    #[arg(long, required_unless_present = "from")]
    pub state: Option<String>,
    /// What is waited for (permission, question, auth), or why it failed (`rate_limit`, auth, billing, server,
    /// request, crash, other).
    #[arg(long, requires = "state")]
    pub kind: Option<String>,
    /// A line for the person.
    // A text that begins with a dash is a text.
    #[arg(
        long,
        requires = "state",
        value_name = "TEXT",
        allow_hyphen_values = true
    )]
    pub message: Option<String>,
    /// The agent that the state is about.
    #[arg(long, requires = "state")]
    pub agent: Option<String>,
    /// The session; without it, the one in this pane.
    #[arg(long, value_name = "REF")]
    pub session: Option<String>,
    /// Tell what went wrong, and end with status 1 if anything did, or 4 if it is only late.
    #[arg(long)]
    pub strict: bool,
}

/// `tally run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The agent whose coverage its session is read against.
    #[arg(long, value_name = "AGENT")]
    pub reports_as: Option<String>,
    /// The agent, such as claude, and its own arguments.
    // One list, so that from the agent's name on nothing is read as an option of ours.
    #[arg(required = true, trailing_var_arg = true, value_name = "AGENT")]
    pub words: Vec<OsString>,
}

impl RunArgs {
    /// An agent and its own arguments.
    pub(crate) fn of_words(words: impl Iterator<Item = OsString>) -> Self {
        let mut words: Vec<OsString> = words.collect();
        // Else a first argument that is -- would be taken for ours.
        words.insert(words.len().min(1), "--".into());
        Self {
            reports_as: None,
            words,
        }
    }

    /// The agent's name, and what is for the agent: everything after it but a `--` in front.
    pub(crate) fn split(self) -> (OsString, Vec<OsString>) {
        let mut words = self.words.into_iter();
        let agent = words.next().unwrap_or_default();
        let mut args: Vec<OsString> = words.collect();
        if args.first().is_some_and(|first| first == "--") {
            args.remove(0);
        }
        (agent, args)
    }
}

/// `tally init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// The shells that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
}

/// `tally up`.
#[derive(Debug, Args)]
pub(crate) struct UpArgs {
    /// Say nothing when all is well.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `tally __guard`.
#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// Start a new daemon when it had run for so many seconds; without it, never.
    #[arg(long, value_name = "SECONDS")]
    pub restart_after: Option<u64>,
}

/// `tally hooks`.
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List the commands of the configuration: how often each ran, and how it ended last.
    List {
        /// Only those of one event.
        #[arg(long, value_name = "EVENT")]
        event: Option<HookEvent>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run the commands of an event now, with a made-up happening, and print what they print.
    ///
    /// Ends with status 1 when one of them fails, or when there is none. Nothing is counted.
    Test {
        /// The event.
        #[arg(value_name = "EVENT")]
        event: HookEvent,
    },
    /// List what happened lately, and what came of it.
    Log {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// `tally daemon`.
#[derive(Debug, Subcommand)]
pub(crate) enum DaemonCommand {
    /// Run the daemon in the foreground. A second one ends at once, with status 1.
    Run {
        /// Leave the terminal's session first.
        #[arg(long, hide = true)]
        detach: bool,
    },
    /// Tell how the daemon is. Ends with status 1 when none runs.
    Status {
        /// Print a JSON document (docs/json.md).
        #[arg(long)]
        json: bool,
    },
}

/// `tally tmux`.
#[derive(Debug, Subcommand)]
pub(crate) enum TmuxCommand {
    /// Show the lamps on the server you are in, until it ends. Your tmux.conf is not changed.
    Load(ServerArgs),
    /// Take the lamps off the server you are in.
    Unload(ServerArgs),
    /// Add one marked line to tmux.conf, so that every server has the lamps.
    Install {
        /// Also bind a key behind the prefix, a unless another is named, to the picker in a popup.
        #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = "a")]
        keys: Option<String>,
        /// Which file.
        #[command(flatten)]
        conf: ConfArgs,
    },
    /// Take that line out again: the file is what it was before.
    Uninstall(ConfArgs),
    /// Print lines for your own configuration.
    Snippet {
        /// What for.
        #[arg(value_enum, default_value_t = SnippetKind::Plain)]
        kind: SnippetKind,
    },
    /// List the tmux servers that can be seen. Ends with status 1 when there is none.
    Status {
        /// Print a JSON document (docs/json.md).
        #[arg(long)]
        json: bool,
    },
}

/// Which tmux server.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// The server's socket; without it, the server you are in.
    #[arg(long, short = 'S', value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Say nothing when all is well.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Which tmux.conf.
#[derive(Debug, Args)]
pub(crate) struct ConfArgs {
    /// The file; without it, the one that tmux reads, and for uninstall every one that it may read.
    #[arg(long, value_name = "PATH")]
    pub file: Option<PathBuf>,
    /// Only show what would change.
    #[arg(long)]
    pub dry_run: bool,
}

/// What a snippet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SnippetKind {
    /// A tmux.conf of your own.
    Plain,
    /// The plugin manager TPM.
    Tpm,
    /// The theme catppuccin.
    Catppuccin,
    /// A key that opens the picker.
    Keys,
}

/// `tally zellij`.
#[derive(Debug, Subcommand)]
pub(crate) enum ZellijCommand {
    /// Write the plugin, a layout that shows it (`zellij -n tally`) and an alias for layouts of your own.
    Install(ZellijInstallArgs),
    /// Take all of it away again: your config.kdl is what it was before.
    Uninstall {
        /// Only show what would change.
        #[arg(long)]
        dry_run: bool,
    },
    /// Answer zellij's question whether the plugin may see panes and tabs, before it is asked.
    Grant(ZellijGrantArgs),
    /// Tell what is installed and granted. Ends with status 1 when the lamps cannot work.
    Status {
        /// Print a JSON document (docs/json.md).
        #[arg(long)]
        json: bool,
    },
}

/// `tally zellij install`.
#[derive(Debug, Args)]
pub(crate) struct ZellijInstallArgs {
    /// Only show what would change.
    #[arg(long)]
    pub dry_run: bool,
    /// Also bind a key, Alt a unless another is named, to the picker in a floating pane.
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true, default_missing_value = "Alt a")]
    pub keys: Option<String>,
    /// Print what to add to the configuration of zjstatus instead, and write nothing.
    #[arg(long)]
    pub zjstatus: bool,
    /// Install this plugin rather than the one in this program.
    #[arg(long, value_name = "FILE", hide = true)]
    pub plugin: Option<PathBuf>,
}

/// `tally zellij grant`.
#[derive(Debug, Args)]
pub(crate) struct ZellijGrantArgs {
    /// You have read what is granted, and want it.
    #[arg(long)]
    pub yes: bool,
    /// Take the grant back.
    #[arg(long)]
    pub revoke: bool,
    /// Only show what would change.
    #[arg(long)]
    pub dry_run: bool,
}

/// `tally config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting and where it comes from.
    Show {
        /// Print the reference instead: every key with its default and what it is for.
        #[arg(long)]
        default: bool,
    },
    /// Tell of mistakes in the file, with their lines. Ends with status 1 when there are any.
    Check,
    /// Print the path of the file.
    Path,
}

/// `tally agent`.
#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List every agent that `tally run` can start, with its program.
    List {
        /// Print a JSON document (docs/json.md).
        #[arg(long)]
        json: bool,
    },
}

/// `tally extension`.
#[derive(Debug, Subcommand)]
pub(crate) enum ExtensionCommand {
    /// List every agent with what it can report.
    List {
        /// Print a JSON document (docs/json.md).
        #[arg(long)]
        json: bool,
    },
    /// Tell what is known of one agent, and what is added when it is started.
    Show {
        /// The agent.
        agent: String,
    },
    /// Wire agents: when Tallylight starts them, or with --global in their own configuration.
    ///
    /// Wiring at launch is on unless it was deactivated. With --global entries of ours go into the agent's own
    /// configuration beside yours, and `deactivate --global` gives the file back to the byte. Ends with status 1 when
    /// something was left as it is; the other agents are wired all the same.
    Activate(WiringArgs),
    /// Take the wiring out: from the next launch on, or with --global from the agent's own configuration.
    ///
    /// Nothing brings it back but `activate`. Ends with status 1 when something was left as it is.
    Deactivate(WiringArgs),
    /// Write again what is wired already: after an upgrade, a move of the program, or another program's change.
    Reinstall(WiringArgs),
    /// Print what `reinstall`, or for an agent that is not wired `activate`, would change, as a unified diff.
    Diff(DiffArgs),
    /// Check an extension: a folder, or the extension.toml in it. Ends with status 1 when there are mistakes.
    Check {
        /// The folder or the file; without it, all agents of your own in ~/.config/tally.
        path: Option<PathBuf>,
    },
    /// Tell what a payload on standard input would mean, and by which rule. Nothing is stored.
    ///
    /// Ends with status 1 when no rule is about it.
    Test {
        /// The agent, or the path of an extension's folder, which has a / in it.
        agent: String,
    },
}

/// `tally doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print a JSON document (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}

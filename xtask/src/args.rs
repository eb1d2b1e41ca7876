//! The command line.

use clap::{Parser, Subcommand};

use crate::check::Step;

/// Builds, runs and checks Tallylight.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Provision what is missing, then run every check.
    Test(TestArgs),
    /// Build a release and bring Tallylight up: on this tmux server, in a new tmux session, or,
    /// without a terminal, as a rehearsal on private tmux servers.
    Run(RunArgs),
    /// Build the zellij plugin, and the core it is made of, for wasm32-wasip1.
    Wasm,
    /// Install a release with the zellij plugin in it where cargo installs programs.
    Install,
    /// Make the pictures of the documentation, with the real program in a scripted run on private tmux servers.
    Pictures,
    /// Run the benches and print the budgets.
    Bench(BenchArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// Run only these steps, in the usual order.
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub(crate) only: Vec<Step>,
    /// List the steps and stop.
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Rehearse a scripted agent turn on private tmux servers, as without a terminal.
    #[arg(long)]
    pub(crate) rehearse: bool,
    /// Run the release `tally` with these arguments instead.
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) tally_args: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Arguments for the bench program.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    pub(crate) args: Vec<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn steps_are_separated_by_commas() {
        let args = Args::parse_from(["xtask", "test", "--only", "fmt,deny"]);
        let Task::Test(options) = args.task else {
            panic!("not the test task: {args:?}")
        };
        assert_eq!(options.only, [Step::Fmt, Step::Deny]);
    }

    #[test]
    fn what_follows_two_dashes_goes_to_tally() {
        let args = Args::parse_from(["xtask", "run", "--", "list", "--json"]);
        let Task::Run(options) = args.task else {
            panic!("not the run task: {args:?}")
        };
        assert_eq!(options.tally_args, ["list", "--json"]);
    }
}

//! `tally __enter`: the process that a new pane is made with, until its session has begun.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use session_core::SessionId;
use session_host::launches;

use crate::args::{EnterArgs, RunArgs};
use crate::commands::run as agent_run;
use crate::context::Context;
use crate::failure::{Failure, exit, of_store};

/// Becomes the command of a session. Comes back only when that fails.
pub(crate) fn run(args: &EnterArgs, context: &Context) -> anyhow::Result<u8> {
    let id: SessionId = args.session.parse()?;
    let session =
        launches::wait_for(&context.paths, id).map_err(|error| of_store(&error, &context.paths))?;
    let Some(launch) = session.and_then(|session| session.launch) else {
        let store = context.paths.store();
        return Err(Failure::failed(format!(
            "the session {id} that was to begin here is not in {}",
            store.display()
        ))
        .hint("The multiplexer may have been started with another HOME or XDG_STATE_HOME.")
        .into());
    };
    let cwd = Path::new(&launch.cwd);
    std::env::set_current_dir(cwd)
        .map_err(|error| Failure::failed(format!("{}: {error}", cwd.display())))?;
    if launch.agent.is_some() {
        let words = launch.argv.into_iter().map(Into::into);
        return agent_run::run(RunArgs::of_words(words), context);
    }
    let mut words = launch.argv.into_iter();
    let program = words.next().unwrap_or_default();
    let error = Command::new(&program).args(words).env("PWD", cwd).exec();
    let code = if error.kind() == std::io::ErrorKind::NotFound {
        exit::NOT_FOUND
    } else {
        exit::NOT_EXECUTABLE
    };
    Err(Failure::new(code, format!("{program}: {error}")).into())
}

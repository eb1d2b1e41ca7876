//! `tally run`.

use std::io::{ErrorKind, IsTerminal};

use session_host::manifests;
use session_host::wiring::{Launcher, WiringError};

use crate::args::RunArgs;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// Becomes the agent, with its wiring. Comes back only when that fails.
pub(crate) fn run(args: RunArgs, context: &Context) -> anyhow::Result<u8> {
    let (own, program) = (context.own(), context.program());
    let launcher = Launcher {
        env: &context.env,
        wiring: &context.paths.wiring(),
        program: &program,
        own: &own,
    };
    let launch = launcher
        .prepare(&args.agent, args.args)
        .map_err(|error| failure(&error))?;
    if let Some(why) = &launch.unwired {
        context.out.note(&format!(
            "tally: {} starts without its wiring: {why}",
            args.agent
        ));
    }
    // In a script's log a remark about arguments is only noise.
    if std::io::stderr().is_terminal() {
        for note in &launch.notes {
            context.out.note(&format!(
                "tally: {} starts without its wiring: {note}",
                args.agent
            ));
        }
    }
    let error = launch.exec([]);
    let code = if error.kind() == ErrorKind::NotFound {
        exit::NOT_FOUND
    } else {
        exit::NOT_EXECUTABLE
    };
    Err(Failure::new(code, format!("{}: {error}", args.agent)).into())
}

fn failure(error: &WiringError) -> Failure {
    let text = error.to_string();
    match error {
        WiringError::NotFound(_) => Failure::new(exit::NOT_FOUND, text),
        WiringError::NotExecutable(_) => Failure::new(exit::NOT_EXECUTABLE, text),
        WiringError::UnknownAgent(_) => {
            let known = manifests::names().collect::<Vec<_>>().join(", ");
            Failure::new(exit::USAGE, text).hint(format!("Agents that it can wire: {known}."))
        }
        _ => Failure::failed(text),
    }
}

//! `tally run`.

use std::io::{ErrorKind, IsTerminal};

use session_core::{AgentName, SessionId};
use session_host::clock::Clock;
use session_host::manifests;
use session_host::wiring::{Launcher, REPORTS_AS, VARIABLE, WiringError, begin, is_outside};

use crate::args::RunArgs;
use crate::commands::new::known_agent;
use crate::commands::up;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// Becomes the agent, with its wiring. Comes back only when that fails.
pub(crate) fn run(args: RunArgs, context: &Context) -> anyhow::Result<u8> {
    let (own, program) = (context.own(), context.program());
    let launcher = Launcher {
        env: &context.env,
        wiring: &context.paths.wiring(),
        record: &context.paths.wiring_record(),
        program: &program,
        own: &own,
    };
    let reports_as = args
        .reports_as
        .as_deref()
        .map(|agent| known_agent(agent, context))
        .transpose()?;
    let (agent, args) = args.split();
    let agent = agent.to_string_lossy();
    let launch = launcher
        .prepare(&agent, args)
        .map_err(|error| failure(&error))?;
    if let Some(why) = &launch.unwired {
        context
            .out
            .note(&format!("tally: {agent} starts without its wiring: {why}"));
    }
    // In a script's log a remark about arguments is only noise.
    if std::io::stderr().is_terminal() {
        for note in &launch.notes {
            context
                .out
                .note(&format!("tally: {agent} starts without its wiring: {note}"));
        }
    }
    let session = if launch.wired {
        session(&agent, reports_as.as_ref(), context)
    } else {
        None
    };
    if !is_outside(&context.env) {
        up::for_agent(context);
    }
    let session = session.map(|id| (VARIABLE, id.to_string()));
    let declared = reports_as.map(|agent| (REPORTS_AS, agent.to_string()));
    let error = launch.exec(session.into_iter().chain(declared));
    let code = if error.kind() == ErrorKind::NotFound {
        exit::NOT_FOUND
    } else {
        exit::NOT_EXECUTABLE
    };
    Err(Failure::new(code, format!("{agent}: {error}")).into())
}

/// Outside every multiplexer, the agent's reports need a session to belong to.
fn session(agent: &str, reports_as: Option<&AgentName>, context: &Context) -> Option<SessionId> {
    if !is_outside(&context.env) || context.env.get(VARIABLE).is_some() {
        return None;
    }
    let agent = agent.parse().ok()?;
    begin(
        &context.paths,
        &context.machine,
        &context.processes,
        &agent,
        reports_as,
        context.clock.now(),
    )
    .ok()
}

fn failure(error: &WiringError) -> Failure {
    let text = error.to_string();
    match error {
        WiringError::NotFound(_) => Failure::new(exit::NOT_FOUND, text),
        WiringError::NotExecutable(_) => Failure::new(exit::NOT_EXECUTABLE, text),
        WiringError::UnknownAgent(_) => {
            let known = manifests::names().collect::<Vec<_>>().join(", ");
            Failure::new(exit::NOT_FOUND, text).hint(format!("Agents that it can wire: {known}."))
        }
        _ => Failure::failed(text),
    }
}

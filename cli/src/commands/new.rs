//! `tally new`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use session_core::{AgentName, Launch, Session, SessionName};
use session_host::agents::AgentSource as _;
use session_host::clock::Clock;
use session_host::intake::new_id;
use session_host::{launches, repo};

use crate::args::NewArgs;
use crate::context::Context;
use crate::failure::{Failure, exit, of_store};
use crate::spot::{Opened, Spot};

/// Opens a window or tab with a command in it, and prints the REF of its session.
pub(crate) fn run(args: &NewArgs, context: &Context) -> anyhow::Result<u8> {
    let name = free_name(&args.name, context)?;
    let reports_as = args
        .reports_as
        .as_deref()
        .map(|agent| known_agent(agent, context))
        .transpose()?;
    let cwd = directory(args.cwd.as_deref())?;
    let launch = launch(args, &cwd, context)?;
    let spot = Spot::find(&args.spot, context)?;
    let started = start(&spot, &name, launch, reports_as, context)?;
    context.out.data(&started.id.to_string())?;
    Ok(exit::OK)
}

/// Opens a window or tab in which a command starts, as a session of that name.
pub(super) fn start(
    spot: &Spot,
    name: &SessionName,
    launch: Launch,
    reports_as: Option<AgentName>,
    context: &Context,
) -> anyhow::Result<Session> {
    let now = context.clock.now();
    let mut session = Session::new(new_id(now), context.machine.clone(), None, now);
    session.reports_as = reports_as;
    session.repo = repo::of(Path::new(&launch.cwd)).map(|repo| repo.display().to_string());
    let session = session.launched(Some(name), launch);
    let title = name.to_string();
    begin(session, context, |argv| {
        spot.open(Some(&title), argv, context)
    })
}

/// Has a pane made for a session, which begins in it, and with it its command.
pub(super) fn begin(
    mut session: Session,
    context: &Context,
    open: impl FnOnce(&[&str]) -> anyhow::Result<Opened>,
) -> anyhow::Result<Session> {
    let program = context.program();
    let (program, id) = (text(program.as_os_str())?, session.id.to_string());
    let opened = open(&[&program, "__enter", &id])?;
    // What is told of the pane from now on is about this session.
    session.born = context.clock.now();
    session.shown.since = session.born;
    session.pane = Some(opened.pane);
    session.pane_pid = opened.pid;
    launches::begin(&context.paths, &session, session.born)
        .map_err(|error| of_store(&error, &context.paths))?;
    Ok(session)
}

/// A name that no live session has.
pub(super) fn free_name(text: &str, context: &Context) -> Result<SessionName, Failure> {
    let name: SessionName = text
        .parse()
        .map_err(|error: session_core::NameError| Failure::new(exit::USAGE, error.to_string()))?;
    let picture = context.picture(&context.config(), None, false)?;
    let taken = |session: &&Session| session.name.as_deref() == Some(text);
    match picture.sessions.iter().find(taken) {
        None => Ok(name),
        Some(session) => Err(Failure::failed(format!(
            "a session is called {text:?} already: {}",
            session.id
        ))
        .hint(format!(
            "`tally focus {text:?}` goes there; choose another name."
        ))),
    }
}

/// An agent that there is a manifest of.
pub(super) fn known_agent(agent: &str, context: &Context) -> Result<AgentName, Failure> {
    let known = context.agents.manifest(agent).map(|manifest| manifest.name);
    known.ok_or_else(|| {
        Failure::new(exit::USAGE, format!("{agent:?} is no agent that is known"))
            .hint("`tally agent list` shows them.")
    })
}

/// The directory to start in, as a whole path.
pub(super) fn directory(asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    let cwd = match asked {
        Some(asked) => std::path::absolute(asked)?,
        None => std::env::current_dir()?,
    };
    if !cwd.is_dir() {
        return Err(Failure::failed(format!("{} is not a directory", cwd.display())).into());
    }
    Ok(cwd)
}

/// The command that is asked for.
fn launch(args: &NewArgs, cwd: &Path, context: &Context) -> anyhow::Result<Launch> {
    let agent = args
        .agent
        .as_deref()
        .map(|agent| known_agent(agent, context))
        .transpose()?;
    let program = match (&agent, &args.command) {
        (Some(agent), _) => OsString::from(agent.as_str()),
        (None, Some(command)) => command.clone(),
        (None, None) => OsString::from(context.env.get("SHELL").unwrap_or("/bin/sh")),
    };
    let words = std::iter::once(&program)
        .chain(&args.args)
        .chain(&args.rest);
    let argv = words
        .map(|word| text(word))
        .collect::<Result<Vec<_>, Failure>>()?;
    if agent.is_none() {
        can_start(&argv, cwd, context)?;
    }
    Ok(Launch {
        argv,
        cwd: text(cwd.as_os_str())?,
        agent,
    })
}

/// What would be over at once, and its window with it, is not begun.
fn can_start(argv: &[String], cwd: &Path, context: &Context) -> Result<(), Failure> {
    let Some(program) = argv.first().filter(|program| !program.is_empty()) else {
        return Err(Failure::new(exit::USAGE, "the command is empty"));
    };
    let found = if program.contains('/') {
        cwd.join(program).is_file()
    } else {
        let path = context.env.get("PATH").unwrap_or_default();
        std::env::split_paths(path).any(|folder| folder.join(program).is_file())
    };
    if found {
        Ok(())
    } else {
        Err(Failure::new(
            exit::NOT_FOUND,
            format!("there is no program {program:?}"),
        ))
    }
}

/// A word as text: it is kept in JSON, and started again from there.
fn text(word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        let shown = word.to_string_lossy();
        Failure::new(
            exit::USAGE,
            format!("{shown:?} is not UTF-8, and could not be started again"),
        )
    })
}

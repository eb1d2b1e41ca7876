//! `tally resume`.

use std::path::Path;

use session_core::Session;
use session_core::manifest::Manifest;
use session_core::view::clean;
use session_host::agents::AgentSource as _;

use crate::args::{ResumeArgs, RunArgs};
use crate::commands::run as agent_run;
use crate::context::Context;
use crate::failure::{Failure, exit};
use crate::reference::find;

/// Prints the command with which the agent goes on, or becomes it. Ends with status 1 when the agent has none, or its
/// conversation is not known.
pub(crate) fn run(args: &ResumeArgs, context: &Context) -> anyhow::Result<u8> {
    let picture = context.picture(&context.config(), None, true)?;
    let session = find(Some(&args.reference), &picture.sessions, context)?;
    let agent = session.agent.as_ref().ok_or_else(|| {
        Failure::failed(format!(
            "no agent was heard of in the session {}",
            session.id
        ))
    })?;
    let manifest = context.agents.manifest(agent.as_str()).ok_or_else(|| {
        Failure::failed(format!(
            "{agent} is not known, and so is not how it goes on"
        ))
    })?;
    let words = command(session, &manifest)?;
    if !args.run {
        let line: Vec<String> = std::iter::once(&manifest.executable.command)
            .chain(&words)
            .map(|word| quoted(word))
            .collect();
        context.out.data(&line.join(" "))?;
        return Ok(exit::OK);
    }
    if let Some(cwd) = session.cwd.as_deref().map(Path::new) {
        std::env::set_current_dir(cwd)
            .map_err(|error| Failure::failed(format!("{}: {error}", cwd.display())))?;
    }
    let words = words.into_iter().map(Into::into);
    let words = std::iter::once(agent.as_str().into()).chain(words);
    agent_run::run(RunArgs::of_words(words), context)
}

/// The agent's own arguments.
fn command(session: &Session, manifest: &Manifest) -> Result<Vec<String>, Failure> {
    let agent = &manifest.name;
    let resume = manifest.resume.as_ref().ok_or_else(|| {
        Failure::failed(format!(
            "{agent} has no command that is known to go on with a conversation"
        ))
    })?;
    let id = session.agent_session.as_deref().ok_or_else(|| {
        Failure::failed(format!(
            "{agent} has not told the id of its conversation in the session {}",
            session.id
        ))
    })?;
    resume.args_for(id).ok_or_else(|| {
        let id = clean(id, 80);
        Failure::failed(format!("{id:?} is no id that {agent} can be given"))
    })
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use session_core::{MachineId, Time};
    use session_host::intake::new_id;
    use session_host::manifests;

    use super::*;

    #[test]
    fn an_agent_goes_on_by_its_own_id_and_only_by_a_sound_one() {
        let claude = manifests::find("claude").unwrap();
        let mut session = Session::new(new_id(Time(1)), MachineId("m".to_owned()), None, Time(1));
        let told = |session: &Session| command(session, &claude).map_err(|why| why.to_string());
        assert!(told(&session).unwrap_err().contains("has not told the id"));
        session.agent_session = Some("0a-1b".to_owned());
        assert_eq!(told(&session).unwrap(), ["--resume", "0a-1b"]);
        for id in ["--dangerous", "", "a\nb"] {
            session.agent_session = Some(id.to_owned());
            assert!(told(&session).unwrap_err().contains("is no id"), "{id}");
        }
        let aider = manifests::find("aider").unwrap();
        let why = command(&session, &aider).unwrap_err().to_string();
        assert!(why.contains("aider has no command"), "{why}");
    }

    #[test]
    fn what_is_printed_can_be_pasted() {
        assert_eq!(quoted("--resume"), "--resume");
        assert_eq!(quoted("a b'c"), r"'a b'\''c'");
        assert_eq!(quoted(""), "''");
    }
}

//! Commands like ours that are not ours any more.

use session_core::AgentName;

use super::foreign::Change;

/// What the person should know about a file in which more commands report for the agent than the `ours` that are
/// Tallylight's: somebody has changed them, so that they are that person's to take out. Only told, never acted upon: a
/// name that occurs in an entry makes nothing ours.
pub(super) fn note(agent: &AgentName, change: &Change, ours: usize) -> Option<String> {
    let command = format!("signal --from {agent} ");
    let all = change.after.as_ref()?.matches(&command).count();
    let others = all.checked_sub(ours).filter(|others| *others > 0)?;
    let path = change.path.display();
    Some(format!(
        "{path} holds {others} more that run `tally {}` and are not as Tallylight writes them, so they are left to you: take \
         them out, or each event is told twice.",
        command.trim_end()
    ))
}

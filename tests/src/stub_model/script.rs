//! The script language of the stub model: steps, and which of them answers a call.

use serde_json::{Value, json};

/// The word that starts a script inside a prompt.
const MARK: &str = "stub:";

/// One answer of the stub model.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A plain answer.
    Text(String),
    /// One shell call, or two parallel ones.
    Shell {
        /// The commands, one a call.
        commands: Vec<String>,
        /// Whether the agent is asked to run them in the background.
        background: bool,
    },
    /// A call of the tool of that name.
    Tool(String, Value),
    /// A multiple-choice question to the person.
    Ask,
    /// A subagent with this prompt.
    Task(String),
    /// Words that keep coming for this many seconds.
    Slow(f64),
    /// Nothing for this many seconds, then a plain answer.
    Hang(f64),
    /// An HTTP error, with the type named in its body.
    Error(u16, String),
    /// A word, then a dropped connection.
    Cut,
}

/// What one message of a conversation is to the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person, or a tool result.
    User,
    /// The model: an answered step.
    Model,
}

/// Picks the step that answers a conversation of `(who, texts)` messages: the newest script,
/// at the number of answers given since. Without a script, or past its end, it is a short text.
#[must_use]
pub fn next_step(messages: &[(Role, Vec<String>)]) -> Step {
    let newest = messages
        .iter()
        .enumerate()
        .rev()
        .find_map(|(index, (role, texts))| {
            let script = texts.iter().rev().find_map(|text| script_in(text))?;
            (*role == Role::User).then_some((index, script))
        });
    let Some((index, script)) = newest else {
        return Step::Text("ok".to_owned());
    };
    let answered = messages
        .iter()
        .skip(index + 1)
        .filter(|(role, _)| *role == Role::Model)
        .count();
    script
        .split(" ; ")
        .nth(answered)
        .map_or_else(|| Step::Text("ok".to_owned()), parse)
}

/// The script in a text: the rest of the line after the mark.
fn script_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(MARK)?;
    rest.lines().next().map(str::trim)
}

/// Reads one step. An unknown verb is answered with a text that says so, which a test then sees.
fn parse(step: &str) -> Step {
    let (verb, rest) = step.trim().split_once(' ').unwrap_or((step.trim(), ""));
    let rest = rest.trim();
    let seconds = || rest.parse().unwrap_or(1.0);
    match verb {
        "text" => Step::Text(rest.to_owned()),
        "bash" => Step::Shell {
            commands: vec![rest.to_owned()],
            background: false,
        },
        "bg" => Step::Shell {
            commands: vec![rest.to_owned()],
            background: true,
        },
        "two" => Step::Shell {
            commands: vec![format!("{rest}-a"), format!("{rest}-b")],
            background: false,
        },
        "tool" => {
            let (name, input) = rest.split_once(' ').unwrap_or((rest, "{}"));
            Step::Tool(
                name.to_owned(),
                serde_json::from_str(input).unwrap_or_else(|_| json!({})),
            )
        }
        "ask" => Step::Ask,
        "task" => {
            let inner = rest.trim_start_matches("<<").trim_end_matches(">>");
            Step::Task(format!("{MARK} {}", inner.replace(" | ", " ; ")))
        }
        "slow" => Step::Slow(seconds()),
        "hang" => Step::Hang(seconds()),
        "err" => {
            let (code, kind) = rest.split_once(' ').unwrap_or((rest, "api_error"));
            Step::Error(code.parse().unwrap_or(500), kind.to_owned())
        }
        "cut" => Step::Cut,
        _ => Step::Text(format!("the stub model does not know {verb:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> (Role, Vec<String>) {
        (Role::User, vec![text.to_owned()])
    }

    fn model() -> (Role, Vec<String>) {
        (Role::Model, vec!["…".to_owned()])
    }

    fn shell(command: &str) -> Step {
        Step::Shell {
            commands: vec![command.to_owned()],
            background: false,
        }
    }

    #[test]
    fn the_nth_call_of_a_turn_gets_the_nth_step() {
        let turn = user("stub: bash echo a; echo b ; text done");
        assert_eq!(
            next_step(std::slice::from_ref(&turn)),
            shell("echo a; echo b")
        );
        let answered = [turn, model(), user("the tool's result")];
        assert_eq!(next_step(&answered), Step::Text("done".to_owned()));
    }

    #[test]
    fn the_newest_script_counts() {
        let talk = [user("stub: text one"), model(), user("stub: ask")];
        assert_eq!(next_step(&talk), Step::Ask);
    }

    #[test]
    fn past_the_end_and_without_a_script_the_answer_is_short() {
        let ok = Step::Text("ok".to_owned());
        assert_eq!(next_step(&[user("hello")]), ok);
        assert_eq!(
            next_step(&[user("stub: text one"), model(), user("and?")]),
            ok
        );
    }

    #[test]
    fn a_subagent_gets_its_own_script() {
        let step = next_step(&[user("stub: task <<bash touch x | text sub>> ; text main")]);
        assert_eq!(step, Step::Task("stub: bash touch x ; text sub".to_owned()));
    }

    #[test]
    fn an_unknown_verb_says_so() {
        let step = next_step(&[user("stub: dance")]);
        assert_eq!(
            step,
            Step::Text("the stub model does not know \"dance\"".to_owned())
        );
    }
}

//! What a report says, before anybody asks where it comes from.

use session_core::manifest::{Manifest, fingerprint, parse_cut_payload, parse_payload};
use session_core::view::clean;
use session_core::{
    Act, AgentName, BlockedKind, ErrorKind, Signal, SignalSource, State, Time, ToolRef,
};

use super::request::{LARGEST_PAYLOAD, Report, SignalRequest};
use crate::agents::AgentSource;

/// The longest message kept, in graphemes.
const MESSAGE_MAX: usize = 200;

/// A report that was understood.
pub(super) struct Understood {
    /// The signal; `None` for an event that says nothing about a state.
    pub signal: Option<Signal>,
    /// The agent's manifest, when it was read by one.
    pub manifest: Option<Manifest>,
    /// The agent's working directory, when the report names it.
    pub cwd: Option<String>,
    /// The process that the agent names as its own.
    pub pid: Option<u32>,
    /// What the agent's contract wants on the standard output.
    pub stdout: String,
    /// What is odd about it, in words.
    pub remark: Option<String>,
}

/// Reads a report.
///
/// # Errors
/// In words, when it cannot be understood.
pub(super) fn understand(
    request: &SignalRequest<'_>,
    agents: &dyn AgentSource,
) -> Result<Understood, String> {
    match &request.report {
        Report::Payload { agent, payload } => by_manifest(request, agents, agent, payload),
        Report::State {
            state,
            kind,
            message,
            agent,
        } => {
            let signal = stated(
                *state,
                kind.as_deref(),
                message.as_deref(),
                agent.as_deref(),
                request.at,
            )?;
            Ok(Understood {
                signal: Some(signal),
                manifest: None,
                cwd: None,
                pid: None,
                stdout: String::new(),
                remark: None,
            })
        }
    }
}

fn by_manifest(
    request: &SignalRequest<'_>,
    agents: &dyn AgentSource,
    agent: &str,
    payload: &[u8],
) -> Result<Understood, String> {
    let manifest = agents
        .manifest(agent)
        .ok_or_else(|| format!("there is no manifest for an agent called {agent:?}"))?;
    let cut = if payload.len() > LARGEST_PAYLOAD {
        let limit = LARGEST_PAYLOAD >> 20;
        format!("the payload is larger than the {limit} MiB that are read: ")
    } else {
        String::new()
    };
    let parse = if cut.is_empty() {
        parse_payload
    } else {
        parse_cut_payload
    };
    let payload = parse(payload).map_err(|error| format!("{cut}{error}"))?;
    let env = |name: &str| request.env.get(name).map(str::to_owned);
    let reading = manifest.read(&payload, &env, request.at);
    let pid = manifest
        .fields
        .pid_variable
        .as_ref()
        .and_then(|variable| request.env.get(variable)?.parse().ok());
    let stdout = manifest
        .contract
        .stdout
        .get(&reading.event)
        .cloned()
        .unwrap_or_default();
    let remark = reading
        .rule
        .is_none()
        .then(|| match reading.event.as_str() {
            "" => format!(
                "{cut}the payload names no event: it has no text in {:?}",
                manifest.fields.event
            ),
            event => format!("no rule of {agent} is about the event {event:?}"),
        });
    Ok(Understood {
        signal: reading.signal,
        cwd: reading.cwd,
        pid,
        stdout,
        remark,
        manifest: Some(manifest),
    })
}

/// A state that a person's script gave.
fn stated(
    state: State,
    kind: Option<&str>,
    message: Option<&str>,
    agent: Option<&str>,
    at: Time,
) -> Result<Signal, String> {
    let agent = agent
        .map(str::parse::<AgentName>)
        .transpose()
        .map_err(|error| error.to_string())?;
    let act = match state {
        State::Working => Act::Work,
        State::Blocked => {
            let kind = kind
                .map(str::parse::<BlockedKind>)
                .transpose()
                .map_err(|error| error.to_string())?;
            Act::Ask {
                kind,
                tool: ToolRef::default(),
                heuristic: false,
                settle_ms: 0,
            }
        }
        State::Done => Act::Stop {
            background: None,
            settle_ms: 0,
        },
        State::Idle => Act::Interrupt,
        State::Error => {
            let kind = kind
                .map(str::parse::<ErrorKind>)
                .transpose()
                .map_err(|error| error.to_string())?;
            Act::Fail {
                kind: kind.unwrap_or(ErrorKind::Other),
            }
        }
        State::Running | State::Unknown | State::None => {
            return Err(format!(
                "{state} cannot be reported; give working, blocked, done, idle or error"
            ));
        }
    };
    let said = format!("{state}\0{kind:?}\0{message:?}\0{agent:?}");
    Ok(Signal {
        at,
        source: SignalSource::Script,
        act,
        actor: None,
        agent,
        agent_session: None,
        message: message
            .map(|message| clean(message, MESSAGE_MAX))
            .filter(|message| !message.is_empty()),
        event: state.word().to_owned(),
        fingerprint: fingerprint(said.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(State::Working, None, Act::Work)]
    #[case(State::Done, None, Act::Stop { background: None, settle_ms: 0 })]
    #[case(State::Idle, None, Act::Interrupt)]
    #[case(State::Error, None, Act::Fail { kind: ErrorKind::Other })]
    #[case(State::Error, Some("rate_limit"), Act::Fail { kind: ErrorKind::RateLimit })]
    #[case(State::Blocked, Some("question"), Act::Ask { kind: Some(BlockedKind::Question), tool: ToolRef::default(), heuristic: false, settle_ms: 0 })]
    fn a_stated_state_is_an_act(
        #[case] state: State,
        #[case] kind: Option<&str>,
        #[case] act: Act,
    ) {
        let signal = stated(state, kind, Some("a\u{1b}[31mb\n"), Some("mine"), Time(1)).unwrap();
        assert_eq!((signal.act, signal.source), (act, SignalSource::Script));
        assert_eq!(signal.message.as_deref(), Some("ab"));
        assert_eq!(signal.event, state.word());
    }

    #[rstest]
    #[case(State::Running, None, None)]
    #[case(State::Blocked, Some("hungry"), None)]
    #[case(State::Error, Some("permission"), None)]
    #[case(State::Done, None, Some("../x"))]
    fn what_cannot_be_reported_is_said(
        #[case] state: State,
        #[case] kind: Option<&str>,
        #[case] agent: Option<&str>,
    ) {
        assert!(stated(state, kind, None, agent, Time(1)).is_err());
    }

    #[test]
    fn different_words_have_different_fingerprints() {
        let of = |message: Option<&str>| {
            stated(State::Done, None, message, None, Time(1))
                .unwrap()
                .fingerprint
        };
        assert_ne!(of(Some("a")), of(Some("b")));
        assert_ne!(of(Some("a")), of(None));
        assert_eq!(of(None), of(None));
    }
}

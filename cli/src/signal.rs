//! `tally signal`, the hot path: read by hand, stored by the host, and gone.
//!
//! It runs inside an agent's hook, where output can end up in the model's context and an exit status can block a
//! tool. So it prints only what the agent's contract asks for and ends with status 0; `--strict` is for people who
//! want to know.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::termios::isatty;
use session_core::{AgentName, BlockedKind, ErrorKind, State, Time};
use session_host::agents::EmbeddedAgents;
use session_host::clock::{Clock, SystemClock};
use session_host::env::Env;
use session_host::intake::{self, Fate, LARGEST_PAYLOAD, Report, SignalRequest, World};
use session_host::manifests;
use session_host::paths::Paths;
use session_host::process::SystemProcesses;
use tmux_bridge::Probe;

use crate::args::SignalArgs;
use crate::failure::exit;

/// The room for the payload to begin with; most need less, and memory that is touched is time.
const CHUNK: usize = 8 << 10;
/// How long the payload may take to come. An agent writes it when its event loop comes to it, which on a busy machine is
/// late; those that run commands for their events give them five seconds or more.
const STDIN_MS: i64 = 2_000;
/// How long more may take to come behind what could be the end: not every agent closes its end.
const REST_MS: i64 = 150;
/// How long a pane that nobody has seen yet may take to answer.
const PROBE: Duration = Duration::from_millis(100);

/// Reads the command line when it is a plain `tally signal`; everything else, errors included, is for the parser.
pub(crate) fn quick(words: &[OsString]) -> Option<SignalArgs> {
    let words = in_utf8(words.get(1..)?);
    let mut words = words.iter().map(AsRef::as_ref);
    if words.next()? != "signal" {
        return None;
    }
    let mut signal = SignalArgs::default();
    while let Some(word) = words.next() {
        if word == "--strict" {
            signal.strict = true;
            continue;
        }
        let (name, joined) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let place = match name {
            "--from" => &mut signal.from,
            "--state" => &mut signal.state,
            "--kind" => &mut signal.kind,
            "--message" => &mut signal.message,
            "--agent" => &mut signal.agent,
            "--session" => &mut signal.session,
            _ => return None,
        };
        let value = match joined {
            Some(value) => value,
            None => words.next()?,
        };
        // Only a message can be anything.
        let dashed = joined.is_none() && name != "--message" && value.starts_with('-');
        if place.is_some() || dashed {
            return None;
        }
        *place = Some(value.to_owned());
    }
    let of_state = signal.kind.is_some() || signal.message.is_some() || signal.agent.is_some();
    let sound =
        signal.from.is_some() != signal.state.is_some() && !(signal.from.is_some() && of_state);
    sound.then_some(signal)
}

/// The words as text. What is not UTF-8 in them is replaced, as in an agent's payload: a message that a script cut in the
/// middle of a character must not cost the signal.
pub(crate) fn in_utf8(words: &[OsString]) -> Vec<Cow<'_, str>> {
    words.iter().map(|word| word.to_string_lossy()).collect()
}

/// Takes the signal in.
pub(crate) fn run(signal: &SignalArgs, at: Time) -> u8 {
    match take(signal, at) {
        Ok(()) => exit::OK,
        Err(refusal) if signal.strict => {
            drop(writeln!(io::stderr().lock(), "tally: {}", refusal.why));
            refusal.status
        }
        Err(_) => exit::OK,
    }
}

/// Why a signal was not taken in at once, and the status that says so where it is asked for.
#[derive(Debug)]
struct Refusal {
    status: u8,
    why: String,
}

impl Refusal {
    /// The command line asks for something that there is not.
    fn usage(why: &dyn fmt::Display) -> Self {
        Self {
            status: exit::USAGE,
            why: why.to_string(),
        }
    }

    /// It is not stored yet: it waits there.
    fn later(why: &str, place: &str) -> Self {
        let why = if why.contains(place) {
            why.to_owned()
        } else {
            format!("{why}; {place} until it can be stored")
        };
        Self {
            status: exit::LATER,
            why,
        }
    }

    /// The command line is right, and it failed all the same.
    fn failed(why: &dyn fmt::Display) -> Self {
        Self {
            status: exit::FAILED,
            why: why.to_string(),
        }
    }
}

fn take(signal: &SignalArgs, at: Time) -> Result<(), Refusal> {
    let env = Env::of_process();
    let paths = Paths::from_env(&env).map_err(|why| Refusal::failed(&why))?;
    if signal
        .from
        .as_deref()
        .is_some_and(|agent| !manifests::is_embedded(agent))
    {
        // One of the person's own, or nobody's; mistakes in them are for other commands to tell.
        let _ = manifests::add_own(&paths);
    }
    let report = report(signal, at)?;
    let waited = u64::try_from(SystemClock.now().ms_since(at)).unwrap_or_default();
    let request = SignalRequest {
        at,
        env: &env,
        paths: &paths,
        report,
        session: signal.session.clone(),
        // Waiting for the agent's own payload does not count.
        deadline: intake::DEADLINE + Duration::from_millis(waited),
    };
    let probe = Probe::new(&env, PROBE);
    let processes: SystemProcesses = Default::default();
    let world = World {
        agents: &EmbeddedAgents,
        processes: &processes,
        probe: &probe,
        clock: &SystemClock,
    };
    let answer = intake::take_signal(&request, &world);
    let mut stdout = io::stdout().lock();
    drop(
        stdout
            .write_all(answer.stdout.as_bytes())
            .and_then(|()| stdout.flush()),
    );
    let Some(why) = answer.diagnostic else {
        return Ok(());
    };
    let of_nobody = |agent: &String| manifests::names().all(|known| known != agent.as_str());
    Err(match answer.fate {
        Fate::Spooled => Refusal::later(&why, "it waits in the spool"),
        Fate::HandedOver => Refusal::later(&why, "a daemon holds it"),
        Fate::Unrouted => Refusal::failed(&unrouted(&why, signal, &env)),
        _ if signal.from.as_ref().is_some_and(of_nobody) => Refusal::usage(&why),
        _ => Refusal::failed(&why),
    })
}

/// Why a signal named no live pane: which one it claimed, and what names the session all the same.
fn unrouted(why: &str, signal: &SignalArgs, env: &Env) -> String {
    let claimed = env.get("TMUX_PANE").filter(|pane| !why.contains(pane));
    let pane = claimed.map_or_else(String::new, |pane| format!(" (TMUX_PANE is {pane})"));
    let cure = if signal.session.is_none() {
        "; --session REF names a session from anywhere"
    } else {
        ""
    };
    format!("{why}{pane}{cure}")
}

/// Reads the command line; what is wrong with it is said before anything is asked of the world.
fn report(signal: &SignalArgs, at: Time) -> Result<Report, Refusal> {
    if let Some(agent) = &signal.from {
        return Ok(Report::Payload {
            agent: agent.clone(),
            payload: payload(at),
        });
    }
    let word = signal.state.as_deref().unwrap_or_default();
    let state = reportable(word).map_err(|why| Refusal::usage(&why))?;
    if let Some(kind) = &signal.kind {
        check_kind(state, kind).map_err(|why| Refusal::usage(&why))?;
    }
    if let Some(agent) = &signal.agent {
        agent
            .parse::<AgentName>()
            .map_err(|why| Refusal::usage(&why))?;
    }
    Ok(Report::State {
        state,
        kind: signal.kind.clone(),
        message: signal.message.clone(),
        agent: signal.agent.clone(),
    })
}

/// A state that can be reported; the others are only ever concluded.
fn reportable(word: &str) -> Result<State, String> {
    match word.parse() {
        Ok(
            state @ (State::Working | State::Blocked | State::Done | State::Idle | State::Error),
        ) => Ok(state),
        _ => Err(format!(
            "{word:?} is not a state to report (working, blocked, done, idle, error)"
        )),
    }
}

fn check_kind(state: State, kind: &str) -> Result<(), String> {
    match state {
        State::Blocked => kind
            .parse::<BlockedKind>()
            .map(|_| ())
            .map_err(|error| error.to_string()),
        State::Error => kind
            .parse::<ErrorKind>()
            .map(|_| ())
            .map_err(|error| error.to_string()),
        _ => Err(format!("{state} has no kinds")),
    }
}

/// What comes on standard input until it ends, is too much, or takes too long. A terminal is not waited for.
fn payload(at: Time) -> Vec<u8> {
    let mut bytes = Vec::new();
    let input = rustix::stdio::stdin();
    if isatty(input) {
        return bytes;
    }
    while bytes.len() <= LARGEST_PAYLOAD {
        let mut left = STDIN_MS - SystemClock.now().ms_since(at);
        if bytes.trim_ascii_end().ends_with(b"}") {
            left = left.min(REST_MS);
        }
        if left <= 0 || !readable(input, left) {
            break;
        }
        if bytes.len() == bytes.capacity() {
            bytes.reserve(CHUNK);
        }
        match read(input, spare_capacity(&mut bytes)) {
            Ok(0) => break,
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    bytes
}

fn readable(input: BorrowedFd<'_>, ms: i64) -> bool {
    let mut polled = [PollFd::from_borrowed_fd(input, PollFlags::IN)];
    let wait = Timespec {
        tv_sec: ms / 1000,
        tv_nsec: (ms % 1000) * 1_000_000,
    };
    poll(&mut polled, Some(&wait)).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rstest::rstest;

    use super::*;
    use crate::args::{Cli, Command};

    fn words(text: &str) -> Vec<OsString> {
        std::iter::once("tally")
            .chain(text.split(' '))
            .map(OsString::from)
            .collect()
    }

    #[rstest]
    #[case("signal --from claude")]
    #[case("signal --from=claude --strict")]
    #[case("signal --state working")]
    #[case("signal --state=blocked --kind permission --message=a=b --agent x --session %5")]
    #[case("signal --strict --state done")]
    #[case("signal --state done --message - --strict")]
    #[case("signal --state done --message --strict")]
    #[case("signal --state done --message -t")]
    fn the_quick_reader_and_the_parser_agree(#[case] text: &str) {
        let quick = quick(&words(text));
        let Command::Signal(parsed) = Cli::try_parse_from(words(text)).unwrap().command else {
            panic!()
        };
        assert_eq!(quick, Some(parsed));
    }

    #[test]
    fn what_is_not_utf_8_is_replaced() {
        use std::os::unix::ffi::OsStringExt;
        let mut words = words("signal --state blocked --message");
        words.push(OsString::from_vec(b"x\xff".to_vec()));
        let signal = quick(&words).unwrap();
        assert_eq!(signal.message.as_deref(), Some("x\u{fffd}"));
    }

    #[rstest]
    #[case("signal")]
    #[case("signal --help")]
    #[case("signal --state")]
    #[case("signal --from")]
    #[case("signal --from a --state done")]
    #[case("signal --from a --message x")]
    #[case("signal --message x")]
    #[case("signal --state done --state idle")]
    #[case("signal --state --strict")]
    #[case("signal --nonsense")]
    #[case("signal done")]
    #[case("list")]
    #[case("--version")]
    fn what_the_quick_reader_does_not_know_is_for_the_parser(#[case] text: &str) {
        assert_eq!(quick(&words(text)), None);
    }

    #[rstest]
    #[case("blocked", None, true)]
    #[case("blocked", Some("question"), true)]
    #[case("blocked", Some("rate_limit"), false)]
    #[case("error", Some("rate_limit"), true)]
    #[case("working", Some("question"), false)]
    #[case("running", None, false)]
    #[case("unknown", None, false)]
    #[case("", None, false)]
    fn only_states_that_can_be_reported_are_with_kinds_of_their_own(
        #[case] state: &str,
        #[case] kind: Option<&str>,
        #[case] sound: bool,
    ) {
        let signal = SignalArgs {
            state: Some(state.to_owned()),
            kind: kind.map(str::to_owned),
            ..SignalArgs::default()
        };
        assert_eq!(report(&signal, Time::default()).is_ok(), sound);
    }
}

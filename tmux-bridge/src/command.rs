//! Command lines for tmux: built here and nowhere else.
//!
//! Every line carries `-u` (else tabs and non-ASCII bytes come back as `_`, facts §5), `-N` (no line of ours ever
//! starts a server) and `-S <socket>`. Targets are typed ids, so none can be empty or an index. A value is one
//! argument, never a format, and keeps a final `;` (facts §5).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use session_core::{ClientId, MuxSessionId, PaneId, WindowId};
use session_host::env::Env;

use crate::error::TmuxError;

/// tmux sends a command line to its server in one message of 16 kB, header included.
const LONGEST: usize = 14_000;

/// What tmux needs of our environment: the place of its files and the character set. Above all it must not inherit
/// `TMUX`, `TMUX_PANE` and `TMUX_TMPDIR`, which would aim it elsewhere.
const KEPT: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TERM"];

/// The address of a tmux server, and how the program is run that talks to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tmux {
    program: Arc<PathBuf>,
    env: Arc<Vec<(OsString, OsString)>>,
    socket: Arc<PathBuf>,
}

impl Tmux {
    /// The server on this socket, reached with the `tmux` that is on the environment's `PATH`.
    #[must_use]
    pub fn at(socket: impl Into<PathBuf>, env: &Env) -> Self {
        let kept = |name: &str| KEPT.contains(&name);
        Self {
            program: Arc::new(program(env)),
            env: Arc::new(
                env.iter()
                    .filter(|(name, _)| name.to_str().is_some_and(kept))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            ),
            socket: Arc::new(socket.into()),
        }
    }

    /// The same program, aimed at another socket.
    #[must_use]
    pub fn aimed_at(&self, socket: impl Into<PathBuf>) -> Self {
        Self {
            socket: Arc::new(socket.into()),
            ..self.clone()
        }
    }

    /// The socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The environment it is run in.
    pub(crate) fn env(&self) -> &[(OsString, OsString)] {
        &self.env
    }

    /// The arguments that stand before every command.
    #[must_use]
    pub fn prefix(&self) -> [OsString; 4] {
        ["-u".into(), "-N".into(), "-S".into(), self.socket().into()]
    }
}

/// The program by its full path: looked up once, and started without a fork of our own.
fn program(env: &Env) -> PathBuf {
    let path = env.get("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin");
    std::env::split_paths(path)
        .map(|folder| folder.join("tmux"))
        .find(|program| program.is_absolute() && program.is_file())
        .unwrap_or_else(|| PathBuf::from("tmux"))
}

/// Where a command is aimed at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A pane.
    Pane(PaneId),
    /// A window.
    Window(WindowId),
    /// A window as a member of one mux session.
    WindowOf(MuxSessionId, WindowId),
    /// A mux session.
    MuxSession(MuxSessionId),
    /// The place behind the last window of a mux session.
    EndOf(MuxSessionId),
    /// A client.
    Client(ClientId),
}

impl Target {
    fn text(&self) -> String {
        match self {
            Self::Pane(id) => id.to_string(),
            Self::Window(id) => id.to_string(),
            Self::WindowOf(session, window) => format!("{session}:{window}"),
            Self::MuxSession(id) => id.to_string(),
            Self::EndOf(session) => format!("{session}:"),
            Self::Client(id) => id.0.clone(),
        }
    }
}

/// One tmux command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    words: Vec<String>,
    values: Vec<String>,
    empty_target: bool,
}

impl Line {
    /// A command by its full name.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            words: vec![name.to_owned()],
            values: Vec::new(),
            empty_target: false,
        }
    }

    /// A flag, or several in one word.
    #[must_use]
    pub fn flag(mut self, flag: &'static str) -> Self {
        self.words.push(flag.to_owned());
        self
    }

    /// A flag with an argument of ours.
    #[must_use]
    pub fn with(mut self, flag: &'static str, argument: &str) -> Self {
        self.words.push(flag.to_owned());
        self.words.push(escaped(argument));
        self
    }

    /// The target, behind `-t`.
    #[must_use]
    pub fn target(self, target: &Target) -> Self {
        self.aimed("-t", target)
    }

    /// The client, behind `-c`.
    #[must_use]
    pub fn client(self, client: &ClientId) -> Self {
        self.aimed("-c", &Target::Client(client.clone()))
    }

    fn aimed(mut self, flag: &'static str, target: &Target) -> Self {
        let text = target.text();
        self.empty_target |= text.is_empty();
        self.words.push(flag.to_owned());
        self.words.push(escaped(&text));
        self
    }

    /// A value: taken as it is.
    #[must_use]
    pub fn value(mut self, value: &str) -> Self {
        self.values.push(escaped(value));
        self
    }

    fn arguments(&self) -> impl Iterator<Item = &str> {
        let dashes = self
            .values
            .iter()
            .any(|value| value.starts_with('-'))
            .then_some("--");
        self.words
            .iter()
            .map(String::as_str)
            .chain(dashes)
            .chain(self.values.iter().map(String::as_str))
    }

    fn size(&self) -> usize {
        self.arguments()
            .map(|argument| argument.len() + 1)
            .sum::<usize>()
            + 2
    }
}

/// A final `;` would end the command.
fn escaped(value: &str) -> String {
    match value.strip_suffix(';') {
        Some(rest) => format!("{rest}\\;"),
        None => value.to_owned(),
    }
}

/// Commands that run one after the other and make tmux redraw once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    lines: Vec<Line>,
}

impl Batch {
    /// Adds a command.
    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many commands there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The arguments of as many calls of tmux as the size of its messages asks for: one, but for very many panes.
    ///
    /// # Errors
    /// When a target is empty.
    pub fn calls(&self) -> Result<Vec<Vec<String>>, TmuxError> {
        let mut calls: Vec<Vec<String>> = Vec::new();
        let mut size = usize::MAX;
        for line in &self.lines {
            if line.empty_target {
                return Err(TmuxError::EmptyTarget);
            }
            size = size.saturating_add(line.size());
            match calls.last_mut() {
                Some(call) if size <= LONGEST => {
                    call.push(";".to_owned());
                    call.extend(line.arguments().map(str::to_owned));
                }
                _ => {
                    size = line.size();
                    calls.push(line.arguments().map(str::to_owned).collect());
                }
            }
        }
        Ok(calls)
    }
}

impl FromIterator<Line> for Batch {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        Self {
            lines: lines.into_iter().collect(),
        }
    }
}

impl From<Line> for Batch {
    fn from(line: Line) -> Self {
        Self { lines: vec![line] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(value: &str) -> Line {
        Line::new("set-option")
            .flag("-qp")
            .target(&Target::Pane(PaneId(5)))
            .value("@x")
            .value(value)
    }

    #[test]
    fn a_batch_is_one_call_with_its_commands_apart() {
        let batch: Batch = [set("a"), set("b")].into_iter().collect();
        assert_eq!(
            batch.calls().unwrap(),
            [[
                "set-option",
                "-qp",
                "-t",
                "%5",
                "@x",
                "a",
                ";",
                "set-option",
                "-qp",
                "-t",
                "%5",
                "@x",
                "b"
            ]]
        );
    }

    #[test]
    fn a_final_semicolon_and_a_leading_dash_stay_part_of_the_value() {
        assert_eq!(
            Batch::from(set("a;")).calls().unwrap()[0].last().unwrap(),
            "a\\;"
        );
        assert_eq!(
            Batch::from(set("-a")).calls().unwrap()[0],
            ["set-option", "-qp", "-t", "%5", "--", "@x", "-a"]
        );
    }

    #[test]
    fn an_empty_target_is_never_sent() {
        let line = Line::new("switch-client").client(&ClientId(String::new()));
        assert!(matches!(
            Batch::from(line).calls(),
            Err(TmuxError::EmptyTarget)
        ));
    }

    #[test]
    fn a_batch_that_tmux_could_not_take_is_split_between_commands() {
        let batch: Batch = (0..1000).map(|number| set(&number.to_string())).collect();
        let calls = batch.calls().unwrap();
        assert!(calls.len() > 1);
        for call in &calls {
            assert!(call.iter().map(|word| word.len() + 1).sum::<usize>() <= LONGEST);
            assert_eq!(call[0], "set-option");
            assert_ne!(call.last().unwrap(), ";");
        }
        let sets: usize = calls
            .iter()
            .map(|call| call.iter().filter(|word| *word == "set-option").count())
            .sum();
        assert_eq!(sets, 1000);
    }
}

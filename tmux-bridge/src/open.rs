//! Makes a pane for a command, or gives a pane a new one.

use session_core::{MuxSessionId, PaneId};

use crate::command::{Batch, Line, Target, Tmux};
use crate::error::TmuxError;
use crate::run::DEADLINE;

/// What tmux prints of a pane.
const FORMAT: &str = "#{pane_id} #{pane_pid}";

/// A pane, and the process that was started in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The pane.
    pub pane: PaneId,
    /// Its process.
    pub pid: u32,
}

/// Makes a window behind the last one of a mux session. `argv` has at least two words: tmux runs it as it is then, and
/// gives a single one to a shell. Blocking.
///
/// # Errors
/// When the server refuses, or does not answer in time.
pub fn open_window(
    tmux: &Tmux,
    mux_session: MuxSessionId,
    name: Option<&str>,
    argv: &[&str],
    detached: bool,
) -> Result<Opened, TmuxError> {
    let mut line = Line::new("new-window").flag("-P").with("-F", FORMAT);
    if detached {
        line = line.flag("-d");
    }
    if let Some(name) = name {
        // Some versions take the name for a format.
        line = line.with("-n", &name.replace('#', "_"));
    }
    let line = line.target(&Target::EndOf(mux_session));
    told(&run(tmux, with_values(line, argv))?)
}

/// Ends what runs in a pane and starts a command in its place. Blocking.
///
/// # Errors
/// When the server refuses, or does not answer in time.
pub fn respawn(tmux: &Tmux, pane: PaneId, argv: &[&str]) -> Result<Opened, TmuxError> {
    let target = Target::Pane(pane);
    let line = Line::new("respawn-pane").flag("-k").target(&target);
    run(tmux, with_values(line, argv))?;
    let asked = Line::new("display-message").flag("-p").target(&target);
    told(&run(tmux, asked.value(FORMAT))?)
}

fn with_values(line: Line, argv: &[&str]) -> Line {
    argv.iter().fold(line, |line, word| line.value(word))
}

fn run(tmux: &Tmux, line: Line) -> Result<String, TmuxError> {
    let batch: Batch = std::iter::once(line).collect();
    let printed = tmux.run(&batch, DEADLINE)?;
    Ok(String::from_utf8_lossy(&printed).trim().to_owned())
}

fn told(printed: &str) -> Result<Opened, TmuxError> {
    let read = || {
        let (pane, pid) = printed.split_once(' ')?;
        Some(Opened {
            pane: pane.parse().ok()?,
            pid: pid.parse().ok()?,
        })
    };
    read().ok_or_else(|| TmuxError::Refused(format!("it told {printed:?} of the new pane")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_and_its_process_are_read() {
        let opened = told("%12 345").unwrap();
        assert_eq!((opened.pane, opened.pid), (PaneId(12), 345));
        assert!(told("").is_err());
        assert!(told("12 345").is_err());
    }
}

//! One look at a server: everything Tallylight follows, in one call of tmux (facts §5).

mod clients;
mod fields;
mod ours;
mod panes;

use std::time::{Duration, Instant};

use session_core::{Mux, ServerId, ServerView};

pub use clients::Person;
use fields::Record;
pub use ours::Ours;

use crate::command::{Batch, Line, Tmux};
use crate::error::TmuxError;
use crate::mark::Mark;
use crate::version::Version;

/// How much to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What tmux knows by heart.
    Quick,
    /// Also the panes' foreground command and directory, which cost tmux a look into the process table a pane, and the
    /// hooks.
    Full,
}

/// What a look found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The server. Command and directory of its panes are missing after a [`Depth::Quick`] look.
    pub view: ServerView,
    /// The people's clients, with what is needed to choose one of them.
    pub people: Vec<Person>,
    /// The global hooks, as tmux prints them; empty after a [`Depth::Quick`] look.
    pub hooks: String,
    /// The processes of dead panes of which tmux does not tell how they ended: it has not reaped them yet.
    pub untold: Vec<u32>,
    /// When it began: what came later it may have missed.
    pub began: Instant,
    /// Which options of ours are set; `None` after a [`Depth::Quick`] look.
    pub ours: Option<Ours>,
}

/// Looks at a server; blocking.
///
/// # Errors
/// When the server does not answer in time, is not there, or answers in a form that is not known.
pub fn look(tmux: &Tmux, depth: Depth, limit: Duration) -> Result<Look, TmuxError> {
    let answer = Answer::new(depth);
    answer.read(&tmux.run(&answer.question(), limit)?)
}

/// A question, and how its answer is read.
#[derive(Debug)]
pub(crate) struct Answer {
    mark: Mark,
    depth: Depth,
    began: Instant,
}

impl Answer {
    pub(crate) fn new(depth: Depth) -> Self {
        Self {
            mark: Mark::new(),
            depth,
            began: Instant::now(),
        }
    }

    pub(crate) fn question(&self) -> Batch {
        let mark = &self.mark;
        let server = mark.record_format('S', &["pid", "start_time", "version"], &["socket_path"]);
        let print = |record: &str| Line::new("display-message").flag("-p").value(record);
        let mut question: Batch = [
            print(&server),
            Line::new("list-clients").with("-F", &clients::format(mark)),
            Line::new("list-panes")
                .flag("-a")
                .with("-F", &panes::format(mark, self.depth)),
        ]
        .into_iter()
        .collect();
        if self.depth == Depth::Full {
            question.push(print(&ours::format(mark)));
            // They end up in the free text of this record.
            question.push(print(&mark.record_format('H', &[], &["l:"])));
            question.push(Line::new("show-hooks").flag("-g"));
            question.push(Line::new("show-hooks").flag("-gw"));
        }
        question.push(print(&mark.record_format('E', &[], &[])));
        question
    }

    /// Whether all of the answer is there.
    pub(crate) fn is_complete(&self, printed: &[u8]) -> bool {
        printed.ends_with((self.mark.record_format('E', &[], &[]) + "\n").as_bytes())
    }

    pub(crate) fn read(&self, printed: &[u8]) -> Result<Look, TmuxError> {
        let mut server = None;
        let mut panes = panes::Panes::default();
        let mut people = Vec::new();
        let mut hooks = String::new();
        let mut ours = Ours::default();
        for record in self.mark.records(printed)? {
            match record.kind {
                'S' => server = Some(server_of(&record)?),
                'P' => {
                    panes.add(
                        &record,
                        server
                            .as_ref()
                            .map_or(Version::NEWEST, |(_, version, _)| *version),
                    )?;
                    if self.depth == Depth::Full {
                        ours.pane(&record)?;
                    }
                }
                'C' => people.extend(clients::person(&record)?),
                'O' => ours.server(&record),
                'H' => hooks = record.free(0)?,
                'E' => {}
                _ => return Err(record.unreadable()),
            }
        }
        let (server, _, version) =
            server.ok_or_else(|| TmuxError::Answer("it names no server".to_owned()))?;
        let clients = people
            .iter()
            .map(|person: &Person| person.fact.clone())
            .collect();
        let (panes, untold) = panes.done();
        let view = ServerView {
            server,
            version,
            panes,
            clients,
            stale_since: None,
        };
        Ok(Look {
            view,
            people,
            hooks,
            untold,
            began: self.began,
            ours: (self.depth == Depth::Full).then_some(ours),
        })
    }
}

fn server_of(record: &Record) -> Result<(ServerId, Version, String), TmuxError> {
    let server = ServerId {
        mux: Mux::Tmux,
        socket: record.free(0)?,
        pid: record.field(0)?,
        started: record.field(1)?,
    };
    let version: String = record.field(2)?;
    Ok((server, version.parse().unwrap_or(Version::NEWEST), version))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use session_core::{Exit, PaneId, WindowId};

    use super::*;

    fn answer(asked: &Answer, lines: &[&str]) -> Vec<u8> {
        let mark = &asked.mark;
        let mut text: String = lines
            .iter()
            .map(|line| line.replace('~', mark.text()) + "\n")
            .collect();
        text.insert_str(
            0,
            &format!("{0}\tS\t4711\t1700000000\t3.3a\t{0}/tmp/s\n", mark.text()),
        );
        text.into_bytes()
    }

    #[test]
    fn a_pane_of_a_grouped_window_is_listed_once_with_all_its_mux_sessions() {
        let asked = Answer::new(Depth::Full);
        let printed = answer(
            &asked,
            &[
                "~\tP\t%0\t100\t0\t\t\t1\t@0\t1\t$0\t~zsh\t~one",
                "~\tP\t%1\t101\t0\t\t\t0\t@0\t1\t$0\t~zsh\t~one",
                "~\tP\t%0\t100\t0\t\t\t1\t@0\t1\t$3\t~zsh\t~two",
                "~\tP\t%1\t101\t0\t\t\t0\t@0\t1\t$3\t~zsh\t~two",
            ],
        );
        let view = asked.read(&printed).unwrap().view;
        assert_eq!(
            (
                view.server.pid,
                view.server.started,
                view.server.socket.as_str()
            ),
            (4711, 1_700_000_000, "/tmp/s")
        );
        assert_eq!(view.panes.len(), 2);
        let names: Vec<_> = view.panes[1]
            .mux_sessions
            .iter()
            .map(|(id, name)| format!("{id} {name}"))
            .collect();
        assert_eq!(names, ["$0 one", "$3 two"]);
        assert_eq!(
            (
                view.panes[1].pane,
                view.panes[1].window,
                view.panes[1].active
            ),
            (PaneId(1), WindowId(0), false)
        );
    }

    #[test]
    fn free_text_may_hold_tabs_and_newlines_and_even_our_own_form() {
        let asked = Answer::new(Depth::Full);
        let path = "/tmp/a\n0123456789abcdef\tP\t%9\nb\tc";
        let printed = answer(
            &asked,
            &[
                &format!("~\tP\t%0\t100\t0\t\t\t1\t@0\t1\t$0\t~na\tme\t~one\t~sh\t~{path}"),
                "~\tC\t%0\t1700000001\t$0\tattached,focused,UTF-8\t77\t~/dev/pts/1",
            ],
        );
        let view = asked.read(&printed).unwrap().view;
        assert_eq!(view.panes.len(), 1);
        assert_eq!(view.panes[0].cwd.as_deref(), Some(path));
        assert_eq!(view.panes[0].window_name, "na me");
        assert_eq!(view.clients.len(), 1);
    }

    #[test]
    fn case_c5_a_dead_pane_tells_its_status_or_its_signal() {
        let asked = Answer::new(Depth::Full);
        let printed = answer(
            &asked,
            &[
                "~\tP\t%0\t100\t1\t127\t\t1\t@0\t1\t$0\t~a\t~one",
                "~\tP\t%1\t100\t1\t\t9\t1\t@0\t1\t$0\t~a\t~one",
                "~\tP\t%2\t0\t1\t\t\t1\t@0\t1\t$0\t~a\t~one",
                "~\tP\t%3\t100\t0\t\t\t1\t@0\t1\t$0\t~a\t~one",
            ],
        );
        let dead: Vec<_> = asked
            .read(&printed)
            .unwrap()
            .view
            .panes
            .iter()
            .map(|pane| pane.dead)
            .collect();
        assert_eq!(
            dead,
            [Some(Exit::Status(127)), Some(Exit::Signal(9)), None, None]
        );
    }

    #[test]
    fn a_follower_is_no_person_but_somebody_in_control_mode_is() {
        let asked = Answer::new(Depth::Full);
        let printed = answer(
            &asked,
            &[
                "~\tC\t%0\t1\t$0\tattached,focused,control-mode,ignore-size,no-output,read-only,UTF-8\t77\t~client-9",
                "~\tC\t%0\t2\t$0\tattached,focused,control-mode,UTF-8\t77\t~client-10",
                "~\tC\t%2\t3\t$0\tattached,UTF-8\t77\t~/dev/pts/1",
                "~\tC\t%2\t4\t$0\tattached,focused,suspended,UTF-8\t77\t~/dev/pts/2",
            ],
        );
        let clients = asked.read(&printed).unwrap().view.clients;
        let seen: Vec<_> = clients
            .iter()
            .map(|client| (client.client.0.as_str(), client.focused))
            .collect();
        assert_eq!(
            seen,
            [
                ("client-10", true),
                ("/dev/pts/1", false),
                ("/dev/pts/2", false)
            ]
        );
    }

    #[test]
    fn an_answer_without_a_server_is_an_error() {
        let asked = Answer::new(Depth::Quick);
        assert!(matches!(asked.read(b""), Err(TmuxError::Answer(_))));
        assert!(matches!(
            asked.read(b"no such thing\n"),
            Err(TmuxError::Answer(_))
        ));
    }

    proptest! {
        #[test]
        fn no_answer_makes_it_panic(lines in proptest::collection::vec("[~\t%@$0-9a-zPCS\n]{0,30}", 0..10)) {
            let asked = Answer::new(Depth::Full);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let _ = asked.read(&answer(&asked, &lines));
        }
    }
}

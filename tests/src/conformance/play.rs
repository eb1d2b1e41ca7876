//! The play: every edge once, read off the status line of an attached client.

use std::time::Duration;

use super::table::{self, Row};
use super::{Agent, Edge, Subject, Verdict};
use crate::desk::{Desk, Seat};
use crate::lamp::Lamp;
use crate::lamp_log::LampLog;
use crate::wait::{LIMIT, wait_until, watch_for};
use crate::world::kill;

/// For how long a lamp must not change that is to stay.
const A_WHILE: Duration = Duration::from_secs(1);

/// Lets the agent come to every edge that it has, and compares what came of it with its row in the table.
///
/// # Panics
///
/// When a lamp is wrong, or the table says something else.
pub fn conform(subject: &dyn Subject) {
    let desk = Desk::with_agent(|world, model| subject.install(world, model));
    let stage = Stage {
        subject,
        seat: desk.seat(0),
        desk: &desk,
    };
    table::check(&Row {
        title: subject.title(),
        version: subject.version(),
        verdicts: stage.play(),
    });
}

struct Stage<'d> {
    subject: &'d dyn Subject,
    desk: &'d Desk,
    seat: &'d Seat,
}

impl Stage<'_> {
    fn play(&self) -> Vec<(Edge, Verdict)> {
        let mut verdicts = Vec::new();
        let mut verified = |edges: &[Edge]| {
            verdicts.extend(edges.iter().map(|edge| (*edge, Verdict::Verified)));
        };
        let agent = self.start();
        verified(&[Edge::Start]);
        self.turn(&*agent, "slow 2");
        verified(&[Edge::Prompt, Edge::Stop]);
        self.tool(&*agent);
        verified(&[Edge::Tool]);
        self.approved(&*agent);
        verified(&[Edge::Asked, Edge::Approved]);
        let mut tried = vec![
            (Edge::Denied, self.denied(&*agent)),
            (Edge::Question, self.question(&*agent)),
            (Edge::Subagent, self.subagent(&*agent)),
        ];
        self.interrupt(&*agent);
        verified(&[Edge::Interrupt]);
        tried.push((Edge::ModelError, self.model_error(&*agent)));
        self.exit(&*agent);
        self.kill();
        verified(&[Edge::Exit, Edge::Kill]);
        verdicts.extend(tried);
        verdicts
    }

    fn expect(&self, lamp: Lamp) -> serde_json::Value {
        self.desk.expect(self.seat, lamp)
    }

    fn start(&self) -> Box<dyn Agent> {
        self.expect(Lamp::None);
        let agent = self.subject.launch(self.desk, self.seat);
        let session = self.expect(self.subject.at_start());
        assert_eq!(session["agent"], self.subject.name());
        agent
    }

    /// A turn that comes to its end by itself.
    fn turn(&self, agent: &dyn Agent, script: &str) {
        let (before, lamps) = (self.now(), self.seat.follow());
        agent.prompt(&format!("stub: {script}"));
        self.works_until_done(before, &lamps);
    }

    /// The time, as `tally` tells it, in milliseconds since the Unix epoch.
    fn now(&self) -> i64 {
        let list = self.desk.world().tally_json(&["list", "--json"]);
        list["at_ms"].as_i64().expect("the time")
    }

    /// How many turns the session has had.
    fn turns(&self) -> u64 {
        let session = self.desk.listed(self.seat);
        session
            .and_then(|session| session["turn"].as_u64())
            .unwrap_or_default()
    }

    /// Waits for the end of a turn that began after `before`. Whether it showed as work is read off the log: a short turn may be
    /// over before its prompt is seen to be taken.
    fn works_until_done(&self, before: i64, lamps: &LampLog) {
        wait_until(
            "the turn to end",
            LIMIT,
            || {
                let session = self.desk.listed(self.seat)?;
                let is_new = session["state_since_ms"].as_i64() > Some(before);
                let over = session["state"] == "done" && is_new;
                over.then_some(())
            },
            || format!("{:#?}", self.desk.listed(self.seat)),
        );
        self.expect(Lamp::Done);
        let seen = lamps.lamps();
        assert!(seen.contains(&Lamp::Working), "{seen:?}");
    }

    fn tool(&self, agent: &dyn Agent) {
        self.turn(agent, &format!("{} ; slow 1", self.subject.tool()));
    }

    fn approved(&self, agent: &dyn Agent) {
        let before = self.now();
        agent.prompt(&format!("stub: {} ; slow 2", self.subject.asks()));
        agent.wait_for_permission();
        let session = self.expect(Lamp::Blocked);
        assert_eq!(session["blocked_kind"], "permission");
        let lamps = self.seat.follow();
        agent.accept();
        self.works_until_done(before, &lamps);
    }

    fn denied(&self, agent: &dyn Agent) -> Verdict {
        let verdict = self.subject.denied();
        if verdict == Verdict::Verified {
            agent.prompt(&format!("stub: {} ; text never said", self.subject.asks()));
            agent.wait_for_permission();
            self.expect(Lamp::Blocked);
            agent.refuse();
            self.expect(Lamp::Idle);
        }
        verdict
    }

    fn question(&self, agent: &dyn Agent) -> Verdict {
        let ask = match self.subject.question() {
            Ok(ask) => ask,
            Err(verdict) => return verdict,
        };
        let before = self.now();
        agent.prompt(&format!("stub: {ask} ; slow 2"));
        agent.wait_for_question();
        let session = self.expect(Lamp::Blocked);
        assert_eq!(session["blocked_kind"], "question");
        let lamps = self.seat.follow();
        agent.answer();
        self.works_until_done(before, &lamps);
        Verdict::Verified
    }

    /// The end of the child is no end of the turn.
    fn subagent(&self, agent: &dyn Agent) -> Verdict {
        let task = match self.subject.subagent() {
            Ok(task) => task,
            Err(verdict) => return verdict,
        };
        let (before, lamps) = (self.now(), self.seat.follow());
        let turn = self.turns();
        agent.prompt(&format!("stub: {task} ; slow 3"));
        if self.subject.asks_before_subagents() {
            agent.wait_for_permission();
            self.expect(Lamp::Blocked);
            agent.accept();
        }
        self.works_until_done(before, &lamps);
        let seen = lamps.lamps();
        let done = seen.iter().filter(|lamp| **lamp == Lamp::Done).count();
        // The first is that of the turn before. An agent may begin another turn by itself when its child reports late.
        let turns = usize::try_from(self.turns() - turn).expect("turns are counted up");
        assert!(
            done <= 1 + turns,
            "done is shown at the end of a turn and nowhere else: {turns} turns, {seen:?}"
        );
        Verdict::Verified
    }

    fn interrupt(&self, agent: &dyn Agent) {
        let prompt = "stub: slow 60";
        agent.prompt(prompt);
        self.expect(Lamp::Working);
        // Esc before the first word takes the prompt back. The words of earlier answers stand above.
        agent.pane().wait_for("its answer", |screen| {
            let answer = screen.rsplit_once(prompt).map_or("", |(_, answer)| answer);
            let underway = self.subject.underway();
            underway.iter().any(|text| answer.contains(text))
        });
        agent.interrupt();
        self.expect(Lamp::Idle);
        let is_lit = |lamp: &Option<Lamp>| *lamp != Some(Lamp::Idle);
        let changed = watch_for(A_WHILE, || self.seat.lamp(), is_lit);
        assert_eq!(changed, None, "an interrupted turn stays at rest");
    }

    fn model_error(&self, agent: &dyn Agent) -> Verdict {
        let (error, kind) = match self.subject.model_error() {
            Ok(error) => error,
            Err(verdict) => return verdict,
        };
        agent.prompt(&format!("stub: {error}"));
        let session = self.expect(Lamp::Error);
        assert_eq!(session["error_kind"], kind);
        self.turn(agent, "slow 2");
        Verdict::Verified
    }

    fn exit(&self, agent: &dyn Agent) {
        agent.exit();
        self.expect(Lamp::None);
    }

    fn kill(&self) {
        let agent = self.start();
        agent.prompt("stub: slow 60");
        self.expect(Lamp::Working);
        let told = ["explain", agent.pane().id(), "--json"];
        let told = self.desk.world().tally_json(&told);
        let pid = told["session"]["pid"].as_u64().expect("its process");
        kill(u32::try_from(pid).expect("a process id"));
        self.expect(Lamp::None);
    }
}

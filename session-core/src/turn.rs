//! The turn book of a session: who works on what, and who waits.

use serde::{Deserialize, Serialize};

use crate::act::{Act, ActorId, Signal, SignalSource, ToolRef};
use crate::state::{BlockedKind, ErrorKind};
use crate::time::Time;

/// What the main agent is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "kebab-case")]
pub enum Phase {
    /// It has never signalled.
    #[default]
    Silent,
    /// It waits for a prompt.
    Rest {
        /// Whether a turn was cut short.
        interrupted: bool,
    },
    /// A turn is open.
    Open,
    /// The turn ended.
    Done,
    /// The turn failed.
    Failed {
        /// Why.
        kind: ErrorKind,
    },
}

/// A tool call that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolInFlight {
    /// The call.
    #[serde(flatten)]
    pub tool: ToolRef,
    /// The subagent that made it; `None` for the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<ActorId>,
    /// When it began.
    pub since: Time,
}

/// A subagent that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subagent {
    /// The subagent.
    pub id: ActorId,
    /// When it was first heard of.
    pub since: Time,
}

/// Something that waits for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The subagent that waits; `None` for the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<ActorId>,
    /// The call that waits; empty when the agent did not say.
    #[serde(default)]
    pub tool: ToolRef,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BlockedKind>,
    /// Since when.
    pub since: Time,
    /// When it starts to show (design §5.9).
    pub shows_at: Time,
    /// Whether it was read off a text.
    #[serde(default)]
    pub heuristic: bool,
    /// A line for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// All that the signals of a session add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Counts the turns of the session; 0 before the first.
    pub number: u64,
    /// What the main agent is at.
    #[serde(flatten)]
    pub phase: Phase,
    /// Since when the phase holds.
    pub since: Time,
    /// When a finished turn starts to show (design §5.9).
    #[serde(default)]
    pub shows_at: Time,
    /// Prompts that wait behind the open turn.
    #[serde(default)]
    pub queued: u32,
    /// The turn before ended and this one began only because a prompt was waiting: if it turns out that
    /// nothing runs, the session is done rather than interrupted.
    #[serde(default)]
    pub owes_done: bool,
    /// The agent said at its last stop that background work goes on.
    #[serde(default)]
    pub background: bool,
    /// Tool calls in flight.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolInFlight>,
    /// Subagents at work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<Subagent>,
    /// Who waits for the person, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// The last line for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The start stamp of the newest signal.
    #[serde(default)]
    pub heard: Time,
    /// Who sent that signal.
    #[serde(default)]
    pub by: SignalSource,
}

impl Turn {
    /// Reads one signal into the book. Signals must come in order of their start stamps.
    ///
    /// The rules are those of design §5.2 and §5.3: a child's end never ends the parent, a stop with
    /// background work running is still working, and a block is left by evidence only.
    pub fn take(&mut self, signal: &Signal) {
        let at = signal.at;
        let actor = signal.actor.as_ref();
        self.heard = self.heard.max(at);
        self.by = signal.source;
        match &signal.act {
            Act::SessionStart => self.start_over(at),
            Act::Prompt => self.prompt(actor, at),
            Act::Resume => self.resume(at),
            Act::ToolStart { tool } => self.tool_start(actor, tool, at),
            Act::ToolEnd { tool } => self.tool_end(actor, tool, at),
            Act::BatchEnd => self.batch_end(actor, at),
            Act::Ask { .. } => self.ask(signal),
            Act::Answered { tool } => self.answered(actor, tool, at),
            Act::Stop {
                background,
                settle_ms,
            } => match actor {
                Some(actor) => self.end_subagent(actor),
                None => self.stop(signal, *background, *settle_ms),
            },
            Act::Fail { kind } => match actor {
                Some(actor) => self.end_subagent(actor),
                None => self.fail(*kind, signal),
            },
            Act::Interrupt => self.interrupt(signal),
            Act::Rest => {
                if actor.is_none() && self.phase == Phase::Open {
                    self.interrupt(signal);
                }
            }
            Act::SubagentStart => self.note_subagent(actor, at),
            Act::SubagentEnd => {
                if let Some(actor) = actor {
                    self.end_subagent(actor);
                }
            }
            Act::Work => {
                self.blocks.clear();
                self.open(at);
            }
            Act::Exit => {}
        }
    }

    /// Whether anything other than the main agent's own turn goes on.
    #[must_use]
    pub fn in_background(&self) -> bool {
        self.background || !self.subagents.is_empty()
    }

    /// Whether a tool call, a subagent or a background task is in flight: the quiet rule waits for it (case A2).
    #[must_use]
    pub fn in_flight(&self) -> bool {
        self.in_background() || !self.tools.is_empty()
    }

    fn start_over(&mut self, at: Time) {
        *self = Self {
            number: self.number,
            phase: Phase::Rest { interrupted: false },
            since: at,
            heard: self.heard,
            by: self.by,
            ..Self::default()
        };
    }

    fn prompt(&mut self, actor: Option<&ActorId>, at: Time) {
        if actor.is_some() {
            self.note_subagent(actor, at);
        } else if self.phase == Phase::Open
            && !self.blocks.iter().any(|block| block.actor.is_none())
        {
            self.queued += 1;
        } else {
            // Nobody can type a prompt while the main agent's dialog is open: it was dismissed.
            self.drop_main();
            self.background = false;
            self.queued = 0;
            self.message = None;
            self.number += 1;
            self.enter(Phase::Open, at);
        }
    }

    fn resume(&mut self, at: Time) {
        if self.phase == Phase::Open {
            self.queued += 1;
        } else {
            self.open(at);
        }
    }

    fn tool_start(&mut self, actor: Option<&ActorId>, tool: &ToolRef, at: Time) {
        if tool.id.is_some() && self.tools.iter().any(|known| known.tool.id == tool.id) {
            return;
        }
        self.live(actor, at);
        // A linked block outlives the start of another call: calls can run side by side.
        self.blocks.retain(|block| {
            block.actor.as_ref() != actor
                || !(block.tool == ToolRef::default()
                    || (block.tool.id.is_none() && block.tool.name == tool.name))
        });
        self.tools.push(ToolInFlight {
            tool: tool.clone(),
            actor: actor.cloned(),
            since: at,
        });
    }

    fn tool_end(&mut self, actor: Option<&ActorId>, tool: &ToolRef, at: Time) {
        if let Some(index) = self
            .tools
            .iter()
            .position(|known| known.actor.as_ref() == actor && same_call(&known.tool, tool))
        {
            self.tools.remove(index);
        }
        self.answered(actor, tool, at);
    }

    fn batch_end(&mut self, actor: Option<&ActorId>, at: Time) {
        self.tools.retain(|known| known.actor.as_ref() != actor);
        self.answered(actor, &ToolRef::default(), at);
        if actor.is_none() {
            // What waited is handed to the model with the batch's results: it is part of the open turn now.
            self.queued = 0;
        }
    }

    fn answered(&mut self, actor: Option<&ActorId>, tool: &ToolRef, at: Time) {
        self.live(actor, at);
        self.blocks.retain(|block| {
            // A block without an owner is retired by anybody's progress, one with an owner by the owner's.
            let vague = block.actor.is_none() && block.tool == ToolRef::default();
            !(vague
                || (block.actor.as_ref() == actor
                    && (*tool == ToolRef::default() || same_call(&block.tool, tool))))
        });
    }

    fn ask(&mut self, signal: &Signal) {
        let Act::Ask {
            kind,
            tool,
            heuristic,
            settle_ms,
        } = &signal.act
        else {
            return;
        };
        let at = signal.at;
        let mut actor = signal.actor.clone();
        let mut tool = tool.clone();
        if tool == ToolRef::default() && actor.is_none() {
            // A notice that names nobody repeats what is known, or is about the newest call.
            if !self.blocks.is_empty() {
                if signal.source == SignalSource::Script {
                    self.ask_otherwise(*kind, signal.message.as_ref());
                }
                return;
            }
            if let Some(newest) = self.tools.iter().max_by_key(|known| known.since) {
                actor.clone_from(&newest.actor);
                tool = newest.tool.clone();
            }
        } else if tool.id.is_none() {
            let newest = self
                .tools
                .iter()
                .filter(|known| known.actor == actor && known.tool.name == tool.name)
                .max_by_key(|known| known.since);
            if let Some(newest) = newest {
                tool = newest.tool.clone();
            }
        } else if !self.tools.iter().any(|known| known.tool.id == tool.id) {
            self.tools.push(ToolInFlight {
                tool: tool.clone(),
                actor: actor.clone(),
                since: at,
            });
        }
        self.live(actor.as_ref(), at);
        if let Some(known) = self
            .blocks
            .iter_mut()
            .find(|block| block.actor == actor && block.tool == tool)
        {
            known.kind = known.kind.or(*kind);
            known.message = known.message.take().or_else(|| signal.message.clone());
            return;
        }
        self.blocks.push(Block {
            actor,
            tool,
            kind: *kind,
            since: at,
            shows_at: at.plus_ms(*settle_ms),
            heuristic: *heuristic,
            message: signal.message.clone(),
        });
    }

    /// A script that says blocked again asks something else now: its own question is replaced, no agent's is.
    fn ask_otherwise(&mut self, kind: Option<BlockedKind>, message: Option<&String>) {
        let own = |block: &&mut Block| block.actor.is_none() && block.tool == ToolRef::default();
        if let Some(block) = self.blocks.iter_mut().find(own) {
            block.kind = kind.or(block.kind);
            block.message = message.cloned().or(block.message.take());
        }
    }

    fn stop(&mut self, signal: &Signal, background: Option<bool>, settle_ms: i64) {
        let at = signal.at;
        let was_in_background = self.in_background();
        self.drop_main();
        if background == Some(false) {
            // The agent says that nothing runs; a subagent that waits for the person is kept all the same.
            let blocks = &self.blocks;
            self.subagents.retain(|subagent| {
                blocks
                    .iter()
                    .any(|block| block.actor.as_ref() == Some(&subagent.id))
            });
            let subagents = &self.subagents;
            self.tools.retain(|known| {
                subagents
                    .iter()
                    .any(|subagent| Some(&subagent.id) == known.actor.as_ref())
            });
        }
        self.background = background == Some(true);
        if self.queued > 0 && self.phase == Phase::Open {
            self.queued = 0;
            self.number += 1;
            self.enter(Phase::Open, at);
            self.owes_done = true;
            return;
        }
        match self.phase {
            // A stop that was wired ends an open turn; the failed one has ended already.
            Phase::Failed { .. } if signal.source == SignalSource::Wired => return,
            Phase::Done if was_in_background == self.in_background() => return,
            Phase::Silent | Phase::Rest { interrupted: false } => self.number += 1,
            _ => {}
        }
        self.enter(Phase::Done, at);
        self.shows_at = at.plus_ms(settle_ms);
        self.message.clone_from(&signal.message);
    }

    fn fail(&mut self, kind: ErrorKind, signal: &Signal) {
        self.drop_main();
        self.queued = 0;
        if self.phase == (Phase::Failed { kind }) {
            return;
        }
        if matches!(self.phase, Phase::Silent | Phase::Rest { .. } | Phase::Done) {
            self.number += 1;
        }
        self.enter(Phase::Failed { kind }, signal.at);
        self.message.clone_from(&signal.message);
    }

    fn interrupt(&mut self, signal: &Signal) {
        if let Some(actor) = &signal.actor {
            self.end_subagent(actor);
            return;
        }
        let ended = self.owes_done || self.phase == Phase::Done;
        let was_open = self.phase == Phase::Open || !self.blocks.is_empty();
        let (number, message) = (self.number, self.message.take());
        self.start_over(signal.at);
        self.number = number;
        if ended && matches!(signal.source, SignalSource::Registry | SignalSource::Quiet) {
            self.phase = Phase::Done;
            self.message = message;
        } else {
            self.phase = Phase::Rest {
                interrupted: was_open,
            };
        }
    }

    /// Takes note that the actor is at work.
    fn live(&mut self, actor: Option<&ActorId>, at: Time) {
        if actor.is_some() {
            self.note_subagent(actor, at);
        } else {
            self.open(at);
        }
    }

    /// Opens a turn unless one is open; a failed turn that goes on is the same turn (case A12).
    fn open(&mut self, at: Time) {
        self.owes_done = false;
        match self.phase {
            Phase::Open => return,
            Phase::Failed { .. } | Phase::Rest { interrupted: true } => {}
            Phase::Done if self.in_background() => {}
            Phase::Silent | Phase::Rest { interrupted: false } | Phase::Done => self.number += 1,
        }
        self.background = false;
        self.enter(Phase::Open, at);
    }

    fn enter(&mut self, phase: Phase, at: Time) {
        self.phase = phase;
        self.since = at;
        self.owes_done = false;
    }

    fn note_subagent(&mut self, actor: Option<&ActorId>, at: Time) {
        if let Some(actor) = actor
            && !self.subagents.iter().any(|known| known.id == *actor)
        {
            self.subagents.push(Subagent {
                id: actor.clone(),
                since: at,
            });
        }
    }

    fn end_subagent(&mut self, actor: &ActorId) {
        self.subagents.retain(|known| known.id != *actor);
        self.tools
            .retain(|known| known.actor.as_ref() != Some(actor));
        self.blocks
            .retain(|block| block.actor.as_ref() != Some(actor));
    }

    /// Drops what belongs to the main agent alone.
    fn drop_main(&mut self) {
        self.tools.retain(|known| known.actor.is_some());
        self.blocks.retain(|block| block.actor.is_some());
    }
}

/// Whether two names mean the same call: by id where both have one, else by the tool's name; an unnamed call
/// matches any.
fn same_call(known: &ToolRef, other: &ToolRef) -> bool {
    match (&known.id, &other.id) {
        (Some(known), Some(other)) => known == other,
        _ => known.name.is_none() || other.name.is_none() || known.name == other.name,
    }
}

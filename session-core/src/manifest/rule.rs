//! Rules: what an agent's events mean.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::condition::{Condition, text};
use super::payload::lookup;
use super::schema::{Background, Manifest, RegistrySpec};
use crate::act::{Act, ActorId, Signal, SignalSource, ToolRef};
use crate::session::{RegistryReport, RegistryStatus};
use crate::state::{BlockedKind, ErrorKind};
use crate::time::Time;
use crate::view::clean;

/// The longest message kept, in graphemes.
const MESSAGE_MAX: usize = 200;
/// The longest id kept from a payload, in bytes.
const ID_MAX: usize = 128;

/// What a rule makes of an event: the name of an [`Act`], or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the act of the same name")]
pub enum RuleAct {
    /// The event says nothing about the state.
    Ignore,
    SessionStart,
    Prompt,
    Resume,
    ToolStart,
    ToolEnd,
    BatchEnd,
    Ask,
    Answered,
    Stop,
    Fail,
    Interrupt,
    Rest,
    SubagentStart,
    SubagentEnd,
    Work,
    Exit,
}

/// One rule of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The events it is about.
    pub events: Vec<String>,
    /// What else must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Condition>,
    /// What the event means.
    pub act: RuleAct,
    /// For `ask`: what is waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BlockedKind>,
    /// For `ask`: whether this is read off a text.
    #[serde(default)]
    pub heuristic: bool,
    /// For `ask` and `stop`: how long it must stand before it shows, in milliseconds.
    #[serde(default)]
    pub settle_ms: i64,
    /// For `stop`: how the payload says that background work goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<Background>,
    /// A line for the person; `{path}` is replaced by the payload's value there, `{path|other}` by the first one
    /// that is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why the rule is as it is, for `tally explain` and for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What a manifest made of one payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The event's name.
    pub event: String,
    /// The place of the rule that decided, counted from 0; `None` when none fits.
    pub rule: Option<usize>,
    /// The signal, when the event says anything about the state.
    pub signal: Option<Signal>,
    /// The agent's working directory, when the payload names it.
    pub cwd: Option<String>,
}

impl Manifest {
    /// Reads one payload: the first rule that fits decides. `env` answers for the hook's environment, `at` is the
    /// start stamp of the process that reports.
    pub fn read(&self, payload: &Value, env: &dyn Fn(&str) -> Option<String>, at: Time) -> Reading {
        let event = self
            .field(payload, Some(&self.fields.event))
            .unwrap_or_default();
        let rule = self.rules.iter().position(|rule| {
            rule.events.contains(&event)
                && rule
                    .when
                    .iter()
                    .all(|condition| condition.holds(payload, env))
        });
        let signal = rule
            .and_then(|index| self.rules.get(index))
            .and_then(|rule| {
                Some(Signal {
                    at,
                    source: SignalSource::Wired,
                    act: self.act(rule, payload, env)?,
                    actor: self.field(payload, self.fields.actor.as_ref()).map(ActorId),
                    agent: Some(self.name.clone()),
                    agent_session: self.field(payload, self.fields.session.as_ref()),
                    message: rule
                        .message
                        .as_ref()
                        .and_then(|template| fill(template, payload)),
                    event: event.clone(),
                    fingerprint: fingerprint(payload.to_string().as_bytes()),
                })
            });
        let cwd = self.fields.cwd.as_ref().and_then(|path| {
            lookup(payload, path)
                .first()
                .and_then(|value| value.as_str())
                .map(str::to_owned)
        });
        Reading {
            event,
            rule,
            signal,
            cwd,
        }
    }

    fn act(
        &self,
        rule: &Rule,
        payload: &Value,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Act> {
        let tool = || ToolRef {
            id: self.field(payload, self.fields.tool_id.as_ref()),
            name: self.field(payload, self.fields.tool_name.as_ref()),
        };
        Some(match rule.act {
            RuleAct::Ignore => return None,
            RuleAct::SessionStart => Act::SessionStart,
            RuleAct::Prompt => Act::Prompt,
            RuleAct::Resume => Act::Resume,
            RuleAct::ToolStart => Act::ToolStart { tool: tool() },
            RuleAct::ToolEnd => Act::ToolEnd { tool: tool() },
            RuleAct::BatchEnd => Act::BatchEnd,
            RuleAct::Ask => Act::Ask {
                kind: rule.kind,
                tool: tool(),
                heuristic: rule.heuristic,
                settle_ms: rule.settle_ms,
            },
            RuleAct::Answered => Act::Answered { tool: tool() },
            RuleAct::Stop => Act::Stop {
                background: rule.background.as_ref().and_then(|background| {
                    (!lookup(payload, &background.given).is_empty())
                        .then(|| background.running.holds(payload, env))
                }),
                settle_ms: rule.settle_ms,
            },
            RuleAct::Fail => Act::Fail {
                kind: self.error_kind(payload),
            },
            RuleAct::Interrupt => Act::Interrupt,
            RuleAct::Rest => Act::Rest,
            RuleAct::SubagentStart => Act::SubagentStart,
            RuleAct::SubagentEnd => Act::SubagentEnd,
            RuleAct::Work => Act::Work,
            RuleAct::Exit => Act::Exit,
        })
    }

    fn error_kind(&self, payload: &Value) -> ErrorKind {
        self.field(payload, Some(&self.errors.path))
            .and_then(|word| self.errors.kinds.get(&word).copied())
            .unwrap_or(ErrorKind::Other)
    }

    /// A short, cleaned text at a path of the payload; nothing where it is absent or empty.
    fn field(&self, payload: &Value, path: Option<&String>) -> Option<String> {
        let value = lookup(payload, path?)
            .first()
            .and_then(|value| text(value))?;
        let value = clean(&value, ID_MAX);
        (!value.is_empty()).then_some(value)
    }
}

impl RegistrySpec {
    /// Reads the agent's own registry; `None` when it says nothing that can be used.
    #[must_use]
    pub fn read(&self, registry: &Value, read: Time) -> Option<RegistryReport> {
        let word = |path: &str| {
            lookup(registry, path)
                .first()
                .and_then(|value| value.as_str())
                .map(str::to_owned)
        };
        let status = *self.statuses.get(&word(&self.status)?)?;
        let kind = self
            .waits_for
            .as_ref()
            .and_then(|path| self.kinds.get(&word(path)?).copied());
        if status == RegistryStatus::Blocked && kind.is_none() {
            // It waits in a dialog that the person opened.
            return None;
        }
        let at = lookup(registry, &self.at_ms)
            .first()
            .and_then(|value| value.as_i64())
            .map_or(read, Time::from_ms);
        Some(RegistryReport {
            status,
            kind,
            at: at.min(read),
            read,
        })
    }
}

/// Fills a message template; `None` when nothing of it is left.
fn fill(template: &str, payload: &Value) -> Option<String> {
    let mut filled = String::new();
    let mut any = false;
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((paths, after)) = after.split_once('}') else {
            break;
        };
        let given = |path| {
            lookup(payload, path)
                .first()
                .and_then(|value| text(value))
                .filter(|value| !value.is_empty())
        };
        if let Some(value) = paths.split('|').find_map(given) {
            any = true;
            filled.push_str(&value);
        }
        rest = after;
    }
    filled.push_str(rest);
    let filled = clean(&filled, MESSAGE_MAX);
    ((any || !template.contains('{')) && !filled.is_empty())
        .then(|| filled.trim_end_matches([':', ' ']).to_owned())
}

/// A hash of a report's bytes (FNV-1a, 64 bits): tells a repeated report, not an attacker's.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

//! Reads recorded payloads by an extension's rules.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use session_core::manifest::{Manifest, parse_payload};
use session_core::{Event, MachineId, Policy, Session, State, Time, apply, derive};
use session_host::manifests;

/// The state of a session that has heard these events, a second apart and none longer ago than that.
pub(crate) struct Reader {
    manifest: Manifest,
    session: Session,
    now: Time,
}

impl Reader {
    pub(crate) fn new(agent: &str) -> Self {
        let machine = MachineId("m".to_owned());
        let session = Session::new(
            "01890000-0000-7000-8000-000000000001".parse().unwrap(),
            machine,
            None,
            Time(0),
        );
        Self {
            manifest: manifests::find(agent).unwrap(),
            session,
            now: Time::from_ms(1_000_000),
        }
    }

    /// Hears a recorded payload.
    pub(crate) fn hear(&mut self, fixture: &str) -> State {
        let payload = self.fixture(fixture);
        self.hear_payload(&payload)
    }

    /// Hears a payload.
    pub(crate) fn hear_payload(&mut self, payload: &Value) -> State {
        self.now = self.now.plus_ms(1_000);
        let reading = self.manifest.read(payload, &|_| None, self.now);
        assert!(reading.rule.is_some(), "no rule is about {payload}");
        if let Some(signal) = reading.signal {
            apply(
                &mut self.session,
                Event::Signal(signal),
                &Policy::default(),
                self.now,
            );
        }
        self.state()
    }

    pub(crate) fn state(&self) -> State {
        derive(&self.session, &Policy::default(), self.now).state
    }

    /// A recorded payload of the agent.
    pub(crate) fn fixture(&self, name: &str) -> Value {
        let path = folder(self.manifest.name.as_str()).join(format!("{name}.json"));
        parse_payload(&fs::read(path).unwrap()).unwrap()
    }
}

fn folder(agent: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../extensions")
        .join(agent)
        .join("fixtures")
}

/// What every recorded payload of an agent means, a line each.
pub(crate) fn table(agent: &str) -> String {
    let manifest = manifests::find(agent).unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(folder(agent))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let line = |path: &PathBuf| {
        let payload = parse_payload(&fs::read(path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        format!("{name}: {}\n", meaning(&manifest, &payload))
    };
    files.iter().map(line).collect()
}

/// What a payload means, in a line: the act, what is not usual about it, whose it is, and the message.
fn meaning(manifest: &Manifest, payload: &Value) -> String {
    let reading = manifest.read(payload, &|_| None, Time::default());
    if reading.rule.is_none() {
        return "no rule".to_owned();
    }
    let Some(signal) = reading.signal else {
        return "ignore".to_owned();
    };
    let mut act = serde_json::to_value(&signal.act).unwrap();
    let fields = act.as_object_mut().unwrap();
    let mut line = fields.remove("act").unwrap().as_str().unwrap().to_owned();
    fields.retain(|_, value| ![json!(false), json!(0), json!({})].contains(value));
    if !fields.is_empty() {
        line.push_str(&format!(" {act}"));
    }
    if let Some(actor) = signal.actor {
        line.push_str(&format!(" by {actor}"));
    }
    if let Some(message) = signal.message {
        line.push_str(&format!(" \"{message}\""));
    }
    line
}

//! The schema of `extension.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::condition::Condition;
use super::coverage::Coverage;
use super::rule::Rule;
use crate::ids::AgentName;
use crate::session::RegistryStatus;
use crate::state::{BlockedKind, ErrorKind};

/// One agent's manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this schema: 1.
    pub schema: u32,
    /// The agent's name, as it is used everywhere.
    pub name: AgentName,
    /// The agent's name for the eye.
    pub title: String,
    /// How its process is recognised.
    pub process: ProcessMatch,
    /// Where its configuration lives.
    #[serde(default)]
    pub config_home: Option<ConfigHome>,
    /// How it is started and asked for its version.
    pub executable: Executable,
    /// What is added to its command line when Tallylight launches it.
    #[serde(default)]
    pub agent_patches: Vec<AgentPatch>,
    /// What is added to its environment when Tallylight launches it.
    #[serde(default)]
    pub env_patches: Vec<EnvPatch>,
    /// Files that Tallylight keeps for it.
    #[serde(default)]
    pub external_files: Vec<ExternalFile>,
    /// What is put into its own configuration, when a person asks for that.
    #[serde(default)]
    pub config_merges: Vec<ConfigMerge>,
    /// Settings of the person's with which it runs nothing of ours.
    #[serde(default)]
    pub switches: Vec<Switch>,
    /// How it asks its person whether hooks may run.
    #[serde(default)]
    pub trust: Option<Trust>,
    /// Where its payloads keep what all rules need.
    #[serde(default)]
    pub fields: Fields,
    /// What its events mean; the first rule that fits decides.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// How its words for failures translate.
    #[serde(default)]
    pub errors: Errors,
    /// The registry it keeps of its own state, if any.
    #[serde(default)]
    pub registry: Option<RegistrySpec>,
    /// What it can report.
    pub coverage: Coverage,
    /// What it expects of a hook command.
    #[serde(default)]
    pub contract: Contract,
    /// How it is told to go on with an earlier conversation.
    #[serde(default)]
    pub resume: Option<Resume>,
}

impl Manifest {
    /// Whether anything is added when Tallylight launches the agent; if not, it is known by its process only.
    #[must_use]
    pub const fn is_wired(&self) -> bool {
        !self.agent_patches.is_empty() || !self.env_patches.is_empty()
    }

    /// Whether its own configuration can be wired.
    #[must_use]
    pub fn is_global(&self) -> bool {
        !self.config_merges.is_empty()
            || self.external_files.iter().any(|file| file.global.is_some())
    }

    /// Whether it can report at all.
    #[must_use]
    pub fn reports(&self) -> bool {
        self.is_wired() || self.is_global()
    }

    /// The names of all files beside the manifest that it needs, each once.
    #[must_use]
    pub fn payloads(&self) -> Vec<&str> {
        let files = self.external_files.iter().map(|file| file.name.as_str());
        let merges = self
            .config_merges
            .iter()
            .map(|merge| merge.payload.as_str());
        let mut names: Vec<&str> = Vec::new();
        for name in files.chain(merges) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// How an agent's process is recognised; any match will do. Names are compared whole, never as parts of
/// arguments (case C2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessMatch {
    /// Names of the program: the base name of its executable or of its first argument.
    #[serde(default)]
    pub names: Vec<String>,
    /// Base names of a script that an interpreter (node, bun, python, a shell) runs.
    #[serde(default)]
    pub scripts: Vec<String>,
    /// Parts of a script's path that identify it, such as a package's folder.
    #[serde(default)]
    pub script_paths: Vec<String>,
    /// Folders whose programs are named by version number (case C1).
    #[serde(default)]
    pub version_dirs: Vec<String>,
}

/// Where an agent's configuration lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigHome {
    /// The agent's own variable for it.
    #[serde(default)]
    pub variable: Option<String>,
    /// What of the folder that the variable names is the configuration; all of it where this is absent.
    #[serde(default)]
    pub below: Option<String>,
    /// Where it is otherwise; `~` is the home folder, and `$XDG_CONFIG_HOME` the folder that this variable names, or
    /// `~/.config`.
    pub default: String,
}

/// How an agent is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Executable {
    /// The command a person types.
    pub command: String,
    /// Arguments that make it print its version.
    #[serde(default)]
    pub version_args: Vec<String>,
    /// The oldest version whose own configuration may be wired.
    #[serde(default)]
    pub floor: Option<String>,
}

/// Arguments added at launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentPatch {
    /// The arguments, put in front of the person's own. `{file:NAME}` is the path of an external file, `{command}`
    /// the wired command as it stands between the quotes of a JSON or TOML string.
    pub args: Vec<String>,
    /// First arguments of the person's with which nothing is added: subcommands that run no session.
    #[serde(default)]
    pub unless_first: Vec<String>,
    /// Beginnings of arguments of the person's with which nothing is added: they set what these arguments set.
    #[serde(default)]
    pub unless_args: Vec<String>,
    /// An option of the agent that takes one file of settings: when the person gives it too, theirs and ours
    /// are merged into one file, since the agent reads only one.
    #[serde(default)]
    pub merges_with: Option<String>,
    /// What in the person's file says that it must stay where it is: then nothing is merged, and the agent is
    /// started as the person asked.
    #[serde(default)]
    pub unless_theirs: Vec<Condition>,
    /// What is added instead where the agent's own configuration is wired.
    #[serde(default)]
    pub when_global: Vec<String>,
}

/// A variable added at launch. One that the person has set is never replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvPatch {
    /// The variable.
    pub name: String,
    /// Its value. `{file:NAME}` is the path of an external file.
    pub value: String,
    /// First arguments of the person's with which it is not added: subcommands that run no session.
    #[serde(default)]
    pub unless_first: Vec<String>,
    /// Other variables with which it is not added, since they mean something else for the agent then.
    #[serde(default)]
    pub unless_set: Vec<String>,
    /// Files with which it is not added: the agent would no longer read them.
    #[serde(default)]
    pub unless_exists: Vec<String>,
}

/// A file that Tallylight keeps for an agent: in its own wiring folder, and where a person asks for it in the agent's
/// configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalFile {
    /// Its name in the wiring folder, and in the extension's folder.
    pub name: String,
    /// Its path below the agent's configuration, where it is put when a person asks for that.
    #[serde(default)]
    pub global: Option<String>,
    /// A folder below the agent's configuration without which it is not put there.
    #[serde(default)]
    pub requires_dir: Option<String>,
    /// Paths below the agent's configuration with one of which it is not put there: they would do the same again.
    #[serde(default)]
    pub if_absent: Vec<String>,
}

/// Entries for lists in a file of the agent's own configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigMerge {
    /// The file beside the manifest, in JSON, whose lists hold the entries.
    pub payload: String,
    /// The file below the agent's configuration; of several, the one that the person uses for such entries, else the
    /// first. One that ends in `.toml` is TOML, any other JSON.
    pub files: Vec<String>,
    /// What a person who wires it should know.
    #[serde(default)]
    pub caveat: Option<String>,
}

/// A setting of the person's with which the agent runs nothing of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// The file below the agent's configuration; one that ends in `.toml` is TOML, any other JSON.
    pub file: String,
    /// What in it switches ours off.
    pub off: Condition,
}

/// How an agent asks its person whether hooks may run. Tallylight reads the answer and never gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trust {
    /// How the answer is kept.
    pub kept: TrustKept,
    /// What the person does to give it.
    pub step: String,
}

/// How the answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrustKept {
    /// Codex: a hash of each hook, by the file and the place it stands in, in `config.toml`.
    CodexHashes,
}

/// Paths into the payload that all rules share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    /// The event's name.
    #[serde(default)]
    pub event: String,
    /// The agent's own session id.
    #[serde(default)]
    pub session: Option<String>,
    /// The subagent's id; absent for the main agent.
    #[serde(default)]
    pub actor: Option<String>,
    /// The tool call's id.
    #[serde(default)]
    pub tool_id: Option<String>,
    /// The tool's name.
    #[serde(default)]
    pub tool_name: Option<String>,
    /// The working directory.
    #[serde(default)]
    pub cwd: Option<String>,
    /// A variable of the hook's environment with the agent's process id.
    #[serde(default)]
    pub pid_variable: Option<String>,
}

/// How a stop says that background work goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Background {
    /// The path that must exist for the agent to have said anything about it.
    pub given: String,
    /// What means that work goes on.
    pub running: Condition,
}

/// How an agent's words for failures translate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// The path of the word.
    #[serde(default)]
    pub path: String,
    /// Word by word; any other word is `other`.
    #[serde(default)]
    pub kinds: BTreeMap<String, ErrorKind>,
}

/// A file in which an agent keeps its own state: JSON, one file a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistrySpec {
    /// Its path; `{config_home}` and `{pid}` are replaced.
    pub path: String,
    /// The path of the status word.
    pub status: String,
    /// The path of the time it was written, in milliseconds since the Unix epoch.
    pub at_ms: String,
    /// The path of what the agent waits for.
    #[serde(default)]
    pub waits_for: Option<String>,
    /// Status words; any other word says nothing.
    pub statuses: BTreeMap<String, RegistryStatus>,
    /// What it waits for, word by word; any other word says nothing.
    #[serde(default)]
    pub kinds: BTreeMap<String, BlockedKind>,
}

/// How an agent is told to go on with an earlier conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The arguments behind its command; `{id}` is the agent's own id of its session.
    pub args: Vec<String>,
}

impl Resume {
    /// The arguments for a conversation. `None` for an id that would be taken for something else: agents report it, and
    /// nobody else has checked it.
    #[must_use]
    pub fn args_for(&self, id: &str) -> Option<Vec<String>> {
        let sound = !id.is_empty()
            && !id.starts_with('-')
            && id.len() <= 1024
            && !id.chars().any(char::is_control);
        sound.then(|| {
            let args = self.args.iter();
            args.map(|arg| arg.replace("{id}", id)).collect()
        })
    }
}

/// What an agent expects of a hook command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// What a hook must print for an event; nothing where it is not listed (case D2).
    #[serde(default)]
    pub stdout: BTreeMap<String, String>,
    /// The agent's own time limit for a hook, in seconds, as it is written into its configuration.
    #[serde(default)]
    pub timeout_s: Option<u32>,
}

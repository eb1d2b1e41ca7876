//! A real Claude Code and the stub model, without the product: the harness can bring about every
//! edge that the product must see, and the agent still says what the recordings say.
//!
//! `TALLY_RECORD=1` writes the recordings anew, from the current version.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails loudly"
)]

use std::time::Duration;

use tally_tests::payload::Recordings;
use tally_tests::wait::watch_for;
use tally_tests::world::kill;
use tally_tests::{
    Claude, ClaudeVersion, HookLog, HookRun, LIMIT, Pane, StubModel, TmuxServer, World, claude,
    wait_until,
};

/// How long nothing must be heard for a test to believe that nothing comes.
const SILENCE: Duration = Duration::from_millis(1500);

#[test]
fn the_stub_model_drives_a_real_claude() {
    let mut stage = Stage::new(ClaudeVersion::Current);
    let claude = stage.launch("claude");
    every_edge(&stage, &claude);
    leaving(&stage, &claude);
    stage.check_recordings();
}

#[test]
fn the_stub_model_drives_an_older_claude() {
    let stage = Stage::new(ClaudeVersion::Older);
    let claude = stage.launch("claude");
    every_edge(&stage, &claude);
    leaving(&stage, &claude);
}

#[test]
fn a_prompt_typed_while_claude_works_is_a_turn_of_its_own_unless_a_tool_ends() {
    for version in [ClaudeVersion::Current, ClaudeVersion::Older] {
        let stage = Stage::new(version);
        let claude = stage.launch("claude");
        // The newer version tells its hooks of the prompt at once, and then not again.
        let at_once = version == ClaudeVersion::Current;

        // On a busy machine it is told after the input box is there.
        stage.log.wait_for_event("SessionStart", 0);
        let from = stage.runs().len();
        claude.prompt("stub: slow 4");
        stage.log.wait_for_event("UserPromptSubmit", from);
        claude.prompt("stub: text from the queue");
        stage.wait_for_end("from the queue", from);
        let expected = if at_once {
            ["UserPromptSubmit", "UserPromptSubmit", "Stop", "Stop"]
        } else {
            ["UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop"]
        };
        assert_eq!(
            stage.log.events(from),
            expected,
            "{version:?}: queued while text streams"
        );

        let from = stage.runs().len();
        claude.prompt("stub: bash sleep 3 ; text never said");
        stage.log.wait_for_event("PreToolUse", from);
        claude.prompt("stub: text taken into the turn");
        stage.wait_for_end("taken into the turn", from);
        let mut expected = vec!["UserPromptSubmit", "PreToolUse"];
        expected.extend(at_once.then_some("UserPromptSubmit"));
        expected.extend(["PostToolUse", "PostToolBatch", "Stop"]);
        assert_eq!(
            stage.log.events(from),
            expected,
            "{version:?}: queued while a tool runs"
        );
    }
}

/// What a person can do within a session. Each step starts and ends at an idle agent.
fn every_edge(stage: &Stage, claude: &Claude) {
    let status = claude.status_file();
    let start = stage.log.wait_for_event("SessionStart", 0);
    assert_eq!(start.payload["source"], "startup");
    assert_eq!(start.env["TMUX_PANE"], claude.pane().id());
    let is_current = stage.version == ClaudeVersion::Current;
    let pid = is_current.then(|| claude.pid().to_string());
    assert_eq!(start.env["CLAUDE_PID"].as_str(), pid.as_deref());
    let document = status.read().unwrap();
    assert_eq!(document["tmux"].is_string(), is_current, "{document}");
    status.wait_for("idle");

    let from = stage.prompt(
        claude,
        "stub: bash echo hi ; text a tool without a question",
    );
    stage.wait_for_end("a tool without a question", from);
    let tool = [
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolBatch",
        "Stop",
    ];
    assert_eq!(stage.log.events(from), tool);

    let from = stage.prompt(claude, "stub: bash cat missing ; text a tool that failed");
    stage.wait_for_end("a tool that failed", from);
    let failed = [
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "Stop",
    ];
    assert_eq!(stage.log.events(from), failed);

    let from = stage.prompt(claude, "stub: bash touch yes ; text approved");
    claude.wait_for_permission_dialog();
    status.wait_for("waiting");
    assert_eq!(status.read().unwrap()["waitingFor"], "permission prompt");
    stage.check_status_file(claude);
    // The dialog does not wait for the hook: the screen may be ahead of it.
    stage.log.wait_for_event("PermissionRequest", from);
    let asked = ["UserPromptSubmit", "PreToolUse", "PermissionRequest"];
    assert_eq!(stage.log.events(from), asked);
    // The reminder comes after six seconds without an answer.
    stage.log.wait_for_event("Notification", from);
    claude.accept();
    stage.wait_for_end("approved", from);
    let end = ["Notification", "PostToolUse", "PostToolBatch", "Stop"];
    assert_eq!(stage.log.events(from + asked.len()), end);

    let from = stage.prompt(claude, "stub: bash touch no ; text never said");
    claude.wait_for_permission_dialog();
    claude.decline();
    stage.expect_silence(claude, from, &asked);

    let from = stage.prompt(claude, "stub: ask ; text answered");
    claude.wait_for_question();
    status.wait_for("waiting");
    stage.log.wait_for("a question", from, |run| {
        run.event() == "PermissionRequest" && run.payload["tool_name"] == "AskUserQuestion"
    });
    claude.accept();
    stage.wait_for_end("answered", from);

    let from = stage.prompt(claude, "stub: ask ; text never said");
    claude.wait_for_question();
    claude.decline();
    stage.expect_silence(claude, from, &asked);

    let from = stage.prompt(claude, "stub: slow 30");
    claude.pane().wait_for_text("word 3");
    status.wait_for("busy");
    claude.interrupt();
    stage.expect_silence(claude, from, &["UserPromptSubmit"]);

    let from = stage.prompt(claude, "stub: bash sleep 20 ; text never said");
    stage.log.wait_for_event("PreToolUse", from);
    claude.pane().wait_for_text("sleep 20");
    claude.interrupt();
    stage.expect_silence(claude, from, &["UserPromptSubmit", "PreToolUse"]);

    for (code, kind) in [
        (400, "unknown"),
        (401, "authentication_failed"),
        (429, "rate_limit"),
        (500, "server_error"),
    ] {
        let from = stage.prompt(claude, &format!("stub: err {code}"));
        let failure = stage.log.wait_for_event("StopFailure", from);
        assert_eq!(failure.payload["error"], kind, "{code}");
        status.wait_for("idle");
        assert_eq!(stage.log.events(from), ["UserPromptSubmit", "StopFailure"]);
    }

    let from = stage.prompt(claude, "stub: two touch $PWD/both ; text both approved");
    for count in 1..=2 {
        wait_until(
            "one question after the other",
            LIMIT,
            || (stage.questions(from) == count).then_some(()),
            || claude.pane().capture(),
        );
        claude.wait_for_permission_dialog();
        claude.accept();
    }
    stage.wait_for_end("both approved", from);

    a_subagent_asks(stage, claude);

    let from = stage.prompt(claude, "stub: bg sleep 3 ; text left it running");
    let stop = stage.wait_for_stop("left it running", from);
    assert_eq!(stop.payload["background_tasks"][0]["type"], "shell");
    status.wait_for("shell");
    stage.wait_for_end("ok", from);
}

/// A subagent asks while the main agent has stopped already, or, with the older version, while
/// its tool call lasts.
fn a_subagent_asks(stage: &Stage, claude: &Claude) {
    let from = stage.prompt(
        claude,
        "stub: task <<bash touch sub | text sub done>> ; text main done",
    );
    let question = stage.log.wait_for("the subagent's question", from, |run| {
        run.event() == "PermissionRequest" && run.agent_id().is_some()
    });
    if stage.version == ClaudeVersion::Current {
        let stop = stage.wait_for_stop("main done", from);
        assert_eq!(stop.payload["background_tasks"][0]["type"], "subagent");
    }
    claude.status_file().wait_for("waiting");
    claude.wait_for_permission_dialog();
    claude.accept();
    let end = stage.log.wait_for_event("SubagentStop", from);
    assert_eq!(end.agent_id(), question.agent_id());
    // A subagent's end wakes a main agent that has stopped.
    let last_words = if stage.version == ClaudeVersion::Current {
        "ok"
    } else {
        "main done"
    };
    stage.wait_for_end(last_words, from);
}

/// Compaction, a cleared talk, the ways out.
fn leaving(stage: &Stage, claude: &Claude) {
    let from = stage.prompt(claude, "/compact");
    stage.log.wait_for_event("PostCompact", from);
    let start = stage.log.wait_for_event("SessionStart", from);
    assert_eq!(start.payload["source"], "compact");
    claude.status_file().wait_for("idle");

    let from = stage.prompt(claude, "/clear");
    let end = stage.log.wait_for_event("SessionEnd", from);
    assert_eq!(end.payload["reason"], "clear");
    let start = stage.log.wait_for_event("SessionStart", from);
    assert_eq!(start.payload["source"], "clear");
    let from = stage.prompt(claude, "stub: text said after it was cleared");
    stage.wait_for_end("said after it was cleared", from);

    let from = stage.runs().len();
    claude.exit();
    let end = stage.log.wait_for_event("SessionEnd", from);
    assert_eq!(end.payload["reason"], "prompt_input_exit");
    assert!(
        !claude.status_file().exists(),
        "the status file goes at a clean exit"
    );

    let from = stage.runs().len();
    let resumed = stage.launch_in(claude.pane(), "claude --continue");
    let start = stage.log.wait_for_event("SessionStart", from);
    assert_eq!(start.payload["source"], "resume");
    let from = stage.runs().len();
    kill(resumed.pid());
    resumed.pane().wait_for_text("Killed");
    let heard = watch_for(SILENCE, || stage.runs().len(), |count| *count > from);
    assert_eq!(heard, None, "a killed agent says nothing");
    assert!(
        resumed.status_file().exists(),
        "a killed agent leaves its status file"
    );

    let closed = stage.launch_in(&stage.server.new_window("main", "closed"), "claude");
    let from = stage.runs().len();
    stage.server.run(["kill-pane", "-t", closed.pane().id()]);
    let end = stage.log.wait_for_event("SessionEnd", from);
    assert_eq!(end.payload["reason"], "other");
}

/// A world with Claude Code, the stub model and a log of the hooks.
struct Stage {
    log: HookLog,
    recordings: Recordings,
    version: ClaudeVersion,
    server: TmuxServer,
    _model: StubModel,
    world: World,
}

impl Stage {
    fn new(version: ClaudeVersion) -> Self {
        let mut world = World::new();
        let model = StubModel::start(&world.log("model.jsonl"));
        claude::install(&mut world, version, &model);
        let log = HookLog::new(&world, "hooks");
        let recordings = Recordings::of_claude(&world, &model.url());
        let server = TmuxServer::new(&world, "main");
        Self {
            log,
            recordings,
            version,
            server,
            _model: model,
            world,
        }
    }

    fn launch(&self, window: &str) -> Claude {
        self.launch_in(&self.server.new_session("main", window), "claude")
    }

    fn launch_in(&self, pane: &Pane, command: &str) -> Claude {
        let settings = self.log.claude_settings();
        let line = format!(
            "{command} --permission-mode default --settings {}",
            settings.display()
        );
        Claude::launch(&self.world, pane, &line)
    }

    fn runs(&self) -> Vec<HookRun> {
        self.log.runs()
    }

    fn questions(&self, from: usize) -> usize {
        self.log
            .events(from)
            .iter()
            .filter(|event| *event == "PermissionRequest")
            .count()
    }

    /// Sends a prompt to an idle agent; returns how many hooks had run before.
    fn prompt(&self, claude: &Claude, text: &str) -> usize {
        claude.status_file().wait_for("idle");
        let from = self.runs().len();
        claude.prompt(text);
        from
    }

    fn wait_for_stop(&self, said: &str, from: usize) -> HookRun {
        self.log
            .wait_for(&format!("a stop after {said:?}"), from, |run| {
                run.event() == "Stop" && run.payload["last_assistant_message"] == said
            })
    }

    /// Waits for the stop that ends everything: nothing runs in the background any more.
    fn wait_for_end(&self, said: &str, from: usize) -> HookRun {
        self.log
            .wait_for(&format!("the end after {said:?}"), from, |run| {
                run.event() == "Stop"
                    && run.payload["last_assistant_message"] == said
                    && run.payload["background_tasks"]
                        .as_array()
                        .is_none_or(Vec::is_empty)
            })
    }

    /// After an interrupt or a "no": the status file says idle, and no hook has run but those
    /// that ran before.
    fn expect_silence(&self, claude: &Claude, from: usize, before: &[&str]) {
        claude.status_file().wait_for("idle");
        self.log.wait_for_event(before.last().unwrap(), from);
        let heard = watch_for(
            SILENCE,
            || self.log.events(from),
            |events| events.len() > before.len(),
        );
        assert_eq!(
            heard, None,
            "{:?}: something is heard after Esc",
            self.version
        );
        assert_eq!(self.log.events(from), before);
    }

    fn check_status_file(&self, claude: &Claude) {
        if self.version == ClaudeVersion::Current {
            let document = claude.status_file().read().unwrap();
            assert_eq!(
                self.recordings.check_as("_session_status_file", &document),
                None
            );
        }
    }

    /// Compares every payload heard with the recording of its kind.
    fn check_recordings(&mut self) {
        if self.recordings.record() {
            // The idle reminder takes a minute: worth it once.
            let claude = self.launch_in(&self.server.new_window("main", "idle"), "claude");
            let from = self.prompt(&claude, "stub: text waiting for the reminder");
            self.wait_for_end("waiting for the reminder", from);
            wait_until(
                "the idle reminder",
                LIMIT * 3,
                || {
                    self.log
                        .events(from)
                        .contains(&"Notification".to_owned())
                        .then_some(())
                },
                String::new,
            );
        }
        let runs = self.runs();
        self.recordings.learn(runs.iter().map(|run| &run.payload));
        let wrong: Vec<_> = runs
            .iter()
            .filter_map(|run| self.recordings.check(&run.payload))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

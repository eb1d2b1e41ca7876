// Tallylight: tells `tally` what happens in Pi. It is Tallylight's own file.
//
// It decides nothing, prints nothing, and Pi waits for nothing of it: an event is put into a line of its own, and whatever
// goes wrong ends here.
import { spawn } from "node:child_process";

const COMMAND = "{command}";

// A report that has not been taken in by then is waited for no longer, so that the line goes on. It has limits of its own.
const LIMIT_MS = 10000;

let line = Promise.resolve();

function tell(report) {
  line = line.then(() => deliver(report)).catch(() => {});
}

function deliver(report) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "ignore", "ignore"] });
    const limit = setTimeout(resolve, LIMIT_MS);
    const end = () => {
      clearTimeout(limit);
      resolve();
    };
    child.on("error", end);
    child.on("close", end);
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(report));
  });
}

// What the model's last answer ended with: the run is settled without a word about it.
let last = {};
// Whether a run is on: a dialog that the person opened between two runs is no question of the agent's.
let runs = false;

function remember(messages) {
  const answer = messages?.findLast?.((message) => message?.role === "assistant");
  const error = answer?.errorMessage;
  last = { stop: answer?.stopReason, word: /^\d{3}\b/.exec(error ?? "")?.[0], error };
}

const HANDLERS = {
  session_start: ({ reason }) => tell({ event: "session_start", reason }),
  agent_start: () => {
    runs = true;
    tell({ event: "agent_start" });
  },
  agent_end: ({ messages }) => remember(messages),
  agent_settled: ({ aborted }) => {
    runs = false;
    tell({ event: "agent_settled", aborted, ...last });
  },
  tool_execution_start: ({ toolCallId, toolName }) =>
    tell({ event: "tool_execution_start", call: toolCallId, tool: toolName }),
  tool_execution_end: ({ toolCallId, toolName }) =>
    tell({ event: "tool_execution_end", call: toolCallId, tool: toolName }),
  ui_prompt_start: ({ kind, title }) => runs && tell({ event: "ui_prompt_start", kind, title }),
  ui_prompt_end: ({ kind }) => runs && tell({ event: "ui_prompt_end", kind }),
};

export default function (pi) {
  for (const [name, handler] of Object.entries(HANDLERS)) {
    pi.on(name, (event) => {
      try {
        handler(event ?? {});
      } catch {
        // What Pi sends is its own affair.
      }
    });
  }
}

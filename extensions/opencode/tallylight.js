// Tallylight: tells `tally` what happens in opencode. It is Tallylight's own file.
//
// It decides nothing, prints nothing, and opencode waits for nothing of it: an event is put into a line of its own, and
// whatever goes wrong ends here.
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

// The parent of each subagent's session.
const parents = new Map();
// Sessions whose turn is open.
const open = new Set();
// Why a session's turn is over, until its next one: what ends it is followed by an idle that must not hide it.
const ended = new Map();
// Tool calls that run.
const running = new Set();
// The call that each open dialog is about.
const dialogs = new Map();

// Whose event it is: the session at the top, and the subagent, if it is one's.
function about(id) {
  let root = id;
  for (let up = 0; up < 16 && parents.has(root); up += 1) root = parents.get(root);
  return root === id ? { session: id } : { session: root, actor: id };
}

function busy(id) {
  if (open.has(id)) return;
  open.add(id);
  ended.delete(id);
  tell({ event: "session.status", status: "busy", ...about(id) });
}

function status(id, now) {
  if (now?.type === "busy") busy(id);
  if (now?.type === "retry") {
    // Where the person gives up on it, an idle is all that follows.
    ended.set(id, "retry");
    tell({ event: "session.status", status: "retry", message: now.message, ...about(id) });
  }
}

// opencode says it twice, and also after what ended the turn already.
function idle(id) {
  if (!open.delete(id)) return;
  tell({ event: "session.idle", after: ended.get(id), ...about(id) });
}

function failed(id, error) {
  const name = error?.name ?? "unknown";
  const word = error?.data?.statusCode ? String(error.data.statusCode) : name;
  ended.set(id, name);
  tell({ event: "session.error", name, word, message: error?.data?.message, ...about(id) });
}

// A running tool is told of again with each piece of its output. A step after a refusal or a retry is the turn going on.
function part(part) {
  if (part?.type === "step-start") ended.delete(part.sessionID);
  if (part?.type !== "tool") return;
  const whose = { call: part.callID, tool: part.tool, ...about(part.sessionID) };
  const now = part.state?.status;
  if (now === "running" && !running.has(part.callID)) {
    running.add(part.callID);
    tell({ event: "tool.running", ...whose });
  }
  if ((now === "completed" || now === "error") && running.delete(part.callID)) {
    tell({ event: "tool.ended", ...whose });
  }
}

function asked(event, what, message) {
  const call = what.tool?.callID;
  dialogs.set(what.id, call);
  tell({ event, call, tool: what.permission, message, ...about(what.sessionID) });
}

// A refusal ends the turn with an idle and no error.
function answered(event, what) {
  const call = dialogs.get(what.requestID);
  dialogs.delete(what.requestID);
  if (what.reply === "reject" || event === "question.rejected") {
    ended.set(what.sessionID, "refused");
  }
  tell({ event, reply: what.reply, call, ...about(what.sessionID) });
}

const HANDLERS = {
  "session.created": ({ info }) => {
    if (!info?.parentID) return;
    parents.set(info.id, info.parentID);
    tell({ event: "session.created", ...about(info.id) });
  },
  "session.status": (what) => status(what.sessionID, what.status),
  "session.idle": (what) => idle(what.sessionID),
  "session.error": (what) => what.sessionID && failed(what.sessionID, what.error),
  "message.part.updated": (what) => part(what.part),
  "permission.asked": (what) =>
    asked("permission.asked", what, what.metadata?.command ?? what.patterns?.join(", ")),
  "permission.replied": (what) => answered("permission.replied", what),
  "question.asked": (what) => asked("question.asked", what, what.questions?.[0]?.question),
  "question.replied": (what) => answered("question.replied", what),
  "question.rejected": (what) => answered("question.rejected", what),
};

let begun = false;

export const Tallylight = async () => {
  if (!begun) tell({ event: "plugin.loaded" });
  begun = true;
  return {
    event: async ({ event }) => {
      try {
        HANDLERS[event?.type]?.(event.properties ?? {});
      } catch {
        // What opencode sends is its own affair.
      }
    },
  };
};

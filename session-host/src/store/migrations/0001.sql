-- Migrations are numbered and append-only: a file that was released never changes.

-- One row a session. The record is the whole truth (session_core::Session as JSON); the other columns are copies of
-- parts of it, for finding rows.
CREATE TABLE session (
    key         INTEGER PRIMARY KEY,
    id          BLOB NOT NULL UNIQUE,
    machine     TEXT NOT NULL,
    mux         TEXT,
    server      TEXT,
    server_pid  INTEGER,
    pane        INTEGER,
    live        INTEGER NOT NULL,
    born        INTEGER NOT NULL,
    ended       INTEGER,
    changed_seq INTEGER NOT NULL,
    record      TEXT NOT NULL
) STRICT;

-- At most one live session a pane; found by the server's process id, which a signal knows from its environment.
CREATE UNIQUE INDEX session_in_pane ON session (server_pid, pane, server) WHERE live = 1;

-- What has changed since a given point; also gives the next number without a scan.
CREATE INDEX session_changed ON session (changed_seq);

-- One row for each change of what a session shows. Numbers are never used again: followers resume by them.
CREATE TABLE journal (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    at           INTEGER NOT NULL,
    machine      TEXT NOT NULL,
    session      BLOB NOT NULL,
    state_before TEXT NOT NULL,
    state_after  TEXT NOT NULL,
    body         TEXT NOT NULL
) STRICT;

-- The last few signals that named no live pane.
CREATE TABLE unrouted (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    event  TEXT NOT NULL,
    agent  TEXT,
    why    TEXT NOT NULL
) STRICT;

-- How often something happened that changes no session.
CREATE TABLE counter (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL,
    at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The servers as the daemon saw them last (session_core::ServerView as JSON).
CREATE TABLE server (
    server  TEXT PRIMARY KEY,
    view    TEXT NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT;

-- Who has taken up an effect of a journal row: each runs once, whoever runs it.
CREATE TABLE claim (
    seq    INTEGER NOT NULL,
    effect TEXT NOT NULL,
    by     TEXT NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (seq, effect)
) STRICT, WITHOUT ROWID;

-- Whatever there is only one of.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

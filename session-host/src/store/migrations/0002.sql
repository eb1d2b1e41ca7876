-- What happened that a command of the person's runs for: the queue of the hooks. It is written in the transaction that
-- takes up the fact, and taken out by the process that runs the commands.
CREATE TABLE happening (
    seq   INTEGER PRIMARY KEY AUTOINCREMENT,
    at    INTEGER NOT NULL,
    event TEXT NOT NULL,
    -- What of one line runs one after the other.
    line  TEXT NOT NULL,
    -- Not before this time.
    due   INTEGER NOT NULL,
    -- waiting, running, done, withheld, dropped, lost
    state TEXT NOT NULL,
    -- Running: when it is lost. Otherwise 0.
    until INTEGER NOT NULL,
    why   TEXT,
    -- The happening and its commands as JSON.
    body  TEXT NOT NULL
) STRICT;

CREATE INDEX happening_open ON happening (line, seq) WHERE state IN ('waiting', 'running');

-- How each command of the person's fared.
CREATE TABLE hook_run (
    event      TEXT NOT NULL,
    command    TEXT NOT NULL,
    runs       INTEGER NOT NULL,
    dropped    INTEGER NOT NULL,
    last_exit  INTEGER,
    last_at    INTEGER,
    last_ms    INTEGER,
    last_error TEXT,
    PRIMARY KEY (event, command)
) STRICT, WITHOUT ROWID;

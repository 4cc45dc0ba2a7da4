-- Executions that are under way, or whose process is gone: recorded before their first write leaves,
-- and removed when the trace of the whole is kept. Nothing is learned from them.

CREATE TABLE open_traces (
  id           TEXT PRIMARY KEY NOT NULL,
  org          TEXT NOT NULL,
  project      TEXT NOT NULL,
  owner        TEXT NOT NULL,
  -- The trace without its calls.
  trace        TEXT NOT NULL,
  -- The name of the file that the process keeps locked.
  process_lock TEXT
) STRICT;

CREATE INDEX idx_open_traces_owner ON open_traces(org, project, owner, id);

CREATE TABLE open_calls (
  trace_id TEXT NOT NULL REFERENCES open_traces(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  stage    TEXT NOT NULL CHECK (stage IN ('waiting', 'left', 'answered')),
  writes   INTEGER NOT NULL CHECK (writes IN (0, 1)),
  call     TEXT NOT NULL,
  PRIMARY KEY (trace_id, position)
) STRICT;

-- What is known of a write that did not go well.
ALTER TABLE trace_calls ADD COLUMN outcome TEXT;

-- How far runs of skills are. Ids sort by time. Whoever has the latest attempt may write.

CREATE TABLE runs (
  id          TEXT PRIMARY KEY NOT NULL,
  org         TEXT NOT NULL,
  project     TEXT NOT NULL,
  owner       TEXT NOT NULL,
  skill       TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  input       TEXT,
  input_hash  TEXT NOT NULL,
  total       INTEGER NOT NULL,
  attempt     INTEGER NOT NULL CHECK (attempt >= 1),
  state       TEXT NOT NULL,
  error       TEXT,
  started_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_runs_owner ON runs(org, project, owner, id);

-- The last that is known of each step, in the order of their first notes.
CREATE TABLE run_steps (
  run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  path   TEXT NOT NULL,
  state  TEXT NOT NULL CHECK (state IN ('started', 'done', 'not_done', 'skipped')),
  output TEXT,
  at     INTEGER NOT NULL,
  PRIMARY KEY (run_id, path)
) STRICT;

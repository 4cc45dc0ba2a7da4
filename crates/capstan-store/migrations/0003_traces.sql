-- What executions did, each for the one who executed it. Ids sort by time, so their order is the
-- order in time. Traces outlive the capabilities that they name.

CREATE TABLE traces (
  id          TEXT PRIMARY KEY NOT NULL,
  org         TEXT NOT NULL,
  project     TEXT NOT NULL,
  owner       TEXT NOT NULL,
  mode        TEXT NOT NULL,
  intent      TEXT,
  capability  TEXT,
  started_at  INTEGER NOT NULL,
  duration_us INTEGER NOT NULL,
  ok          INTEGER NOT NULL CHECK (ok IN (0, 1)),
  error_code  TEXT,
  error       TEXT,
  call_count  INTEGER NOT NULL,
  console     TEXT,
  console_cut INTEGER NOT NULL CHECK (console_cut IN (0, 1))
) STRICT;

CREATE INDEX idx_traces_owner ON traces(org, project, owner, id);
CREATE INDEX idx_traces_capability ON traces(capability, id) WHERE capability IS NOT NULL;

CREATE TABLE trace_calls (
  trace_id    TEXT NOT NULL REFERENCES traces(id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  capability  TEXT NOT NULL,
  step        TEXT,
  within      INTEGER,
  batch       INTEGER NOT NULL,
  started_us  INTEGER NOT NULL,
  duration_us INTEGER NOT NULL,
  ok          INTEGER NOT NULL CHECK (ok IN (0, 1)),
  error_code  TEXT,
  error       TEXT,
  input       TEXT,
  output      TEXT,
  PRIMARY KEY (trace_id, position)
) STRICT;

CREATE INDEX idx_trace_calls_capability ON trace_calls(capability, trace_id);

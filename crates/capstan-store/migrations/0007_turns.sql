-- Who has a run, and what became of each write that left. `revision` changes with everything that is
-- recorded about a run, so that a take-over can be decided on the journal as it then is.

ALTER TABLE runs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN process INTEGER;
-- The name of the file that the process keeps locked.
ALTER TABLE runs ADD COLUMN process_lock TEXT;
ALTER TABLE runs ADD COLUMN taken_at INTEGER;

CREATE TABLE run_sends (
  run_id  TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  path    TEXT NOT NULL,
  -- Absent while no answer is recorded: the write may have happened.
  done    INTEGER CHECK (done IN (0, 1)),
  output  TEXT,
  at      INTEGER NOT NULL,
  PRIMARY KEY (run_id, attempt, path)
) STRICT;

-- Capabilities made of code: the content (workflow_pattern), its name in a scope
-- (capability_records), every name that a scope has given (capability_names), and what happened
-- (capability_events).
--
-- Each record has a pattern of its own, under the same id, the fully qualified name. Two who wrote
-- the same code do not share it: the text holds comments and an intent that the other may not see.

CREATE TABLE workflow_pattern (
  pattern_id        TEXT PRIMARY KEY NOT NULL,
  code_hash         TEXT NOT NULL CHECK (length(code_hash) = 64),
  code_snippet      TEXT NOT NULL,
  intent            TEXT NOT NULL,
  parameters_schema TEXT NOT NULL,
  created_at        INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_workflow_pattern_hash ON workflow_pattern(code_hash);

-- What a pattern calls, in the order in which it stands in the code.
CREATE TABLE pattern_call (
  pattern_id TEXT NOT NULL REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  capability TEXT NOT NULL,
  PRIMARY KEY (pattern_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_pattern_call_capability ON pattern_call(capability);

-- The display name is one of the names of the scope, which the foreign key to capability_names says.
CREATE TABLE capability_records (
  id              TEXT PRIMARY KEY NOT NULL
    REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  org             TEXT NOT NULL,
  project         TEXT NOT NULL,
  namespace       TEXT NOT NULL,
  action          TEXT NOT NULL,
  hash            TEXT NOT NULL,
  display_name    TEXT NOT NULL,
  visibility      TEXT NOT NULL CHECK (visibility IN ('private', 'project', 'org', 'public')),
  owner           TEXT NOT NULL,
  usage_count     INTEGER NOT NULL DEFAULT 0 CHECK (usage_count >= 0),
  success_count   INTEGER NOT NULL DEFAULT 0 CHECK (success_count BETWEEN 0 AND usage_count),
  mean_latency_ms REAL NOT NULL DEFAULT 0,
  last_used_at    INTEGER,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (action, org, project),
  UNIQUE (hash, org, project),
  UNIQUE (display_name, org, project),
  FOREIGN KEY (display_name, org, project)
    REFERENCES capability_names(name, org, project)
) STRICT;

-- Display names and aliases together: within a scope a name means one record. The order of `id` is
-- the order in which the names were given. A new record has its name before it is there.
CREATE TABLE capability_names (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  org     TEXT NOT NULL,
  project TEXT NOT NULL,
  name    TEXT NOT NULL,
  fqdn    TEXT NOT NULL REFERENCES capability_records(id) ON DELETE CASCADE
    DEFERRABLE INITIALLY DEFERRED,
  UNIQUE (name, org, project)
) STRICT;

CREATE INDEX idx_capability_names_fqdn ON capability_names(fqdn);

CREATE TABLE capability_events (
  fqdn     TEXT NOT NULL REFERENCES capability_records(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  kind     TEXT NOT NULL
    CHECK (kind IN ('created', 'imported', 'renamed', 'aliased', 'shared', 'merged')),
  what     TEXT NOT NULL,
  PRIMARY KEY (fqdn, position)
) STRICT, WITHOUT ROWID;

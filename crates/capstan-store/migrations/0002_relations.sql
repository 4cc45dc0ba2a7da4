-- Relations between capabilities, and between the tools that they call.

CREATE TABLE capability_dependency (
  from_capability_id TEXT NOT NULL REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  to_capability_id   TEXT NOT NULL REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  observed_count     INTEGER NOT NULL DEFAULT 1 CHECK (observed_count >= 1),
  confidence_score   REAL NOT NULL,
  edge_type          TEXT NOT NULL DEFAULT 'sequence'
    CHECK (edge_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  edge_source        TEXT NOT NULL DEFAULT 'inferred'
    CHECK (edge_source IN ('template', 'inferred', 'observed', 'manual')),
  created_at         INTEGER NOT NULL,
  last_observed      INTEGER NOT NULL,
  PRIMARY KEY (from_capability_id, to_capability_id),
  CHECK (from_capability_id <> to_capability_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_capability_dep_to ON capability_dependency(to_capability_id);
CREATE INDEX idx_capability_dep_type_source ON capability_dependency(edge_type, edge_source);

CREATE TABLE tool_dependency (
  from_tool_id     TEXT NOT NULL,
  to_tool_id       TEXT NOT NULL,
  observed_count   INTEGER NOT NULL DEFAULT 1 CHECK (observed_count >= 1),
  confidence_score REAL NOT NULL,
  edge_type        TEXT NOT NULL DEFAULT 'sequence'
    CHECK (edge_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  edge_source      TEXT NOT NULL DEFAULT 'inferred'
    CHECK (edge_source IN ('template', 'inferred', 'observed', 'manual')),
  created_at       INTEGER NOT NULL,
  last_observed    INTEGER NOT NULL,
  PRIMARY KEY (from_tool_id, to_tool_id),
  CHECK (from_tool_id <> to_tool_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_tool_dep_to ON tool_dependency(to_tool_id);
CREATE INDEX idx_tool_dep_type_source ON tool_dependency(edge_type, edge_source);

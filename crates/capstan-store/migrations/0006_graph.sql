-- The graph: relations whose confidence is always that of their kind and source, what they were learned
-- from, and what changed when, so that whoever holds a copy in memory asks only for the difference.
--
-- What was declared (`template_type`) is remembered when it is more by now: it is what stays when that is
-- forgotten.

CREATE TABLE capability_dependency_new (
  from_capability_id TEXT NOT NULL REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  to_capability_id TEXT NOT NULL REFERENCES workflow_pattern(pattern_id) ON DELETE CASCADE,
  observed_count   INTEGER NOT NULL DEFAULT 1 CHECK (observed_count >= 1),
  confidence_score REAL NOT NULL GENERATED ALWAYS AS (
    CASE edge_type WHEN 'dependency' THEN 10 WHEN 'contains' THEN 8
                   WHEN 'alternative' THEN 6 ELSE 5 END
    * CASE edge_source WHEN 'inferred' THEN 7 WHEN 'template' THEN 5 ELSE 10 END / 100.0) STORED,
  edge_type        TEXT NOT NULL DEFAULT 'sequence'
    CHECK (edge_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  edge_source      TEXT NOT NULL DEFAULT 'inferred'
    CHECK (edge_source IN ('template', 'inferred', 'observed', 'manual')),
  template_type    TEXT
    CHECK (template_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  created_at       INTEGER NOT NULL,
  last_observed    INTEGER NOT NULL,
  PRIMARY KEY (from_capability_id, to_capability_id),
  CHECK (from_capability_id <> to_capability_id)
) STRICT, WITHOUT ROWID;

INSERT INTO capability_dependency_new
  (from_capability_id, to_capability_id, observed_count, edge_type, edge_source, template_type, created_at,
   last_observed)
  SELECT from_capability_id, to_capability_id, observed_count, edge_type, edge_source,
         CASE edge_source WHEN 'template' THEN edge_type END, created_at, last_observed
  FROM capability_dependency;
DROP TABLE capability_dependency;
ALTER TABLE capability_dependency_new RENAME TO capability_dependency;

CREATE INDEX idx_capability_dep_to ON capability_dependency(to_capability_id);
CREATE INDEX idx_capability_dep_type_source ON capability_dependency(edge_type, edge_source);

-- What is related to something that is no code: cards, tools of servers, skills. An end may be code all
-- the same; it goes with it.
CREATE TABLE tool_dependency_new (
  from_tool_id TEXT NOT NULL,
  to_tool_id TEXT NOT NULL,
  observed_count   INTEGER NOT NULL DEFAULT 1 CHECK (observed_count >= 1),
  confidence_score REAL NOT NULL GENERATED ALWAYS AS (
    CASE edge_type WHEN 'dependency' THEN 10 WHEN 'contains' THEN 8
                   WHEN 'alternative' THEN 6 ELSE 5 END
    * CASE edge_source WHEN 'inferred' THEN 7 WHEN 'template' THEN 5 ELSE 10 END / 100.0) STORED,
  edge_type        TEXT NOT NULL DEFAULT 'sequence'
    CHECK (edge_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  edge_source      TEXT NOT NULL DEFAULT 'inferred'
    CHECK (edge_source IN ('template', 'inferred', 'observed', 'manual')),
  template_type    TEXT
    CHECK (template_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  created_at       INTEGER NOT NULL,
  last_observed    INTEGER NOT NULL,
  PRIMARY KEY (from_tool_id, to_tool_id),
  CHECK (from_tool_id <> to_tool_id)
) STRICT, WITHOUT ROWID;

INSERT INTO tool_dependency_new
  (from_tool_id, to_tool_id, observed_count, edge_type, edge_source, template_type, created_at,
   last_observed)
  SELECT from_tool_id, to_tool_id, observed_count, edge_type, edge_source,
         CASE edge_source WHEN 'template' THEN edge_type END, created_at, last_observed
  FROM tool_dependency;
DROP TABLE tool_dependency;
ALTER TABLE tool_dependency_new RENAME TO tool_dependency;

CREATE INDEX idx_tool_dep_to ON tool_dependency(to_tool_id);
CREATE INDEX idx_tool_dep_type_source ON tool_dependency(edge_type, edge_source);

CREATE TRIGGER workflow_pattern_relations AFTER DELETE ON workflow_pattern BEGIN
  DELETE FROM tool_dependency
    WHERE from_tool_id = old.pattern_id OR to_tool_id = old.pattern_id;
END;

CREATE VIEW relation AS
  SELECT from_capability_id AS from_id, to_capability_id AS to_id, edge_type, edge_source,
         template_type, observed_count, confidence_score, created_at, last_observed
  FROM capability_dependency
  UNION ALL
  SELECT from_tool_id, to_tool_id, edge_type, edge_source,
         template_type, observed_count, confidence_score, created_at, last_observed
  FROM tool_dependency;

-- Why a relation is there. It goes with the trace that showed it, and with the relation; the relation
-- stays without it.
CREATE TABLE edge_observation (
  from_id   TEXT NOT NULL,
  to_id     TEXT NOT NULL,
  edge_type TEXT NOT NULL
    CHECK (edge_type IN ('contains', 'sequence', 'dependency', 'alternative')),
  trace_id  TEXT REFERENCES traces(id) ON DELETE CASCADE,
  times     INTEGER NOT NULL CHECK (times >= 1),
  evidence  TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_edge_observation
  ON edge_observation(from_id, to_id, edge_type, ifnull(trace_id, ''));
CREATE INDEX idx_edge_observation_trace ON edge_observation(trace_id);

ALTER TABLE traces ADD COLUMN learned INTEGER NOT NULL DEFAULT 0 CHECK (learned IN (0, 1));
ALTER TABLE traces ADD COLUMN follows TEXT;
ALTER TABLE traces ADD COLUMN input TEXT;
ALTER TABLE trace_calls ADD COLUMN code TEXT;
CREATE INDEX idx_traces_unlearned ON traces(org, project, owner, id) WHERE learned = 0;

ALTER TABLE capability_records
  ADD COLUMN related INTEGER NOT NULL DEFAULT 0 CHECK (related IN (0, 1));
CREATE INDEX idx_capability_records_unrelated
  ON capability_records(org, project, owner, created_at, id) WHERE related = 0;

-- The last change of each. Numbers grow and are never used again. No index begins with `what`: whoever
-- asks for what changed since a number goes by the numbers.
CREATE TABLE change (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  what    TEXT NOT NULL CHECK (what IN ('code', 'edge')),
  subject TEXT NOT NULL,
  object  TEXT NOT NULL DEFAULT '',
  UNIQUE (subject, object, what)
) STRICT;

-- Who could ever see code: nobody else is told that it is gone.
CREATE TABLE code_audience (
  fqdn       TEXT NOT NULL,
  org        TEXT NOT NULL,
  project    TEXT NOT NULL,
  owner      TEXT NOT NULL,
  visibility TEXT NOT NULL,
  PRIMARY KEY (fqdn, owner, visibility)
) STRICT, WITHOUT ROWID;

INSERT INTO code_audience SELECT id, org, project, owner, visibility FROM capability_records;

CREATE TRIGGER capability_dependency_insert AFTER INSERT ON capability_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = new.from_capability_id AND object = new.to_capability_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', new.from_capability_id, new.to_capability_id);
END;

CREATE TRIGGER capability_dependency_update
AFTER UPDATE OF observed_count, edge_type, edge_source, created_at, last_observed
ON capability_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = new.from_capability_id AND object = new.to_capability_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', new.from_capability_id, new.to_capability_id);
END;

CREATE TRIGGER capability_dependency_delete AFTER DELETE ON capability_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = old.from_capability_id AND object = old.to_capability_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', old.from_capability_id, old.to_capability_id);
  DELETE FROM edge_observation WHERE from_id = old.from_capability_id AND to_id = old.to_capability_id;
END;

CREATE TRIGGER tool_dependency_insert AFTER INSERT ON tool_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = new.from_tool_id AND object = new.to_tool_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', new.from_tool_id, new.to_tool_id);
END;

CREATE TRIGGER tool_dependency_update
AFTER UPDATE OF observed_count, edge_type, edge_source, created_at, last_observed
ON tool_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = new.from_tool_id AND object = new.to_tool_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', new.from_tool_id, new.to_tool_id);
END;

CREATE TRIGGER tool_dependency_delete AFTER DELETE ON tool_dependency BEGIN
  DELETE FROM change WHERE what = 'edge' AND subject = old.from_tool_id AND object = old.to_tool_id;
  INSERT INTO change (what, subject, object) VALUES ('edge', old.from_tool_id, old.to_tool_id);
  DELETE FROM edge_observation WHERE from_id = old.from_tool_id AND to_id = old.to_tool_id;
END;

CREATE TRIGGER capability_records_insert AFTER INSERT ON capability_records BEGIN
  DELETE FROM change WHERE what = 'code' AND subject = new.id AND object = '';
  INSERT INTO change (what, subject) VALUES ('code', new.id);
  INSERT INTO code_audience VALUES (new.id, new.org, new.project, new.owner, new.visibility)
    ON CONFLICT DO NOTHING;
END;

-- That somebody asked what it has in common with other code is no change of it.
CREATE TRIGGER capability_records_update
AFTER UPDATE OF display_name, visibility, owner, usage_count, success_count, mean_latency_ms,
                last_used_at, updated_at ON capability_records BEGIN
  DELETE FROM change WHERE what = 'code' AND subject = new.id AND object = '';
  INSERT INTO change (what, subject) VALUES ('code', new.id);
END;

CREATE TRIGGER capability_records_delete AFTER DELETE ON capability_records BEGIN
  DELETE FROM change WHERE what = 'code' AND subject = old.id AND object = '';
  INSERT INTO change (what, subject) VALUES ('code', old.id);
END;

CREATE TRIGGER capability_names_insert AFTER INSERT ON capability_names BEGIN
  DELETE FROM change WHERE what = 'code' AND subject = new.fqdn AND object = '';
  INSERT INTO change (what, subject) VALUES ('code', new.fqdn);
END;

CREATE TRIGGER capability_names_update AFTER UPDATE ON capability_names BEGIN
  DELETE FROM change WHERE what = 'code' AND subject = new.fqdn AND object = '';
  INSERT INTO change (what, subject) VALUES ('code', new.fqdn);
END;

-- Who sees code sees its relations.
CREATE TRIGGER capability_records_visibility
AFTER UPDATE OF visibility ON capability_records BEGIN
  INSERT INTO code_audience VALUES (new.id, new.org, new.project, new.owner, new.visibility)
    ON CONFLICT DO NOTHING;
  DELETE FROM change WHERE what = 'edge' AND (subject, object) IN
    (SELECT from_id, to_id FROM relation WHERE from_id = new.id OR to_id = new.id);
  INSERT INTO change (what, subject, object)
    SELECT 'edge', from_id, to_id FROM relation WHERE from_id = new.id OR to_id = new.id;
END;

-- What tells this file from every other, so that copies in memory and on the disk are of this one.
CREATE TABLE identity (id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO identity VALUES (lower(hex(randomblob(16))));

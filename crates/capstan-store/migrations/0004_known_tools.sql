-- The tools of downstream servers as they were last seen. What a server was started with may hold
-- secrets, so only its hash is kept.

CREATE TABLE known_tools (
  server             TEXT PRIMARY KEY NOT NULL,
  configuration_hash TEXT NOT NULL,
  tools              TEXT NOT NULL,
  seen_at            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

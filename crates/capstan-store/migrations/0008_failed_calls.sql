-- Which calls of a pattern only failed in the run by which it was registered: code that cannot use a capability
-- does not share it with other code.

ALTER TABLE pattern_call ADD COLUMN failed INTEGER NOT NULL DEFAULT 0 CHECK (failed IN (0, 1));

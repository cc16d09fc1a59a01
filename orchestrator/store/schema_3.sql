-- From user_version 2 to 3: why an attempt failed in a word, the nodes that it got and the job that it was part of;
-- cases that were not run and why, and nodes that got no more work; what a campaign was bound to at its beginning;
-- criteria that took the place of those that it began with; what nodes were like while they were measured.
ALTER TABLE attempt ADD COLUMN failure_kind TEXT NOT NULL DEFAULT '';  -- out-of-memory, node-failure, ...; '': none
ALTER TABLE attempt ADD COLUMN hosts TEXT NOT NULL DEFAULT '';         -- hostlist; '': those planned
ALTER TABLE attempt ADD COLUMN job TEXT NOT NULL DEFAULT '';           -- job-7; '': not known
ALTER TABLE attempt ADD COLUMN program TEXT NOT NULL DEFAULT '';       -- executable that ran; '': not known
ALTER TABLE attempt ADD COLUMN program_sha256 TEXT NOT NULL DEFAULT '';  -- '': not known
ALTER TABLE planned_case ADD COLUMN not_run TEXT NOT NULL DEFAULT '';  -- why; '': it was run, or still may be

CREATE TABLE exclusion (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  node     TEXT NOT NULL,
  because  TEXT NOT NULL,
  at_s     REAL NOT NULL,
  PRIMARY KEY (campaign, seq)
) STRICT;

ALTER TABLE campaign ADD COLUMN commitment TEXT NOT NULL DEFAULT '';   -- root of its parts; '': none

CREATE TABLE committed_part (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  name     TEXT NOT NULL,                   -- plan.json, program /usr/bin/xhpl, ...
  sha256   TEXT NOT NULL,                   -- '': it could not be read
  PRIMARY KEY (campaign, name)
) STRICT;

CREATE TABLE criteria_revision (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  number   INTEGER NOT NULL,                -- from 2; campaign.criteria are the first
  name     TEXT NOT NULL,
  criteria TEXT NOT NULL,                   -- TOML
  reason   TEXT NOT NULL,
  at_s     REAL NOT NULL,
  PRIMARY KEY (campaign, number)
) STRICT;

CREATE TABLE node_state (
  id         INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempt(id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL,
  node       TEXT NOT NULL,
  before_s   REAL,                          -- when it was looked at; null: it was not
  after_s    REAL,
  watched    INTEGER NOT NULL,              -- 0: what others ran there is not known
  UNIQUE (attempt_id, seq)
) STRICT;

CREATE TABLE node_reading (
  state_id INTEGER NOT NULL REFERENCES node_state(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  device   TEXT NOT NULL,                   -- gpu0, mlx5_0; '': the node itself
  name     TEXT NOT NULL,
  at_start TEXT,                            -- null: not read
  at_end   TEXT,
  PRIMARY KEY (state_id, seq)
) STRICT;

CREATE TABLE neighbour (
  state_id INTEGER NOT NULL REFERENCES node_state(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  pid      INTEGER NOT NULL,
  uid      INTEGER NOT NULL,
  command  TEXT NOT NULL,
  job      TEXT NOT NULL,                   -- the batch system's; '': of none
  cores    REAL NOT NULL,                   -- that it kept busy, mean
  PRIMARY KEY (state_id, seq)
) STRICT;

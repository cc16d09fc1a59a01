-- From user_version 2 to 3: why an attempt failed in a word, the nodes that it got and the job that it was part of;
-- cases that were not run and why, and nodes that got no more work; what a campaign was bound to at its beginning;
-- criteria that took the place of those that it began with.
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

-- One row per fact. user_version 1; schema_2.sql goes on from here. Times are seconds since 1970 UTC.
CREATE TABLE campaign (
  id            TEXT PRIMARY KEY,
  system        TEXT NOT NULL,
  kind          TEXT NOT NULL,              -- screening, acceptance
  state         TEXT NOT NULL,              -- planned, running, interrupted, finished
  created_s     REAL NOT NULL,
  finished_s    REAL NOT NULL DEFAULT 0,
  tool_version  TEXT NOT NULL,
  inventory     TEXT NOT NULL,              -- shakedown.inventory/1, as used for planning
  criteria_name TEXT NOT NULL,
  criteria      TEXT NOT NULL,              -- TOML, as it was
  baseline      TEXT NOT NULL
) STRICT;

CREATE TABLE campaign_warning (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (campaign, seq)
) STRICT;

CREATE TABLE refusal (
  campaign  TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  suite     TEXT NOT NULL,
  benchmark TEXT NOT NULL,
  rule      TEXT NOT NULL,
  because   TEXT NOT NULL,
  next_good TEXT NOT NULL,
  PRIMARY KEY (campaign, seq)
) STRICT;

CREATE TABLE environment (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  node     TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  name     TEXT NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (campaign, node, name)
) STRICT;

CREATE TABLE planned_case (
  id             INTEGER PRIMARY KEY,
  campaign       TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq            INTEGER NOT NULL,
  name           TEXT NOT NULL,
  suite          TEXT NOT NULL,
  implementation TEXT NOT NULL,
  nodes          INTEGER NOT NULL,
  ranks          INTEGER NOT NULL,
  document       TEXT NOT NULL,             -- the case as in plan.json: derivation, inputs, argv
  UNIQUE (campaign, name),
  UNIQUE (campaign, seq)
) STRICT;

CREATE TABLE planned_parameter (
  case_id INTEGER NOT NULL REFERENCES planned_case(id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  number  REAL,                             -- null: not a number
  text    TEXT NOT NULL,
  PRIMARY KEY (case_id, name)
) STRICT;

CREATE TABLE attempt (
  id            INTEGER PRIMARY KEY,
  case_id       INTEGER NOT NULL REFERENCES planned_case(id) ON DELETE CASCADE,
  k             INTEGER NOT NULL,
  state         TEXT NOT NULL,              -- finished, timed-out, interrupted, lost, not-started
  exit_code     INTEGER,
  signal        INTEGER,
  started_s     REAL NOT NULL,
  finished_s    REAL NOT NULL,
  wall_s        REAL NOT NULL,
  host          TEXT NOT NULL,
  folder        TEXT NOT NULL,              -- below the campaign's folder
  failure       TEXT NOT NULL,
  cores         REAL,                       -- conditions; null: not measured
  steal_ratio   REAL,
  foreign_cores REAL,
  job_cores     REAL,
  load_before   REAL,
  UNIQUE (case_id, k)
) STRICT;

CREATE TABLE attempt_file (
  attempt_id INTEGER NOT NULL REFERENCES attempt(id) ON DELETE CASCADE,
  seq        INTEGER NOT NULL,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  excerpt    TEXT NOT NULL,
  PRIMARY KEY (attempt_id, name)
) STRICT;

CREATE TABLE result (
  id             INTEGER PRIMARY KEY,
  attempt_id     INTEGER NOT NULL REFERENCES attempt(id) ON DELETE CASCADE,
  seq            INTEGER NOT NULL,
  suite          TEXT NOT NULL,
  implementation TEXT NOT NULL,
  version        TEXT NOT NULL,
  complete       INTEGER NOT NULL,
  validity       TEXT NOT NULL,             -- valid, invalid, unknown
  reason         TEXT NOT NULL,
  UNIQUE (attempt_id, seq)
) STRICT;

CREATE TABLE metric (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  name      TEXT NOT NULL,
  value     REAL,                           -- null: not a number (nan as printed)
  line      INTEGER NOT NULL,
  PRIMARY KEY (result_id, name)
) STRICT;
CREATE INDEX metric_by_name ON metric(name, value);

CREATE TABLE parameter (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  name      TEXT NOT NULL,
  type      TEXT NOT NULL,                  -- integer, real, text
  value     TEXT NOT NULL,
  PRIMARY KEY (result_id, name)
) STRICT;

CREATE TABLE fact (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  name      TEXT NOT NULL,
  value     TEXT NOT NULL,
  line      INTEGER NOT NULL,
  PRIMARY KEY (result_id, seq)
) STRICT;

CREATE TABLE result_warning (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  text      TEXT NOT NULL,
  PRIMARY KEY (result_id, seq)
) STRICT;

CREATE TABLE rule (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  rule      TEXT NOT NULL,
  title     TEXT NOT NULL,
  source    TEXT NOT NULL,
  severity  TEXT NOT NULL,                  -- F, L, W
  status    TEXT NOT NULL,                  -- pass, fail, unknown
  value     TEXT NOT NULL,
  line      INTEGER NOT NULL,
  text      TEXT NOT NULL,
  PRIMARY KEY (result_id, seq)
) STRICT;

CREATE TABLE verdict (
  campaign  TEXT PRIMARY KEY REFERENCES campaign(id) ON DELETE CASCADE,
  overall   TEXT NOT NULL,
  sentence  TEXT NOT NULL,
  exit_code INTEGER NOT NULL
) STRICT;

CREATE TABLE criterion (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  id       TEXT NOT NULL,
  metric   TEXT NOT NULL,
  severity TEXT NOT NULL,
  verdict  TEXT NOT NULL,
  n        INTEGER NOT NULL,
  measured REAL,
  limit_   REAL,
  because  TEXT NOT NULL,
  PRIMARY KEY (campaign, seq)
) STRICT;

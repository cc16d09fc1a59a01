-- One row per fact. Times are seconds since 1970 UTC. A change of this file is a new version: `store_version` in
-- store_schema.hpp.
CREATE TABLE campaign (
  id            TEXT PRIMARY KEY,
  system        TEXT NOT NULL,
  kind          TEXT NOT NULL,              -- screening, acceptance, regression, external
  state         TEXT NOT NULL,              -- planned, running, interrupted, finished
  created_s     REAL NOT NULL,
  finished_s    REAL NOT NULL DEFAULT 0,
  tool_version  TEXT NOT NULL,
  inventory     TEXT NOT NULL,              -- shakedown.inventory/1, as used for planning
  criteria_name TEXT NOT NULL,
  criteria      TEXT NOT NULL,              -- TOML, as it was
  baseline      TEXT NOT NULL,
  note          TEXT NOT NULL,              -- the user's words
  commitment    TEXT NOT NULL               -- root of its parts; '': none
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

CREATE TABLE exclusion (
  campaign TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  node     TEXT NOT NULL,
  because  TEXT NOT NULL,
  at_s     REAL NOT NULL,
  PRIMARY KEY (campaign, seq)
) STRICT;

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
  confirms       INTEGER NOT NULL,          -- 1: it repeats what made its node suspect
  stands_for     TEXT NOT NULL,             -- the case that it replaced; '': none
  document       TEXT NOT NULL,             -- the case as in plan.json: derivation, inputs, argv
  not_run        TEXT NOT NULL DEFAULT '',  -- why; '': it was run, or still may be
  UNIQUE (campaign, name),
  UNIQUE (campaign, seq)
) STRICT;

CREATE TABLE case_place (                   -- beside the cases, whose documents are long
  case_id   INTEGER PRIMARY KEY REFERENCES planned_case(id) ON DELETE CASCADE,
  hosts     TEXT NOT NULL,                  -- hostlist, as planned
  node_kind TEXT NOT NULL                   -- processors and GPUs; '': not known
) STRICT;

CREATE TABLE planned_parameter (
  case_id INTEGER NOT NULL REFERENCES planned_case(id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  number  REAL,                             -- null: not a number
  text    TEXT NOT NULL,
  PRIMARY KEY (case_id, name)
) STRICT;

CREATE TABLE planned_prediction (
  case_id INTEGER NOT NULL REFERENCES planned_case(id) ON DELETE CASCADE,
  metric  TEXT NOT NULL,
  raw     REAL NOT NULL,                    -- of the model itself, without the system's calibration
  PRIMARY KEY (case_id, metric)
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
  failure_kind  TEXT NOT NULL DEFAULT '',   -- out-of-memory, node-failure, ...; '': none
  hosts         TEXT NOT NULL DEFAULT '',   -- hostlist; '': those planned
  job           TEXT NOT NULL DEFAULT '',   -- job-7; '': not known
  program       TEXT NOT NULL DEFAULT '',   -- executable that ran; '': not known
  program_sha256  TEXT NOT NULL DEFAULT '', -- '': not known
  record_sha256   TEXT NOT NULL DEFAULT '', -- of what the rows of the attempt were when they were stored
  excerpts_sha256 TEXT NOT NULL DEFAULT '', -- of the excerpts of its files
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

CREATE TABLE run_shape (                    -- what runs have in common whose values belong to one series
  id             INTEGER PRIMARY KEY,
  system         TEXT NOT NULL,
  suite          TEXT NOT NULL,
  implementation TEXT NOT NULL,
  nodes          INTEGER NOT NULL,          -- 0: not known
  node_kind      TEXT NOT NULL,
  parameters     TEXT NOT NULL,             -- "N=8000 NB=192 P=1 Q=2", by name
  UNIQUE (system, suite, implementation, nodes, node_kind, parameters)
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
  file           TEXT NOT NULL,             -- the log, below the attempt's folder; '': not stored
  shape_id       INTEGER REFERENCES run_shape(id),  -- null: it holds no metric
  UNIQUE (attempt_id, seq)
) STRICT;
CREATE INDEX result_by_shape ON result(shape_id);

CREATE TABLE metric_name (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE metric_value (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  name_id   INTEGER NOT NULL REFERENCES metric_name(id),
  seq       INTEGER NOT NULL,
  value     REAL,                           -- null: not a number (nan as printed)
  line      INTEGER NOT NULL,
  PRIMARY KEY (result_id, name_id)
) STRICT, WITHOUT ROWID;
CREATE VIEW metric AS
  SELECT result_id, seq, name, value, line FROM metric_value JOIN metric_name ON metric_name.id = name_id;

CREATE TABLE parameter (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  name      TEXT NOT NULL,
  type      TEXT NOT NULL,                  -- integer, real, text
  value     TEXT NOT NULL,
  PRIMARY KEY (result_id, name)
) STRICT;

CREATE TABLE phase (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  name      TEXT NOT NULL,
  value     REAL,                           -- null: not a number (nan as printed)
  unit      TEXT NOT NULL,
  time_s    REAL,                           -- null: not a number
  valid     INTEGER NOT NULL,               -- 0: marked invalid in the log
  scored    INTEGER NOT NULL,               -- 1: one of those that make up the score
  line      INTEGER NOT NULL,
  PRIMARY KEY (result_id, seq)
) STRICT;
CREATE INDEX phase_by_name ON phase(name, value);

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
  status    TEXT NOT NULL,                  -- pass, fail, unknown, n/a
  value     TEXT NOT NULL,
  line      INTEGER NOT NULL,
  text      TEXT NOT NULL,
  PRIMARY KEY (result_id, seq)
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

CREATE TABLE other_process (
  state_id INTEGER NOT NULL REFERENCES node_state(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  pid      INTEGER NOT NULL,
  uid      INTEGER NOT NULL,
  command  TEXT NOT NULL,
  job      TEXT NOT NULL,                   -- the batch system's; '': of none
  cores    REAL NOT NULL,                   -- that it kept busy, mean
  PRIMARY KEY (state_id, seq)
) STRICT;

CREATE TABLE set_score (
  id        INTEGER PRIMARY KEY,
  campaign  TEXT NOT NULL REFERENCES campaign(id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  document  TEXT NOT NULL,                  -- its schema: shakedown.mlperf-score/1
  suite     TEXT NOT NULL,
  benchmark TEXT NOT NULL,
  name      TEXT NOT NULL,                  -- what tells the set from others
  score_min REAL,                           -- minutes; null: the set has no score
  runs      INTEGER NOT NULL,
  converged INTEGER NOT NULL,
  validity  TEXT NOT NULL,                  -- valid, invalid, unknown
  UNIQUE (campaign, seq)
) STRICT;

CREATE TABLE set_score_file (
  set_id  INTEGER NOT NULL REFERENCES set_score(id) ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  name    TEXT NOT NULL,
  dropped INTEGER NOT NULL,                 -- 0: of the set's files; 1: of those that the score leaves out
  PRIMARY KEY (set_id, dropped, seq)
) STRICT;

CREATE TABLE set_score_warning (
  set_id INTEGER NOT NULL REFERENCES set_score(id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL,
  text   TEXT NOT NULL,
  PRIMARY KEY (set_id, seq)
) STRICT;

CREATE TABLE set_score_rule (
  set_id   INTEGER NOT NULL REFERENCES set_score(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  rule     TEXT NOT NULL,
  title    TEXT NOT NULL,
  source   TEXT NOT NULL,
  severity TEXT NOT NULL,                   -- F, L, W
  status   TEXT NOT NULL,                   -- pass, fail, unknown
  value    TEXT NOT NULL,
  line     INTEGER NOT NULL,
  text     TEXT NOT NULL,
  PRIMARY KEY (set_id, seq)
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

CREATE TABLE acceptance (                   -- append-only; <workspace>/accepted.jsonl is its truth
  seq      INTEGER PRIMARY KEY,
  system   TEXT NOT NULL,
  campaign TEXT NOT NULL,                   -- its rows may be gone from this store
  at_s     REAL NOT NULL,
  by_whom  TEXT NOT NULL,
  why      TEXT NOT NULL,
  part     INTEGER NOT NULL                 -- 1: stands beside the one before
) STRICT;
CREATE INDEX acceptance_by_system ON acceptance(system, seq);

CREATE TABLE node_event (                   -- append-only; <workspace>/events.jsonl is its truth
  seq     INTEGER PRIMARY KEY,
  system  TEXT NOT NULL,
  node    TEXT NOT NULL,
  event   TEXT NOT NULL,                    -- reboot, replaced, moved
  at_s    REAL NOT NULL,
  by_whom TEXT NOT NULL,
  note    TEXT NOT NULL
) STRICT;
CREATE INDEX node_event_by_system ON node_event(system, at_s);

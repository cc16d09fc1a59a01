-- From user_version 3 to 4: metrics by number, so that a store of 4 million stays small; which runs are alike,
-- so that the values of a system over time come from indices alone; what was accepted, and what happened to nodes.
CREATE TABLE case_place (                   -- beside the cases, whose documents are long
  case_id   INTEGER PRIMARY KEY REFERENCES planned_case(id) ON DELETE CASCADE,
  hosts     TEXT NOT NULL,                  -- hostlist, as planned
  node_kind TEXT NOT NULL                   -- processors and GPUs; '': not known
) STRICT;
INSERT INTO case_place SELECT id, coalesce(document ->> '$.hosts', ''), '' FROM planned_case;

CREATE TABLE metric_name (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO metric_name (name) SELECT DISTINCT name FROM metric ORDER BY name;

CREATE TABLE metric_value (
  result_id INTEGER NOT NULL REFERENCES result(id) ON DELETE CASCADE,
  name_id   INTEGER NOT NULL REFERENCES metric_name(id),
  seq       INTEGER NOT NULL,
  value     REAL,                           -- null: not a number (nan as printed)
  line      INTEGER NOT NULL,
  PRIMARY KEY (result_id, name_id)
) STRICT, WITHOUT ROWID;
INSERT INTO metric_value
  SELECT result_id, metric_name.id, seq, value, line FROM metric JOIN metric_name USING (name);
DROP TABLE metric;
CREATE VIEW metric AS
  SELECT result_id, seq, name, value, line FROM metric_value JOIN metric_name ON metric_name.id = name_id;

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
ALTER TABLE result ADD COLUMN shape_id INTEGER REFERENCES run_shape(id);  -- null: it holds no figure
CREATE INDEX result_by_shape ON result(shape_id);

CREATE TABLE acceptance (                   -- append-only; <workspace>/accepted.jsonl is its truth
  seq      INTEGER PRIMARY KEY,
  system   TEXT NOT NULL,
  campaign TEXT NOT NULL,                   -- its rows may be gone from this store
  at_s     REAL NOT NULL,
  by_whom  TEXT NOT NULL,
  why      TEXT NOT NULL
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

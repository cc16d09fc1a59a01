-- From user_version 1 to 2: phases, the log of each result, campaigns of logs made elsewhere, scores of sets.
ALTER TABLE campaign ADD COLUMN note TEXT NOT NULL DEFAULT '';  -- the user's words; kind may be external too
ALTER TABLE result ADD COLUMN file TEXT NOT NULL DEFAULT '';    -- the log, below the attempt's folder; '': not kept

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

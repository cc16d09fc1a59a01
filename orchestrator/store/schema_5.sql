-- From user_version 4 to 5: the values of a result once more, packed, so that all series of a store of millions are read
-- within a second; acceptances of what was measured again after a change.
CREATE TABLE metric_pack (
  result_id INTEGER PRIMARY KEY REFERENCES result(id) ON DELETE CASCADE,
  numbers   BLOB NOT NULL                   -- each value of metric_value that is a number: name_id in 4 bytes, then the
) STRICT;                                   -- value in 8, IEEE 754; both little-endian

ALTER TABLE acceptance ADD COLUMN part INTEGER NOT NULL DEFAULT 0;  -- 1: stands beside the one before

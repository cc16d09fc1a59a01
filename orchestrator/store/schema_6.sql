-- From user_version 5 to 6: what an attempt's rows said when they were stored, as SHA-256 (`record_hash`), so that a
-- store that was changed since is found.
ALTER TABLE attempt ADD COLUMN record_sha256 TEXT NOT NULL DEFAULT '';    -- '': stored by an older version
ALTER TABLE attempt ADD COLUMN excerpts_sha256 TEXT NOT NULL DEFAULT '';

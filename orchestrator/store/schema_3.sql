-- From user_version 2 to 3: why an attempt failed in a word, the nodes that it got and the job that it was part of.
ALTER TABLE attempt ADD COLUMN failure_kind TEXT NOT NULL DEFAULT '';  -- out-of-memory, node-failure, ...; '': none
ALTER TABLE attempt ADD COLUMN hosts TEXT NOT NULL DEFAULT '';         -- hostlist; '': those planned
ALTER TABLE attempt ADD COLUMN job TEXT NOT NULL DEFAULT '';           -- job-7; '': not known

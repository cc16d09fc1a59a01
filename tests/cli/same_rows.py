#!/usr/bin/env python3
"""same_rows.py A B: whether two stores hold the same rows, whatever numbers SQLite gave them. Prints those that differ."""
import sqlite3
import sys

# What a row is known by instead of its number, in the order in which they refer to each other.
KEYS = {
    "metric_name": ("name",),
    "run_shape": ("system", "suite", "implementation", "nodes", "node_kind", "parameters"),
    "planned_case": ("campaign", "name"),
    "attempt": ("case_id", "k"),
    "result": ("attempt_id", "seq"),
    "node_state": ("attempt_id", "seq"),
    "set_score": ("campaign", "seq"),
}
REFERS = {
    "name_id": "metric_name",
    "shape_id": "run_shape",
    "case_id": "planned_case",
    "attempt_id": "attempt",
    "result_id": "result",
    "state_id": "node_state",
    "set_id": "set_score",
}


def rows(path):
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    store.row_factory = sqlite3.Row
    names = {table: {} for table in KEYS}
    found = set()

    def named(row):
        return {c: names[REFERS[c]][row[c]] if c in REFERS and row[c] is not None else row[c] for c in row.keys()}

    for table, key in KEYS.items():
        for row in store.execute(f"SELECT * FROM {table}"):
            known = named(row)
            names[table][row["id"]] = "/".join(str(known[c]) for c in key)
    for (table,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in store.execute(f"SELECT * FROM {table}"):
            values = named(row)
            if table in KEYS:
                del values["id"]
            if table == "environment":
                del values["seq"]  # the order in which the nodes answered
            found.add(f"{table} {sorted((k, repr(v)) for k, v in values.items())}")
    return found


a, b = rows(sys.argv[1]), rows(sys.argv[2])
for row in sorted(a - b):
    print("only in the first: ", row[:400])
for row in sorted(b - a):
    print("only in the second:", row[:400])
print(f"{len(a)} rows and {len(b)}")
sys.exit(0 if a == b and a else 1)

#!/usr/bin/env python3
"""hostile_stores.py KEPT SHAKEDOWN: gives each of these stores to every command that reads one, beside the campaign's own
folder. Each is refused with a sentence or does nothing, within 2 s of CPU, 20 s by the clock (on a machine that is busy) and
256 MiB, and changes no other file."""
import os
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys

KEPT, SHAKEDOWN = sys.argv[1:3]
CAMPAIGN = os.listdir(KEPT + "/campaigns")[0]
SECONDS, BY_THE_CLOCK, MEBIBYTES = 2, 20, 256
# Instrumented builds need more memory than they can be held to.
if subprocess.run(["prlimit", "--data=268435456", SHAKEDOWN, "list"], capture_output=True).returncode != 0:
    MEBIBYTES = 1 << 20
failures = 0


def check(name, holds, why=""):
    global failures
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + why}")
    failures += 0 if holds else 1


def sql(script, path="w/results.sqlite"):
    database = sqlite3.connect(path)
    database.executescript(script)
    database.commit()
    database.close()


def rewritten_schema(change):
    """The schema's own rows changed, as no statement may: (type, name, sql) -> sql."""
    database = sqlite3.connect("w/results.sqlite")
    database.execute("PRAGMA writable_schema = ON")
    for kind, name, text in database.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        if (new := change(kind, name, text)) != text:
            database.execute("UPDATE sqlite_master SET sql = ? WHERE type = ? AND name = ?", (new, kind, name))
    database.execute("PRAGMA schema_version = 9999")
    database.commit()
    database.close()


def page_size():
    with open("w/results.sqlite", "rb") as file:
        return struct.unpack(">H", file.read(18)[16:18])[0]


def root_of(table):
    database = sqlite3.connect("w/results.sqlite")
    page = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    database.close()
    return page


def patched(offset, data):
    with open("w/results.sqlite", "r+b") as file:
        file.seek(offset)
        file.write(data)


def endless_tree():
    """metric_name as a tree whose pages point, hundreds of times each, to the one page below: rows without end."""
    size, levels = page_size(), 15
    with open("w/results.sqlite", "r+b") as file:
        pages = os.path.getsize("w/results.sqlite") // size
        for level in range(levels):
            number = root_of("attempt_file") if level == 0 else pages + level
            below = pages + level + 1
            cells = (size - 12 - 100) // 7
            page = bytearray(size)
            struct.pack_into(">BHHHBI", page, 0, 5, 0, cells, size - 5 * cells, 0, below)
            for cell in range(cells):
                place = size - 5 * (cell + 1)
                struct.pack_into(">H", page, 12 + 2 * cell, place)
                struct.pack_into(">IB", page, place, below, min(cell, 127))
            file.seek((number - 1) * size)
            file.write(page)
        leaf = bytearray(size)
        # one row: payload of 14 bytes, rowid 1, header of 7 bytes: attempt_id 1, seq 0, texts
        row = bytes([14, 1, 7, 9, 8, 15, 15, 8, 15]) + b"a" + b"b" + b"c"
        row = bytes([len(row) - 2]) + row[1:]
        struct.pack_into(">BHHHB", leaf, 0, 13, 0, 1, size - len(row), 0)
        struct.pack_into(">H", leaf, 8, size - len(row))
        leaf[size - len(row):] = row
        file.seek((pages + levels - 1) * size)
        file.write(leaf)
        file.seek(28)
        file.write(struct.pack(">I", pages + levels))
    database = sqlite3.connect("w/results.sqlite")
    root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'attempt_file'").fetchone()[0]
    index = database.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'attempt_file' AND type = 'index'").fetchone()[0]
    database.close()
    # The index as endless, over the same: entries of one key.
    with open("w/results.sqlite", "r+b") as file:
        pages = os.path.getsize("w/results.sqlite") // size
        for level in range(levels):
            number = index if level == 0 else pages + level
            below = pages + level + 1
            entry = bytes([6, 4, 9, 15, 9]) + b"a"
            entry = bytes([len(entry) - 1]) + entry[1:]
            cells = (size - 12 - 100) // (6 + len(entry))
            page = bytearray(size)
            struct.pack_into(">BHHHBI", page, 0, 2, 0, cells, size - (4 + len(entry)) * cells, 0, below)
            for cell in range(cells):
                place = size - (4 + len(entry)) * (cell + 1)
                struct.pack_into(">H", page, 12 + 2 * cell, place)
                page[place:place + 4] = struct.pack(">I", below)
                page[place + 4:place + 4 + len(entry)] = entry
            file.seek((number - 1) * size)
            file.write(page)
        leaf = bytearray(size)
        entry = bytes([5, 4, 9, 15, 9]) + b"a"
        struct.pack_into(">BHHHB", leaf, 0, 10, 0, 1, size - len(entry), 0)
        struct.pack_into(">H", leaf, 8, size - len(entry))
        leaf[size - len(entry):] = entry
        file.seek((pages + levels - 1) * size)
        file.write(leaf)
        file.seek(28)
        file.write(struct.pack(">I", pages + levels))


def planted_journal():
    """A journal that is to be rolled back, and names a file that SQLite then deletes."""
    name = os.path.abspath("victim").encode()
    magic = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    header = magic + struct.pack(">IIIII", 0, 0, os.path.getsize("w/results.sqlite") // page_size(), 512, page_size())
    with open("w/results.sqlite-journal", "wb") as file:
        file.write(header.ljust(512, b"\0"))
        file.write(struct.pack(">I", 0x40000000 // page_size() + 1) + name + struct.pack(">II", len(name), sum(name)) + magic)


def linked(ending):
    path = "w/results.sqlite" + ending
    if os.path.exists(path):
        os.rename(path, "elsewhere.sqlite")
    elif ending == "":
        raise AssertionError
    os.symlink(os.path.abspath("elsewhere.sqlite" if ending == "" else "victim"), path)


def with_log(script):
    """Rows in a log that nobody merged, as a crash leaves it."""
    database = sqlite3.connect("w/results.sqlite")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.executescript(script)
    database.commit()
    shutil.copy("w/results.sqlite-wal", "log")
    shutil.copy("w/results.sqlite", "main")
    database.close()
    shutil.move("main", "w/results.sqlite")
    shutil.move("log", "w/results.sqlite-wal")


def truncated():
    os.truncate("w/results.sqlite", os.path.getsize("w/results.sqlite") // 2 + 77)


def noise():
    size = os.path.getsize("w/results.sqlite")
    with open("w/results.sqlite", "r+b") as file:
        for page in range(2, size // page_size(), 2):
            file.seek(page * page_size())
            file.write(bytes((page * 37 + i * 101) % 256 for i in range(200)))


def sparse():
    os.truncate("w/results.sqlite", 1 << 40)


def held():
    """A store of holes that a process of another host has, as it seems."""
    os.truncate("w/results.sqlite", 20 << 30)
    with open("w/results.lock", "w"), open("w/results.lock.1", "w") as claim:
        claim.write("held    \nprocess 77 on node2\nstart 5\nboot another\nspace 1/2\nsince 2026-11-22T10:00:00Z\n")


def fifo():
    os.remove("w/results.sqlite")
    os.mkfifo("w/results.sqlite")


def numbered():
    """A metric whose name has the last number there is."""
    database = sqlite3.connect("w/results.sqlite")
    database.execute("INSERT INTO metric_name VALUES (4294967295, 'x')")
    database.execute("UPDATE OR REPLACE metric_value SET name_id = 4294967295")
    database.commit()
    database.close()


IS_NONE = "is no store of shakedown: it holds "
STORES = {
    # what the file holds: (how it is made, what is said; empty: it does nothing)
    "a trigger": (lambda: sql("CREATE TRIGGER t AFTER UPDATE ON verdict BEGIN DELETE FROM campaign; END"), IS_NONE + "the trigger 't'"),
    "a trigger on what is read": (lambda: sql("CREATE TRIGGER t BEFORE INSERT ON verdict BEGIN SELECT hex(randomblob(1000000000)); END"), "the trigger 't'"),
    "a view in a table's place": (lambda: sql("DROP TABLE set_score_rule; CREATE VIEW set_score_rule AS SELECT 1 AS set_id"), "the view 'set_score_rule'"),
    "a view that never ends": (lambda: sql("ALTER TABLE fact RENAME TO f; CREATE VIEW fact AS WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x AS result_id, x AS seq, 'a' AS name, 'b' AS value, 1 AS line FROM c"), IS_NONE),
    "the view of ours that never ends": (lambda: sql("DROP VIEW metric; CREATE VIEW metric AS WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x AS result_id, x AS seq, 'a' AS name, 1.0 AS value, 1 AS line FROM c"), IS_NONE + "another view 'metric'"),
    "a computed column": (lambda: sql("ALTER TABLE verdict ADD COLUMN x TEXT AS (hex(zeroblob(100000000)))"), IS_NONE + "another table 'verdict'"),
    "a check that calls": (lambda: rewritten_schema(lambda kind, name, text: text.replace("exit_code INTEGER NOT NULL", "exit_code INTEGER NOT NULL CHECK (length(zeroblob(900000000)) > 0)") if name == "verdict" else text), IS_NONE + "another table 'verdict'"),
    "a default that calls": (lambda: rewritten_schema(lambda kind, name, text: text.replace("not_run        TEXT NOT NULL DEFAULT ''", "not_run TEXT NOT NULL DEFAULT (random())") if name == "planned_case" else text), IS_NONE + "another table 'planned_case'"),
    "an index on a function": (lambda: sql("CREATE INDEX i ON campaign(hex(zeroblob(1000)) || id)"), IS_NONE + "the index 'i'"),
    "full-text tables": (lambda: sql("CREATE VIRTUAL TABLE v USING fts5(x); INSERT INTO v VALUES ('a')"), IS_NONE),
    "a tree of places": (lambda: sql("CREATE VIRTUAL TABLE v USING rtree(id, a, b)"), IS_NONE),
    "a table of a module that is not here": (lambda: rewritten_schema(lambda kind, name, text: "CREATE VIRTUAL TABLE fact USING csv(filename='/etc/passwd')" if name == "fact" else text), ""),
    "a deep expression": (lambda: rewritten_schema(lambda kind, name, text: text.replace("reason         TEXT NOT NULL", "reason         TEXT NOT NULL CHECK (" + "(" * 5000 + "1" + ")" * 5000 + ")") if name == "result" else text), "SQLite reports"),
    "a table of 100,000 columns": (lambda: rewritten_schema(lambda kind, name, text: "CREATE TABLE fact (" + ",".join(f"c{i}" for i in range(100000)) + ")" if name == "fact" else text), ""),
    "3,000 more tables": (lambda: sql("BEGIN;" + "".join(f"CREATE TABLE t{i}(a);" for i in range(3000)) + "COMMIT;"), IS_NONE + "the table 't0'"),
    "a schema of a newer version": (lambda: sql("PRAGMA user_version = 77"), "was written by a newer shakedown"),
    "a schema of no version": (lambda: sql("PRAGMA user_version = -5"), IS_NONE + "version -5"),
    "tables and no version": (lambda: sql("PRAGMA user_version = 0"), IS_NONE),
    "tables of another version": (lambda: sql("PRAGMA user_version = 3"), "was written by an older shakedown"),
    "another program's tables": (lambda: (os.remove("w/results.sqlite"), sql("CREATE TABLE moz_places(id, url)")), IS_NONE + "the table 'moz_places'"),
    "a text of 70 MB": (lambda: sql("UPDATE campaign SET note = CAST(zeroblob(70000000) AS TEXT)"), "SQLite reports"),
    "rows without end": (endless_tree, "more steps than the file's size explains"),
    "half a file": (truncated, "SQLite reports"),
    "noise in every second page": (noise, ""),
    "a file of a tebibyte": (sparse, ""),
    "a held file of 20 GiB": (held, ""),
    "a pipe": (fifo, "is no regular file"),
    "a link": (lambda: linked(""), "is a symbolic link"),
    "a link for a log": (lambda: linked("-wal"), "results.sqlite-wal: is a symbolic link"),
    "a link for shared memory": (lambda: linked("-shm"), "results.sqlite-shm: is a symbolic link"),
    "a link for a journal": (lambda: linked("-journal"), "results.sqlite-journal: is a symbolic link"),
    "a journal that names a file": (planted_journal, "results.sqlite-journal: names another file"),
    "a planted log": (lambda: with_log("CREATE TRIGGER t AFTER UPDATE ON verdict BEGIN DELETE FROM campaign; END"), IS_NONE + "the trigger 't'"),
    "a log that is noise": (lambda: open("w/results.sqlite-wal", "wb").write(b"\x37\x7f\x06\x82" + os.urandom(100000)), ""),
    "a metric of the last number": (numbered, ""),
    "letters that no rule has": (lambda: sql("UPDATE rule SET severity = '', status = 'x'; UPDATE result SET validity = x'00' || 'valid'"), "differ"),
    "a case of another folder": (lambda: sql("UPDATE planned_case SET document = replace(document, '\"id\": \"one\"', '\"id\": \"../../../../etc\"')"), "the id is no folder name"),
}
COMMANDS = (["report", "-o", "page"], ["status"], ["accept", CAMPAIGN, "--by", "me", "--why", "x"],
            ["compare", CAMPAIGN, "--baseline", "accepted"], ["model"])


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(BY_THE_CLOCK)  # outlasts exec: ends a child that blocks


def given_to(command):
    """Exit code (-14: it blocked), what was said, seconds of CPU, MiB."""
    with open("said", "w+b") as said:
        process = subprocess.Popen([SHAKEDOWN, *command, "-w", "w"], stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=said, preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(status), text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


for name, (make, sentence) in STORES.items():
    for path in ("w", "made"):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(KEPT, "w")
    make()
    os.rename("w", "made")
    for command in COMMANDS:
        for path in ("w", "page"):
            shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["cp", "-a", "made", "w"], check=True)  # holes and pipes as they are
        with open("victim", "w") as file:
            file.write("precious")
        code, text, seconds, mebibytes = given_to(command)
        known = 0 <= code <= 4 and "terminate called" not in text
        judges = command[0] in ("report", "status", "accept")
        told = not judges or (sentence in text and (code in (2, 4) or not sentence))
        with open("victim") as file:
            victim = file.read() == "precious"
        if not (known and told and victim) or seconds > SECONDS or mebibytes > MEBIBYTES:
            check(f"{name}: {command[0]}", False, f"exit {code}, {seconds:.1f} s, {mebibytes:.0f} MiB, victim {victim}: "
                  + re.sub(r"\s+", " ", text)[:400])
            break
    else:
        check(name, True)
sys.exit(1 if failures else 0)

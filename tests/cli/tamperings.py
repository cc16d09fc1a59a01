"""The ways to change evidence that shakedown must find: tamperings.py, in the folder that tampering_test.sh filled.

A tampering is (kind, name, base, exit code, words, edits): `base` is a bundle, which `verify` reads once it is edited, or a
workspace, of which `report` is asked and which `accept` must refuse. `words` must stand in what is printed. Edits of a
bundle are those of tampered_bundle.py; edits of a workspace are functions of its folder.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tampered_bundle

SHAKEDOWN = os.environ["SHAKEDOWN"]
RECHAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rechain.py")
WORKSPACE = {"kept": sorted(os.listdir("kept/campaigns"))[-1], "waived": os.listdir("waived/campaigns")[0]}
C = WORKSPACE["kept"]
FIRST, SECOND = sorted(os.listdir("kept/campaigns"))[:2]
OWN = f"campaigns/{C}"
LOG = f"{OWN}/one/attempt-1/stdout.log"
HOST = socket.gethostname()
JOURNAL = f"{OWN}/journal.jsonl"
NOT_THE_ONE = "in the campaign's folder is not the one that the campaign was bound to"
SEAL = "seal"
BUNDLES = {}


def files_of(base):
    if base not in BUNDLES:
        BUNDLES[base] = tampered_bundle.read(base + ".tar.zst")
    return dict(BUNDLES[base])


# --- Edits of a bundle, beside those in text: functions of its files.


def lines_of(path, change):
    """Changes the list of lines of a file."""

    def edit(files):
        lines = files[path].splitlines(keepends=True)
        changed = change(list(lines))
        assert changed != lines, path
        files[path] = b"".join(changed)

    return edit


def exchanged(one, other):
    def edit(files):
        assert files[one] != files[other]
        files[one], files[other] = files[other], files[one]

    return edit


def moved(folder, to):
    def edit(files):
        for path in [path for path in files if path.startswith(folder)]:
            files[to + path[len(folder) :]] = files.pop(path)

    return edit


def rechained(path, keep=lambda line: True, first=""):
    """Each line names the one before again, as who can write all of it may do."""

    def edit(files):
        before, out = first, []
        for text in files[path].splitlines():
            line = json.loads(text)
            line.pop("prev", None)
            if not keep(line):
                continue
            if before:
                line["prev"] = before
            out.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            before = hashlib.sha256(out[-1]).hexdigest()
        assert b"".join(out) != files[path], path
        files[path] = b"".join(out)

    return edit


def check_forged(change):
    """Of a scheduled check's bundle: its verdict changed, and journal and list without a word of the one before."""
    folder = f"campaigns/{sorted(os.listdir('w/campaigns'))[0]}"
    return [
        document(f"{folder}/regression.json", change),
        rechained(f"{folder}/journal.jsonl", lambda line: line["event"] != "verdict"),
        rechained("campaigns.jsonl", lambda line: line["event"] == "begun", "0" * 64),
        SEAL,
    ]


def log_with_its_hash(files):
    old = hashlib.sha256(files[LOG]).hexdigest()
    files[LOG] = files[LOG].replace(b"reference", b"REFERENCE")
    assert old.encode() in files[JOURNAL] and old != hashlib.sha256(files[LOG]).hexdigest()
    files[JOURNAL] = files[JOURNAL].replace(old.encode(), hashlib.sha256(files[LOG]).hexdigest().encode())


def document(path, change):
    """Changes a JSON document."""

    def edit(files):
        value = json.loads(files[path])
        change(value)
        text = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
        assert text != files[path], path
        files[path] = text

    return edit


def manifest(change):
    return document("MANIFEST.json", change)


def withheld(change):
    """Changes the list of what a redacted bundle withholds."""
    return manifest(lambda m: change(m["withheld"]))


def without_results(all):
    gone = [each for each in all if each["path"] == "report/results.json"]
    assert len(gone) == 1
    all.remove(gone[0])


UNSIGNED = "remove~SIGNATURES.jsonl"


def signature_of(base):
    def edit(files):
        files["SIGNATURES.jsonl"] = files_of(base)["SIGNATURES.jsonl"]

    return edit


# --- Edits of a workspace.


def at(*parts):
    return lambda w: os.path.join(w, "campaigns", C, *parts)


def text_of(path, pattern, text, then=lambda w: None):
    def edit(w):
        place = path(w)
        old = open(place, encoding="utf-8").read()
        new = re.sub(pattern, text, old, count=1)
        assert new != old, place
        open(place, "w", encoding="utf-8").write(new)
        then(w)

    return edit


def stored(statement):
    def edit(w):
        database = sqlite3.connect(w + "/results.sqlite")
        changed = database.execute(statement).rowcount
        database.commit()
        database.close()
        assert changed > 0, statement

    return edit


def stored_anew(w):
    for file in glob.glob(w + "/results.sqlite*"):
        os.remove(file)
    subprocess.run([SHAKEDOWN, "import", w + "/campaigns", "-w", w], capture_output=True)


def in_turn(*edits):
    return lambda w: [edit(w) for edit in edits]


def removed(path):
    return lambda w: shutil.rmtree(path(w)) if os.path.isdir(path(w)) else os.remove(path(w))


def copied(w):
    shutil.copytree(at()(w), w + "/campaigns/2026-01-01T00-00-00Z-x")
    text_of(lambda w: w + "/campaigns/2026-01-01T00-00-00Z-x/campaign.json", C, "2026-01-01T00-00-00Z-x")(w)
    subprocess.run([SHAKEDOWN, "import", w + "/campaigns/2026-01-01T00-00-00Z-x", "-w", w], capture_output=True)


def waiver_in_time(w):
    stored("UPDATE campaign SET created_s = 1500000000, finished_s = 1500000100")(w)


def journal_lines():
    """Each line of the journal, edited, deleted, swapped with the next, and doubled; the last lines cut off."""
    lines = files_of("plain")[JOURNAL].splitlines(keepends=True)
    for n in range(len(lines)):
        last = n + 1 == len(lines)
        ended = "the journal no longer has the line that it ended with"
        follows = f"line {n + 2} of the journal does not follow line {n + 1}: that line was edited"
        first = "has the first hash" if n == 0 else None
        edited = [lines_of(JOURNAL, lambda all, n=n: all[:n] + [all[n].replace(b'"t":"2', b'"t":"1')] + all[n + 1 :]), SEAL]
        yield "journal: a line edited", f"line {n + 1}", ended if last else follows, edited
        gone = [lines_of(JOURNAL, lambda all, n=n: all[:n] + all[n + 1 :]), SEAL]
        words = ended if last else first or f"line {n + 1} of the journal does not follow line {n}"
        yield "journal: a line deleted", f"line {n + 1}", words, gone
        double = [lines_of(JOURNAL, lambda all, n=n: all[: n + 1] + all[n:]), SEAL]
        words = f"line {n + 2} of the journal follows line {n}, not line {n + 1}: lines were inserted or moved"
        if n == 0:
            words = "line 2 of the journal does not name the SHA-256 of line 1 (member prev): it was edited or inserted"
        yield "journal: a line doubled", f"line {n + 1}", words, double
        if not last:
            swap = [lines_of(JOURNAL, lambda all, n=n: all[:n] + [all[n + 1], all[n]] + all[n + 2 :]), SEAL]
            words = first or f"line {n + 1} of the journal does not follow line {n}"
            yield "journal: two lines swapped", f"lines {n + 1} and {n + 2}", words, swap
        if n > 0:
            cut = [lines_of(JOURNAL, lambda all, n=n: all[:n]), SEAL]
            yield "journal: the last lines cut off", f"from line {n + 1} on", ended, cut


RMAX = '"rmax_gflops": [0-9.]*'
V = "plain"  # which is unsigned: what a seal can't change is named all the same

TABLE = [
    # Logs and files of the run directories.
    ("a digit in a log", "as it is", V, 1, f"{LOG} has SHA-256", ["sub~*one/attempt-1/stdout.log~5~6"]),
    ("a digit in a log", "sealed", V, 1, "one/attempt-1/stdout.log is not the file that was collected", ["sub~*one/attempt-1/stdout.log~5~6", SEAL]),
    ("a digit in a log", "of another version", V, 1, "is not the file that was collected", ["sub~*one/attempt-1/stdout.log~5~6", "version~0.0.9", SEAL]),
    ("a log with its hash in the journal", "", V, 1, "of the journal does not follow line", [log_with_its_hash, SEAL]),
    ("a log with its hash in the journal", "chained anew", V, 1, "the journal no longer has the line that it ended with", [log_with_its_hash, rechained(JOURNAL), SEAL]),
    ("a log with its hash in the journal", "list chained anew", V, 1, "campaigns.jsonl", [log_with_its_hash, rechained(JOURNAL), rechained("campaigns.jsonl", lambda line: line["event"] == "begun", "0" * 64), SEAL]),
    ("a swapped file", "as it is", V, 1, f"{LOG} has", [exchanged(LOG, LOG.replace("one", "two"))]),
    ("a swapped file", "sealed", V, 1, "one/attempt-1/stdout.log is not the file that was collected", [exchanged(LOG, LOG.replace("one", "two")), SEAL]),
    ("times set back", "of an attempt", V, 1, "one/attempt-1/finished.json is not the file that was collected", ['sub~*one/attempt-1/finished.json~"finished_s":[0-9]~"finished_s":0', SEAL]),
    ("times set back", "of a node", V, 1, "is not the file that was collected", [f"sub~*one/attempt-1/node-{HOST}.json~[0-9]~0", SEAL]),
    ("times set back", "of the campaign", V, 1, f"campaign.json {NOT_THE_ONE}", ['sub~*/campaign.json~"created_s": [0-9]~"created_s": 0', SEAL]),
    ("the script of a job", "", V, 1, "one/attempt-1/job.sh is not the file that was collected", ["sub~*one/attempt-1/job.sh~#~##", SEAL]),
    ("a removed file", "as it is", V, 1, f"{LOG} is missing", [f"remove~{LOG}"]),
    ("a removed file", "sealed", V, 1, "has one/attempt-1/stdout.log, which is gone", [f"remove~{LOG}", SEAL]),
    ("a deleted attempt", "its folder", V, 1, "has one/attempt-1/finished.json, which is gone", [f"remove~{OWN}/one/*", SEAL]),
    ("a deleted attempt", "and its line", V, 1, "of the journal does not follow line", [f"remove~{OWN}/one/*", lines_of(JOURNAL, lambda all: [line for line in all if b'"case":"one"' not in line]), SEAL]),
    ("a deleted attempt", "and chained anew", V, 1, "the journal no longer has the line that it ended with", [f"remove~{OWN}/one/*", rechained(JOURNAL, lambda line: line.get("case") != "one"), SEAL]),
    ("an added attempt", "", V, 1, "attempt 2 of one has a folder, and no line of the journal announces it", [f"add~{OWN}/one/attempt-2/stdout.log~more", SEAL]),
    ("an added file", "as it is", V, 1, f"{OWN}/more.txt is not in the manifest", [f"add~{OWN}/more.txt~more"]),
    ("an added file", "in a run directory", V, 1, "does not have one/attempt-1/more.log: it was added since", [f"add~{OWN}/one/attempt-1/more.log~more", SEAL]),
    ("an added file", "of secrets", V, 1, "secrets.env has no place in a bundle: it holds secrets", [f"add~{OWN}/secrets.env~TOKEN='{HOST}'", SEAL]),
    ("an added file", "a lock", V, 1, "lock has no place in a bundle", [f"add~{OWN}/lock~1", SEAL]),
    ("an added file", "a configuration", V, 1, "acceptance.toml in the campaign's folder was not there when the campaign was bound", [f"add~{OWN}/acceptance.toml~title = 'x'", SEAL]),
    ("an added file", "an environment", V, 0, "not bound by the journal: environment.json", [f"add~{OWN}/environment.json~" + json.dumps({"schema": "shakedown.environment/1", "nodes": {HOST: {"kernel": "forged"}}}), SEAL]),
    ("an added file", "a database", V, 1, "results.sqlite has no place in a bundle", ["add~results.sqlite~SQLite format 3", SEAL]),
    ("an added file", "of another campaign", V, 1, "campaigns/other/plan.json has no place in a bundle", ["add~campaigns/other/plan.json~{}", SEAL]),
    ("an added file", "a shipped table", V, 1, "share/criteria/quick.toml has no place in a bundle", ["add~share/criteria/quick.toml~#", SEAL]),
    ("an added file", "notes that nothing binds", V, 0, "not bound by the journal: notes.txt", [f"add~{OWN}/notes.txt~more", SEAL]),
    # Files of the campaign's folder in no run directory.
    ("a job's file", "", V, 1, "jobs/job-1/job.json is not the file that the campaign ended with", ['sub~*/jobs/job-1/job.json~"attempt": 1~"attempt": 2', SEAL]),
    ("a job's file", "removed", V, 1, "jobs/job-1/job.json, which the campaign ended with, is gone", ["remove~*/jobs/job-1/job.json", SEAL]),
    ("a job's file", "added", V, 0, "not bound by the journal: jobs/job-1/more.log", [f"add~{OWN}/jobs/job-1/more.log~more", SEAL]),
    ("hashes that a node knows", "after the last attempt, whom they can't deceive", V, 0, "not bound by the journal: environment-", ["sub~*/environment-*~\"sha256\": \"[0-9a-f]{8}~\"sha256\": \"00000000", SEAL]),
    # What the campaign was bound to.
    ("an edited limit", "as it is", V, 1, "criteria.toml has SHA-256", ["sub~*/criteria.toml~limit = 0.001~limit = 0.002"]),
    ("an edited limit", "sealed", V, 1, f"criteria.toml {NOT_THE_ONE}", ["sub~*/criteria.toml~limit = 0.001~limit = 0.002", SEAL]),
    ("an edited limit", "and its hash in the commitment", V, 1, "states parts that do not give its root", ["sub~*/criteria.toml~limit = 0.001~limit = 0.002", 'sub~*/journal.jsonl~"criteria.toml","sha256":"[0-9a-f]{64}~"criteria.toml","sha256":"' + "0" * 64, SEAL]),
    ("a removed criterion", "", V, 1, f"criteria.toml {NOT_THE_ONE}", ['sub~*/criteria.toml~\\[\\[criteria\\]\\]\\nid = "valid"[^[]*~', SEAL]),
    ("a criterion made advisory", "", V, 1, f"criteria.toml {NOT_THE_ONE}", ["sub~*/criteria.toml~mandatory~advisory", SEAL]),
    ("an added waiver", "", V, 1, f"criteria.toml {NOT_THE_ONE}", ['sub~*/criteria.toml~$~\n[[waivers]]\ncriterion = "rate"\nreason = "none"\napprover = "me"\nexpires = 2099-01-01\n', SEAL]),
    ("an expired waiver revived", "by its date", "waived", 1, f"criteria.toml {NOT_THE_ONE}", ["sub~*/criteria.toml~2020-01-31~2099-01-31", SEAL]),
    ("an expired waiver revived", "by the campaign's date", "waived", 1, f"campaign.json {NOT_THE_ONE}", ['sub~*/campaign.json~"created_s": [0-9]~"created_s": 0', SEAL]),
    ("an expired waiver revived", "in the verdict", "waived", 1, "report/results.json: sentence", ["sub~report/results.json~not accepted~accepted with 1 waiver", SEAL]),
    ("an edited inventory", "", V, 1, f"inventory.json {NOT_THE_ONE}", ['sub~*/inventory.json~"cores[a-z_]*": [0-9]~"cores": 9', SEAL]),
    ("an edited plan", "", V, 1, f"plan.json {NOT_THE_ONE}", ['sub~*/plan.json~"ranks": 2~"ranks": 4', SEAL]),
    ("another kind of campaign", "", V, 1, f"campaign.json {NOT_THE_ONE}", ["sub~*/campaign.json~acceptance~screening", SEAL]),
    ("another kind of campaign", "made elsewhere", V, 1, "has the first hash none", ["sub~*/campaign.json~acceptance~external", SEAL]),
    ("a copied campaign", "", V, 1, "has no place in a bundle", [moved(OWN, "campaigns/2026-01-01T00-00-00Z-x"), SEAL]),
    ("a copied campaign", "by its name", V, 1, f"campaign.json {NOT_THE_ONE}", [moved(OWN, "campaigns/2026-01-01T00-00-00Z-x"), f"sub~*/campaign.json~{C}~2026-01-01T00-00-00Z-x", manifest(lambda m: m.update(campaign="2026-01-01T00-00-00Z-x")), SEAL]),
    ("edited published values", "", V, 1, "share/baselines/sakuraone.toml is not the one that ships with this version", ["sub~share/baselines/*~#~##", SEAL]),
    ("edited published values", "of a version that never was", V, 3, "share/baselines/sakuraone.toml is not the one of this version", ["sub~share/baselines/*~#~##", "version~0.0.9", SEAL]),
    ("what may be compared", "", V, 1, "share/comparability.toml is not the one that ships with this version", ["sub~share/comparability.toml~#~##", SEAL]),
    ("what may be compared", "of a version that never was", V, 3, "share/comparability.toml is not the one of this version", ["sub~share/comparability.toml~#~##", "version~0.0.9", SEAL]),
    # The journal as a whole; its lines are below.
    ("journal: its first root", "", V, 1, "has the first hash", ['sub~*/journal.jsonl~"root":"[0-9a-f]{8}~"root":"00000000', SEAL]),
    ("journal: a hash", "", V, 1, "is not the file that was collected", ['sub~*/journal.jsonl~"name":"stdout.log","sha256":"[0-9a-f]{8}~"name":"stdout.log","sha256":"00000000', SEAL]),
    ("journal: a hash", "stated by the verdict", V, 1, "one/attempt-1/stdout.log is not the file that was collected", ["sub~*one/attempt-1/stdout.log~5~6", document("report/results.json", lambda d: d["journal"].update(faults=["one/attempt-1/stdout.log is not the file that was collected"])), SEAL]),
    ("journal: gone", "", V, 1, "journal.jsonl is gone", [f"remove~{JOURNAL}", SEAL]),
    # Verdict, report, store.
    ("results.json", "the verdict", V, 1, "report/results.json: verdict", ['sub~report/results.json~"verdict": "pass"~"verdict": "fail"', SEAL]),
    ("results.json", "the sentence", V, 1, "report/results.json: sentence", ["sub~report/results.json~accepted~accepted at once", SEAL]),
    ("results.json", "a value", V, 1, "saved       99.5", [f'sub~report/results.json~{RMAX}~"rmax_gflops": 99.5', SEAL]),
    ("results.json", "a limit", V, 1, "report/results.json: criteria[", ['sub~report/results.json~"limit": 0.001~"limit": 0.01', SEAL]),
    ("results.json", "masked", V, 1, "report/results.json: system", ['sub~report/results.json~"system": "test"~"system": "(secret)"', SEAL]),
    ("results.json", "a member twice", V, 1, "report/results.json has the values that the logs give, and is written otherwise", ['sub~report/results.json~"verdict": "pass"~"verdict": "fail",\n  "verdict": "pass"', SEAL]),
    ("results.json", "an attempt less", V, 1, "report/results.json: cases[1 two]", [document("report/results.json", lambda d: d["cases"].pop()), SEAL]),
    ("results.json", "removed", V, 1, "report/results.json is not in the bundle", ["remove~report/results.json", SEAL]),
    ("results.json", "of another version", V, 3, "made by shakedown 0.0.9", [f'sub~report/results.json~{RMAX}~"rmax_gflops": 99.5', "version~0.0.9", SEAL]),
    ("the report", "edited", V, 1, "report/report.html is not the report that the logs give", ["sub~report/report.html~</html>~<!-- --></html>", SEAL]),
    ("the report", "beside a mask", V, 1, "report/report.html is not the report that the logs give", ['sub~report/results.json~"system": "test"~"system": "(secret)"', "sub~report/report.html~accepted~ACCEPTED", SEAL]),
    ("the report", "removed", V, 1, "report/report.html is not in the bundle", ["remove~report/report.html", SEAL]),
    ("a row of the store", "its validity", V, 1, "store/attempts.jsonl:1: results", ['sub~store/attempts.jsonl~"validity":"valid"~"validity":"unknown"', SEAL]),
    ("a row of the store", "its value", V, 1, "store/attempts.jsonl:1: results[0 hpl].metrics.rmax_gflops", ['sub~store/attempts.jsonl~"rmax_gflops":[0-9.]*~"rmax_gflops":99.5', SEAL]),
    ("a row of the store", "its state", V, 1, "store/attempts.jsonl:1: state", ['sub~store/attempts.jsonl~"finished"~"lost"', SEAL]),
    ("a row of the store", "a rule", V, 1, "store/attempts.jsonl:1: results[0 hpl].rules[", ['sub~store/attempts.jsonl~"status":"pass"~"status":"fail"', SEAL]),
    ("a row of the store", "its hash", V, 1, "store/attempts.jsonl:1: record_sha256", ['sub~store/attempts.jsonl~"record_sha256":"[0-9a-f]{8}~"record_sha256":"00000000', SEAL]),
    ("a row of the store", "deleted", V, 1, "store/attempts.jsonl has 1 attempts, and the run directories have 2", [lines_of("store/attempts.jsonl", lambda all: all[:1]), SEAL]),
    ("a row of the store", "swapped", V, 1, "store/attempts.jsonl:1: case", [lines_of("store/attempts.jsonl", lambda all: all[::-1]), SEAL]),
    ("a row of the store", "all removed", V, 1, "store/attempts.jsonl is not in the bundle", ["remove~store/attempts.jsonl", SEAL]),
    # Earlier campaigns, and acceptances.
    ("an earlier campaign hidden", "", V, 1, f"store/others.json lacks {FIRST} (not accepted), which campaigns.jsonl has", [document("store/others.json", lambda d: d["earlier"].pop(0)), SEAL]),
    ("an earlier campaign hidden", "in the list", V, 1, "campaigns before it are missing: campaigns.jsonl lacks the line that the commitment names", [rechained("campaigns.jsonl", lambda line: line["campaign"] != FIRST, "0" * 64), SEAL]),
    ("an earlier campaign hidden", "with the list", V, 1, "campaigns before it are not known: campaigns.jsonl is not in the workspace", ["remove~campaigns.jsonl", SEAL]),
    ("an earlier campaign's verdict", "", V, 1, f"store/others.json has the verdict 'accepted' of {FIRST}, and campaigns.jsonl 'not accepted'", [document("store/others.json", lambda d: d["earlier"][0].update(verdict="accepted")), SEAL]),
    ("an earlier campaign's verdict", "in the list", V, 1, "of campaigns.jsonl does not follow line", ["sub~campaigns.jsonl~not accepted~accepted", SEAL]),
    ("an earlier campaign's criteria", "", V, 1, f"store/others.json has {SECOND} by other criteria, and campaigns.jsonl by these", [document("store/others.json", lambda d: d["earlier"][1].update(same_criteria=False)), SEAL]),
    ("an acceptance", "forged", V, 1, "accepted.jsonl:3 does not name the SHA-256 of line 2", [lines_of("accepted.jsonl", lambda all: all + [re.sub(rb',"prev":"[0-9a-f]*"', b"", all[-1])]), SEAL]),
    ("an acceptance", "by somebody else", V, 1, "accepted.jsonl:2", ['sub~accepted.jsonl~"by":"me"~"by":"the customer"', SEAL]),
    # Manifest and signatures.
    ("the manifest", "its root", V, 1, "MANIFEST.json states the root", ['sub~MANIFEST.json~"root": "[0-9a-f]{8}~"root": "00000000']),
    ("the manifest", "a size", V, 1, "bytes, and the manifest states", [manifest(lambda m: m["files"][0].update(bytes=m["files"][0]["bytes"] + 1))]),
    ("the manifest", "a hash", V, 1, "and the manifest states " + "0" * 64, [manifest(lambda m: m["files"][0].update(sha256="0" * 64))]),
    ("the manifest", "a file less", V, 1, "is not in the manifest", [manifest(lambda m: m["files"].pop())]),
    ("the manifest", "a file left out", V, 1, "MANIFEST.json states the root", [manifest(lambda m: m["left_out"].append({"path": "x", "because": "holds secrets"}))]),
    ("the manifest", "its version", V, 1, "MANIFEST.json states the root", ['sub~MANIFEST.json~"tool_version": "~"tool_version": "9']),
    ("the manifest", "a line in a reason", V, 2, "holds a line break in a name", [manifest(lambda m: m["left_out"].append({"path": "x", "because": "y\nfile z 1 " + "0" * 64}))]),
    ("a signature", "by another name", "signed", 1, "vendor: ACNE is not by its key", ["sub~SIGNATURES.jsonl~ACME~ACNE"]),
    ("a signature", "of another time", "signed", 1, "vendor: ACME is not by its key", ['sub~SIGNATURES.jsonl~"time":"2~"time":"1']),
    ("a signature", "cut", "signed", 2, "is no signature", [lines_of("SIGNATURES.jsonl", lambda all: [all[0][:-40]])]),
    ("a signature", "with a digit changed", "signed", 1, "vendor: ACME is not by its key", ['sub~SIGNATURES.jsonl~"signature":"..~"signature":"AA']),
    ("a signature", "of another bundle", "signed", 1, "vendor: ACME is of another bundle", [signature_of("other")]),
    ("a signature", "removed", "signed", 3, "no signature is by the key of acme.pub", ["remove~SIGNATURES.jsonl", "--public acme.pub", "beside~signed"]),
    ("a signature", "all removed", "signed", 3, "the bundle is not signed, and a signature by the key of acme.pub was asked for", ["remove~SIGNATURES.jsonl", "--public acme.pub"]),
    ("a signature", "by a stranger", "signed", 3, "no signature is by the key of stranger.pub", ["--public stranger.pub"]),
    ("a signature", "of what was changed", "signed", 1, "vendor: ACME is of another bundle", ["sub~report/report.html~</html>~<!-- --></html>", SEAL]),
    ("a countersignature", "removed", "signed", 3, "no signature is by the key of customer.pub", ["--public acme.pub --public customer.pub"]),
    ("a countersignature", "of another bundle", "signed", 1, "customer: University is of another bundle", ["beside~other"]),
    ("a countersignature", "by another name", "signed", 1, "customer: Universety is not by its key", ["beside~signed~University~Universety"]),
    # A redacted bundle: what it withholds, and of which bundle.
    ("a withheld file", "its hash, as it is", "redacted", 1, "MANIFEST.json states the root", [withheld(lambda all: all[0].update(sha256="0" * 64))]),
    ("a withheld file", "its hash, sealed", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: all[0].update(sha256="0" * 64)), SEAL]),
    ("a withheld file", "its size", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: all[0].update(bytes=7)), SEAL]),
    ("a withheld file", "its name", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: all[0].update(path="withheld-0")), SEAL]),
    ("a withheld file", "one less", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: all.pop()), SEAL]),
    ("a withheld file", "one more", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: all.append(dict(all[0], path="more"))), SEAL]),
    ("a withheld file", "two swapped", "redacted", 1, "vendor: ACME is of another bundle", [withheld(lambda all: (all[0].update(sha256=all[1]["sha256"]), all[1].update(sha256="1" * 64))), SEAL]),
    ("a withheld file", "the results, unsigned", "redacted", 1, "is redacted from a document that is not among those withheld", [withheld(without_results), UNSIGNED, SEAL]),
    ("a withheld file", "all of them, unsigned", "redacted", 1, "is redacted from a document that is not among those withheld", [withheld(lambda all: all.clear()), UNSIGNED, SEAL]),
    ("a withheld file", "outside of the bundle", "redacted", 2, "withholds '../plan.json', which leads out of its folder", [withheld(lambda all: all[0].update(path="../plan.json")), SEAL]),
    ("a withheld file", "no SHA-256", "redacted", 2, "states a hash that is no SHA-256", [withheld(lambda all: all[0].update(sha256="x")), SEAL]),
    ("a withheld file", "no number of bytes", "redacted", 2, "states a size that is no number of bytes", [withheld(lambda all: all[0].update(bytes=-1)), SEAL]),
    ("a withheld file", "of a whole bundle", V, 2, "withholds files, and names no bundle that holds them", [manifest(lambda m: m.update(withheld=[{"path": "a", "bytes": 0, "sha256": "0" * 64}])), SEAL]),
    ("the bundle that was redacted", "as it is", "redacted", 1, "MANIFEST.json states the root", [manifest(lambda m: m.update(redacted_of="0" * 64))]),
    ("the bundle that was redacted", "another one", "redacted", 1, "vendor: ACME is of another bundle", [manifest(lambda m: m.update(redacted_of="0" * 64)), SEAL]),
    ("the bundle that was redacted", "none", "redacted", 2, "withholds files, and names no bundle that holds them", [manifest(lambda m: m.pop("redacted_of")), SEAL]),
    ("the bundle that was redacted", "no root", "redacted", 2, "states a root that is no SHA-256", [manifest(lambda m: m.update(redacted_of="x")), SEAL]),
    ("the bundle that was redacted", "a whole one said to be redacted", V, 1, "has no place in a bundle", [manifest(lambda m: m.update(redacted_of="0" * 64)), SEAL]),
    ("a redacted verdict", "signed", "redacted", 1, "vendor: ACME is of another bundle", ['sub~report/results.json~"verdict": "pass"~"verdict": "fail"', SEAL]),
    ("a redacted verdict", "unsigned", "redacted", 3, "nothing was judged again", ['sub~report/results.json~"verdict": "pass"~"verdict": "fail"', UNSIGNED, SEAL]),
    ("a redacted verdict", "of other results", "redacted", 1, "is redacted from a document that is not among those withheld", ['sub~report/results.json~"results_sha256": "[0-9a-f]{8}~"results_sha256": "00000000', UNSIGNED, SEAL]),
    ("a redacted verdict", "of another journal", "redacted", 1, "has another first_root than the manifest", ['sub~report/results.json~"first_root": "[0-9a-f]{8}~"first_root": "00000000', UNSIGNED, SEAL]),
    ("a redacted bundle", "a file of the whole one added", "redacted", 1, "has no place in a bundle", [f"add~{OWN}/plan.json~{{}}", UNSIGNED, SEAL]),
    ("a redacted bundle", "a folder added", "redacted", 1, "has no place in a bundle", [manifest(lambda m: m["folders"].append("x")), UNSIGNED, SEAL]),
    ("a redacted bundle", "its verdict removed", "redacted", 1, "report/results.json is not in the bundle", ["remove~report/results.json", UNSIGNED, SEAL]),
    ("a redacted bundle", "its journal's root", "redacted", 1, "has another last_root than the manifest", [manifest(lambda m: m.update(last_root="0" * 64)), UNSIGNED, SEAL]),
    # Masked secrets.
    ("a masked text", "within its mask", "secret", 1, "store/attempts.jsonl:2: failure", ["sub~store/attempts.jsonl~no \\(secret[^)]*\\) for~no (secret 7) for", SEAL]),
    ("a masked text", "beside its mask", "secret", 1, "store/attempts.jsonl:2: failure", ["sub~store/attempts.jsonl~for you~for me", SEAL]),
    ("a masked text", "in results.json", "secret", 1, "report/results.json: sentence", ["sub~report/results.json~for you~for me", SEAL]),
    ("a masked text", "an excerpt", "secret", 1, "store/attempts.jsonl:1", ['sub~store/attempts.jsonl~stdout.log","=~stdout.log","-', SEAL]),
    ("a masked text", "a value beside it", "secret", 1, "saved       99.5", [f'sub~report/results.json~{RMAX}~"rmax_gflops": 99.5', SEAL]),
    ("a masked text", "the report", "secret", 1, "report/report.html is not the report that the logs give", ["sub~report/report.html~</html>~<!-- --></html>", SEAL]),
    # Scheduled checks.
    ("a check's run", "", "check", 1, "regression.json is not the verdict that the scheduled check came to", ['sub~*/regression.json~"runs": \\[\\s*[0-9.]+~"runs": [99.5', SEAL]),
    ("a check's run", "with journal and list", "check", 1, "has the runs 99.5", check_forged(lambda d: d["series"][0]["checks"][-1].update(runs=[99.5]))),
    ("a check's verdict", "with journal and list", "check", 1, "regression.json: sentence", check_forged(lambda d: d.update(sentence="regression check: no alarm"))),
    ("a check's state", "with journal and list", "check", 1, "regression.json: series[0 fp64_gflops].watch", check_forged(lambda d: d["series"][0].update(watch="in control"))),
    ("a check's series", "removed, with journal and list", "check", 1, "is not judged, and the check's logs have values of it", check_forged(lambda d: d.update(series=[]))),
    ("a check's floor", "with journal and list", "check", 1, "has another floor than regression.toml states", check_forged(lambda d: d["series"][0].update(floor=0.5))),
    ("a check's verdict", "its line alone cut off", "check", 1, "the journal no longer has the line that it ended with", [lines_of(f"campaigns/{sorted(os.listdir('w/campaigns'))[0]}/journal.jsonl", lambda all: all[:-1]), SEAL]),
    ("a check's verdict", "removed", "check", 1, "regression.json, the verdict of the scheduled check, is gone", ["remove~*/regression.json", SEAL]),
    ("a check's configuration", "", "check", 1, "regression.toml in the campaign's folder is not the one", ["sub~*/regression.toml~limit = 1~limit = 2", SEAL]),
    ("earlier checks' values", "", "later", 3, "values of 1 earlier check are as regression.json states them", []),
    # Workspaces: report names it, and accept refuses.
    ("workspace: a digit in a log", "", "kept", 4, "is not the file that was collected", [text_of(at("one/attempt-1/stdout.log"), "5", "6")]),
    ("workspace: a digit in a log", "stored anew", "kept", 2, "no campaign", [text_of(at("one/attempt-1/stdout.log"), "5", "6", stored_anew)]),
    ("workspace: a log with its hash in the journal", "stored anew", "kept", 3, "of the journal does not follow line", [lambda w: log_in(w), stored_anew]),
    ("workspace: a swapped file", "", "kept", 4, "is not the file that was collected", [lambda w: shutil.copy(at("two/attempt-1/stdout.log")(w), at("one/attempt-1/stdout.log")(w))]),
    ("workspace: an edited limit", "", "kept", 3, f"criteria.toml {NOT_THE_ONE}", [text_of(at("criteria.toml"), "0[.]001", "0.0001")]),
    ("workspace: an edited limit", "stored anew", "kept", 3, f"criteria.toml {NOT_THE_ONE}", [text_of(at("criteria.toml"), "0[.]001", "0.0001", stored_anew)]),
    ("workspace: a removed criterion", "", "kept", 3, f"criteria.toml {NOT_THE_ONE}", [text_of(at("criteria.toml"), '(?s)\\[\\[criteria\\]\\]\\nid = "valid".*?(?=\\[\\[)', "")]),
    ("workspace: an edited inventory", "", "kept", 3, f"inventory.json {NOT_THE_ONE}", [text_of(at("inventory.json"), "[0-9]", "9")]),
    ("workspace: an edited plan", "", "kept", 3, f"plan.json {NOT_THE_ONE}", [text_of(at("plan.json"), '"ranks": 2', '"ranks": 4')]),
    ("workspace: another kind of campaign", "stored anew", "kept", 3, f"campaign.json {NOT_THE_ONE}", [text_of(at("campaign.json"), "acceptance", "screening", stored_anew)]),
    ("workspace: a configuration added", "", "kept", 3, "acceptance.toml in the campaign's folder was not there when the campaign was bound", [lambda w: open(at("acceptance.toml")(w), "w").write("title = 'x'")]),
    ("workspace: no journal", "", "kept", 3, "journal.jsonl is gone", [removed(at("journal.jsonl"))]),
    ("workspace: a deleted attempt", "stored anew", "kept", 3, "not checked against the run directories, which are not here: one/attempt-1", [removed(at("one/attempt-1")), stored_anew]),
    ("workspace: an added attempt", "", "kept", 3, "attempt 2 of one has a folder, and no line of the journal announces it", [lambda w: shutil.copytree(at("one/attempt-1")(w), at("one/attempt-2")(w))]),
    ("workspace: a copied campaign", "", "kept", 3, f"campaign.json {NOT_THE_ONE}", [copied, "report 2026-01-01"]),
    ("workspace: an expired waiver revived", "in the store", "waived", 4, "was created at 2017-07-14T02:40:00Z in the store", [waiver_in_time]),
    ("workspace: an expired waiver revived", "by the end in the store", "waived", 4, "in the store, when none of its attempts did", [stored("UPDATE campaign SET finished_s = 1500000100")]),
    ("workspace: an expired waiver revived", "by no end in the store", "waived", 4, "in the store, when none of its attempts did", [stored("UPDATE campaign SET finished_s = 0")]),
    ("workspace: an earlier campaign's folder", "gone", "kept", 0, f"not accepted ({FIRST}, its folder is gone)", [lambda w: shutil.rmtree(f"{w}/campaigns/{FIRST}"), "accepted"]),
    ("workspace: an earlier campaign's folder", "gone with the store's rows", "kept", 0, f"not accepted ({FIRST}, its folder is gone)", [lambda w: shutil.rmtree(f"{w}/campaigns/{FIRST}"), stored_anew, "accepted"]),
    ("workspace: the list", "cut", "kept", 0, "line 1 of campaigns.jsonl follows a line that is not there", [text_of(lambda w: w + "/campaigns.jsonl", "[^\n]*\n", ""), "accepted"]),
    ("workspace: a job's file", "", "kept", 3, "jobs/job-1/job.json is not the file that the campaign ended with", [text_of(at("jobs/job-1/job.json"), '"attempt": 1', '"attempt": 2')]),
    ("workspace: a job's file", "removed", "kept", 3, "jobs/job-1/job.json, which the campaign ended with, is gone", [removed(at("jobs/job-1/job.json"))]),
    ("workspace: a script's data swapped between two runs", "", "swapped", None, "has SHA-256", []),
    ("workspace: a script's data swapped between two runs", "and hidden in the hashes that the node knows", "hidden", 3, f"environment-{HOST}.json was edited before", []),
]

STORE = [
    ("metric_value", "UPDATE metric_value SET value = 4 * value", "is not what was collected: "),
    ("result", "UPDATE result SET validity = 'unknown'", "is not what was collected"),
    ("rule", "UPDATE rule SET status = 'fail'", "is not what was collected"),
    ("rule", "DELETE FROM rule", "is not what was collected"),
    ("parameter", "UPDATE parameter SET value = '9'", "is not what was collected"),
    ("fact", "UPDATE fact SET value = value || 'x'", "is not what was collected"),
    ("attempt", "UPDATE attempt SET state = 'lost'", "is lost in the store and finished by its run directory"),
    ("attempt", "UPDATE attempt SET failure = 'cooling'", "is not what was collected"),
    ("attempt", "UPDATE attempt SET started_s = started_s - 1000", "is not what was collected"),
    ("attempt", "UPDATE attempt SET wall_s = wall_s / 2", "is not what was collected"),
    ("attempt", "DELETE FROM attempt", "is missing from the store"),
    ("attempt_file", "UPDATE attempt_file SET excerpt = excerpt || 'x' WHERE name = 'stdout.log'", "the store has other excerpts of its files"),
    ("attempt_file", "UPDATE attempt_file SET sha256 = ''", "is not what was collected"),
    ("node_reading", "UPDATE node_reading SET at_end = '0'", "is not what was collected"),
    ("environment", "UPDATE environment SET value = value || 'x'", "in the store, which no environment.json states"),
    ("environment", "DELETE FROM environment", "in the store, which one/attempt-1/environment.json states"),
    ("planned_case", "UPDATE planned_case SET document = replace(document, '2', '4')", "has another plan in the store than in its campaign's folder"),
    ("planned_case", "DELETE FROM planned_case WHERE name = 'two'", "two is a case of its campaign's folder that the store does not have"),
    ("campaign", "UPDATE campaign SET criteria = replace(criteria, '0.001', '0.0001')", "the criteria in the store are not those|has other criteria in the store than in its criteria.toml"),
    ("campaign", "UPDATE campaign SET criteria_name = 'x.toml'", "names another file of criteria in the store than in its campaign.json"),
    ("campaign", f"UPDATE campaign SET inventory = replace(inventory, '{HOST}', 'x{HOST}')", "has another inventory in the store than in its inventory.json"),
    ("campaign", "UPDATE campaign SET kind = 'screening'", "is a campaign (screening) of test in the store, and (acceptance) of test in its folder"),
    ("campaign", "UPDATE campaign SET created_s = created_s - 9", "was created at"),
    ("campaign", "UPDATE campaign SET baseline = ''", "names other published values in the store than in its campaign.json"),
    ("campaign", "UPDATE campaign SET commitment = '0'", "has another commitment in the store than in its journal's first line"),
    ("committed_part", "UPDATE committed_part SET sha256 = '0' WHERE name = 'criteria.toml'", "has another commitment in the store than in its journal's first line"),
    ("exclusion", "INSERT INTO exclusion VALUES ((SELECT max(id) FROM campaign), 0, 'cn1', 'slow', 0)", "is excluded in the store but not in the campaign's journal"),
    ("criteria_revision", "INSERT INTO criteria_revision SELECT max(id), 2, 'x', criteria, 'because', 1e9 FROM campaign", "has other revisions of its criteria in the store than in its folder"),
]


def log_in(w):
    files = {LOG: open(at("one/attempt-1/stdout.log")(w), "rb").read(), JOURNAL: open(at("journal.jsonl")(w), "rb").read()}
    log_with_its_hash(files)
    open(at("one/attempt-1/stdout.log")(w), "wb").write(files[LOG])
    open(at("journal.jsonl")(w), "wb").write(files[JOURNAL])


def shakedown(*arguments):
    done = subprocess.run([SHAKEDOWN, *arguments], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def verified(base, edits):
    files, options, version, beside = files_of(base), [], "", None
    for edit in edits:
        if callable(edit):
            edit(files)
        elif edit.startswith("--"):
            options = edit.split()
        elif edit.startswith("beside~"):
            beside = edit.split("~")[1:]
        else:
            version = tampered_bundle.apply(files, edit, version)
    tampered_bundle.write("t.tar.zst", files)
    if os.path.exists("t.tar.zst.sig"):
        os.remove("t.tar.zst.sig")
    if beside:
        text = open(beside[0] + ".tar.zst.sig").read()
        open("t.tar.zst.sig", "w").write(text.replace(*beside[1:]) if beside[1:] else text)
    return shakedown("verify", "t.tar.zst", *options)


def reported(base, edits):
    """What `report` says of an edited workspace, and why `accept` does not refuse it; empty: it does."""
    shutil.rmtree("changed", ignore_errors=True)
    shutil.copytree(base, "changed", symlinks=True)
    # Stored anew of what `accept` saw before: the acceptance itself would refuse it.
    if os.path.exists("changed/accepted.jsonl"):
        os.remove("changed/accepted.jsonl")
    campaign, refused = WORKSPACE[base], True
    for edit in edits:
        if callable(edit):
            edit("changed")
        elif edit == "accepted":
            refused = False
        else:
            campaign = edit.split()[1]
    code, text = shakedown("report", campaign, "-w", "changed")
    taken, _ = shakedown("accept", campaign, "--by", "me", "--why", "test", "-w", "changed")
    return code, text, "accept takes it" if refused and taken == 0 else ""


def swapped(plan):
    code, text = shakedown("run", "--here", "--plan", plan + ".json", "--criteria", "contract.toml", "--progress", "none", "-w", plan)
    return (code if code != 0 else -1), text


def main():
    table = [(kind, name, V, 1, words, edits) for kind, name, words, edits in journal_lines()]
    table += TABLE
    table += [(f"store: {name}", statement, "kept", None, words, [stored(statement)]) for name, statement, words in STORE]
    wrong = []
    for base in ("plain", "signed", "waived", "secret", "check", "redacted"):
        code, text = verified(base, [])
        if code != (3 if base == "redacted" else 0):
            wrong.append(f"the untouched bundle {base}: exit {code}\n{text}")
    code, text = shakedown("report", C, "-w", "kept")
    if code != 0:
        wrong.append(f"the untouched workspace: exit {code}\n{text}")
    for kind, name, base, want, words, edits in table:
        taken = ""
        if base in ("swapped", "hidden"):
            code, text = swapped(base)
        elif kind.startswith(("workspace: ", "store: ")):
            code, text, taken = reported(base, edits)
        else:
            try:
                code, text = verified(base, edits)
            except SystemExit as nothing:  # it changes nothing
                code, text = 0, str(nothing)
        good = code == want if want is not None else code in (1, 3, 4)
        if not good or taken or not any(each in text for each in words.split("|")):
            wrong.append(f"{kind}, {name}: exit {code}, expected {want}: {taken or words}\n{text}")
    kinds = {kind for kind, *_ in table}
    for each in wrong:
        print("\nFAIL ", each[:1500])
    print(f"{len(table)} tamperings of {len(kinds)} kinds: {len(table) - len(wrong)} found, and named at their place")
    sys.exit(1 if wrong else 0)


main()

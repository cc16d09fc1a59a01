"""Writes small bundles (tar, not compressed), manifests and signatures into a folder: what the reader of archives is
fuzzed from."""

import hashlib
import io
import json
import os
import sys
import tarfile


def manifest_of(files):
    return {
        "schema": "shakedown.bundle/1",
        "tool_version": "0.1.0",
        "campaign": "c",
        "first_root": "",
        "last_root": "0" * 64,
        "root": "0" * 64,
        "files": [
            {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in sorted(files.items())
        ],
        "folders": ["campaigns/c/empty"],
        "left_out": [{"path": "campaigns/c/secrets.env", "because": "holds secrets"}],
    }


def redacted(files):
    """A redacted bundle's: all but these files is withheld."""
    withheld = {"campaigns/c/journal.jsonl": b"{}\n", "report/results.json": b"{}", "withheld-7": b""}
    manifest = manifest_of(files)
    manifest.update(folders=[], withheld=manifest_of(withheld)["files"], redacted_of="1" * 64)
    return manifest


def bundle(archive_format, files, signatures="", manifest=None):
    entries = [("MANIFEST.json", json.dumps(manifest or manifest_of(files)).encode())]
    if signatures:
        entries.append(("SIGNATURES.jsonl", signatures.encode()))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=archive_format) as archive:
        for name, content in entries + sorted(files.items()):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def main():
    signature = {"schema": "shakedown.signature/1", "role": "vendor", "name": "ACME", "public_key": "AA==",
                 "time": "2026-01-01T00:00:00Z", "root": "0" * 64, "signature": "AA=="}
    signature = json.dumps(signature) + "\n"
    report = {"report/report.html": b"<html>", "report/results.json": b"{}\n", "timestamps/1.tsr": b"0"}
    seeds = {
        "ustar": bundle(tarfile.USTAR_FORMAT, {"a/b": b"text\n"}),
        "pax": bundle(tarfile.PAX_FORMAT, {"a/" + "x" * 120: b"text\n", "odd %25": b""}, signature),
        "gnu": bundle(tarfile.GNU_FORMAT, {"a/" + "y" * 200: b"text\n" * 300}),
        "redacted": bundle(tarfile.PAX_FORMAT, report, signature, redacted(report)),
        "manifest": json.dumps(manifest_of({"a/b": b"text\n"})).encode(),
        "redacted-manifest": json.dumps(redacted(report)).encode(),
        "signatures": 2 * signature.encode(),
    }
    for name, content in seeds.items():
        with open(os.path.join(sys.argv[1], name), "wb") as out:
            out.write(content)


main()

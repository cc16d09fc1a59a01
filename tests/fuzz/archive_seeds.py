"""Writes small bundles (tar, not compressed) into a folder: what the reader of archives is fuzzed from."""

import hashlib
import io
import json
import os
import sys
import tarfile


def bundle(archive_format, files, signatures=""):
    manifest = {
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
    entries = [("MANIFEST.json", json.dumps(manifest).encode())]
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
    seeds = {
        "ustar": bundle(tarfile.USTAR_FORMAT, {"a/b": b"text\n"}),
        "pax": bundle(tarfile.PAX_FORMAT, {"a/" + "x" * 120: b"text\n", "odd %25": b""}, json.dumps(signature) + "\n"),
        "gnu": bundle(tarfile.GNU_FORMAT, {"a/" + "y" * 200: b"text\n" * 300}),
    }
    for name, content in seeds.items():
        with open(os.path.join(sys.argv[1], name), "wb") as out:
            out.write(content)


main()

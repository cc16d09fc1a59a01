"""Makes a changed copy of a bundle: tampered_bundle.py IN OUT EDIT...

EDIT, in this order of application:
  sub~PATH~REGEX~TEXT   in each file whose path matches the shell pattern PATH (SIGNATURES.jsonl and MANIFEST.json too)
  add~PATH~TEXT         a further file
  remove~PATH           one less
  seal                  the manifest is written anew, with its root, as whoever forges a bundle would do
  version~TEXT          the manifest's version of shakedown, before it is sealed
"""

import fnmatch
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile


def read(path):
    data = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            files[member.name] = archive.extractfile(member).read()
    return files


def root_of(manifest):
    lines = [f"{name} {manifest[name]}\n" for name in ("campaign", "first_root", "last_root", "tool_version")]
    lines += [f"file {each['path']} {each['bytes']} {each['sha256']}\n" for each in manifest["files"]]
    lines += [f"folder {each}\n" for each in manifest["folders"]]
    lines += [f"left_out {each['path']} {each['because']}\n" for each in manifest["left_out"]]
    lines += [f"withheld {each['path']} {each['bytes']} {each['sha256']}\n" for each in manifest.get("withheld", [])]
    lines += [f"redacted_of {manifest['redacted_of']}\n"] if "redacted_of" in manifest else []
    return hashlib.sha256(b"".join(sorted(line.encode() for line in lines))).hexdigest()


def seal(files, version):
    manifest = json.loads(files["MANIFEST.json"])
    if version:
        manifest["tool_version"] = version
    manifest["files"] = [
        {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in sorted(files.items())
        if path not in ("MANIFEST.json", "SIGNATURES.jsonl")
    ]
    journal = files.get(f"campaigns/{manifest['campaign']}/journal.jsonl")
    if journal:
        manifest["last_root"] = hashlib.sha256(journal.splitlines(keepends=True)[-1]).hexdigest()
    manifest["root"] = root_of(manifest)
    files["MANIFEST.json"] = json.dumps(manifest).encode()


def write(path, files):
    buffer = io.BytesIO()
    first = [name for name in ("MANIFEST.json", "SIGNATURES.jsonl") if name in files]
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in first + sorted(set(files) - set(first)):
            info = tarfile.TarInfo(name)
            info.size = len(files[name])
            archive.addfile(info, io.BytesIO(files[name]))
    subprocess.run(["zstd", "-qf", "-o", path], input=buffer.getvalue(), check=True)


def apply(files, edit, version=""):
    """Applies one edit; the version that the next seal states."""
    kind, *rest = edit.split("~", 3)
    if kind == "sub":
        pattern, regex, text = rest
        changed = 0
        for path in fnmatch.filter(list(files), pattern):
            new = re.sub(regex.encode(), text.encode(), files[path], count=1)
            changed += new != files[path]
            files[path] = new
        if not changed:
            sys.exit(f"{edit}: changes nothing")
    elif kind == "add":
        files[rest[0]] = "~".join(rest[1:]).encode()
    elif kind == "remove":
        found = fnmatch.filter(list(files), rest[0])
        if not found:
            sys.exit(f"{edit}: removes nothing")
        for path in found:
            del files[path]
    elif kind == "version":
        return rest[0]
    elif kind == "seal":
        seal(files, version)
    else:
        sys.exit(f"{edit}: no such edit")
    return version


def main():
    files = read(sys.argv[1])
    version = ""
    for edit in sys.argv[3:]:
        version = apply(files, edit, version)
    write(sys.argv[2], files)


if __name__ == "__main__":
    main()

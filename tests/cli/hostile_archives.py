"""Writes hostile archives into a folder: hostile_archives.py BUNDLE FOLDER. BUNDLE is an honest one.

Each file NAME.tar.zst has a NAME.says beside it: what must be said of it."""

import io
import json
import os
import subprocess
import sys
import tarfile

ZEROS = 1 << 20


def compressed(data, *options):
    return subprocess.run(["zstd", "-qc", *options], input=data, check=True, capture_output=True).stdout


def tar(entries, archive_format=tarfile.PAX_FORMAT):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=archive_format) as archive:
        for entry in entries:
            info, content = entry if isinstance(entry[0], tarfile.TarInfo) else (tarfile.TarInfo(entry[0]), entry[1])
            if info.type in (tarfile.REGTYPE, tarfile.GNUTYPE_SPARSE):
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                archive.addfile(info)
    return buffer.getvalue()


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info, b""


def main():
    bundle, folder = sys.argv[1:]
    honest = open(bundle, "rb").read()
    plain = subprocess.run(["zstd", "-dcq", bundle], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        files = [(member.name, archive.extractfile(member).read()) for member in archive]
    manifest = json.loads(files[0][1])
    first = manifest["files"][0]["path"]

    def put(name, data, says):
        with open(os.path.join(folder, name + ".tar.zst"), "wb") as out:
            out.write(data)
        with open(os.path.join(folder, name + ".says"), "w") as out:
            out.write(says)

    def with_manifest(**changes):
        return ("MANIFEST.json", json.dumps({**manifest, **changes}).encode())

    def listed(path, size=3):
        return {"path": path, "bytes": size, "sha256": "0" * 64}

    def added(name, entry, says):
        put(name, compressed(tar([*files, entry])), says)

    # Names in the archive.
    added("absolute", ("/tmp/evil", b"bad"), "called '/tmp/evil', which is absolute")
    added("parent", ("../evil", b"bad"), "called '../evil', which leads out of its folder")
    added("parent-within", ("campaigns/../../evil", b"bad"), "which leads out of its folder")
    added("encoded-parent", ("campaigns/%2E%2E/evil", b"bad"), "holds bytes that a bundle writes otherwise")
    added("control", ("campaigns/\x1b[2Jevil", b"bad"), "holds bytes that a bundle writes otherwise")
    added("utf8", ("campaigns/\u202eevil", b"bad"), "holds bytes that a bundle writes otherwise")
    added("long", ("campaigns/" + "x" * 300, b"bad"), "has a part of more than 255 bytes")
    added("very-long", ("a/" * 3000 + "x", b"bad"), "is longer than 4096 bytes")
    added("empty-part", ("campaigns//evil", b"bad"), "has an empty part")
    # Kinds of files.
    added("symlink", special("campaigns/link", tarfile.SYMTYPE, "/etc/passwd"), "which is a symbolic link")
    added("hardlink", special("campaigns/link", tarfile.LNKTYPE, first), "which is a hard link")
    added("device", special("campaigns/null", tarfile.CHRTYPE), "which is a device")
    added("fifo", special("campaigns/pipe", tarfile.FIFOTYPE), "which is a pipe")
    added("folder", special("campaigns/folder", tarfile.DIRTYPE), "which is a folder")
    # Twice, and more than was announced.
    added("twice", files[-1], "twice")
    added("two-manifests", files[0], "holds MANIFEST.json twice")
    put("bomb", compressed(tar([*files, ("campaigns/bomb", b"\0" * (70 * ZEROS))])), "holds more than its manifest announces")
    put("flood", compressed(tar([*files, *((f"campaigns/{i}", b"") for i in range(1200))])), "has more than 1000 files")
    # The manifest.
    put("no-manifest", compressed(tar(files[1:])), "is no bundle: its first file is")
    put("manifest-later", compressed(tar([files[1], files[0], *files[2:]])), "is no bundle: its first file is")
    put("manifest-parent", compressed(tar([with_manifest(files=[listed("../evil")]), ("../evil", b"bad")])),
        "names '../evil', which leads out of its folder")
    put("manifest-twice", compressed(tar([with_manifest(files=[listed("a/b"), listed("a/b")])])), "names 'a/b' twice")
    put("manifest-folder", compressed(tar([with_manifest(files=[listed("a/b"), listed("a/b/c")])])),
        "names 'a/b' as a file and as a folder")
    put("manifest-sizes", compressed(tar([with_manifest(files=[listed("a/b", 1 << 62), listed("a/c", 1 << 62)])])),
        "announces more bytes than any disk has")
    put("manifest-space", compressed(tar([with_manifest(files=[listed("a/b", 1 << 60)])])), "the bundle announces")
    put("manifest-negative", compressed(tar([with_manifest(files=[listed("a/b", -1)])])), "a size that is no number of bytes")
    put("manifest-deep", compressed(tar([("MANIFEST.json", b"[" * 100000)])), "is no manifest of a bundle")
    put("manifest-large", compressed(tar([("MANIFEST.json", b" " * (65 * ZEROS))])), "at most 64 MiB are read")
    put("manifest-campaign", compressed(tar([with_manifest(campaign="../../evil", files=[])])), "names no campaign")
    # The archive itself.
    put("gzip", subprocess.run(["gzip", "-c"], input=plain, check=True, capture_output=True).stdout, "not compressed with zstd")
    put("uncompressed", plain, "not compressed with zstd")
    put("empty", b"", "not compressed with zstd")
    put("cut", honest[: len(honest) // 2], "is cut")
    put("cut-tar", compressed(plain[: len(plain) // 2 // 512 * 512]), "")
    put("damaged", honest[:2000] + bytes([honest[2000] ^ 255]) + honest[2001:], "copy the file again")
    put("trailing", honest + b"more", "goes on behind the end of the archive")
    put("two-frames", honest + compressed(b"more"), "goes on behind the end of the archive")
    put("skippable", honest + b"\x50\x2a\x4d\x18\x04\0\0\0evil", "goes on behind the end of the archive")
    put("trailing-tar", compressed(plain + b"\0" * 512 + b"evil" * 128), "goes on behind the end of the archive")
    put("zeros-behind", compressed(plain + b"\0" * (200 * ZEROS)), "goes on behind the end of the archive")
    put("window", compressed(plain * 300, "--ultra", "--long=27", "-3"), "copy the file again")
    put("no-tar", compressed(b"evil" * 4096), "is no tar archive")
    put("zip", compressed(b"PK\x03\x04" + b"\0" * 4096), "")


main()

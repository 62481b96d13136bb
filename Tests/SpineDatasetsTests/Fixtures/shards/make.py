"""Writes the archives of this folder, each by another program: python3 make.py (needs GNU tar and webdataset 1.0.2)."""
import io
import json
import os
import struct
import subprocess
import tarfile
import tempfile
import zlib

import webdataset


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(grey):
    """Two by two pixels of one grey."""
    header = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
    rows = bytes([0, grey, grey]) * 2
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def label(title):
    return {"category": "vertical", "title": title, "transcription": title, "orientation": "cw"}


FILES = [
    ("photos/a.png", png(10)),
    ("photos/a.json", json.dumps(label("A"), indent=2).encode()),
    ("photos/b%s.png" % ("b" * 120), png(20)),
    ("photos/b%s.json" % ("b" * 120), json.dumps(label("B")).encode()),
    ("photos/ü.png", png(30)),
    ("photos/ü.json", json.dumps(label("Ü"), ensure_ascii=False).encode()),
]


def by_tarfile(name, form):
    with tarfile.open(name, "w", format=form) as archive:
        folder = tarfile.TarInfo("photos")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for path, data in FILES:
            info = tarfile.TarInfo(path)
            info.size = len(data)
            info.mtime = 1700000000.5
            archive.addfile(info, io.BytesIO(data))


by_tarfile("tarfile-pax.tar", tarfile.PAX_FORMAT)
by_tarfile("tarfile-gnu.tar", tarfile.GNU_FORMAT)

with webdataset.TarWriter("webdataset.tar", mtime=0) as sink:
    for key, grey in [("000000", 10), ("000001", 20)]:
        sink.write({"__key__": key, "png": png(grey), "json": label(key), "cls": b"7"})

with tempfile.TemporaryDirectory() as folder:
    for path, data in FILES:
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "wb") as file:
            file.write(data)
    for form, options in [("gnu", []), ("posix", ["--pax-option=delete=atime,delete=ctime"])]:
        plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--mode=u=rwX,go=rX"]
        archive = ["-cf", "tar-%s.tar" % form, "-C", folder, "."]
        subprocess.run(["tar", "--format=" + form] + options + plain + archive, check=True)

#!/usr/bin/env python3
"""Makes dist: wheels of the programs and of their models, a tar of both with OpenVINO, and checksums ('make wheel').

The three programs of .build/release are one here, which contains Swift's library; what a machine may lack is opened when it is
needed, so the program's calls of it are looked up at their first use.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / ".build/release"
WORK = ROOT / ".build/wheel"
# Module and file of each program's start.
PROGRAMS = {"spinebench": "spinebench.build/SpineBench", "spinebench-tools": "spinebench_tools.build/SpineBenchTools", "talaria": "TalariaCommand.build/TalariaCommand"}
MAIN = """
#include <stdlib.h>
#include <string.h>
int spinebench_main(int, char **), spinebench_tools_main(int, char **), TalariaCommand_main(int, char **);
int main(int count, char **arguments) {
    const char *name = getenv("SPINEBENCH_PROGRAM");
    int (*program)(int, char **) = spinebench_main;
    if (name && !strcmp(name, "spinebench-tools")) program = spinebench_tools_main;
    if (name && !strcmp(name, "talaria")) program = TalariaCommand_main;
    unsetenv("SPINEBENCH_PROGRAM");
    return program(count, arguments);
}
"""
OTHER = '#!/bin/sh\nSPINEBENCH_PROGRAM={} exec "$(dirname "$(readlink -f "$0")")/spinebench" "$@"\n'
# What Swift's static library consists of, and the C library's parts that it needs.
STATIC = "Foundation CoreFoundation FoundationEssentials FoundationInternationalization _FoundationICU _FoundationCShims _FoundationCollections"
STATIC += " dispatch BlocksRuntime swiftDispatch swiftSynchronization z stdc++ m"
# Linked in, so that a machine needs none of them.
ARCHIVES = ("png", "png16", "z", "turbojpeg", "crypto", "sqlite3")
# Packages of pkg-config whose libraries are opened when they are needed: SystemLibrary.swift and CurlSession.swift.
OPENED = ("libheif", "tesseract", "libcurl", "pangocairo")
OPENVINO = "openvino>=2026.4,<2026.5"
DATASETS = ("spines-1", "shelves-2")
FOLDERS = ("Suites", "Devices", "Formats")
# Public domain: the lists of other languages are not.
WORDS = ("american-english", "spanish")
# The time in archives, so that the same files make the same bytes.
TIME = (2026, 1, 1, 0, 0, 0)
# Debian's packages of the archives.
NOTICES = ("libpng-dev", "zlib1g-dev", "libturbojpeg0-dev", "libssl-dev", "libsqlite3-dev")
VERSION = re.search(r'text = "([0-9.]+)"', (ROOT / "Sources/Base/CommandSupport/ExitStatus.swift").read_text())[1]
ABOUT = "Measures how well a program reads book spines, and gates on the result."


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries(folder):
    """Fills a folder that the linker searches first; returns what is opened when it is needed."""
    opened = []
    for name in ARCHIVES:
        (folder / f"lib{name}.a").symlink_to(pathlib.Path(output("clang", f"-print-file-name=lib{name}.a").strip()).resolve(strict=True))
    for name in sorted({word[2:] for word in output("pkg-config", "--libs", *OPENED).split() if word.startswith("-l")} - set(ARCHIVES)):
        real = output("clang", f"-print-file-name=lib{name}.so").strip()
        # A stand-in with its C functions.
        symbols = sorted(set(re.findall(r" [TWi] ([A-Za-z]\w*)", output("nm", "-D", "--defined-only", real))))
        (folder / f"{name}.s").write_text("".join(f".globl {symbol}\n.type {symbol}, %function\n{symbol}:\n" for symbol in symbols))
        opened.append(re.search(r"SONAME.*\[(.*)\]", output("readelf", "-d", real))[1])
        subprocess.run(["clang", "-shared", "-nostdlib", f"-Wl,-soname,{opened[-1]}", folder / f"{name}.s", "-o", folder / f"lib{name}.so"], check=True)
    return opened


def link():
    """Links the three programs to one, without symbols."""
    objects = sorted({line for name in PROGRAMS for line in (BUILD / f"{name}.product/Objects.LinkFileList").read_text().splitlines()})
    for name, start in PROGRAMS.items():
        place = next(index for index, path in enumerate(objects) if path.endswith(start + ".swift.o"))
        # The symbols of an asynchronous start are the same in each.
        names = sorted(set(re.findall(r"\S*async_Main\S*", output("nm", objects[place]))))
        (WORK / f"{name}.names").write_text("".join(f"{symbol} {symbol}.{name}\n" for symbol in names))
        subprocess.run(["objcopy", f"--redefine-syms={WORK / name}.names", objects[place], WORK / f"{name}.o"], check=True)
        objects[place] = str(WORK / f"{name}.o")
    (WORK / "objects").write_text("\n".join(objects))
    (WORK / "version").write_text("{ local: *; };")
    (WORK / "main.c").write_text(MAIN)
    subprocess.run(["clang", "-O2", "-c", WORK / "main.c", "-o", WORK / "main.o"], check=True)
    opened = libraries(WORK)
    flags = ["-z", "lazy", "--gc-sections", f"--version-script={WORK}/version", "--start-group"]
    command = ["swiftc", "-static-stdlib", "-emit-executable", "-o", WORK / "spinebench", WORK / "main.o", f"@{WORK}/objects", f"-L{WORK}"]
    command += [word for flag in flags for word in ("-Xlinker", flag)] + [f"-l{name}" for name in STATIC.split()]
    command += output("pkg-config", "--libs", *OPENED).split() + ["-Xlinker", "--end-group"]
    subprocess.run(command, check=True)
    subprocess.run(["strip", "--strip-all", WORK / "spinebench"], check=True)
    opened_when_needed(WORK / "spinebench", opened)


def opened_when_needed(program, names):
    """Takes libraries off the list of those that the loader opens with a program."""
    data = bytearray(program.read_bytes())
    header = struct.unpack_from("<HHIQQQIHHHHHH", data, 16)
    segments = [struct.unpack_from("<IIQQQQQQ", data, header[4] + index * header[8]) for index in range(header[9])]
    at, size = next((segment[2], segment[5]) for segment in segments if segment[0] == 2)
    entries = [struct.unpack_from("<qQ", data, at + place) for place in range(0, size, 16)]
    texts = next(value for tag, value in entries if tag == 5)
    texts += next(segment[2] - segment[3] for segment in segments if segment[0] == 1 and segment[3] <= texts < segment[3] + segment[5])
    text = lambda value: data[texts + value : data.index(0, texts + value)].decode()
    left = [entry for entry in entries if entry[0] != 1 or text(entry[1]) not in names]
    left += [(0, 0)] * (len(entries) - len(left))
    data[at : at + size] = b"".join(struct.pack("<qQ", *entry) for entry in left)
    program.write_bytes(data)
    needed = {text(value) for tag, value in left if tag == 1}
    strange = needed - {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    if strange:
        sys.exit(f"{program.name} needs {', '.join(sorted(strange))}, which a machine may lack")


def files(folder, place):
    """Path in an archive, bytes, and whether it is a program, of each file of a folder that git knows."""
    paths = [ROOT / path for path in output("git", "-C", ROOT, "ls-files", folder).splitlines()]
    return [(f"{place}/{path.relative_to(folder)}", path.read_bytes(), os.access(path, os.X_OK)) for path in paths]


def wheel(dist, name, tag, contents, needs=(), scripts="", licences=()):
    """Writes a wheel (PyPA's binary distribution format) of contents: path, bytes, whether it is a program."""
    info = f"{name}-{VERSION}.dist-info"
    metadata = f"Metadata-Version: 2.4\nName: {name.replace('_', '-')}\nVersion: {VERSION}\nSummary: {ABOUT}\nLicense-Expression: Apache-2.0\n"
    metadata += "Requires-Python: >=3.9\n" + "".join(f"Requires-Dist: {need}\n" for need in needs)
    contents = [*contents, (f"{info}/METADATA", metadata.encode(), False)]
    contents += [(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False)]
    contents += [(f"{info}/entry_points.txt", scripts.encode(), False)] if scripts else []
    contents += [(f"{info}/licenses/{path}", text, False) for path, text in licences]
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data, _ in sorted(contents)) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(dist / f"{name}-{VERSION}-{tag}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data, is_program in [*sorted(contents), (f"{info}/RECORD", record.encode(), False)]:
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, data)


def main(dist):
    for folder in (WORK, dist):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    link()
    contents = [("spinebench/bin/spinebench", (WORK / "spinebench").read_bytes(), True)]
    contents += [(f"spinebench/bin/{name}", OTHER.format(name).encode(), True) for name in PROGRAMS if name != "spinebench"]
    for bundle in BUILD.glob("SpineBench_*.resources"):
        contents += [(f"spinebench/bin/{bundle.name}/{path.relative_to(bundle)}", path.read_bytes(), False) for path in bundle.rglob("*") if path.is_file()]
    for folder in FOLDERS + tuple(f"Datasets/{name}" for name in DATASETS):
        contents += files(ROOT / folder, f"spinebench/{folder}")
    start = "import os, sys\n\n\ndef run(name):\n    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'bin', name)\n    os.execv(path, [path, *sys.argv[1:]])\n"
    start += "".join(f"\n\ndef {name}():\n    run('{name}')\n" for name in ("spinebench", "talaria"))
    models = [(f"spinebench/.deps/models/{path.name}", path.read_bytes(), False) for path in (ROOT / ".deps/models").glob("ppocr*")]
    models += [(f"spinebench/.deps/dict/{name}", pathlib.Path("/usr/share/dict", name).read_bytes(), False) for name in WORDS]
    licences = [("LICENSE", (ROOT / "LICENSE").read_bytes())]
    swift = pathlib.Path(shutil.which("swiftc")).resolve().parents[1] / "share/swift/LICENSE.txt"
    licences += [(f"{path.parent.name}.txt", path.read_bytes()) for path in [swift, *(ROOT / ".build/checkouts").glob("*/LICENSE*")]]
    licences += [(f"{name}.txt", pathlib.Path("/usr/share/doc", name, "copyright").read_bytes()) for name in NOTICES]
    scripts = "[console_scripts]\n" + "".join(f"{name} = spinebench:{name}\n" for name in ("spinebench", "talaria"))
    machine = platform.machine()
    # The C library that the program asks for.
    newest = max(int(version) for version in re.findall(r"GLIBC_2\.(\d+)", output("readelf", "-VW", WORK / "spinebench")))
    needs = (OPENVINO, f"spinebench-models=={VERSION}")
    wheel(dist, "spinebench", f"py3-none-manylinux_2_{newest}_{machine}", [*contents, ("spinebench/__init__.py", start.encode(), False)], needs, scripts, licences)
    wheel(dist, "spinebench_models", "py3-none-any", models)
    # For machines without Python: the same, with OpenVINO.
    contents += models + [(f"spinebench/.deps/openvino/libs/{path.name}", path.read_bytes(), False) for path in (ROOT / ".deps/openvino/libs").iterdir() if not path.is_symlink()]
    contents += [(f"spinebench/licenses/{path}", text, False) for path, text in licences]
    with open(dist / f"spinebench-{VERSION}-{machine}.tar.gz", "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for path, data, is_program in sorted(contents):
            entry = tarfile.TarInfo(path.replace("spinebench/", f"spinebench-{VERSION}/", 1))
            entry.size, entry.mode = len(data), 0o755 if is_program else 0o644
            archive.addfile(entry, io.BytesIO(data))
    made = sorted(path for path in dist.glob(f"spinebench*-{VERSION}*") if path.suffix in (".whl", ".gz"))
    (dist / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made))
    for path in made:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(ROOT / "dist")

"""What the programs of this folder share.

`spinebench dataset import SOURCE --format NAME` starts `Formats/NAME labels SOURCE`, and `spinebench score … --format NAME`
starts `Formats/NAME readings SOURCE`; `table.py` reads tables and JSON Lines, and `books.py` book lists. A program prints a JSON object a line: Docs/DATASETS.md and Docs/YOUR-READER.md
list the fields. A line with `fault` refuses a record, with `file`, `line` or `record` as its place.
"""
import glob
import json
import math
import os
import pathlib
import re
import sys

import isbn

place = {}


class Fault(Exception):
    """What is wrong with the input: one text or several, and `line` or `record`."""

    def __init__(self, *problems, **where):
        super().__init__("; ".join(problems))
        self.problems, self.where = list(problems), where


class OtherKind(Fault):
    """A file of another kind, which may lie in a folder beside those of this format."""


def say(**fields):
    for one in [fields, *(fields.get("spines") or [])]:
        isbn.read(one.get("fields") or {})
    print(json.dumps(place | fields))


def refuse(fault, **where):
    say(fault=fault.problems, **fault.where | where)


def main(**jobs):
    """Does what the first argument says, `labels`, `readings` or `--export`, with the paths behind it."""
    job = jobs.get(sys.argv[1].lstrip("-")) if len(sys.argv) > 2 else None
    if not job:
        uses = ["--export DATASET OUT" if name == "export" else f"{name} SOURCE" for name in jobs]
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} {' or '.join(uses)}")
    try:
        job(*sys.argv[2:])
    except Fault as fault:
        refuse(fault)
    except RecursionError:
        refuse(Fault("is nested too deeply"))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")


def found(source, *endings, start=""):
    """The file, or those of a folder whose names have such ends and such a start, by the numbers in their names."""
    if not os.path.isdir(source):
        return [source]
    paths = glob.glob(f"{glob.escape(source)}/**/{start}*", recursive=True)
    paths.sort(key=lambda path: [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path)])
    paths = [path for path in paths if path.lower().endswith(endings)]
    if not paths:
        raise Fault(f"has no files {start}*{' or *'.join(endings)} in it; specify the file")
    return paths


def only(source, ending, *marks):
    """The text of the one file that ends so and has one of the marks in it."""
    paths = found(source, ending)
    if os.path.isdir(source):
        paths = [path for path in paths if any(mark.encode() in pathlib.Path(path).read_bytes() for mark in marks)]
    if len(paths) != 1:
        raise Fault(f"has {len(paths)} files of labels of this format in it; specify one: {', '.join(paths[:5])}")
    place["file"] = paths[0]
    return text(paths[0])


def each(source, read, *endings, start=""):
    """Reads each file; one of another kind is left out of a folder, unless there is no other."""
    paths = found(source, *endings, start=start)
    others = 0
    for path in paths:
        place["file"] = path
        try:
            read(path)
        except Fault as fault:
            others += isinstance(fault, OtherKind)
            if isinstance(fault, OtherKind) and others < len(paths):
                say(remark=f"{path}: {fault}; the file is left out")
            else:
                refuse(fault)


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def binary(head):
    """What is wrong with a file that begins so and is no text; None for text."""
    kinds = {b"\x1f\x8b": "is compressed with gzip; unpack it first: gunzip", b"PK\3\4": "is a ZIP archive or a spreadsheet; unpack it, or save it as CSV",
             b"%PDF": "is a PDF; expected text"}
    isText = 0 not in head or head[:2] in (b"\xff\xfe", b"\xfe\xff")
    return next((kind for start, kind in kinds.items() if head.startswith(start)), None if isText else "is a binary file; expected text")


def text(path):
    """The text of a file in UTF-8, in UTF-16 with a mark, or in the encoding that XML declares."""
    data = pathlib.Path(path).read_bytes()
    isWide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if problem := binary(data[:1 << 20]):
        raise OtherKind(problem)
    try:
        return data.decode("utf-16" if isWide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if re.search(rb"encoding=[\"'](iso-8859-1|windows-1252)[\"']", data[:200].lower()):
            return data.decode("cp1252", "replace")
        raise Fault("is not UTF-8; convert it: iconv -t UTF-8", line=data.count(b"\n", 0, error.start) + 1)


def lines(source):
    """Number and text of each line that is not blank."""
    return [(number, row) for number, row in enumerate(source.split("\n"), 1) if row.strip()]


def parsed(source, line=None):
    """The JSON value that a text is, with finite numbers and each key once."""
    def finite(number):
        if not math.isfinite(float(number)):
            raise OverflowError(number)
        return float(number)

    def unique(pairs):
        if len(dict(pairs)) < len(pairs):
            raise Fault(f"not valid JSON: a key stands twice: {', '.join(key for key, _ in pairs)}", **({"line": line} if line else {}))
        return dict(pairs)

    try:
        return json.loads(source, parse_constant=finite, parse_float=finite, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        at, problem = error.pos, error.msg
    except OverflowError as error:
        tokens = re.finditer(r'"(?:[^"\\]|\\.)*"|[^\s,:\[\]{}"]+', source)
        at, problem = next(token.start() for token in tokens if token[0] == str(error)), f"the number {error}"
    except RecursionError:
        at, problem = 0, "nested too deeply"
    raise Fault(f"not valid JSON: column {at - source.rfind(chr(10), 0, at)}: {problem}", line=line or source.count("\n", 0, at) + 1)


# MARK: Values

def kind(value):
    names = {str: "text", list: "a list", dict: "an object", int: "a number", float: "a number"}
    return names.get(type(value)) or json.dumps(value)


def isNumber(value):
    return type(value) in (int, float)


def key(value):
    """Key by which other records refer to this one: text, or an exact whole number; None for anything else."""
    if type(value) is float and value.is_integer() and abs(value) <= 2 ** 53:
        value = int(value)
    return str(value) if type(value) in (str, int) else None


def fields(value):
    return value if isinstance(value, dict) else {}


def elements(value):
    return value if isinstance(value, list) else []


def numbers(value, count=None):
    """The numbers, if it is a list of nothing else, and of so many; else None."""
    return value if isinstance(value, list) and all(map(isNumber, value)) and count in (None, len(value)) else None


def degrees(value):
    """Degrees of a number or a text, 0 to 360; 0 without either. A turn that is not taken up leaves a shape that is wrong."""
    try:
        written = "".join(value.split()).replace("°", "").replace(",", ".") if isinstance(value, str) else value
        angle = 0 if written in (None, "") else float(written)
        if math.isfinite(angle) and not isinstance(value, bool):
            return angle % 360
    except (TypeError, ValueError):
        pass
    shown = f'"{value}"' if isinstance(value, str) else kind(value)
    raise Fault(f"the rotation is {shown}; expected a number of degrees")


def share(value):
    """A confidence; None outside 0 to 1."""
    try:
        return float(value) if type(value) is not bool and 0 <= float(value) <= 1 else None
    except (TypeError, ValueError):
        return None


# MARK: Texts and shapes

def oneLine(value):
    return " ".join(value.split())


def legible(value):
    """The text on one line; None for the placeholders of illegible text in OCR datasets."""
    value = oneLine(value or "")
    return None if value in ("", "###", "*") else value


def plainName(name):
    return "".join(letter for letter in str(name).lower() if letter.isalnum())


ROLES = {"title": "title booktitle", "author": "author authors writer authorname", "publisher": "publisher imprint publishername",
         "series": "series volume seriesname", "sticker": "sticker callnumber shelfmark", "other": "other"}


def role(name):
    return next((role for role, names in ROLES.items() if plainName(name) in names.split()), None)


def isSpine(name):
    return plainName(name).removesuffix("s") in ("book", "spine", "bookspine")


def pairs(flat):
    """Points from x, y, x, y, …"""
    return [list(pair) for pair in zip(flat[::2], flat[1::2])]


def hasArea(points):
    (x, y), *others = points
    u, v = next((point for point in others if list(point) != [x, y]), (x, y))
    return any((u - x) * (q - y) != (v - y) * (p - x) for p, q in others)


def box(x, y, width, height):
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def turned(points, angle, x, y):
    """The points turned clockwise around one; exact for quarters, unlike π."""
    sine, cosine = (round(value, 12) for value in (math.sin(math.radians(angle)), math.cos(math.radians(angle))))
    return [[x + (u - x) * cosine - (v - y) * sine, y + (u - x) * sine + (v - y) * cosine] for u, v in points]

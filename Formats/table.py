#!/usr/bin/env python3
"""Tables and JSON Lines as people, programs and spreadsheets write them.

`table.py labels SOURCE [COLUMN]` prints a record for each row; COLUMN has ISBNs, whatever its name.
"""
import collections
import functools
import itertools
import json
import re

from formats import Fault, OtherKind, binary, each, fields as members, kind, main, parsed, place, plainName, refuse, say, text as contents
from isbn import read

SEPARATORS = ",;\t|"
LONGEST = 1 << 16  # of a field, before its quote counts as one that is never closed


def lines(path):
    """Number and text of each line; of bytes that are not UTF-8 there are surrogates."""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 20)
        if problem := binary(head.split(b"\n", 1)[0]):
            raise OtherKind(problem)
        wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
        ends = "\r" if b"\r" in head and b"\n" not in head else "\n"
        with open(path, encoding="utf-16" if wide else "utf-8-sig", errors="replace" if wide else "surrogateescape", newline=ends) as file:
            yield from enumerate((line.rstrip("\r\n") for line in file), 1)
    except OSError as error:
        raise Fault(f"cannot be read: {error.strerror}") from None


@functools.cache
def patterns(separator):
    """A field in straight quotes and one in curly ones, with the white space around them, and the begin of the former."""
    blank = "[ ]*" if separator == "\t" else "[ \t]*"
    after = rf"{blank[:-2]}\r]*"
    return [re.compile(pattern) for pattern in (
        rf'({blank})"((?:[^"]|"")*)"(?!"){after}', rf"{blank}[“„”«]([^\n”“»]*)[”“»]{after}(?={re.escape(separator)}|\n|\Z)", rf'{blank}"')]


def fields(text, separator):
    """Fields of a row (RFC 4180, with white space around quotes, and curly quotes); None if a quote in it is never closed."""
    if not re.search('["“„”«]', text):
        return text.split(separator)
    straight, curly, opening = patterns(separator)
    found, at = [], 0
    while True:
        match, end = straight.match(text, at), text.find(separator, at)
        if match and text[match.end():match.end() + 1] in ("", separator, "\n"):
            found.append(match[2].replace('""', '"'))
            at = match.end()
        elif match and not match[1]:
            raise Fault(f"text after the closing quote of field {len(found) + 1}; double a quote that is text")
        elif not match and opening.match(text, at) or match and "\n" in match[2]:
            return None
        elif quoted := curly.match(text, at):
            found.append(quoted[1])
            at = quoted.end()
        else:
            found.append(text[at:end if end >= 0 else len(text)])
            at += len(found[-1])
        if at >= len(text):
            return found
        at += 1


def unwrapped(text):
    """A field without what keeps a spreadsheet from changing it: `="…"`, or an apostrophe before a number or a formula."""
    if match := re.fullmatch(r'="((?:[^"]|"")*)"', text):
        return match[1].replace('""', '"')
    return re.sub(r"^'(?=[=+\-@]|[0-9.,xX-]{3,}\Z)", "", text)


def clean(text):
    """Refuses what is no text."""
    if "\0" in text:
        raise Fault("a NUL byte; save the table as UTF-8")
    if not text.isascii() and re.search("[\udc80-\udcff]", text):
        raise Fault("not UTF-8; save the table as UTF-8")
    return text


def rows(source, separator):
    """Line and fields, or the fault, of each row of the lines that has something in it."""
    ahead = collections.deque()
    while first := ahead.popleft() if ahead else next(source, None):
        (number, text), taken = first, []
        try:
            while (found := fields(text, separator)) is None and len(text) < LONGEST:
                taken.append(ahead.popleft() if ahead else next(source, None))
                if not taken[-1]:
                    taken.pop()
                    break
                text += "\n" + taken[-1][1]
            if found is None:
                ahead.extendleft(reversed(taken))
                raise Fault("unclosed quote; double quotes that are part of the text")
            if text.strip(separator + ' \t"\r'):
                clean(text)
                yield number, [unwrapped(field) for field in found]
        except Fault as fault:
            yield number, fault


def opened(source):
    """The separator of a table's lines, and its rows: from the header on, behind blank lines and Excel's `sep=;`."""
    for number, line in source:
        plain = line.replace('"', "")
        if match := re.fullmatch(r"sep=(.)\1*", plain, re.IGNORECASE):
            return match[1], rows(source, match[1])
        if plain.strip(" " + SEPARATORS):
            outside = re.sub('"[^"]*("|$)', "", line)
            separator = max(SEPARATORS, key=outside.count)
            return separator, rows(itertools.chain([(number, line)], source), separator)
    return ",", iter(())


# MARK: Labels

def labels(source, column=None):
    """Prints the rows of a table, or the objects of JSON Lines, as `row`; the first of a table are its `columns`."""
    place["file"] = source
    numbered = lines(source)
    if source.lower().endswith(("jsonl", "ndjson")):
        objects(numbered, column)
        return
    separator, found = opened(numbered)
    first = next(found, None)
    if not first:
        raise Fault("empty; expected a header with the names of the columns")
    number, header = first
    if isinstance(header, Fault):
        raise Fault(f"the header: {header}", line=number)
    header = [name.strip() for name in header]
    while header and not header[-1]:
        header.pop()
    names = {";": "semicolons", "\t": "tabs", ",": "commas"}
    say(line=number, columns=header, remark=f"fields separated by {names.get(separator, separator)}")
    for number, row in found:
        if isinstance(row, Fault):
            refuse(row, line=number)
            continue
        # Spreadsheets add separators behind the last column.
        while len(row) > len(header) and not row[-1]:
            row.pop()
        if len(row) == len(header):
            say(line=number, row=read(dict(zip(header, row)), column))
        else:
            say(line=number, fault=f"{len(row)} fields; the header has {len(header)} columns")


def objects(numbered, column):
    for number, line in numbered:
        try:
            if line.strip():
                value = parsed(clean(line), number)
                if not isinstance(value, dict):
                    raise Fault(f"expected a JSON object, found {kind(value)}")
                if "\\u" in line and re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
                    raise Fault("not valid JSON: half a surrogate pair")
                say(line=number, row=read(value, column))
        except Fault as fault:
            refuse(fault, line=number)


# MARK: Readings: columns id, text, and as one likes milliseconds, repetition and error, or one object {"id": "text"}

READING = {"id": "image", "sample": "image", "image": "image", "file": "image", "text": "text", "error": "error", "repetition": "repetition",
           "milliseconds": "latency", "ms": "latency", "latency": "latency"}


def figure(name, value):
    try:
        return int(value) if name == "repetition" else float(value)
    except ValueError:
        raise Fault(f'"{name}" is "{value}"; expected a number') from None


def reading(names, row):
    found = {name: value for name, value in zip(names, row) if name and (value or name == "text")}
    return {name: figure(name, value) if name in ("latency", "repetition") else value for name, value in found.items()
            if name != "text" or "error" not in found}


def readings(path):
    _, found = opened(lines(path))
    at, header = next(found, (1, Fault("empty")))
    names = [] if isinstance(header, Fault) else [READING.get(plainName(name)) for name in header]
    if "image" not in names or "text" not in names:
        raise Fault("the columns id and text are missing; expected the header id,text or id,text,milliseconds", line=at)
    for at, row in found:
        try:
            if isinstance(row, Fault):
                raise row
            if len(row) != len(names):
                raise Fault(f"{len(row)} fields; the header has {len(names)} columns")
            say(line=at, **reading(names, row))
        except Fault as fault:
            refuse(fault, line=at)


def readingsOf(path):
    if not path.lower().endswith(".json"):
        readings(path)
        return
    for name, words in members(parsed(contents(path))).items():
        if isinstance(words, str):
            say(image=name, record=f'"{name}"', text=words)
        else:
            refuse(Fault("expected a text"), record=f'"{name}"')


if __name__ == "__main__":
    main(labels=labels, readings=lambda source: each(source, readingsOf, ".csv", ".tsv", ".json"))

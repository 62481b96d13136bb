#!/usr/bin/env python3
"""Book lists of any program as one table, with a row for each row that names a book.

`books.py list --out TABLE [--column FIELD=NAME] [--limit ROWS] SOURCE...` reads tables, JSON Lines and Open Library's dumps
(https://openlibrary.org/developers/dumps; editions need the dump of authors beside them), and prints what it made of each.
"""
import argparse
import contextlib
import csv
import html
import itertools
import json
import os
import re

from formats import Fault, main, place, refuse, say
from isbn import folded, isISBNColumn, written
from table import clean, lines, opened

COLUMNS = ["title", "authors", "isbn13", "series", "publisher", "year", "language", "cover_url", "popularity"]
TURNED = "primaryauthor authorlastfirst authorlf authorsort".split()
# Names of columns in the exports of Goodreads, The StoryGraph, LibraryThing, Calibre, Libib, BookBuddy, Open Library and others.
NAMES = {field: names.split() for field, names in {
    "title": "title booktitle name titulo titol titre titel originaltitle",
    "subtitle": "subtitle subtitulo subtitol",
    "authors": "authors author authornames authorname bookauthor creator creators writer autor autores autors auteur mainauthor "
               "authortext authorfirstlast verfasser " + " ".join(TURNED),
    "further-authors": "additionalauthors secondaryauthor secondaryauthors coauthor coauthors",
    "isbn": "isbn13 isbn isbn10 ean ean13 eanisbn13 upcisbn10 isbns bookisbn identifiers",
    "series": "series seriesname collection reihe",
    "series-number": "seriesindex seriesnumber volume volumenumber vol bandnummer",
    "publisher": "publisher publishers publishername editorial imprint publication verlag",
    "year": "year publicationyear originalpublicationyear yearofpublication publishedyear yearpublished originalyearpublished publishdate "
            "publicationdate publisheddate datepublished pubdate firstpublishyear date pubyear erscheinungsjahr jahr",
    "language": "language languagecode lang languages idioma",
    "cover": "coverurl cover imageurl imageurll imageurlm thumbnail image coverimage",
    "popularity": "popularity ratingscount numratings ratingcount workratingscount numberofratings loans copies readinglogcount editioncount "
                  "downloads checkouts count",
}.items()}


class Columns:
    """The columns of each field, the best first."""

    def __init__(self, header, given):
        while header and not header[-1]:
            header.pop()
        self.header, self.of, plain = header, {}, [folded(name) for name in header]
        listed = ", ".join(f'"{name}"' for name in header[:40])
        # Libib's export also has films, music and games, and its collections are shelves.
        self.kind = plain.index("itemtype") if "itemtype" in plain else None
        for field, names in NAMES.items():
            name = given.get(field)
            if name and name != "-" and name not in header and folded(name) not in plain:
                raise Fault(f'has no column "{name}"; it has {listed}')
            if name:
                names = [folded(name)] if name != "-" else []
            found = [plain.index(name) for name in names if name in plain and not (name == "collection" and self.kind is not None)]
            if field == "isbn" and not name:
                found += [at for at, name in enumerate(plain) if at not in found and isISBNColumn(name)]
            if found:
                self.of[field] = [header.index(name)] if name in header else found
        if "title" not in self.of:
            raise Fault(f"has no title column; specify one of {listed} with --column title=NAME")
        self.turned = [at for at in self.of.get("authors", []) if plain[at] in TURNED]
        # goodbooks-10k writes "Homer, Robert Fagles": an author and a translator.
        self.isGoodbooks = "original_title" in header and "book_id" in header

    def book(self, cells, turned):
        """The book of the texts in each column."""
        def texts(field):
            found = [cells[at] for at in self.of.get(field, ()) if cells[at]]
            # Numbers and further authors may have several columns; of others, the best one that has any counts.
            return sum(found, []) if field in ("isbn", "further-authors") else next(iter(found), [])

        author = next((at for at in self.of.get("authors", ()) if cells[at]), None)
        return book(texts, turned, turned or author in self.turned)


def book(texts, turned=False, turnsFirst=False):
    """The row of a book of whose fields `texts` gives the texts, and whether its ISBN is wrong."""
    def text(field):
        return next(map(decoded, texts(field)), None)

    listed = text("title")
    if listed is None:
        raise Fault("no title")
    # MARC's subfield codes are left in Project Gutenberg's list.
    title, series, number = behind(spaced(listed.replace(" $b ", " ")))
    if not folded(title):
        raise Fault("a title without a letter or a digit")
    subtitle, volume, listed = text("subtitle"), amount(text("series-number")), text("series")
    if subtitle and subtitle not in title:
        title += ": " + subtitle
    if series is None and listed is not None:
        series, number = numbered(listed)
    volume = int(volume) if volume is not None and volume.is_integer() else None
    number = volume if number is None else number
    # The number distinguishes volumes of one title. Calibre writes 1 for books without a series.
    if volume and volume > 0 and (volume > 1 if series is None else folded(series) == folded(title)):
        title += f", Vol. {volume}"
    authors = [name for field in texts("authors") for name in names(spaced(decoded(field)), turnsFirst)]
    authors += [name for field in texts("further-authors") for name in names(spaced(decoded(field)), turned)]
    isbn, popularity = written(*texts("isbn")), amount(next(iter(texts("popularity")), None))
    return [
        title, "; ".join(dict.fromkeys(authors)), isbn, series and series + ("" if number is None else f" #{number}"),
        # LibraryThing has "Ace (1990), 535 pages", and Calibre a file for a cover.
        re.sub(r"^(.+?) \([0-9]{4}\).*", r"\1", text("publisher") or "", flags=re.DOTALL), year(text("year") or ""), text("language"),
        cover if (cover := text("cover") or "").lower().startswith("http") else "",
        popularity if popularity is not None and 0 <= popularity < float("inf") else "",
    ], isbn is None


def decoded(text):
    """The text with the characters that references of HTML mean."""
    return re.sub("&#?[0-9A-Za-z]+;", lambda match: html.unescape(match[0]), text) if "&" in text else text


def spaced(text):
    return " ".join(text.split()) if re.search("[\0-\x1f]|  ", text) else text


def amount(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def year(text):
    """The year in "1997", "1997.0", "March 1997" or "1997-03-01"; none for 0, which lists write for none."""
    number = amount(text)
    if number is not None:
        return int(number) if number and -3000 <= number <= 2100 else ""
    return next((found for found in re.findall("(?<![0-9])[0-9]{4}(?![0-9])", text) if 1000 <= int(found) <= 2100), "")


def behind(text):
    """A title, and the series with its number in parentheses behind it."""
    start = text.rfind("(")
    title, inside = text[:start].strip(), text[start + 1:-1]
    if text.endswith(")") and start > 0 and title and "#" in inside:
        series, number = numbered(inside)
        if series:
            return title, series, number
    return text, None, None


def numbered(text):
    """Name and number: "Harry Potter, #1; Tales of Beedle, #2" is the first book of Harry Potter."""
    name, _, rest = text.partition("#")
    name, match = name.strip(), re.match("([0-9]+)(?![-.–])", rest)
    # A number goes on behind digits that could be fewer.
    match = match if match and not rest[match.end():match.end() + 1].isdigit() else None
    return name[:-1].strip() if name.endswith(",") and _ else name, int(match[1]) if match else None


# MARK: Names

SUFFIXES = "jr sr ii iii iv phd md esq".split()
# Titles of rank that some lists put behind a name, after a comma.
RANKS = "baroness baron sir lord lady mrs mr earl count graf saint rev dr".split()


def words(name):
    return re.findall(r"[^\W_]+", name.lower().replace("'", "").replace("’", ""))


def names(field, isTurned):
    """The names in a field such as "A, B", "A & B", "A; B" or, turned, "Last, First", each with the surname last."""
    if not re.search("[;|\n\t, ]", field):
        return [field] if field else []
    found = []
    for part in re.split("[;|\n\t]" if isTurned else "[;|\n\t,]", field):
        for name in re.split(" & | and ", part):
            name = (turnedBack(name) if isTurned else name).strip()
            parts = words(name)
            if len(parts) == 1 and parts[0] in SUFFIXES and found:
                found[-1] += " " + name
            elif len(parts) > 1 or parts and parts[0] not in RANKS:
                found.append(name)
    return found


def turnedBack(name):
    last, comma, first = (part.strip() for part in name.partition(","))
    parts = words(first)
    if not comma or not parts:
        return last
    # "King, Jr."; "Orczy, Emmuska, Baroness"
    return f"{last} {first}" if parts[0] in SUFFIXES else f"{first.split(',')[0]} {last}"


def looksTurned(name):
    last, comma, first = name.partition(",")
    return bool(comma and last and " " not in last.strip() and first.strip() and "," not in first)


# MARK: Lists

class Output:
    """The table, and what came of each list."""

    def __init__(self, file, limit):
        self.table, self.limit, self.done = csv.writer(file, lineterminator="\n"), limit, 0
        self.table.writerow(COLUMNS)

    def take(self, rows, kind, read, columns=None):
        """Writes the book that `read` makes of each row, if any; a row that is a fault has none."""
        counts = dict.fromkeys(("rows", "books", "others", "wrong", "bad"), 0)
        for number, row in itertools.islice(rows, self.limit):
            counts["rows"] += 1
            try:
                if isinstance(row, Fault):
                    raise row
                found = read(row)
                if found:
                    self.table.writerow(found[0])
                    counts["wrong"] += found[1]
                counts["books" if found else "others"] += 1
            except Fault as fault:
                counts["bad"] += 1
                refuse(fault, line=number)
            if counts["rows"] % (1 << 14) == 0:
                say(done=self.done, total=os.path.getsize(place["file"]))
        used = columns.of if columns else {}
        say(format=kind, mapping=[f"{field} ← {', '.join(columns.header[at] for at in used[field])}" for field in used], **counts)


def listed(output, path, given, authors):
    """Reads a list of any format, which its first line with text tells."""
    place["file"] = path

    def counted():
        output.done = 0
        for number, line in lines(path):
            output.done += len(line) + 1
            yield number, line

    source = counted()
    first = next((one for one in source if one[1].strip()), None)
    if not first:
        raise Fault("is empty")
    source = itertools.chain([first], source)
    start = first[1].lstrip()
    if start[0] == "[":
        raise Fault("is one JSON array; expected one object per line, as written by 'jq -c .[]'")
    if start[0] == "{":
        ahead, header = [row for _, row in zip(range(100), source)], set()
        for _, line in ahead:
            with contextlib.suppress(Fault):
                header |= set(loaded(line))
        if not header:
            raise Fault("has no JSON object on a line; expected one per line, as written by 'jq -c .'")
        columns, rows = Columns(sorted(header), given), (row for row in itertools.chain(ahead, source) if row[1].strip())
        output.take(rows, "jsonl", lambda line: columns.book([textsOf(value) for value in map(loaded(line).get, columns.header)], False), columns)
    elif start.startswith("/type/") and start.count("\t") >= 4:
        output.take(source, "Open Library dump", lambda line: ofDump(*dumped(line), authors))
    else:
        table(output, source, given)


def table(output, source, given):
    separator, rows = opened(source)
    header = next(rows, (1, Fault("")))[1]
    if isinstance(header, Fault):
        raise Fault("has no header; expected a row with the names of the columns")
    columns = Columns([name.strip() for name in header], given)
    ahead = [row for _, row in zip(range(2_000), rows)]
    column = columns.of.get("authors", [None])[0]
    # Whether most names with a comma have the form "Last, First".
    commas = [] if column is None else [
        name.strip() for _, row in ahead if isinstance(row, list) and column < len(row) for name in row[column].split(";") if "," in name]
    turned = column in columns.turned or not columns.isGoodbooks and 2 * sum(map(looksTurned, commas)) > len(commas)

    def read(row):
        expected, row = len(columns.header), [field.strip() for field in row]
        if len(row) < expected or any(row[expected:]):
            raise Fault(f"{len(row)} fields; expected {expected}, as in the header")
        if columns.kind is not None and "book" not in (row[columns.kind].lower() or "book"):
            return None
        return columns.book([[field] if field else [] for field in row], turned)

    kind = {",": "csv", ";": "csv with semicolons", "\t": "tsv"}.get(separator, "table")
    output.take(itertools.chain(ahead, rows), kind, read, columns)


def loaded(line):
    """The object of a line: numbers are their texts, since ISBNs may have zeros before them."""
    try:
        if re.search(r"[:\[,]\s*0[0-9]", clean(line)):
            line = re.sub(r'"(?:[^"\\]|\\.)*"|\b0[0-9]+', lambda match: match[0] if match[0][0] == '"' else f'"{match[0]}"', line)
        row = json.loads(line, parse_int=str, parse_float=str, parse_constant=float)
    except (ValueError, RecursionError) as error:
        raise Fault(f"not valid JSON: {error}") from None
    if isinstance(row, dict):
        return row
    raise Fault("not a JSON object")


def textsOf(value):
    """The texts in a value: its own, those of a list's items, the name of an object."""
    if isinstance(value, str):
        return [re.sub("[\ud800-\udfff]", "\ufffd", re.sub(r"\s", " ", value) if re.search("[\n\r\t]", value) else value)] if value else []
    if isinstance(value, dict):
        return next((textsOf(value[name]) for name in ("name", "value", "title", "key") if name in value), [])
    return sum(map(textsOf, value), []) if isinstance(value, list) else []


# MARK: Open Library

def dumped(line):
    """Type, key and object of a line; of other types than books and authors there is no object."""
    columns = line.split("\t", 4)
    if len(columns) < 5:
        raise Fault(f"{len(columns)} columns; expected five, as in a dump")
    return *columns[:2], loaded(columns[4]) if columns[0] in ("/type/author", "/type/work", "/type/edition") else None


def ofDump(kind, key, row, authors):
    if kind not in ("/type/work", "/type/edition"):
        return None

    def texts(*names):
        return [text for name in names for text in textsOf(row.get(name))]

    def author(item):
        # A work has {"author": {"key": …}}, an edition {"key": …}.
        return authors.get(next(iter(textsOf(item.get("author") or item.get("key") if isinstance(item, dict) else None)), None))

    names = {"year": ("publish_date", "first_publish_date"), "publisher": ("publishers",), "isbn": ("isbn_13", "isbn_10")}
    made = {
        "authors": [name for name in map(author, row.get("authors") if isinstance(row.get("authors"), list) else []) if name],
        "cover": [f"https://covers.openlibrary.org/b/id/{number}-M.jpg" for number in texts("covers") if number[0] != "-"][:1],
        "language": [text.split("/")[-1] for text in texts("languages")], "popularity": [],
    }
    return book(lambda field: made[field] if field in made else texts(*names.get(field, (field,))))


def authorsIn(path):
    """Names of the authors in a dump, by their keys."""
    for _, line in lines(path):
        if line.startswith("/type/author\t"):
            with contextlib.suppress(Fault):
                _, key, row = dumped(line)
                yield from ((key, name) for name in (textsOf(row.get("name")) + textsOf(row.get("personal_name")))[:1])
        elif not line.startswith("/type/"):
            return


def lists(*arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--column", action="append", default=[])
    parser.add_argument("--limit", type=int)
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)
    columns, authors = dict(column.split("=", 1) for column in options.column), {}
    with open(options.out, "w", encoding="utf-8", newline="") as file:
        output = Output(file, options.limit)
        for path in options.sources:
            place["file"] = path
            authors |= authorsIn(path)
        for path in options.sources:
            listed(output, path, columns, authors)


if __name__ == "__main__":
    main(list=lists)

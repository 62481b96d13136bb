"""Makes Sources/Kit/BookCatalogue/Resources/books.csv: well-known books with author, year, ISBN and language.

    python3 scripts/books.py BOOKS.csv Sources/Kit/BookCatalogue/Resources/books.csv

BOOKS.csv has the columns title, author, isbn13, year, language and source, the first three as the sources have them; its
rows of the sources `goodbooks-10k` and `isbndb-bookcrossing` are used. Nothing is drawn by chance: the same list gives the
same bytes. The rules are those of Sources/Kit/BookCatalogue/Resources/CARD.md.
"""

import csv
import html
import re
import sys
import unicodedata

MOST = 12_000
GOODBOOKS, BOOKCROSSING = "goodbooks-10k", "isbndb-bookcrossing"

# ISO 639-2 codes of goodbooks-10k to ISO 639-1, where there is one.
LANGUAGES = {
    "eng": "en", "ara": "ar", "fre": "fr", "ind": "id", "spa": "es", "ger": "de", "jpn": "ja", "per": "fa",
    "por": "pt", "pol": "pl", "nor": "no", "dan": "da", "ita": "it", "vie": "vi", "tur": "tr", "swe": "sv",
    "rum": "ro", "rus": "ru", "fil": "fil",
}  # fmt: skip
# goodbooks-10k was collected in 2017 and states the year of the first edition; Book-Crossing was in 2004, so that a later
# year is not that of a book in it.
YEARS = {GOODBOOKS: (-800, 2017), BOOKCROSSING: (1900, 2004)}
# What a list puts behind a title, and no title page does.
KINDS = r"(?:a|an|the)? ?(?:novel|memoir|thriller|mystery|roman|novela|romanzo|stories|biography|autobiography)"


def fold(text):
    """Without case, accents and punctuation."""
    letters = unicodedata.normalize("NFD", text.lower().replace("&", " and "))
    letters = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(letters.split())


def isbn(text):
    """Thirteen digits with the right check digit (ISBN Users' Manual, section 6), or None."""
    if not re.fullmatch(r"97[89]\d{10}", text):
        return None
    return text if sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(text)) % 10 == 0 else None


def language(text):
    code = text.lower().split("-")[0]
    code = LANGUAGES.get(code, code)
    return code if len(code) == 2 or code in LANGUAGES.values() else None


def year(text, source):
    first, last = YEARS[source]
    return int(text) if re.fullmatch(r"-?\d+", text) and int(text) != 0 and first <= int(text) <= last else None


def authors(text, source):
    """Each once, in order; goodbooks-10k sets them apart by commas, the other by semicolons."""
    names = []
    for name in re.split(r",|;" if source == GOODBOOKS else r";", text):
        name = re.sub(r"(?<=\b[A-Z])(?= [A-Z]\b|$)|(?<=\b[A-Z])(?= )", ".", " ".join(name.split()))
        name = name.replace("..", ".").strip(" ,")
        if "," in name:
            last, first = name.split(",", 1)
            name = f"{first.strip()} {last}"
        if re.fullmatch(r"(Jr|Sr|II|III|IV|Ph\.?D|M\.?D)\.?", name) and names:
            names[-1] += " " + name
        elif name and fold(name) not in {fold(other) for other in names}:
            names.append(name)
    return names


def title(text, source):
    """The title without what the list puts behind it, and the series; None for a title that cannot be told from that."""
    text = " ".join(html.unescape(text).split())
    series = None
    found = re.fullmatch(r"(.+?) ?\((.+?),? *(#[^()]*)\)", text) or re.fullmatch(
        r"(.+?) ?\(([^()]+?), (?:Book|No\.?|Vol\.?|Volume) ?(\d+)\)", text
    )
    if found:
        text, inside, number = found.groups()
        series = inside.split(";")[0].split(", #")[0].strip(" ,")
        # The number of the first series that is named: "#1", and none for "#1-3" and "#0.5".
        first = re.match(r"[^;]*?#(\d+)(?![\d.-])", f"{inside} {number}" if "#" in number else f"#{number}")
        if first and series:
            series += f" #{first[1]}"
    text = re.sub(rf" ?: ?{KINDS}$", "", text, flags=re.IGNORECASE).strip()
    text = text.replace(" 1/2", "½").replace(" 1/4", "¼").replace(" 3/4", "¾")
    # "Wind in the Willows, The"
    text = re.sub(r"^(.+), (The|A|An)$", r"\2 \1", text)
    dirty = r"[()\[\]#*\"|]|\b(?:edition|boxed? set|volumes?|vol\.?|no\.|book \d)" if source == BOOKCROSSING else r"#|\|"
    if not fold(text) or "\ufffd" in text or re.search(dirty, text, flags=re.IGNORECASE):
        return None, None
    return text, series


def work(book):
    """What tells works apart here: the title up to its subtitle, and the first author's last word."""
    main = re.sub(r"^(the|a|an) ", "", fold(re.split(r": | [-–—] ", book["title"])[0]))
    return main, fold(book["authors"][0]).split(" ")[-1]


def books(rows, source):
    for row in rows:
        if row["source"] != source:
            continue
        names = authors(row["author"], source)
        text, series = title(row["title"], source)
        book = {
            "title": text, "authors": names, "isbn13": isbn(row["isbn13"]), "series": series,
            "year": year(row["year"], source), "language": language(row["language"]),
        }  # fmt: skip
        yield book


def main(source, output):
    with open(source, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    known = {fold(name) for row in rows if row["source"] == GOODBOOKS for name in authors(row["author"], GOODBOOKS)}
    chosen, works, numbers = [], set(), set()
    counts = {}
    for list_name in (GOODBOOKS, BOOKCROSSING):
        for book in books(rows, list_name):
            facts = [book[name] for name in ("title", "authors", "isbn13", "year", "language")]
            if len(chosen) == MOST or not all(facts) or book["isbn13"] in numbers or work(book) in works:
                continue
            # Book-Crossing has many that nobody knows: those by an author of a well-known book count.
            if list_name == BOOKCROSSING and fold(book["authors"][0]) not in known:
                continue
            chosen.append(book)
            works.add(work(book))
            numbers.add(book["isbn13"])
            counts[list_name] = counts.get(list_name, 0) + 1
    columns = ["title", "authors", "isbn13", "series", "year", "language"]
    with open(output, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(book | {"authors": "; ".join(book["authors"])} for book in chosen)
    print(f"{output}: {len(chosen)} books, " + ", ".join(f"{count} of {name}" for name, count in counts.items()))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

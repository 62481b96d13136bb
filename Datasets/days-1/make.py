"""Makes days.jsonl: 100 days of 10 people, drawn (seed 35) from facts of real captures.

usage: make.py SHARED  (a folder with real-dev-1, -2, -3 and real-shelf-1), from the repository's root
"""
import html, json, pathlib, random, re, sys

shared, root = pathlib.Path(sys.argv[1]), pathlib.Path(".")
rnd = random.Random(35)


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def book(sample):
    author = sample.get("authorFull") or sample.get("author")
    return {"title": sample["title"], "authors": [author] if author else []}


shelves = {}
for name in ["real-dev-1", "real-dev-2", "real-dev-3"]:
    for sample in lines(shared / name / "samples.jsonl"):
        if sample.get("title") and sample.get("legible", True):
            shelves.setdefault(sample["group"], []).append(book(sample))
shelf = json.load(open(shared / "real-shelf-1" / "shelf.json"))
shelves["real-shelf-1"] = [{"title": one["title"], "authors": [one["author"]] if one.get("author") else []} for one in shelf["books"]]
shelves = [books for books in shelves.values() if len(books) > 2]
books = [one for shelf in shelves for one in shelf]
codes = [code for s in lines(root / "Datasets/captures-1/samples.jsonl") for code in s.get("scene", {}).get("codes", [])]
pages = []
for path in sorted((root / "Tests/CaptureReadingTests/Fixtures").rglob("*.html")):
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.S)
    site = re.search(r'og:site_name"[^>]*content="([^"]+)"', text)
    body = path.with_suffix(".txt")
    if title and body.exists():
        pages.append({
            "title": " ".join(html.unescape(title.group(1)).split()),
            "site": html.unescape(site.group(1)) if site else path.stem.split("-")[0] + ".example",
            "text": body.read_text(encoding="utf-8")[:200],
        })
notes = [(one["id"].rsplit("-", 1)[0], one["text"]) for one in json.load(open(root / "Datasets/context-retrieval/items.json"))]
# Subjects of the sample pictures of scikit-image and scipy.
things = ["astronaut", "cup", "cat", "rocket", "camera", "motorcycle", "coins", "moon", "clock", "horse", "raccoon", "brick wall", "lawn", "galaxy"]
music = [("Blue", "Joni Mitchell"), ("Kind of Blue", "Miles Davis"), ("Winterreise", "Franz Schubert"), ("So What", "Miles Davis"),
         ("Hejira", "Joni Mitchell"), ("Für Alina", "Arvo Pärt")]
places = ["Café Central", "Albertina", "Hauptbibliothek", "Naschmarkt", "Westbahnhof", "Café Sperl", "Technisches Museum",
          "Augarten", "Buchhandlung Leporello", "Haus des Meeres", "Prater", "Universität Wien"]
venues = {"Café Central": "Café", "Albertina": "Museum", "Hauptbibliothek": "Library", "Naschmarkt": "Market", "Westbahnhof": "Station",
          "Café Sperl": "Café", "Technisches Museum": "Museum", "Augarten": "Park", "Buchhandlung Leporello": "Bookshop",
          "Haus des Meeres": "Zoo", "Prater": "Park", "Universität Wien": "University"}
weather = ["Sunny", "Rainy", "Cloudy", "Foggy", "Snowy"]


def described(book):
    return {"categories": [], "questions": [], "candidates": [], "sources": {},
            "bookContext": {"title": book["title"], "authors": book["authors"], "confidence": 0.95}}


def capture(source):
    """Facts of one capture as the pipeline keeps them, with the names that it may be known by."""
    item = {"kind": "image", "labels": {}, "categories": [], "enrichment": {"questions": [], "candidates": [], "sources": {}}, "children": [], "names": [], "is": []}
    if source == "book":
        one = rnd.choice(books)
        item.update(kind="book", labels={"book": 1}, title=one["title"])
        item["enrichment"] |= described(one)
        item["names"] = [one["title"]] + one["authors"]
        item["is"] = [one["title"]]
    elif source == "shelf":
        all_books = rnd.choice(shelves)
        start = rnd.randrange(max(1, len(all_books) - 4))
        seen = {one["title"]: one for one in all_books[start:start + rnd.randint(2, 24)]}
        item.update(kind="shelf", labels={"bookshelf": 1}, title="")
        for one in seen.values():
            item["children"].append({"kind": "book", "title": one["title"], "enrichment": described(one)})
            item["names"] += [one["title"]] + one["authors"]
            item["is"].append(one["title"])
    elif source == "code":
        code = rnd.choice(codes)
        isbn = re.fullmatch(r"97[89]\d{10}", code)
        item.update(labels={"code": 1}, title="")
        child = {"kind": "book" if isbn else "qrCode", "title": code, "enrichment": {"categories": [], "questions": [], "candidates": [], "sources": {}, "qrContext": {"payload": code}}}
        if isbn and rnd.random() < 0.7:
            one = rnd.choice(books)
            child["title"] = one["title"]
            child["enrichment"] |= described(one)
            item["names"] = [one["title"]] + one["authors"]
            item["is"] = [one["title"]]
        else:
            item["is"] = [code]
        item["names"].append(code)
        item["children"].append(child)
    elif source == "web":
        one = rnd.choice(pages)
        item.update(kind="web", title=one["title"])
        item["enrichment"] |= {"title": one["title"], "webContext": {"siteName": one["site"], "textContent": one["text"]}}
        item["names"] = [one["title"], one["site"]]
        item["is"] = [one["title"]]
    elif source == "note":
        subject, text = rnd.choice(notes)
        item.update(kind="text", title=text, transcription=text, categories=[subject])
        item["names"], item["is"] = [text], [text]
    elif source == "thing":
        name = rnd.choice(things)
        item.update(labels={name: rnd.choice([0.95, 0.83, 0.71, 0.52])}, title="")
        item["names"], item["is"] = [name], [name]
    elif source == "music":
        title, artist = rnd.choice(music)
        item.update(kind="media", title=title, categories=["Song"])
        item["enrichment"] |= {"title": title, "musicContext": {"title": title, "artists": [artist]}}
        item["names"] = [title, artist]
        item["is"] = [title]
    elif source == "unknown":
        item.update(title="")
    item["enrichment"]["categories"] = item.pop("categories")
    return item


SOURCES = ["book", "shelf", "code", "web", "note", "thing", "music", "unknown"]
for person in range(10):
    habit = {one: rnd.choice([0.2, 1, 1, 5]) for one in SOURCES}
    haunts = rnd.sample(places, 4)
    for number in range(10):
        count = rnd.choice([1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30, 45])
        sky, captures, here = rnd.choice(weather), [], None
        for hour in sorted(rnd.uniform(6.5, 23) for _ in range(count)):
            item = capture(rnd.choices(SOURCES, [habit[one] for one in SOURCES])[0])
            item["hour"] = round(hour, 3)
            if rnd.random() < 0.3:
                here = rnd.choice(haunts + [None, "Home"])
            if here and item["kind"] != "web":
                place = {"name": here, "photos": [], "tips": [], "categories": []}
                if here != "Home":
                    place |= {"placeID": here, "categories": [venues[here]]}
                item["enrichment"]["placeContext"] = place
                item["enrichment"]["weatherContext"] = {"condition": sky, "temperatureCelsius": 12, "symbolName": "cloud"}
                item["names"].append(here)
                if here != "Home":
                    item["enrichment"]["categories"].append(venues[here])
            if rnd.random() < 0.2:
                item["enrichment"]["activityContext"] = {"type": rnd.choice(["stationary", "walking"]), "confidence": "high"}
            captures.append(item)
        print(json.dumps({"person": person, "day": number, "captures": captures}, ensure_ascii=False))

"""Readings in hOCR, ALTO and PAGE.

Sources: hOCR 1.2 (kba.github.io/hocr-spec) and Tesseract's hocrrenderer.cpp; ALTO 2 to 4.4 (loc.gov/standards/alto); PAGE
content 2009-03-16 to 2019-07-15 (primaresearch.org), and Transkribus' `custom`.
"""
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from formats import Fault, OtherKind, box, oneLine, pairs, say, share, stem, text

NONE = ElementTree.Element("")
LAST = 1 << 60


class HTML(HTMLParser):
    """Builder of a tree of HTML, with each element's line in `line`."""

    empty = "area base br col hr img input link meta wbr".split()

    def __init__(self, source):
        super().__init__()
        self.builder, self.open = ElementTree.TreeBuilder(), []
        self.handle_starttag("all", [])
        self.feed(source)
        self.close()
        self.handle_endtag("all")
        self.root = self.builder.close()

    def handle_starttag(self, tag, attributes):
        name = tag.split(":")[-1]
        self.builder.start(name, {key: value or "" for key, value in attributes} | {"line": str(self.getpos()[0])})
        self.open.append(tag)
        if name in self.empty:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        while tag in self.open:
            self.builder.end("")
            if self.open.pop() == tag:
                return

    def handle_data(self, words):
        self.builder.data(words)


def parsed(path, name):
    """The outermost element of XML, which is to have this name; names without their name spaces."""
    try:
        root = ElementTree.fromstring(text(path))
    except ElementTree.ParseError as error:
        raise Fault(f"not XML, or cut off: {error.msg}", line=error.position[0])
    for element in root.iter():
        element.tag = element.tag.split("}")[-1]
    if root.tag != name:
        raise OtherKind(f"begins with <{root.tag}>; expected <{name}>")
    return root


def words(element):
    return "".join(element.itertext())


def child(element, *names):
    return next((one for one in element if one.tag in names), NONE)


def first(element, name):
    return next(element.iter(name), NONE)


def number(written):
    try:
        return float(written)
    except (TypeError, ValueError):
        return None


def points(written):
    flat = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", written or "")]
    return pairs(flat) if len(flat) > 5 and len(flat) % 2 == 0 else None


# MARK: Lines

class Line:
    """Line of a page's text, before the halves of divided words are joined."""

    def __init__(self, words="", confidences=(), points=None):
        self.text, self.confidences, self.points, self.isDivided = words, list(confidences), points, False


def joined(lines):
    """The lines that are not blank; a word that is divided between two is in the first of them.

    A soft hyphen at a line's end divides a word, and belongs to none. Confidences outside 0 to 1 are left out.
    """
    done, isDivided = [], False
    for line in filter(lambda line: line.text.strip(), lines):
        rest, own = "", oneLine(line.text).replace("\u00AD", "")
        if isDivided and done:
            rest, _, own = own.partition(" ")
            done[-1]["text"] += rest
        isDivided = line.isDivided or line.text.rstrip().endswith("\u00AD")
        known = [share(confidence) for confidence in line.confidences]
        mean = None if None in known or not known else sum(known) / len(known)
        done += [{"text": own, "confidence": mean, "quad": line.points}] if own else []
    return done


def tell(names, lines, line=None):
    say(image=[name for name in names if name], lines=joined(lines), line=line)


def tellSystem(name):
    if oneLine(name):
        say(readings=1, system={"name": oneLine(name)})


# MARK: Order

def ordered(elements):
    """Elements by their `index`, or that in Transkribus' `custom="readingOrder {index:0;}"`; others come last."""
    def rank(element):
        custom = re.search(r"readingOrder\s*\{[^}]*?\bindex\s*:\s*(\d+)", element.get("custom", ""))
        index = element.get("index") or (custom and custom[1]) or ""
        return int(index) if index.isdecimal() else LAST
    return sorted(elements, key=rank)


def order(groups):
    """Numbers of ids in the order of groups of references: an index counts within its own group alone."""
    places = {}
    for group in groups:
        for own in (group.get("regionRef") or group.get("REF") or "").split() + list(order(ordered(group))):
            places.setdefault(own, len(places))
    return places


def named(name, root, places):
    """The elements of a name below an element, in an order; those that it has not are at the place of the one that they are in, or last."""
    found = []

    def add(element, place):
        for one in ordered(element):
            own = places.get(one.get("id") or one.get("ID"), place)
            found.extend([(own, one)] if one.tag == name else [])
            add(one, own)

    add(root, LAST)
    return [element for _, element in sorted(found, key=lambda pair: pair[0])]


# MARK: hOCR

BLOCKS = "div p h1 h2 h3 h4 h5 h6 li td th tr table blockquote pre".split()
INLINE = "ocr_cinfo ocr_glyph ocr_glyphs ocr_dropcap ocr_math ocr_chem ocr_symbol ocr_word".split()
# A quote that neither a semicolon nor the end follows belongs to the text, as in `image "it's "so".jpg"; ppageno 0`.
PROPERTY = re.compile(r"""[\s;]*([^\s;]+)\s*(?:(["'])((?:\\.|[^\\])*?)\2\s*(?:;|$)|([^;]*)(?:;|$))""")


def quality(name, element):
    """A property in an element's title, `image "a; b.jpg"; bbox 1 2 3 4; x_wconf 96`, without quotes."""
    for own, _, quoted, bare in PROPERTY.findall(element.get("title", "")):
        if own == name:
            return quoted.replace('\\"', '"').replace("\\'", "'") or bare.strip("\"' \n")
    return ""


def bounds(element):
    sides = [number(side) for side in quality("bbox", element).split()]
    return [] if len(sides) != 4 or None in sides else box(sides[0], sides[1], sides[2] - sides[0], sides[3] - sides[1])


def confidence(element):
    found = number(quality("x_wconf", element))
    return None if found is None else found / 100


def has(element, *classes):
    return any(name in classes for name in element.get("class", "").split())


def isChoices(element):
    """Whether an element holds what a letter could be as well, as Tesseract's `lstm_choice_mode` writes."""
    return has(element, "ocr_symbol") or isInfo(element) and any(map(isInfo, element))


def isInfo(element):
    return has(element, "ocrx_cinfo", "ocr_cinfo")


def isLetters(element):
    """Whether an element holds letters of the text, with `hocr_char_boxes` of Tesseract one each."""
    return isInfo(element) and not isChoices(element)


def isBlock(element):
    own = any(name.startswith("ocr_") and name not in INLINE or name in ("ocrx_line", "ocrx_block") for name in element.get("class", "").split())
    return own or element.tag in BLOCKS


def nodes(element):
    """Texts and elements in an element, in order."""
    return [element.text or ""] + [node for one in element for node in (one, one.tail or "")]


def chosen(alternatives):
    """The reading of several: the inserted one, else the first."""
    return next((one for one in alternatives if one.tag == "ins"), next(iter(alternatives), NONE))


def likeliest(choices):
    return likeliest(choices[0]) if len(choices) else words(choices)


def wordText(word):
    """The text of a word: without the layout between its letters, and without the choices behind it."""
    def own(element):
        return "".join(node if isinstance(node, str) else own(chosen(node)) if has(node, "alternatives") else "" if isChoices(node)
                       else " " if node.tag == "br" else own(node) for node in nodes(element))

    found = own(word)
    if not found.strip():
        return "".join(likeliest(one) for one in word.iter() if isChoices(one) and not any(one in list(other) for other in word.iter() if isChoices(other)))
    return "".join(found.split()) if any(map(isLetters, word.iter())) else found


class Page:
    """Lines of a page: of its blocks, however they are nested, with nothing of its text left out but alternatives."""

    def __init__(self, page):
        self.lines, self.line, self.endsWithWord, self.isLeaf = [], Line(), False, True
        self.read(page)

    def read(self, block):
        self.finish()
        start, self.isLeaf = len(self.lines), True
        self.take(block)
        self.finish()
        if self.isLeaf and len(self.lines) == start + 1 and not has(block, "ocr_page"):
            line = self.lines[start]
            line.points = bounds(block) or line.points
            if line.confidences == [None]:
                line.confidences = [confidence(block)]
        self.isLeaf = False

    def finish(self):
        self.lines += [self.line] if self.line.text.strip() else []
        self.line, self.endsWithWord = Line(), False

    def add(self, found):
        if found:
            self.line.text += found
            self.endsWithWord = False
            if found.strip() and self.line.confidences[-1:] != [None]:
                self.line.confidences.append(None)

    def addWord(self, word):
        if wordText(word).strip():
            self.line.text += " " * self.endsWithWord + wordText(word)
            self.endsWithWord = True
            self.line.confidences.append(confidence(word))
            self.line.points = (self.line.points or []) + bounds(word) or None

    def take(self, element):
        hasLetters = any(map(isLetters, element))
        for node in nodes(element):
            if isinstance(node, str):
                # White space of the file between letters does not divide words.
                if node.strip() or not hasLetters or "\n" not in node:
                    self.add(node)
            elif node.tag == "br":
                self.finish()
            elif has(node, "alternatives"):
                self.take(chosen(node))
            elif has(node, "ocrx_word", "ocr_word"):
                self.addWord(node)
            elif isBlock(node):
                self.read(node)
            elif isLetters(node):
                self.add(words(node))
            elif not isChoices(node) and node.tag not in ("script", "style"):
                self.take(node)


def hocr(path):
    source = text(path)
    root = HTML(source).root
    # A parser of HTML adds the ends that are missing.
    outer = re.search(r"<(?![?!])([\w:.-]+)", source)
    if outer and outer[1].lower() not in HTML.empty and f"</{outer[1]}".lower() not in source.lower():
        raise Fault(f"<{outer[1]}> has no end: the file was cut off")
    pages = [element for element in root.iter() if has(element, "ocr_page")]
    if not pages:
        raise OtherKind("has no element of the class ocr_page")
    tellSystem(next((one.get("content", "") for one in root.iter("meta") if one.get("name") == "ocr-system"), ""))
    for page in pages:
        # The file's own name is the picture's when nothing else is.
        names = [quality("image", page), quality("x_source", page), stem(path) if len(pages) == 1 else ""]
        tell(names, Page(page).lines, int(page.get("line")))


def single(root):
    """The one page of a file."""
    pages = list(root.iter("Page"))
    if len(pages) != 1:
        raise Fault(f"has {len(pages)} pages; expected one, of one picture")
    return pages[0]


# MARK: ALTO

def alto(path):
    root = parsed(path, "alto")
    page = single(root)
    isInPixels = oneLine(words(first(root, "MeasurementUnit"))).lower() == "pixel"
    # Several orders are alternatives.
    elements = named("TextLine", page, order(first(root, "ReadingOrder")[:1]) or chained(page))
    # A divided word is known as a whole where both of its parts are there.
    halves = [{one.get("SUBS_CONTENT") for one in page.iter("String") if one.get("SUBS_TYPE") == part} for part in ("HypPart1", "HypPart2")]
    lines = []
    for element in elements:
        line, found = Line(), []
        for string in element.iter("String"):
            whole = string.get("SUBS_CONTENT")
            part = string.get("SUBS_TYPE") if whole and whole in halves[0] & halves[1] else None
            if part == "HypPart2":
                continue
            glyphs = "".join(glyph.get("CONTENT", "") for glyph in string.iter("Glyph"))
            found.append(whole if part == "HypPart1" else string.get("CONTENT", glyphs))
            line.confidences.append(number(string.get("WC")))
            line.isDivided = not part and first(element, "HYP") is not NONE
        line.text = " ".join(found)
        sides = [number(element.get(side)) for side in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
        if isInPixels:
            line.points = points(first(child(element, "Shape"), "Polygon").get("POINTS")) if None in sides else box(*sides)
        lines.append(line)
    tellSystem(words(first(root, "softwareName")))
    tell([oneLine(words(first(root, "fileName"))), stem(path)], lines)


def chained(page):
    """The order in which blocks name the next one, `IDNEXT`; empty when none does."""
    blocks = [one for one in page.iter() if one.tag == "TextBlock" or one.tag != "ComposedBlock" and one.get("IDNEXT")]
    following = {one.get("ID"): one.get("IDNEXT") for one in reversed(blocks) if one.get("IDNEXT")}
    places = {}
    for own in [one.get("ID") for one in blocks if following and one.get("ID") not in following.values()]:
        while own and own not in places:
            places[own] = len(places)
            own = following.get(own)
    return places


# MARK: PAGE

def page(path):
    root = parsed(path, "PcGts")
    page = single(root)
    lines = []
    for region in named("TextRegion", page, order(page.iter("ReadingOrder"))):
        own = [pageLine(one) for one in ordered(region) if one.tag == "TextLine"]
        if any(line.text.strip() for line in own):
            lines += own
        elif len(list(region.iter("TextRegion"))) == 1:
            # A region without lines has its own text, unless that repeats what the regions in it have.
            whole = pageLine(region)
            lines += [Line(row, whole.confidences, whole.points) for row in whole.text.splitlines()]
    tellSystem(words(first(root, "Creator")))
    tell([page.get("imageFilename"), stem(path)], lines)


def pageLine(element):
    coords = child(element, "Coords")
    # Until 2010, points were elements.
    return Line(*reading(element), points(coords.get("points") or " ".join(f"{one.get('x')} {one.get('y')}" for one in coords)))


def reading(element):
    """The text of a region, line, word or glyph: that of the lowest index, else that of its parts; and confidences."""
    texts = sorted((one for one in element if one.tag == "TextEquiv"), key=lambda one: number(one.get("index")) or 0)
    for name in ("Unicode", "PlainText"):
        found = words(first(texts[0], name)) if texts else ""
        if found.strip():
            return found, [number(texts[0].get("conf"))]
    parts = ordered(one for one in element if one.tag in ("Word", "Glyph"))
    found = [reading(part) for part in parts]
    separator = "" if parts and parts[0].tag == "Glyph" else " "
    return separator.join(words for words, _ in found), [one for _, confidences in found for one in confidences]

"""Readings of other tools' files; the expected texts are what a person reads there. Fixtures/README.md has the origin of each fixture."""
import tempfile
import unittest

from support import FIXTURES, FormatTest, run

QUAD = [[10, 20], [40, 20], [40, 25], [10, 25]]


class ReadingTest(FormatTest):
    def lines(self, name, contents):
        """Lines of a file, whose ending is the format's."""
        return next(one for one in self.records(name.split(".")[-1], "readings", {name: contents}) if "lines" in one)["lines"]

    def texts(self, name, contents):
        return [line["text"] for line in self.lines(name, contents)]


def prefixed(markup, prefix):
    return markup.replace("</", f"</{prefix}:").replace("xmlns=", f"xmlns:{prefix}=").replace("<?", "\0").replace("<!", "\1") \
        .replace("<", f"<{prefix}:").replace(f"<{prefix}:/", "</").replace("\0", "<?").replace("\1", "<!")


def hocr(content, title='image "a.jpg"; bbox 0 0 900 130; ppageno 0'):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title><meta name='ocr-system' content='t 1'/></head><body>
<div class='ocr_page' title='{title}'>{content}</div></body></html>"""


def span(kind, content="", title=""):
    return f"<span class='{kind}'" + f" title='{title}'" * bool(title) + f">{content}</span>"


def word(content):
    return span("ocrx_word", content)


def line(content):
    return span("ocr_line", content)


def letters(text, choices=""):
    """A word as Tesseract writes it with `hocr_char_boxes`."""
    found = "".join("\n  " + span("ocrx_cinfo", letter, "x_bboxes 1 1 2 2; x_conf 99") + choices for letter in text)
    return span("ocrx_word", found + "\n", "bbox 1 1 9 9; x_wconf 96")


CHOICES = f"<span class='ocrx_cinfo' id='lstm_choices'>{span('ocrx_cinfo', 'A', 'x_confs 90')}{span('ocrx_cinfo', 'O', 'x_confs 5')}</span>"


class HOCRTests(ReadingTest):
    def test_the_text_of_a_word_is_its_own_and_the_first_of_alternatives(self):
        self.check([
            (letters("THE") + " " + letters("OLD"), "THE OLD"), (letters("THE", CHOICES) + " " + letters("OLD", CHOICES), "THE OLD"),
            (letters("OLD", span("ocr_symbol", CHOICES)), "OLD"), (word(f"<strong><em>OLD</em></strong>\n {CHOICES}"), "OLD"),
            (word("OLD" + span("ocr_symbol", CHOICES)) + " MAN", "OLD MAN"), (word(f"\n{CHOICES}{CHOICES}"), "AA"), (word(f"T{span('ocr_cinfo', 'H')}E"), "THE"),
            (word(span("alternatives", "\n<ins class='alt'>OLD</ins>\n<del class='alt'>0LD</del>")), "OLD"),
            (span("alternatives", f"<del class='alt'>{word('OLDM')}</del><ins class='alt'>{word('OLD')} {word('M')}</ins>"), "OLD M"),
            (span("alternatives", "<del class='alt'>OLD</del><del class='alt'>0LD</del>"), "OLD"), (word("OLD") + word("MAN"), "OLD MAN"),
            (word("OLD") + " MAN, " + word("SEA") + "!", "OLD MAN, SEA!"), (span("ocrx_word first", "OLD") + " " + span("x ocrx_word", "MAN"), "OLD MAN"),
            (word("caf&eacute;&nbsp;&amp;&#8203;"), "café &\u200b"), (word("LAN&shy;TERN"), "LANTERN"),
            (f"{span('ocrx_cinfo', 'O')}\n{span('ocrx_cinfo', 'L')} {span('ocrx_cinfo', 'D')}", "OL D"),
        ], lambda content: " | ".join(self.texts("a.hocr", hocr(span("ocr_line", content, "bbox 1 1 9 9")))))

    def test_the_lines_of_a_page_are_those_of_its_blocks(self):
        self.check([
            ("<p class='ocr_par'>THE OLD<br/>Ada</p>", ["THE OLD", "Ada"]), ("<div class='ocr_carea'>THE OLD</div><div class='ocrx_block'>Ada</div>", ["THE OLD", "Ada"]),
            ("THE OLD", ["THE OLD"]), ("<p>THE OLD</p>Ada<h1>X</h1>", ["THE OLD", "Ada", "X"]), (word("THE") + " " + word("OLD"), ["THE OLD"]),
            (span("ocrx_line", "THE OLD") + line("Ada"), ["THE OLD", "Ada"]),
            (span("ocr_header", "THE") + span("ocr_caption", "OLD") + span("ocr_textfloat", "MAN"), ["THE", "OLD", "MAN"]),
            (f"<div class='ocr_textfloat'>{line('THE')}{line('OLD')}</div>", ["THE", "OLD"]),
            (f"<div class='ocr_carea'>{line('THE')} and <p class='ocr_par'>OLD</p></div>", ["THE", "and", "OLD"]),
            ("<table><tr><td>THE</td><td>OLD</td></tr></table>", ["THE", "OLD"]), (line("LAN&shy;") + line("TERN Ada"), ["LANTERN", "Ada"]),
            ("<SPAN CLASS='ocr_line'>THE OLD</SPAN>", ["THE OLD"]), ("<div class='ocr_photo'></div>" + line(" "), []),
        ], lambda content: self.texts("a.hocr", hocr(content)))

    def test_a_name_space_with_a_prefix(self):
        markup = prefixed(hocr(span("ocr_line", span("ocrx_word", "OLD", "x_wconf 50"), "bbox 1 2 3 4")), "h")
        head, page = self.records("hocr", "readings", {"a.hocr": markup})
        self.assertEqual((head["system"], page["image"]), ({"name": "t 1"}, ["a.jpg", "a"]))
        self.assertEqual(page["lines"], [{"text": "OLD", "confidence": 0.5, "quad": [[1, 2], [3, 2], [3, 4], [1, 4]]}])
        self.refused([(markup.replace("</h:html>", ""), "b.hocr: <h:html> has no end: the file was cut off")], lambda text: self.records("hocr", "readings", {"b.hocr": text}))

    def test_names_of_pictures(self):
        """By the grammar of properties, and by Tesseract, which escapes nothing."""
        self.check([
            ('image "a b.jpg"; bbox 0 0 9 9', "a b.jpg"), ("bbox 0 0 9 9; ppageno 0; image a b.jpg", "a b.jpg"), ("bbox 0 0 9 9;image &quot;a;b.jpg&quot;;ppageno 0", "a;b.jpg"),
            ("image &quot;it&#39;s &quot;so&quot;.jpg&quot; ; bbox 0 0 9 9", "it's \"so\".jpg"), ('image &quot;a\\&quot;b.jpg&quot;; x 1', 'a"b.jpg'),
            ("image &quot;C:\\scans\\a.jpg&quot;; bbox 0 0 9 9", "C:\\scans\\a.jpg"), ("image &#39;a.jpg&#39;", "a.jpg"), ("x_source /scans/a.jpg; bbox 0 0 9 9", "/scans/a.jpg"),
            ('image ""; bbox 0 0 9 9', "page"), ("imagemd5 0; bbox 0 0 9 9", "page"), ("", "page"),
        ], lambda title: self.records("hocr", "readings", {"page.hocr": hocr(line("X"), title)})[-1]["image"][0])

    def test_every_page_of_a_file_is_of_its_own_picture(self):
        pages = "".join(f"<div class='ocr_page' title='ppageno 1; image \"{name}.jpg\"'><p class='ocr_par'>{name}</p></div>" for name in "ab")
        found = self.records("hocr", "readings", {"a.hocr": f"<body>{pages}</body>"})
        self.assertEqual([(one["image"], one["lines"][0]["text"]) for one in found], [(["a.jpg"], "a"), (["b.jpg"], "b")])


def alto(content, unit="pixel", head=""):
    return f"""<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>{unit}</MeasurementUnit>\
<sourceImageInformation><fileName>C:\\scans\\a.tif</fileName></sourceImageInformation></Description>{head}\
<Layout><Page ID="p"><PrintSpace>{content}</PrintSpace></Page></Layout></alto>"""


def strings(id, *texts):
    return f'<TextLine ID="{id}">' + "<SP/>".join(f'<String CONTENT="{text}"/>' for text in texts) + "</TextLine>"


class ALTOTests(ReadingTest):
    def test_divided_words_glyphs_alternatives_and_orders_are_as_the_schema_defines_them(self):
        half = "<TextLine><String CONTENT='LAN' SUBS_TYPE='HypPart1' SUBS_CONTENT='LANTERN'/><HYP CONTENT='-'/></TextLine>"
        three = "".join(f'<TextBlock ID="{id}">{strings("l" + id, id)}</TextBlock>' for id in "cab")
        self.check([
            (half + "<TextLine><String CONTENT='TERN' SUBS_TYPE='HypPart2' SUBS_CONTENT='LANTERN'/><SP/><String CONTENT='X'/></TextLine>", "", ["LANTERN", "X"]),
            # The other half is on the next page.
            (half, "", ["LAN"]), ("<TextLine><String CONTENT='LAN'/><HYP CONTENT='-'/></TextLine>" + strings("x", "TERN", "X"), "", ["LANTERN", "X"]),
            ("<TextLine><String CONTENT='Dr' SUBS_TYPE='Abbreviation' SUBS_CONTENT='Doctor'/></TextLine>", "", ["Dr"]),
            ("<TextLine><String CONTENT='OLD'><ALTERNATIVE>0LD</ALTERNATIVE><Glyph CONTENT='O'><Variant CONTENT='0'/></Glyph></String></TextLine>", "", ["OLD"]),
            ("<TextLine><String><Glyph CONTENT='O'/><Glyph CONTENT='K'/></String></TextLine>", "", ["OK"]),
            (f"<ComposedBlock><TextBlock>{strings('x', 'A', 'B')}</TextBlock></ComposedBlock>", "", ["A B"]), (three, "", ["c", "a", "b"]),
            (three.replace('"a"', '"a" IDNEXT="b"', 1).replace('ID="b"', 'ID="b" IDNEXT="c"'), "", ["a", "b", "c"]),
            (three, "<ReadingOrder><OrderedGroup ID='g'><ElementRef ID='1' REF='b'/><UnorderedGroup ID='h'><ElementRef ID='2' REF='la'/></UnorderedGroup></OrderedGroup>"
                    "<OrderedGroup ID='o'><ElementRef ID='3' REF='c'/></OrderedGroup></ReadingOrder>", ["b", "a", "c"]),
            (three, "<ReadingOrder><OrderedGroup ID='g'><ElementRef ID='1' REF='lb lc'/></OrderedGroup></ReadingOrder>", ["b", "c", "a"]),
        ], lambda content, head: self.texts("a.alto", alto(content, head=head)))

    def test_places_are_in_pixels_or_unknown(self):
        box = "<TextLine HPOS='10' VPOS='20' WIDTH='30' HEIGHT='5'><String CONTENT='A' WC='0.5'/></TextLine>"
        shape = "<TextLine><Shape><Polygon POINTS='10,20 40,20 40,25 10,25'/></Shape><String CONTENT='A'/></TextLine>"
        self.check([(content, unit, QUAD if unit == "pixel" else None) for content in (box, shape) for unit in ("pixel", "mm10", "inch1200")],
                   lambda content, unit: self.lines("a.alto", alto(content, unit))[0]["quad"])
        for markup in (alto(box), prefixed(alto(box), "a")):
            found, = self.records("alto", "readings", {"a.alto": markup})
            self.assertEqual((found["image"][0], found["lines"][0]["text"], found["lines"][0]["confidence"]), (r"C:\scans\a.tif", "A", 0.5))


def page(content, order=""):
    return f"""<?xml version="1.0"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>\
<Page imageFilename="D:/scans/a.tif">{order}{content}</Page></PcGts>"""


def equivalent(text, attributes=""):
    return f"<TextEquiv {attributes}><Unicode>{text}</Unicode></TextEquiv>"


def region(id, more="", custom=""):
    return f'<TextRegion id="{id}" custom="{custom}"><Coords points="0,0 9,0 9,9 0,9"/><TextLine>{equivalent(id)}</TextLine>{more}</TextRegion>'


def references(*ids):
    return "".join(reversed([f'<RegionRefIndexed index="{index}" regionRef="{id}"/>' for index, id in enumerate(ids)]))


class PAGETests(ReadingTest):
    def test_regions_are_read_group_by_group(self):
        """An index counts within its own group."""
        four = "".join(map(region, "dcba"))
        self.check([
            (four, "", ["d", "c", "b", "a"]), (four, f"<OrderedGroup>{references(*'abcd')}</OrderedGroup>", ["a", "b", "c", "d"]),
            (four, f"<OrderedGroup><OrderedGroupIndexed index='1'>{references('c', 'd')}</OrderedGroupIndexed><OrderedGroupIndexed index='0'>{references('a', 'b')}"
                   "</OrderedGroupIndexed></OrderedGroup>", ["a", "b", "c", "d"]),
            (four, "<OrderedGroup><RegionRefIndexed index='10' regionRef='d'/><UnorderedGroupIndexed index='9'><RegionRef regionRef='c'/><RegionRef regionRef='a'/>"
                   "</UnorderedGroupIndexed><RegionRefIndexed index='2' regionRef='b'/></OrderedGroup>", ["b", "c", "a", "d"]),
            (four, f"<UnorderedGroup><RegionRef regionRef='c'/><OrderedGroup>{references('a', 'b')}</OrderedGroup></UnorderedGroup>", ["c", "a", "b", "d"]),
            # A region that is not in the order is read with the one that it is in, or last.
            (region("x") + region("b", region("c")) + region("a", f"<TableRegion>{region('t')}</TableRegion>"), f"<OrderedGroup>{references('a', 'b')}</OrderedGroup>",
             ["a", "t", "b", "c", "x"]),
            (region("b", region("c") + region("d")) + region("a"), "<OrderedGroup><RegionRefIndexed index='0' regionRef='a'/><OrderedGroupIndexed index='1' regionRef='b'>"
             f"{references('d', 'c')}</OrderedGroupIndexed></OrderedGroup>", ["a", "b", "d", "c"]),
            (region("b", custom="structure {type:heading;} readingOrder { index : 1; }") + region("a", custom="readingOrder {index:0;}"), "", ["a", "b"]),
        ], lambda content, order: self.texts("a.page", page(content, order and f"<ReadingOrder>{order}</ReadingOrder>")))

    def test_the_text_of_a_line_is_that_of_the_lowest_index_or_of_its_words_or_of_its_region(self):
        def one(content): return f"<TextLine>{content}</TextLine>"
        def part(name, content): return f"<{name}>{content}</{name}>"
        self.check([
            (one(equivalent("0LD", "index='2'") + equivalent("OLD", "index='1' conf='0.5'")), (["OLD"], 0.5)), (one(equivalent("OLD") + equivalent("0LD")), (["OLD"], None)),
            (one(part("Word", equivalent("THE", "conf='0.25'")) + part("Word", equivalent("OLD", "conf='0.75'"))), (["THE OLD"], 0.5)),
            (one(part("Word", equivalent("THE")) + equivalent("THE OLD")), (["THE OLD"], None)), (one(equivalent(" ") + part("Word", equivalent("OLD"))), (["OLD"], None)),
            (one(part("Word", part("Glyph", equivalent("O")) + part("Glyph", equivalent("K")))), (["OK"], None)),
            (one("<TextEquiv><PlainText>OLD</PlainText><Unicode/></TextEquiv>"), (["OLD"], None)), (equivalent("THE OLD\nAda", "conf='1'"), (["THE OLD", "Ada"], 1)),
            ("<TextLine/>" + equivalent("THE OLD"), (["THE OLD"], None)), (one(equivalent("OLD")) + equivalent("OLD"), (["OLD"], None)),
            (f"<TextLine custom='readingOrder {{index:10;}}'>{equivalent('B')}</TextLine>{one(equivalent('C'))}"
             f"<TextLine custom='readingOrder {{index:9;}} textStyle {{fontSize:9.0;}}'>{equivalent('A')}</TextLine>", (["A", "B", "C"], None)),
            (one(equivalent("LAN\u00ad")) + one(equivalent("TERN")), (["LANTERN"], None)),
        ], lambda content: (lambda found: ([one["text"] for one in found], found[0]["confidence"]))(self.lines("a.page", page(f"<TextRegion id='r'>{content}</TextRegion>"))))

    def test_coords_of_old_versions_and_prefixes_are_read(self):
        points = "".join(f"<Point x='{x}' y='{y}'/>" for x, y in QUAD)
        for coords in (f"<Coords>{points}</Coords>", "<Coords points='10,20 40,20 40,25 10,25'/>"):
            markup = page(f"<TextRegion><TextLine>{coords}{equivalent('A')}</TextLine></TextRegion>")
            for text in (markup, prefixed(markup, "pc")):
                found, = self.records("page", "readings", {"a.page": text})
                self.assertEqual((found["image"], found["lines"][0]["quad"]), (["D:/scans/a.tif", "a"], QUAD))


class FixtureTests(ReadingTest):
    """Files as the tools write them, of one picture."""

    tesseract, rapid = ["Ficciones", "JORGE LUE", "BORGES", "Cuatro", "Tejas"], ["CT", "Ficciones", "JORGE LUIS", "BORGES", "Cuatro", "Tejas"]

    def test_markup(self):
        """Confidences by hand: the mean of the words' x_wconf 96 and 78, and of WC; PAGE states the line's."""
        for name, system, confidence in [("tesseract.hocr", "tesseract 5.3.0", 0.87), ("tesseract.alto.xml", "tesseract 5.3.0", 0.87), ("tesseract.page.xml", "Tesseract - 5.5.4", 0.9217)]:
            with self.subTest(name):
                head, found = run(name.split(".")[1], "readings", FIXTURES / name)
                self.assertEqual((head["system"]["name"], found["image"][0]), (system, "images/spine-00028.jpg"))
                self.assertEqual([one["text"] for one in found["lines"]], self.tesseract)
                self.assertAlmostEqual(found["lines"][1]["confidence"], confidence, 9)
                # PAGE has an outline, which is turned a little.
                for axis, least, most in [(0, 14, 87), (1, 225, 238)]:
                    sides = [point[axis] for point in found["lines"][1]["quad"]]
                    self.assertTrue(abs(min(sides) - least) <= 2 and abs(max(sides) - most) <= 2, sides)

    def test_tables(self):
        found = self.records("table.py", "readings", {"a.csv": "id,text,milliseconds,error\r\na,DUNE,41.5,\r\nb,,,no text\r\n"})
        self.assertEqual(found, [{"file": "a.csv", "line": 2, "image": "a", "text": "DUNE", "latency": 41.5}, {"file": "a.csv", "line": 3, "image": "b", "error": "no text"}])
        found = self.records("table.py", "readings", {"a.json": '{"a": "DUNE"}'})
        self.assertEqual([(one["image"], one["text"]) for one in found], [("a", "DUNE")])
        self.refused([("a.csv", "", "a.csv:1: the columns id and text are missing"), ("a.csv", "id,text,ms\na,b,c\n", 'a.csv:2: "latency" is "c"'),
                      ("a.csv", "id,text\na\n", "a.csv:2: 1 fields; the header has 2"), ("a.json", '{"a": 3}', 'a.json: "a": expected a text')],
                     lambda name, text: self.records("table.py", "readings", {name: text}))

    def test_other_formats(self):
        text, = run("text", "readings", FIXTURES / "spine-00028.txt")
        self.assertEqual((text["image"], [row for row in text["text"].splitlines() if row.strip()]), ("spine-00028", self.tesseract))
        vision = [one for one in run("vision", "readings", FIXTURES / "vision.json") if "00028" in one["image"]]
        for name, format, score, found in [(name, "paddleocr", score, run("paddleocr", "readings", FIXTURES / name)) for name, score in
                                           [("spine-00028_res.json", 0.99614), ("paddle-results.txt", None), ("paddle-lists.txt", 0.99614)]] + [("vision.json", "vision", None, vision)]:
            with self.subTest(name):
                one = next(one for one in found if "00028" in str(one["image"]))
                self.assertEqual([line["text"] for line in one["lines"]], self.rapid)
                if format == "vision":
                    # Of the picture's 103 × 485 pixels; Vision counts from the lower left corner.
                    self.assertTrue(one["relative"])
                    self.near([[x * 103, y * 485] for x, y in one["lines"][0]["quad"]], [[37, 31], [69, 31], [69, 50], [37, 50]])
                else:
                    self.assertEqual((one["lines"][0]["quad"], one["lines"][2]["confidence"]), ([[37, 31], [69, 31], [69, 50], [37, 50]], score))

    def test_coco_text_takes_the_names_of_images_from_another_file(self):
        results, images = (FIXTURES / "coco-text.json").read_bytes(), '{"imgs": {"1": {"id": 1, "file_name": "4.jpg"}, "2": {"id": 2, "file_name": "28.jpg"}, "3": {"id": 3, "file_name": "1.jpg"}}, "anns": {}}'
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(images)
            file.flush()
            found = run("coco-text", "readings", FIXTURES / "coco-text.json", file.name)
        self.assertEqual([one["image"] for one in found], ["4.jpg", "28.jpg", "1.jpg"])
        self.assertEqual(([line["text"] for line in found[1]["lines"]], found[1]["lines"][0]["quad"]), (self.rapid, [[37, 31], [69, 31], [69, 50], [37, 50]]))
        self.refused([("image_id", "a.json: result 1: image_id 1 is a number; name the COCO file of the images with --annotations")],
                     lambda _: self.records("coco-text", "readings", {"a.json": results}))

    def test_refusals(self):
        nested = "<PcGts><Page>" + "<TextRegion>" * 5000 + "</TextRegion>" * 5000 + "</Page></PcGts>"
        self.refused([
            ("a.hocr", "<html><div class='ocr_page' title='x'><span>", "a.hocr: <html> has no end: the file was cut off"),
            ("a.hocr", "<html><body class='ocr_line'></body></html>", "a.hocr: has no element of the class ocr_page"),
            ("a.hocr", "\x1f\0\0", "a.hocr: is a binary file"), ("a.alto", "<alto>\n<Layout/></alto>", "a.alto: has 0 pages; expected one, of one picture"),
            ("a.alto", "<alto>" * 300, "a.alto:1: not XML, or cut off"), ("a.alto", "<alto>\n<Layout>", "a.alto:2: not XML, or cut off"),
            ("a.page", nested, "a.page: is nested too deeply"), ("a.page", "<alto/>", "a.page: begins with <alto>; expected <PcGts>"),
            ("a.paddleocr", '{"what": 1}', 'a.paddleocr: "rec_texts" is missing'), ("a.paddleocr", '{"rec_texts": ["a"], "rec_scores": [1, 2]}', "a.paddleocr: 1 rec_texts and 2 rec_scores"),
            ("a.paddleocr", "[[1, 2]]", "a.paddleocr: line of text 1: expected [box, [text, score]]"), ("a.paddleocr", "b.jpg\t[{]", "a.paddleocr:1: not valid JSON: column 3"),
            ("a.vision", '[{"observations": [{"text": "a"}]}, {"observations": []}]', 'a.vision: picture 1: "image" is missing'),
            ("a.coco-text", '[{"image_id": "a"}]', "a.coco-text: result 1: expected an object with image_id and utf8_string"),
            ("a.text", "%PDF-1.7\n", "a.text: is a PDF; expected text"), ("a.text", "WINTER\0", "a.text: is a binary file; expected text"),
            ("a.vision", "", "a.vision:1: not valid JSON: column 1"), ("a.vision", '{\n"a": "NaN", "b": NaN}', "a.vision:2: not valid JSON: column 18: the number NaN"),
        ], lambda name, contents: self.records(name.split(".")[-1], "readings", {name: contents}))
        self.assertEqual(self.texts("a.paddleocr", '{"rec_texts": ["a"], "rec_scores": []}'), ["a"])

    def test_files_of_other_kinds_in_a_folder_are_left_out_with_a_remark(self):
        def alto(text): return f"<alto><Layout><Page><TextLine><String CONTENT='{text}'/></TextLine></Page></Layout></alto>"
        found = self.records("alto", "readings", {"a.xml": alto("A"), "mets.xml": "<mets/>", "run.log": "INFO", "._a.xml": "\0"})
        self.assertEqual([one["image"] for one in found if "image" in one], [["a"]])
        self.assertEqual([one["remark"] for one in found if "remark" in one], ["mets.xml: begins with <mets>; expected <alto>; the file is left out"])
        # PowerShell's ">" writes UTF-16 with a mark.
        for encoding in ("utf-16-le", "utf-16-be"):
            self.assertEqual(self.texts("d.alto", ("\ufeff" + alto("Ü")).encode(encoding)), ["Ü"])
            self.assertEqual(self.records("text", "readings", {"d.txt": "\ufeffWINTER Ü".encode(encoding)})[0]["text"], "WINTER Ü")


if __name__ == "__main__":
    unittest.main()

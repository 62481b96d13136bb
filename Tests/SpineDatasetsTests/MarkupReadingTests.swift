import Evaluation
import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange
@testable import Harness

/// hOCR, ALTO and PAGE as their writers and specifications have them; the expected texts are what a person reads there.
@Suite struct MarkupReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// `name`: Of a file, whose ending is the format's.
    private func file(_ markup: String, _ name: String) throws -> ReadingFile {
        try folder.write(markup, name)
        var options = ReadingScore.Options()
        options.format = .program(.named(URL(filePath: name).pathExtension))
        let dataset = Dataset(
            path: folder.path,
            manifest: DatasetManifest(name: "set"),
            digest: "sha256:0",
            samples: []
        )
        let files = try ReadingFile.read(folder(name), options, over: dataset) { _ in }
        return try #require(files.first)
    }

    private func lines(_ markup: String, _ name: String) throws -> [Prediction.Line] {
        try #require(try file(markup, name).readings.first).outcome.get().lines
    }

    private func texts(_ markup: String, _ name: String) throws -> [String] { try lines(markup, name).map(\.text) }

    // MARK: hOCR

    private func hocr(_ content: String, title: String = "image \"a.jpg\"; bbox 0 0 900 130; ppageno 0") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title></title><meta name='ocr-system' content='t 1'/></head><body>
        <div class='ocr_page' title='\(title)'>\(content)</div></body></html>
        """
    }

    /// Returns a word as Tesseract writes it with `hocr_char_boxes`.
    private static func letters(_ word: String, _ choices: String = "") -> String {
        let letters = word.map {
            "\n  <span class='ocrx_cinfo' title='x_bboxes 1 1 2 2; x_conf 99'>\($0)</span>\(choices)"
        }
        return "<span class='ocrx_word' title='bbox 1 1 9 9; x_wconf 96'>\(letters.joined())\n</span>"
    }

    private static let choices =
        "<span class='ocrx_cinfo' id='lstm_choices'><span class='ocrx_cinfo' title='x_confs 90'>A</span>"
        + "<span class='ocrx_cinfo' title='x_confs 5'>O</span></span>"

    @Test(
        "the text of a word is its own, and the first of alternatives",
        arguments: [
            (letters("THE") + " " + letters("OLD"), "THE OLD"),
            (letters("THE", choices) + " " + letters("OLD", choices), "THE OLD"),
            (letters("OLD", "<span class='ocr_symbol'>\(choices)</span>"), "OLD"),
            ("<span class='ocrx_word'><strong><em>OLD</em></strong>\n \(choices)</span>", "OLD"),
            ("<span class='ocrx_word'>OLD<span class='ocr_symbol'>\(choices)</span></span> MAN", "OLD MAN"),
            ("<span class='ocrx_word'>\n\(choices)\(choices)</span>", "AA"),
            ("<span class='ocrx_word'>T<span class='ocr_cinfo'>H</span>E</span>", "THE"),
            (
                "<span class='ocrx_word'><span class='alternatives'>\n<ins class='alt'>OLD</ins>\n<del class='alt'>0LD</del></span></span>",
                "OLD"
            ),
            (
                "<span class='alternatives'><del class='alt'><span class='ocrx_word'>OLDM</span></del><ins class='alt'>"
                    + "<span class='ocrx_word'>OLD</span> <span class='ocrx_word'>M</span></ins></span>", "OLD M"
            ),
            ("<span class='alternatives'><del class='alt'>OLD</del><del class='alt'>0LD</del></span>", "OLD"),
            ("<span class='ocrx_word'>OLD</span><span class='ocrx_word'>MAN</span>", "OLD MAN"),
            ("<span class='ocrx_word'>OLD</span> MAN, <span class='ocrx_word'>SEA</span>!", "OLD MAN, SEA!"),
            ("<span class='ocrx_word first'>OLD</span> <span class='x ocrx_word'>MAN</span>", "OLD MAN"),
            ("<span class='ocrx_word'>caf&eacute;&nbsp;&amp;&#8203;</span>", "café &\u{200B}"),
            ("<span class='ocrx_word'>LAN&shy;TERN</span>", "LANTERN"),
            (
                "<span class='ocrx_cinfo'>O</span>\n<span class='ocrx_cinfo'>L</span> <span class='ocrx_cinfo'>D</span>",
                "OL D"
            ),
        ] as [(String, String)]
    )
    func words(_ line: String, _ expected: String) throws {
        #expect(try texts(hocr("<span class='ocr_line' title='bbox 1 1 9 9'>\(line)</span>"), "a.hocr") == [expected])
    }

    @Test(
        "the lines of a page are those of its blocks, whatever they are called",
        arguments: [
            ("<p class='ocr_par'>THE OLD<br/>Ada</p>", ["THE OLD", "Ada"]),
            ("<div class='ocr_carea'>THE OLD</div><div class='ocrx_block'>Ada</div>", ["THE OLD", "Ada"]),
            ("THE OLD", ["THE OLD"]),
            ("<p>THE OLD</p>Ada<h1>X</h1>", ["THE OLD", "Ada", "X"]),
            ("<span class='ocrx_word'>THE</span> <span class='ocrx_word'>OLD</span>", ["THE OLD"]),
            ("<span class='ocrx_line'>THE OLD</span><span class='ocr_line'>Ada</span>", ["THE OLD", "Ada"]),
            (
                "<span class='ocr_header'>THE</span><span class='ocr_caption'>OLD</span><span class='ocr_textfloat'>MAN</span>",
                ["THE", "OLD", "MAN"]
            ),
            (
                "<div class='ocr_textfloat'><span class='ocr_line'>THE</span><span class='ocr_line'>OLD</span></div>",
                ["THE", "OLD"]
            ),
            (
                "<div class='ocr_carea'><span class='ocr_line'>THE</span> and <p class='ocr_par'>OLD</p></div>",
                ["THE", "and", "OLD"]
            ),
            ("<table><tr><td>THE</td><td>OLD</td></tr></table>", ["THE", "OLD"]),
            ("<span class='ocr_line'>LAN&shy;</span><span class='ocr_line'>TERN Ada</span>", ["LANTERN", "Ada"]),
            ("<SPAN CLASS='ocr_line'>THE OLD</SPAN>", ["THE OLD"]),
            ("<div class='ocr_photo'></div><span class='ocr_line'> </span>", []),
        ] as [(String, [String])]
    )
    func blocks(_ content: String, _ expected: [String]) throws {
        #expect(try texts(hocr(content), "a.hocr") == expected)
    }

    @Test func aNameSpaceWithAPrefixIsNoHindrance() throws {
        let line =
            "<span class='ocr_line' title='bbox 1 2 3 4'><span class='ocrx_word' title='x_wconf 50'>OLD</span></span>"
        let prefixed = hocr(line).replacing("</", with: "</h:").replacing("xmlns=", with: "xmlns:h=")
            .replacing(/<(?=[a-z])/, with: "<h:")
        let found = try file(prefixed, "a.hocr")
        #expect(found.system == "t 1" && found.readings.map(\.names) == [["a.jpg", "a"]])
        let read = try #require(found.readings.first).outcome.get().lines
        #expect(read.map(\.text) == ["OLD"] && read[0].quad == .of(1, 2, 3, 2, 3, 4, 1, 4) && read[0].confidence == 0.5)
        #expect(throws: HarnessError.configuration("\(folder("b.hocr")): <h:html> has no end: the file was cut off")) {
            try file(prefixed.replacing("</h:html>", with: ""), "b.hocr")
        }
    }

    /// Names of a picture by the grammar of properties, and by Tesseract, which escapes nothing.
    @Test(
        arguments: [
            ("image \"a b.jpg\"; bbox 0 0 9 9", "a b.jpg"), ("bbox 0 0 9 9; ppageno 0; image a b.jpg", "a b.jpg"),
            ("bbox 0 0 9 9;image &quot;a;b.jpg&quot;;ppageno 0", "a;b.jpg"),
            ("image &quot;it&#39;s &quot;so&quot;.jpg&quot; ; bbox 0 0 9 9", "it's \"so\".jpg"),
            ("image &quot;a\\&quot;b.jpg&quot;; x 1", "a\"b.jpg"),
            ("image &quot;C:\\scans\\a.jpg&quot;; bbox 0 0 9 9", "C:\\scans\\a.jpg"),
            ("image &#39;a.jpg&#39;", "a.jpg"), ("x_source /scans/a.jpg; bbox 0 0 9 9", "/scans/a.jpg"),
            ("image \"\"; bbox 0 0 9 9", "page"), ("imagemd5 0; bbox 0 0 9 9", "page"), ("", "page"),
        ] as [(String, String)]
    )
    func imagesOfPages(_ title: String, _ expected: String) throws {
        let found = try file(hocr("<span class='ocr_line'>X</span>", title: title), "page.hocr")
        #expect(found.readings.first?.names.first == expected)
    }

    @Test func everyPageOfAFileIsOfItsOwnPicture() throws {
        let pages = ["a", "b"].map {
            "<div class='ocr_page' title='ppageno 1; image \"\($0).jpg\"'><p class='ocr_par'>\($0)</p></div>"
        }
        let found = try file("<body>\(pages.joined())</body>", "a.hocr")
        #expect(found.readings.map(\.names) == [["a.jpg"], ["b.jpg"]])
        #expect(try found.readings.map { try $0.outcome.get().text } == ["a", "b"])
    }

    // MARK: ALTO

    private func alto(_ content: String, unit: String = "pixel", head: String = "") -> String {
        """
        <?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>\(unit)\
        </MeasurementUnit><sourceImageInformation><fileName>C:\\scans\\a.tif</fileName></sourceImageInformation></Description>\
        \(head)<Layout><Page ID="p"><PrintSpace>\(content)</PrintSpace></Page></Layout></alto>
        """
    }

    private static func line(_ id: String, _ strings: String...) -> String {
        let all = strings.map { "<String CONTENT=\"\($0)\"/>" }.joined(separator: "<SP/>")
        return "<TextLine ID=\"\(id)\">\(all)</TextLine>"
    }

    private static let three = ["c", "a", "b"].map { "<TextBlock ID=\"\($0)\">\(line("l\($0)", $0))</TextBlock>" }
        .joined()

    @Test(
        "divided words, readings of glyphs, alternatives and orders are as ALTO's schema defines them",
        arguments: [
            (
                "<TextLine><String CONTENT='LAN' SUBS_TYPE='HypPart1' SUBS_CONTENT='LANTERN'/><HYP CONTENT='-'/></TextLine>"
                    + "<TextLine><String CONTENT='TERN' SUBS_TYPE='HypPart2' SUBS_CONTENT='LANTERN'/><SP/><String CONTENT='X'/></TextLine>",
                "", ["LANTERN", "X"]
            ),
            // The other half is on the next page.
            (
                "<TextLine><String CONTENT='LAN' SUBS_TYPE='HypPart1' SUBS_CONTENT='LANTERN'/><HYP CONTENT='-'/></TextLine>",
                "", ["LAN"]
            ),
            (
                "<TextLine><String CONTENT='LAN'/><HYP CONTENT='-'/></TextLine>" + line("x", "TERN", "X"), "",
                ["LANTERN", "X"]
            ),
            ("<TextLine><String CONTENT='Dr' SUBS_TYPE='Abbreviation' SUBS_CONTENT='Doctor'/></TextLine>", "", ["Dr"]),
            (
                "<TextLine><String CONTENT='OLD'><ALTERNATIVE>0LD</ALTERNATIVE><Glyph CONTENT='O'><Variant CONTENT='0'/></Glyph></String></TextLine>",
                "", ["OLD"]
            ),
            ("<TextLine><String><Glyph CONTENT='O'/><Glyph CONTENT='K'/></String></TextLine>", "", ["OK"]),
            ("<ComposedBlock><TextBlock>\(line("x", "A", "B"))</TextBlock></ComposedBlock>", "", ["A B"]),
            (three, "", ["c", "a", "b"]),
            (
                three.replacing("ID=\"a\"", with: "ID=\"a\" IDNEXT=\"b\"").replacing(
                    "ID=\"b\"",
                    with: "ID=\"b\" IDNEXT=\"c\""
                ), "", ["a", "b", "c"]
            ),
            (
                three,
                "<ReadingOrder><OrderedGroup ID='g'><ElementRef ID='1' REF='b'/><UnorderedGroup ID='h'><ElementRef ID='2' REF='la'/>"
                    + "</UnorderedGroup></OrderedGroup><OrderedGroup ID='o'><ElementRef ID='3' REF='c'/></OrderedGroup></ReadingOrder>",
                ["b", "a", "c"]
            ),
            (
                three,
                "<ReadingOrder><OrderedGroup ID='g'><ElementRef ID='1' REF='lb lc'/></OrderedGroup></ReadingOrder>",
                ["b", "c", "a"]
            ),
        ] as [(String, String, [String])]
    )
    func altoTexts(_ content: String, _ head: String, _ expected: [String]) throws {
        #expect(try texts(alto(content, head: head), "a.alto") == expected)
    }

    @Test func placesOfALTOAreInPixelsOrUnknown() throws {
        let box = "<TextLine HPOS='10' VPOS='20' WIDTH='30' HEIGHT='5'><String CONTENT='A' WC='0.5'/></TextLine>"
        let shape =
            "<TextLine><Shape><Polygon POINTS='10,20 40,20 40,25 10,25'/></Shape><String CONTENT='A'/></TextLine>"
        for content in [box, shape] {
            #expect(try lines(alto(content), "a.alto").map(\.quad) == [.of(10, 20, 40, 20, 40, 25, 10, 25)])
            for unit in ["mm10", "inch1200"] {
                #expect(try lines(alto(content, unit: unit), "a.alto").map(\.quad) == [nil])
            }
        }
        #expect(try lines(alto(box), "a.alto").map(\.confidence) == [0.5])
        let prefixed = alto(box).replacing(/<(?=[a-zA-Z])/, with: "<a:").replacing("</", with: "</a:")
            .replacing("xmlns=", with: "xmlns:a=")
        let found = try file(prefixed, "a.alto")
        #expect(found.readings.first?.names.first == #"C:\scans\a.tif"#)
        #expect(try found.readings[0].outcome.get().text == "A")
    }

    // MARK: PAGE

    private func page(_ content: String, order: String = "") -> String {
        """
        <?xml version="1.0"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Metadata/>\
        <Page imageFilename="D:/scans/a.tif">\(order)\(content)</Page></PcGts>
        """
    }

    private static func region(_ id: String, custom: String = "", _ more: String = "") -> String {
        """
        <TextRegion id="\(id)" custom="\(custom)"><Coords points="0,0 9,0 9,9 0,9"/><TextLine><TextEquiv><Unicode>\(id)</Unicode>\
        </TextEquiv></TextLine>\(more)</TextRegion>
        """
    }

    private static func references(_ ids: String...) -> String {
        ids.enumerated().map { "<RegionRefIndexed index=\"\($0)\" regionRef=\"\($1)\"/>" }.reversed().joined()
    }

    private static let four = ["d", "c", "b", "a"].map { region($0) }.joined()

    @Test(
        "regions are read group by group, and an index counts within its own group",
        arguments: [
            (four, "", ["d", "c", "b", "a"]),
            (four, "<OrderedGroup>\(references("a", "b", "c", "d"))</OrderedGroup>", ["a", "b", "c", "d"]),
            (
                four,
                "<OrderedGroup><OrderedGroupIndexed index='1'>\(references("c", "d"))</OrderedGroupIndexed><OrderedGroupIndexed index='0'>"
                    + "\(references("a", "b"))</OrderedGroupIndexed></OrderedGroup>", ["a", "b", "c", "d"]
            ),
            (
                four,
                "<OrderedGroup><RegionRefIndexed index='10' regionRef='d'/><UnorderedGroupIndexed index='9'><RegionRef regionRef='c'/>"
                    + "<RegionRef regionRef='a'/></UnorderedGroupIndexed><RegionRefIndexed index='2' regionRef='b'/></OrderedGroup>",
                ["b", "c", "a", "d"]
            ),
            (
                four,
                "<UnorderedGroup><RegionRef regionRef='c'/><OrderedGroup>\(references("a", "b"))</OrderedGroup></UnorderedGroup>",
                ["c", "a", "b", "d"]
            ),
            // A region that is not in the order is read with the one that it is in, or last.
            (
                region("x") + region("b", region("c")) + region("a", "<TableRegion>\(region("t"))</TableRegion>"),
                "<OrderedGroup>\(references("a", "b"))</OrderedGroup>", ["a", "t", "b", "c", "x"]
            ),
            (
                region("b", region("c") + region("d")) + region("a"),
                "<OrderedGroup><RegionRefIndexed index='0' regionRef='a'/><OrderedGroupIndexed index='1' regionRef='b'>"
                    + "\(references("d", "c"))</OrderedGroupIndexed></OrderedGroup>", ["a", "b", "d", "c"]
            ),
            (
                region("b", custom: "structure {type:heading;} readingOrder { index : 1; }")
                    + region("a", custom: "readingOrder {index:0;}"), "", ["a", "b"]
            ),
        ] as [(String, String, [String])]
    )
    func orders(_ content: String, _ order: String, _ expected: [String]) throws {
        let order = order.isEmpty ? "" : "<ReadingOrder>\(order)</ReadingOrder>"
        #expect(try texts(page(content, order: order), "a.page") == expected)
    }

    private static func equivalent(_ text: String, _ attributes: String = "") -> String {
        "<TextEquiv \(attributes)><Unicode>\(text)</Unicode></TextEquiv>"
    }

    @Test(
        "the text of a line is that of the lowest index, or that of its words, or that of its region",
        arguments: [
            (
                "<TextLine>\(equivalent("0LD", "index='2'"))\(equivalent("OLD", "index='1' conf='0.5'"))</TextLine>",
                ["OLD"], 0.5
            ),
            ("<TextLine>\(equivalent("OLD"))\(equivalent("0LD"))</TextLine>", ["OLD"], nil),
            (
                "<TextLine><Word>\(equivalent("THE", "conf='0.25'"))</Word><Word>\(equivalent("OLD", "conf='0.75'"))</Word></TextLine>",
                ["THE OLD"], 0.5
            ),
            ("<TextLine><Word>\(equivalent("THE"))</Word>\(equivalent("THE OLD"))</TextLine>", ["THE OLD"], nil),
            ("<TextLine>\(equivalent(" "))<Word>\(equivalent("OLD"))</Word></TextLine>", ["OLD"], nil),
            (
                "<TextLine><Word><Glyph>\(equivalent("O"))</Glyph><Glyph>\(equivalent("K"))</Glyph></Word></TextLine>",
                ["OK"], nil
            ),
            ("<TextLine><TextEquiv><PlainText>OLD</PlainText><Unicode/></TextEquiv></TextLine>", ["OLD"], nil),
            ("\(equivalent("THE OLD\nAda", "conf='1'"))", ["THE OLD", "Ada"], 1),
            ("<TextLine/>\(equivalent("THE OLD"))", ["THE OLD"], nil),
            ("<TextLine>\(equivalent("OLD"))</TextLine>\(equivalent("OLD"))", ["OLD"], nil),
            (
                "<TextLine custom='readingOrder {index:10;}'>\(equivalent("B"))</TextLine><TextLine>\(equivalent("C"))</TextLine>"
                    + "<TextLine custom='readingOrder {index:9;} textStyle {fontSize:9.0;}'>\(equivalent("A"))</TextLine>",
                ["A", "B", "C"], nil
            ),
            (
                "<TextLine>\(equivalent("LAN\u{AD}"))</TextLine><TextLine>\(equivalent("TERN"))</TextLine>",
                ["LANTERN"], nil
            ),
        ] as [(String, [String], Double?)]
    )
    func textsOfLines(_ content: String, _ expected: [String], _ confidence: Double?) throws {
        let found = try lines(page("<TextRegion id='r'>\(content)</TextRegion>"), "a.page")
        #expect(found.map(\.text) == expected && found.first?.confidence == confidence)
    }

    @Test func coordsOfOldVersionsAndPrefixesAreRead() throws {
        let points = [(10, 20), (40, 20), (40, 25), (10, 25)]
        let old = points.map { "<Point x='\($0.0)' y='\($0.1)'/>" }.joined()
        for coords in ["<Coords>\(old)</Coords>", "<Coords points='10,20 40,20 40,25 10,25'/>"] {
            let markup = page("<TextRegion><TextLine>\(coords)\(Self.equivalent("A"))</TextLine></TextRegion>")
            let prefixed = markup.replacing(/<(?=[a-zA-Z])/, with: "<pc:").replacing("</", with: "</pc:")
                .replacing("xmlns=", with: "xmlns:pc=")
            for text in [markup, prefixed] {
                let found = try file(text, "a.page")
                #expect(found.readings.first?.names == ["D:/scans/a.tif", "a"])
                #expect(try found.readings[0].outcome.get().lines.map(\.quad) == [.of(10, 20, 40, 20, 40, 25, 10, 25)])
            }
        }
    }
}

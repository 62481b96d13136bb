import Basics
import Foundation
import TestSupport
import Testing

@testable import DatasetExchange
@testable import SpineDatasets

@Suite struct ImportTableTests {
    private func imported(_ csv: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> [Sample] {
        let fixture = try ImportFixture()
        for name in ["a", "b"] { try fixture.picture("\(name).png") }
        try fixture.write(csv, "labels.csv")
        return try fixture.imported("", change).samples
    }

    private func faults(_ csv: String, named name: String = "labels.csv") throws -> [String] {
        let fixture = try ImportFixture()
        for name in ["a", "b"] { try fixture.picture("\(name).png") }
        try fixture.write(csv, name)
        return try fixture.faults()
    }

    @Test(
        "separators, byte order marks, line ends, quotes and synonyms make no difference",
        arguments: [
            "file,title,transcription,orientation\na.png,\"Ships, Sealing-Wax\",\"Ships, Sealing-Wax\",cw\n",
            "\u{FEFF}File;Book Title;Text;Rotation\r\na.png;Ships, Sealing-Wax;Ships, Sealing-Wax;90\r\n",
            "IMAGE_PATH\tbook_title\ttranscript\tangle\na.png\tShips, Sealing-Wax\tShips, Sealing-Wax\t-270",
            "\n\nfilename,title,text,direction\n\n\"a.png\",\"Ships, Sealing-Wax\",\"Ships, Sealing-Wax\",Clockwise\n\n",
        ]
    )
    func tables(_ csv: String) throws {
        let sample = try #require(try imported(csv).first)
        #expect(sample.id == "a" && sample.image == "images/a.png")
        #expect(sample.title == "Ships, Sealing-Wax" && sample.transcription == "Ships, Sealing-Wax")
        #expect(sample.orientation == .clockwise && sample.category == .vertical)
        #expect(sample.lines == nil && sample.legible)
    }

    @Test(
        "what spreadsheets leave in a table is no label",
        arguments: [
            "image,title\na.png,Dune\n,\n\nb.png,Emma\n", "image,title,,\na.png,Dune,,\nb.png,Emma,,\n,,,\n",
            "\u{FEFF}sep=;\r\nimage;title\r\na.png;Dune\r\nb.png;Emma\r\n",
            "SEP=|\nimage|title\na.png|Dune\nb.png|Emma\n",
            "sep=\t\nimage\ttitle\na.png\tDune\nb.png\tEmma\n",
            ",,\n\nimage,title\na.png,Dune,\nb.png,Emma,,,\n\"\",\"\"\n",
            "image,title\ra.png,Dune\rb.png,Emma\r", "image,title,\na.png,\"=\"\"Dune\"\"\",\nb.png,Emma\n",
        ]
    )
    func habits(_ csv: String) throws {
        #expect(try imported(csv).map(\.title) == ["Dune", "Emma"])
    }

    /// Excel's "Unicode Text" is UTF-16 with a byte order mark and tabs.
    @Test func utf16IsRead() throws {
        let fixture = try ImportFixture()
        try fixture.picture("a.png")
        let units = "\u{FEFF}image\ttitle\r\na.png\tCafé 本\r\n".utf16
        try fixture.folder.write(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "source/labels.csv")
        #expect(try fixture.imported().samples.map(\.title) == ["Café 本"])
    }

    @Test(
        "an ISBN is taken as lists write it",
        arguments: [
            ("isbn", "\"=\"\"9780441172719\"\"\"", "9780441172719"), ("ISBN", "[0441172717]", "9780441172719"),
            ("ISBN/UID", "7f3e1c52-2b0a-4a40-9c55-0a5d1b1d9e11", nil), ("ISBN/UID", "B00ABCDEFG", nil),
            ("isbn", "978–0–441–17271–9", "9780441172719"), ("isbn", "urn:isbn:9780441172719", "9780441172719"),
            ("isbn", "\"=\"\"\"\"\"", nil), ("EAN", "'9780441172719", "9780441172719"),
            ("isbn", "9780441172719.0", "9780441172719"), ("isbn", "9.78044117272E+12", "9780441172719"),
            ("identifiers", "\"goodreads:234225,isbn:9780441172719\"", "9780441172719"),
            ("ISBN,ISBN13", "\"=\"\"\"\"\",\"=\"\"9780441172719\"\"\"", "9780441172719"),
            ("isbn10,isbn13", "0441172717,9780441172718", "0441172717"),
        ]
    )
    func isbns(_ column: String, _ field: String, _ isbn: String?) throws {
        #expect(try imported("image,title,\(column)\na.png,Dune,\(field)\n").map(\.isbn) == [isbn])
    }

    @Test func aFieldMayHaveQuotesAndLineEnds() throws {
        // RFC 4180, section 2, rules 6 and 7.
        let csv = "file,title,text\na.png,\"The \"\"Best\"\"\",\"The \"\"Best\"\"\nof it\"\nb.png,9\" disc,9\" disc\n"
        let samples = try imported(csv)
        #expect(samples.map(\.title) == ["The \"Best\"", "9\" disc"])
        #expect(samples[0].transcription == "The \"Best\"\nof it")
    }

    @Test(
        "degrees are those that the text is turned clockwise",
        arguments: [
            ("0", SampleOrientation.upright, SampleCategory.horizontal), ("90", .clockwise, .vertical),
            ("180", .inverted, .inverted), ("270", .counterclockwise, .vertical), ("-90", .counterclockwise, .vertical),
            ("450.0", .clockwise, .vertical), ("90°", .clockwise, .vertical), ("ccw", .counterclockwise, .vertical),
        ]
    )
    func degrees(_ text: String, _ orientation: SampleOrientation, _ category: SampleCategory) throws {
        let sample = try #require(try imported("file,text,orientation\na.png,T,\(text)\n").first)
        #expect(sample.orientation == orientation)
        #expect(sample.category == category)
    }

    @Test func everyColumnArrives() throws {
        let csv = """
            file,id,title,author,text,category,orientation,isbn,photo,lang,style,subset,source,license,readable,colour
            b.png,x1,T,A,T A,stylized,180,9780306406157,p7,en-GB,foil,test,shop,CC0-1.0,no,red

            """
        let sample = try #require(try imported(csv).first)
        #expect(sample.id == "x1" && sample.title == "T" && sample.author == "A" && sample.transcription == "T A")
        #expect(sample.category == .stylized && sample.orientation == .inverted && sample.isbn == "9780306406157")
        #expect(sample.group == "p7" && sample.language == "en" && sample.style == "foil" && sample.split == "test")
        #expect(sample.source == "shop" && sample.licence == "CC0-1.0" && !sample.legible)
    }

    @Test func whatTheTableDoesNotSayIsGuessedAndCounted() throws {
        let fixture = try ImportFixture()
        try fixture.picture("tall.png", width: 20, height: 90)
        try fixture.picture("wide.png", width: 90, height: 20)
        try fixture.write("file,title,author,colour\ntall.png,T,A,red\nwide.png,,,blue\n", "labels.csv")
        let outcome = try fixture.imported()
        #expect(outcome.samples.map(\.orientation) == [.clockwise, .upright])
        #expect(outcome.samples.map(\.category) == [.vertical, .horizontal])
        #expect(outcome.samples.map(\.transcription) == ["T A", ""])
        #expect(outcome.samples.map(\.legible) == [true, false])
        #expect(outcome.samples[1].title == nil)
        #expect(outcome.report.notes[.orientationGuessed] == 2)
        #expect(outcome.report.notes[.transcriptionFromTitle] == 1)
        #expect(outcome.report.notes[.notLegible] == 1)
        #expect(outcome.report.remarks.contains("ignored: colour"))
        let card = try outcome.text(of: "CARD.md")
        #expect(card.contains("2 spines, licence not stated."))
        #expect(card.contains("Imported on 2026-01-31 from a CSV or TSV table: `labels.csv` in `source`."))
        #expect(card.contains("* title ← title\n"))
        #expect(card.contains("* 2 orientations guessed"))
    }

    @Test func defaultsStandBehindWhatIsStated() throws {
        let csv = "file,text,orientation,category\na.png,T,,\nb.png,T,cw,stylized\n"
        let samples = try imported(csv) { options in
            options.orientation = .counterclockwise
            options.category = .mixed
        }
        #expect(samples.map(\.orientation) == [.counterclockwise, .clockwise])
        #expect(samples.map(\.category) == [.mixed, .stylized])
    }

    @Test func columnsCanBeNamedByTheCaller() throws {
        let csv = "file,name on spine,title,class\na.png,Ulysses,wrong,book\n"
        let samples = try imported(csv) { $0.columns = [.title: "name on spine", .category: "-"] }
        #expect(samples.map(\.title) == ["Ulysses"])
    }

    @Test func idsFromNamesAreMadeUnique() throws {
        let fixture = try ImportFixture()
        for name in ["1/s p.png", "2/s p.png"] { try fixture.picture(name) }
        try fixture.write("file,text\n1/s p.png,T\n2/s p.png,T\n1/s p.png,U\n", "labels.csv")
        let outcome = try fixture.imported()
        #expect(outcome.samples.map(\.id) == ["s-p", "s-p-2", "s-p-3"])
        #expect(outcome.samples.map(\.image) == ["images/s-p.png", "images/s-p-2.png", "images/s-p.png"])
        #expect(outcome.report.notes[.idMadeUnique] == 2)
    }

    @Test(
        "tables that cannot be used say why",
        arguments: [
            ("", "labels.csv: empty; expected a header with the names of the columns"),
            ("\n \n", "labels.csv: empty; expected a header with the names of the columns"),
            ("file,text\n", "labels.csv: has no records to import"),
            ("title,text\nT,T\n", "labels.csv:1: no picture column among title, text; rename it to \"file\""),
            ("file,text,caption\na.png,T,T\n", "labels.csv:1: \"text\" and \"caption\" both match transcription"),
            ("file,text,text\na.png,T,T\n", "labels.csv:1: two columns are named \"text\""),
            ("file,text\na.png\n", "labels.csv:2: 1 fields; the header has 2 columns"),
            ("file,text\na.png,T,U\n", "labels.csv:2: 3 fields; the header has 2 columns"),
            ("file,text\na.png,\"T\n", "labels.csv:2: unclosed quote"),
            ("file,text\na.png,\"T\"x\n", "labels.csv:2: text after the closing quote of field 2"),
            ("file,text\nc.png,T\n", "labels.csv:2: picture \"c.png\" does not exist in source"),
            ("file,text\n../c.png,T\n", "labels.csv:2: picture \"../c.png\" is outside the source"),
            ("file,text\n,T\n", "labels.csv:2: has no picture"),
            (
                "file,text,rotation\na.png,T,45\n",
                "labels.csv:2: orientation \"45\"; expected upright, cw, inverted, ccw"
            ),
            ("file,text,rotation\na.png,T,nan\n", "labels.csv:2: orientation \"nan\""),
            ("file,text,category\na.png,T,big\n", "labels.csv:2: category \"big\"; expected vertical, inverted"),
            ("file,text,legible\na.png,T,maybe\n", "labels.csv:2: legible \"maybe\"; expected true or false"),
            ("file,text,legible\na.png,,yes\n", "labels.csv:2: transcription: empty text; label the legible spine"),
            (
                "file,text,isbn\na.png,T,9.78067E+12\n",
                "labels.csv:2: isbn: invalid value \"9.78067E+12\", not an ISBN; expected 10 or 13 digits"
            ),
            (
                "file,text,isbn\na.png,T,979-0-2600-0043-8\n",
                "labels.csv:2: isbn: invalid value \"979-0-2600-0043-8\", an ISMN"
            ),
            ("file,text,id\na.png,T,x\nb.png,T,x\n", "labels.csv:3: duplicate id \"x\", first used in line 2"),
        ]
    )
    func refusals(_ csv: String, _ message: String) throws {
        let found = try faults(csv)
        #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    }

    @Test func aQuoteThatIsNotClosedCostsItsOwnRowOnly() throws {
        let found = try faults("file,text\na.png,\"T\nb.png,T\nc.png,T\n")
        #expect(found.count == 2, "\(found)")
        #expect(found[0].hasPrefix("labels.csv:2: unclosed quote"))
        #expect(found[1].hasPrefix("labels.csv:4: picture \"c.png\""))
    }

    @Test func badRecordsCanBeLeftOutAndAreListed() throws {
        let fixture = try ImportFixture()
        try fixture.picture("a.png")
        try fixture.write("not a picture", "b.png")
        try fixture.write("file,text,category\nb.png,T,vertical\na.png,T,vertical\na.png,T,big\n", "labels.csv")
        let found = try fixture.faults()
        #expect(found.map { $0.prefix(13) } == ["labels.csv:2:", "labels.csv:4:"])
        let outcome = try fixture.imported("") { $0.skipsBadRecords = true }
        #expect(outcome.samples.map(\.id) == ["a"])
        #expect(outcome.report.skipped == 2)
        let card = try outcome.text(of: "CARD.md")
        #expect(card.contains("2 invalid records:\n\n* `labels.csv:2: picture b.png: found text"))
    }

    @Test func whatIsWrongWithTheWholeIsToldOfTheLinesItComesFrom() throws {
        let found = try faults("\nfile,text,group,split\na.png,T,p1,train\nb.png,T,p1,test\n")
        #expect(
            found.count == 1 && found[0].hasPrefix("labels.csv:4: split: group \"p1\" is in splits train"),
            "\(found)"
        )
    }

    @Test func aRefusedImportLeavesNothing() throws {
        let fixture = try ImportFixture()
        try fixture.picture("a.png")
        try fixture.write("file,text\na.png,T\nb.png,T\n", "labels.csv")
        let output = fixture.folder("dataset")
        let importer = DatasetImporter(options: ImportOptions(date: "2026-01-31", tables: .named("table.py")))
        #expect(throws: DatasetError.self) { try importer.run(fixture.folder("source"), to: URL(filePath: output)) }
        #expect(!FileManager.default.fileExists(atPath: output))
        try fixture.folder.write("mine", "dataset/keep.txt")
        #expect(throws: DatasetError.self) { try importer.run(fixture.folder("source"), to: URL(filePath: output)) }
        #expect(fixture.folder.contains("dataset/keep.txt"))
    }

    @Test func longNumbersAreIdsAsTheyAreWritten() throws {
        let fixture = try ImportFixture()
        for name in ["a", "b"] { try fixture.picture("\(name).png") }
        let lines = ["1312345678901234567", "1312345678901234568"]
        try fixture.write(
            zip(["a", "b"], lines).map { "{\"file\": \"\($0).png\", \"text\": \"T\", \"id\": \($1)}\n" }.joined(),
            "labels.jsonl"
        )
        #expect(try fixture.imported().samples.map(\.id) == lines)
    }

    @Test func jsonLinesHaveTheSameNames() throws {
        let fixture = try ImportFixture()
        for name in ["a", "b"] { try fixture.picture("\(name).png") }
        let lines = """
            {"file": "a.png", "Title": 1984, "authors": ["Orwell", "George"], "text": "1984 — Größe 本", "rotation": 90}\r

            {"image": "b.png", "text": "T", "legible": true, "isbn": null, "extra": {"deep": [1]}}
            """
        try fixture.write("\u{FEFF}" + lines, "labels.jsonl")
        let outcome = try fixture.imported()
        #expect(outcome.samples.map(\.title) == ["1984", nil])
        #expect(outcome.samples[0].author == "Orwell, George")
        #expect(outcome.samples[0].transcription == "1984 — Größe 本")
        #expect(outcome.samples[0].orientation == .clockwise)
        #expect(outcome.report.remarks.last == "ignored: extra")
    }

    @Test func labelsOfTwoFilesAndOfNoneAreRefused() throws {
        let fixture = try ImportFixture()
        try fixture.write("{}", "labels/Label.txt")
        let expected =
            "source: no table (csv, tsv) and no JSON Lines (jsonl, ndjson) in it; name the format of other labels with --format"
        #expect(
            try fixture.faults("") { $0.formats = ["coco", "hocr"] }
                == [expected + " (coco, hocr); by its name, Label.txt may be paddleocr"]
        )
        try fixture.write("file\n", "a.csv")
        try fixture.write("", "labels/b.ndjson")
        #expect(
            try fixture.faults() == ["source: has 2 sets of labels: a.csv, labels/b.ndjson; specify the labels' file"]
        )
        #expect(try fixture.faults("a.csv") == ["a.csv: has no records to import"])
        #expect(try fixture.faults("") { $0.format = .jsonl } == ["labels/b.ndjson: has no records to import"])
        #expect(try fixture.faults("nowhere").first?.contains("does not exist") == true)
    }

    @Test func badJSONIsToldWithItsLine() throws {
        let lines = """
            {"file": "a.png", "text": "T"}
            {"file": "a.png",
            [1]
            {"file": "a.png", "text": NaN}
            {"file": "a.png", "text": {"a": 1}}
            {"file": 7, "text": "T"}
            {"file": "a.png", "image": "b.png", "path": "c.png", "text": "T", "title": "x", "caption": "y", "label": "z"}
            """
        let found = try faults(lines, named: "labels.jsonl")
        let expected = [
            "labels.jsonl:2: not valid JSON: ", "labels.jsonl:3: expected a JSON object, found a list",
            "labels.jsonl:4: not valid JSON: ", "labels.jsonl:5: \"text\" is an object; expected text",
            "labels.jsonl:6: has no picture", "labels.jsonl:7: \"",
        ]
        #expect(found.count == expected.count, "\(found)")
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    }
}

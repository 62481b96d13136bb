import Foundation
import Imaging
import ScanningPolicies
import SpineBenchKit
import SpineDatasets
import TestSupport
import Testing

@testable import DatasetExchange
@testable import Evaluation
@testable import Harness

/// Readings that other programs wrote; `Fixtures/README.md` has the origin of each file.
@Suite struct ReadingFileTests {
    private let folder: TemporaryFolder
    private let dataset: Dataset

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(ImportFixture.png(width: 103, height: 485), "set/images/spine-00028.jpg")
        dataset = Dataset(
            path: folder("set"),
            manifest: DatasetManifest(name: "set"),
            digest: "sha256:0",
            samples: ["spine-00001", "spine-00004", "spine-00028"].map(Self.sample)
        )
    }

    private static func sample(_ id: String) -> Sample {
        Sample(
            id: id,
            image: "images/\(id).jpg",
            category: .horizontal,
            title: "Ficciones",
            transcription: "Ficciones",
            orientation: .upright
        )
    }

    private func fixture(_ name: String) throws -> String {
        let path = try #require(Bundle.module.path(forResource: "Fixtures/readings/\(name)", ofType: nil))
        return path
    }

    private func read(_ path: String, as format: String? = nil, annotations: String? = nil) throws -> ReadingFile {
        var options = ReadingScore.Options()
        (options.format, options.annotations) = (format.map(Self.format), annotations)
        options.tables = .named("table.py")
        return try #require(try ReadingFile.read(path, options, over: dataset) { _ in }.first)
    }

    private static func format(_ name: String) -> ReadingFormat {
        name == "readings" ? .readings : .program(.named(name))
    }

    private func prediction(_ reading: StatedReading?) throws -> Prediction { try #require(reading).outcome.get() }

    private static let rapid = ["CT", "Ficciones", "JORGE LUIS", "BORGES", "Cuatro", "Tejas"]

    // MARK: Formats

    /// Of an outline, the smallest rectangle is the place, which is turned a little.
    @Test func markup() throws {
        let file = try read(fixture("tesseract.page.xml"), as: "page")
        #expect(file.system == "Tesseract - 5.5.4" && file.readings.count == 1)
        #expect(file.readings.first?.names == ["images/spine-00028.jpg", "tesseract.page"])
        let lines = try prediction(file.readings.first).lines
        #expect(lines.map(\.text) == ["Ficciones", "JORGE LUE", "BORGES", "Cuatro", "Tejas"])
        #expect(isNear(lines[1].confidence ?? 0, 0.9217, within: 1e-9))
        let quad = try #require(lines[1].quad)
        #expect(isNear(quad.topLeft.x, 14, within: 2) && isNear(quad.topLeft.y, 225, within: 2))
        #expect(isNear(quad.bottomRight.x, 87, within: 2) && isNear(quad.bottomRight.y, 238, within: 2))
    }

    @Test func cocoText() throws {
        try folder.write(
            #"{"imgs": {"1": {"id": 1, "file_name": "spine-00004.jpg"}, "2": {"id": 2, "file_name": "spine-00028.jpg"}, "3": {"id": 3, "file_name": "spine-00001.jpg"}}, "anns": {}}"#,
            "images.json"
        )
        let file = try read(fixture("coco-text.json"), as: "coco-text", annotations: folder("images.json"))
        #expect(file.readings.map(\.names) == [["spine-00004.jpg"], ["spine-00028.jpg"], ["spine-00001.jpg"]])
        let lines = try prediction(file.readings[1]).lines
        #expect(lines.map(\.text) == Self.rapid && lines[0].quad == .of(37, 31, 69, 31, 69, 50, 37, 50))
        #expect(throws: HarnessError.self) { try read(fixture("coco-text.json"), as: "coco-text") }
    }

    /// Vision's places begin at the lower left corner, in shares of the picture.
    @Test func vision() throws {
        var options = ReadingScore.Options()
        options.format = .program(.named("vision"))
        let sources = [ReadingScore.Source(name: "v", path: try fixture("vision.json"))]
        let score = try ReadingScore(sources, over: dataset, tool: "t", options: options)
        let record = try #require(score.records.first { $0.id == "spine-00028" })
        let lines = try #require(record.prediction).lines
        #expect(lines.map(\.text) == Self.rapid)
        let quad = try #require(lines[0].quad)
        for (corner, expected) in zip(quad.corners, [(37.0, 31.0), (69, 31), (69, 50), (37, 50)]) {
            #expect(isNear(corner.x, expected.0, within: 1e-6) && isNear(corner.y, expected.1, within: 1e-6))
        }
    }

    /// Read by their endings: a table with times, one object of texts, and JSON Lines with a field `id`.
    @Test(
        arguments: [
            ("mine.csv", "id,text,milliseconds\nspine-00001,\"DUNE\nHERBERT\",41.5\n"),
            ("mine.csv", "text;ID;ms\n\"DUNE\nHERBERT\";spine-00001;41.5\n"),
            ("mine.json", #"{"spine-00001": "DUNE\nHERBERT"}"#),
            ("mine.jsonl", #"{"id": "spine-00001", "text": "DUNE\nHERBERT", "latency": 41.5}"# + "\n"),
        ]
    )
    func tables(name: String, text: String) throws {
        try folder.write(text, name)
        let reading = try #require(try read(folder(name)).readings.first)
        let lines = try prediction(reading).lines
        #expect(reading.names == ["spine-00001"] && lines.map(\.text) == ["DUNE", "HERBERT"])
        #expect(reading.milliseconds == (name == "mine.json" ? nil : 41.5))
    }

    @Test(arguments: [("mine.csv", "id,book\na,b\n"), ("mine.csv", "id,text\na\n"), ("mine.json", #"{"a": 3}"#)])
    func otherTablesAreRefused(name: String, text: String) throws {
        try folder.write(text, name)
        #expect(throws: HarnessError.self) { try read(folder(name)) }
    }

    // MARK: Own format

    private static let header = """
        {"readings": 1, "system": {"name": "Shelf", "version": "2"}, "device": {"model": "iPhone17,1", "os": "iOS 26.1"}, \
        "recorder": {"name": "SpineBenchKit", "version": "1"}, "started": "2026-11-26T10:00:00Z"}
        """

    @Test func ownReadings() throws {
        try folder.write(
            Self.header + "\n"
                + #"{"sample": "spine-00028", "repetition": 1, "lines": [{"text": "Ficciones", "confidence": 0.5}], "latency": 41.5, "#
                + #""memory": -1.5, "memoryPeak": 12, "thermal": "fair", "energy": 0.25, "battery": 0.8, "stages": {"detect": 9}}"#
                + "\n\n"
                + #"{"image": "images/spine-00004.jpg", "text": "one\n two \n", "book": {"title": "One"}}"# + "\n"
                + #"{"sample": "spine-00001", "error": "no text"}"#,
            "phone.jsonl"
        )
        let file = try read(folder("phone.jsonl"))
        #expect(file.system == "Shelf 2" && file.device == "iPhone17,1, iOS 26.1" && file.recorder == "SpineBenchKit 1")
        #expect(file.isPhone && file.readings.map(\.place.line) == [2, 4, 5])
        // The name alone measures nothing.
        #expect(file.evidence == .reportedByRecording && file.facts?.version == "1")
        #expect(file.readings[0].milliseconds == 41.5)
        #expect(
            file.readings[0].stated
                == StatedFigures(memory: -1.5, memoryPeak: 12, thermal: .fair, energy: 0.25, battery: 0.8)
        )
        #expect(try prediction(file.readings[0]).stages["detect (reported)"] == 9)
        let second = try prediction(file.readings[1])
        #expect(second.lines.map(\.text) == ["one", "two"] && second.answer?.title == "One")
        #expect(file.readings[1].stated == nil)
        #expect(throws: ReaderFailure("the reader reports: no text")) { try prediction(file.readings[2]) }
    }

    @Test(
        arguments: [
            (#""recorder": {"name": "SpineBenchKit", "version": "1"}"#, #""recorder": {"name": "Other"}"#),
            (#""os": "iOS 26.1""#, #""os": "iOS 26.1", "simulator": true"#),
        ]
    )
    func whatIsNoRecordingOfADeviceIsKnown(_ text: String, _ replacement: String) throws {
        try folder.write(Self.header.replacing(text, with: replacement) + "\n", "a.jsonl")
        let file = try read(folder("a.jsonl"), as: "readings")
        #expect(file.evidence == .reported || file.facts?.isSimulator == true && !file.isPhone)
    }

    /// What the recorder of an app writes is what is read here.
    @Test func aRecording() async throws {
        let recorder = try Recorder(
            file: URL(filePath: folder("phone.jsonl")),
            system: .init(name: "Shelf", version: "2"),
            device: .init(model: "iPhone17,1", os: "iOS 26.1", processor: "A18 Pro")
        )
        try await recorder.measure("spine-00028") {
            Recorder.Answer(
                lines: [.init("Ficciones", confidence: 0.5, quad: [[0, 0], [9, 0], [9, 4], [0, 4]])],
                book: .init(title: "Ficciones", author: "Borges"),
                stages: ["detect": 9]
            )
        }
        try await recorder.measure("spine-00001") { throw CocoaError(.fileReadUnknown) }
        let file = try read(folder("phone.jsonl"))
        #expect(file.format == .readings && file.evidence == .reportedByRecording && file.isPhone)
        #expect(file.system == "Shelf 2" && file.device == "iPhone17,1 (A18 Pro), iOS 26.1")
        let first = try prediction(file.readings[0])
        #expect(first.lines.map(\.text) == ["Ficciones"] && first.lines[0].quad != nil)
        #expect(first.answer?.title == "Ficciones" && first.stages["detect (reported)"] == 9)
        #expect(try #require(file.readings[0].milliseconds) > 0)
        #expect(file.readings[0].stated?.memory != nil && file.readings[0].stated?.memoryPeak != nil)
        #expect(throws: ReaderFailure.self) { try prediction(file.readings[1]) }
        #expect(file.readings.count == 2)
    }

    // MARK: Refusals

    private static let good = #"{"sample": "spine-00028", "text": "a"}"#

    /// File name, contents, and what the error says.
    private static let refusals: [(String, String, String)] = [
        ("a.jsonl", "", "a.jsonl: is empty"),
        ("a.jsonl", "\u{FEFF} \n", "a.jsonl: is empty"),
        ("a.jsonl", good + "\n" + #"{"sample": "spine-00001", "te"#, "a.jsonl:2: is not a reading"),
        ("a.jsonl", good + "\n" + #"{"sample": "spine-00001", "te"#, "cut off"),
        ("a.jsonl", good + "\n" + #"{"sample": "b", "text": "a", "latency": NaN}"#, "a.jsonl:2: is not a reading"),
        ("a.jsonl", #"{"sample": "b", "text": "a", "latency": -1}"#, "a.jsonl:1: \"latency\" is -1.0; expected 0 to"),
        ("a.jsonl", #"{"sample": "b", "text": "a", "latency": 1e300}"#, "\"latency\" is 1e+300"),
        ("a.jsonl", #"{"sample": "b", "text": "a", "latency": "41"}"#, "\"latency\""),
        ("a.jsonl", #"{"sample": "b", "text": "a", "battery": 80}"#, "\"battery\" is 80.0; expected 0 to 1"),
        ("a.jsonl", #"{"sample": "b", "text": "a", "thermal": "hot"}"#, "hot"),
        ("a.jsonl", #"{"sample": "b", "lines": [{"text": "a", "confidence": 7}]}"#, "confidence 7.0"),
        ("a.jsonl", #"{"sample": "b", "repetition": 0, "text": "a"}"#, "\"repetition\" is 0"),
        ("a.jsonl", #"{"sample": "b", "latency": 4}"#, "\"lines\" is missing"),
        ("a.jsonl", good + "\n" + #"{"text": "a"}"#, "a.jsonl:2: \"sample\" or \"image\" is missing"),
        ("a.jsonl", #"{"readings": 2}"#, "\"readings\" is 2; expected 1"),
        ("a.jsonl", header + "\n" + good + "\n" + header, "a.jsonl:3: is a second header"),
        (
            "a.jsonl", #"{"id": "b", "image": "b.jpg", "lines": [{"text": "a"}], "transcription": "a"}"#,
            "is a label of a dataset"
        ),
    ]

    @Test(arguments: refusals.indices) func refusal(_ index: Int) throws {
        try refuses(Self.refusals[index], as: nil)
    }

    @Test(
        arguments: [
            ("a.alto", "<alto>\n<Layout>", "a.alto:2: not XML, or cut off"),
            ("a.coco-text", #"[{"image_id": "a"}]"#, "result 1: expected an object with image_id and utf8_string"),
        ]
    )
    func refusalOfAProgram(_ row: (String, String, String)) throws {
        try refuses(row, as: URL(filePath: row.0).pathExtension)
    }

    private func refuses(_ row: (name: String, contents: String, expected: String), as format: String?) throws {
        try folder.write(row.contents, row.name)
        do {
            _ = try read(folder(row.name), as: format)
            #expect(row.expected == "", "\(row.name) is read")
        } catch {
            #expect("\(error)".contains(row.expected) && !row.expected.isEmpty, "\(error)")
        }
    }

    // MARK: Files and folders

    /// Names of files in a folder, and the format that the error takes them for.
    @Test(
        arguments: [
            (["a.hocr"], "a.hocr may be hocr"), (["a.xml", "b.txt"], "a.xml may be alto or page"),
            (["b.txt"], "b.txt may be text or paddleocr"),
            (["x/a_res.json"], "a_res.json may be paddleocr, coco-text or vision"),
            (["a.tsv"], "--format (hocr)"), (["._a.txt", "__MACOSX/._b.hocr"], "--format (hocr)"),
        ]
    )
    func aFormatHasToBeNamed(_ names: [String], _ expected: String) throws {
        for name in names { try folder.write("WINTER", "out/\(name)") }
        var options = ReadingScore.Options()
        options.formats = ["hocr"]
        for path in [folder("out"), folder("out/\(names[0])")] {
            let error = #expect(throws: HarnessError.self) {
                try ReadingFile.read(path, options, over: dataset) { _ in }
            }
            let text = "\(try #require(error))"
            #expect(text.contains("name the format of other readings with --format (hocr)") && text.hasSuffix(expected))
        }
    }

    @Test func filesOfOtherKindsInAFolderAreLeftOutWithARemark() throws {
        let alto = "<alto><Layout><Page><TextLine><String CONTENT='A'/></TextLine></Page></Layout></alto>"
        for (name, text) in [("a.xml", alto), ("mets.xml", "<mets/>"), ("run.log", "INFO"), ("._a.xml", "\u{0}")] {
            try folder.write(text, "out/\(name)")
        }
        var options = ReadingScore.Options()
        options.format = Self.format("alto")
        var remarks: [String] = []
        let files = try ReadingFile.read(folder("out"), options, over: dataset) { remarks.append($0) }
        #expect(files.first?.readings.map(\.names) == [["a"]])
        #expect(remarks == ["\(folder("out/mets.xml")): begins with <mets>; expected <alto>; the file is left out"])
        #expect(throws: HarnessError.self) { try read(folder("out"), as: "vision") }
    }

    /// PowerShell's ">" writes UTF-16 with a mark.
    @Test func utf16IsRead() throws {
        let units = "\u{FEFF}{\"sample\": \"a\", \"text\": \"Ü\"}".utf16
        for isLittle in [true, false] {
            try folder.write(
                units.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
                "d.txt"
            )
            #expect(try prediction(read(folder("d.txt"), as: "readings").readings.first).text.hasSuffix("Ü"))
        }
    }
}

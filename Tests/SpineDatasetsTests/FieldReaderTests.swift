import Basics
import Imaging
import Testing

@testable import SpineDatasets

@Suite struct FieldReaderTests {
    /// Returns the faults that `read` leaves when the field "f" has this JSON.
    private func faults(_ json: String, _ read: (inout FieldReader) -> Void) throws -> [String] {
        guard case .object(let fields) = try JSONParser.parse(Array("{\"f\": \(json)}".utf8)) else {
            return ["no object"]
        }
        var reader = FieldReader(fields)
        read(&reader)
        return reader.faults
    }

    @Test func aSceneIsReadWithItsFaults() throws {
        let good = #"{"label": "code", "codes": ["a"], "subject": [[0, 0], [4.5, 0], [4, 3]]}"#
        guard case .object(let fields) = try JSONParser.parse(Array("{\"scene\": \(good)}".utf8)) else { return }
        var reader = FieldReader(fields)
        let read = reader.scene()
        let scene = try #require(read)
        #expect(scene.label == .code && scene.codes == ["a"] && scene.subject?[1] == Point(x: 4.5, y: 0))
        #expect(reader.faults.isEmpty)
        for (json, fault) in [
            ("7", "\"scene\" is a number; expected an object with \"label\""),
            ("{}", "\"scene.label\" is missing"),
            (
                #"{"label": "cdoe"}"#,
                "\"scene.label\" is \"cdoe\"; expected one of bookshelf, book, code, page, text, unknown; did you mean \"code\"?"
            ),
            (#"{"label": "page", "codes": [""]}"#, "\"scene.codes[0]\" is empty"),
            (
                #"{"label": "page", "subject": [[1, 2], [3, 4]]}"#,
                "\"scene.subject\" is a list; expected three points [x, y] or more"
            ),
            (
                #"{"label": "page", "subject": [[1, 2], [3, 4], 5]}"#,
                "\"scene.subject\" has a point that is not two numbers; expected three points [x, y] or more"
            ),
            (
                #"{"label": "page", "subject": [[1, 2], [1, 2], [9, 9]]}"#,
                "\"scene.subject\" encloses less than a pixel; expected three points [x, y] or more around the subject"
            ),
        ] {
            guard case .object(let fields) = try JSONParser.parse(Array("{\"scene\": \(json)}".utf8)) else { return }
            var reader = FieldReader(fields)
            _ = reader.scene()
            #expect(reader.faults == [fault], "\(json)")
        }
    }

    @Test(arguments: [
        ("\"verticl\"", "; did you mean \"vertical\"?"), ("\"Vertical\"", "; did you mean \"vertical\"?"),
        ("\"stylised\"", "; did you mean \"stylized\"?"), ("\"diagonal\"", "mixed"), ("\"\"", "mixed"),
    ])
    func theNearestNameIsSuggestedWhenItIsNear(_ json: String, _ end: String) throws {
        let faults = try faults(json) { _ = $0.choice("f", of: SampleCategory.self) }
        #expect(faults.count == 1 && faults[0].hasSuffix(end), "\(faults)")
    }

    // Categories from UnicodeData 15.
    @Test(
        arguments: [
            ("Caf\\u0301é – “x” ½ 𝄞", nil), ("a\\u200Db", nil),
            ("a\\tb", "has U+0009 (a control character) as character 2"),
            ("\\u007F", "has U+007F (a control character) as character 1"),
            ("ab\\u202Ec", "has U+202E (an invisible control of direction, joining or breaking) as character 3"),
            ("a\\u200B", "has U+200B (an invisible"), ("a\\u200D", "has U+200D (an invisible"),
            ("\\uFEFFa", "has U+FEFF (an invisible"), ("a\\uE000", "has U+E000 (for private use)"),
            ("a\\u0378", "has U+0378 (not assigned)"),
            ("a\\uFFFD", "has U+FFFD (the mark of text that was decoded wrongly)"),
            ("a\\uDBFF\\uDFFD b", "has U+10FFFD (for private use) as character 2"),
        ] as [(String, String?)]
    )
    func charactersThatCannotBeSeenAreNamed(_ text: String, _ problem: String?) throws {
        let faults = try faults("\"\(text)\"") { _ = $0.text("f") }
        #expect(faults.count == (problem == nil ? 0 : 1), "\(faults)")
        if let problem { #expect(faults.first?.hasPrefix("\"f\" \(problem)") == true, "\(faults)") }
    }

    @Test func aTranscriptionMayHaveLines() throws {
        #expect(try faults("\"a\\nb\\tc\"") { _ = $0.text("f", mayHaveBreaks: true) } == [])
    }

    @Test(arguments: [
        ("en", true), ("ca", true), ("deu", true), ("xx", false), ("EN", false), ("en-GB", false), ("english", false),
    ])
    func aLanguageIsAnISOCode(_ code: String, _ isKnown: Bool) {
        var reader = FieldReader(["language": .string(code)])
        #expect(reader.language() == code)
        #expect(reader.faults.isEmpty == isKnown)
    }

    // 0-306-40615-2 and 978-0-306-40615-7 are the examples of the ISBN Users' Manual; 080442957X is a book's.
    @Test(
        arguments: [
            ("0-306-40615-2", nil), ("978 0 306 40615 7", nil), ("080442957X", nil),
            ("0-306-40615-3", "check digit"), ("9780306406158", "check digit"), ("12345", "expected 10 or 13 digits"),
            ("9X80306406157", "expected 10 or 13"), ("1234567890128", "begin with 978 or 979"),
            ("X804429570", "expected 10 or 13"),
        ] as [(String, String?)]
    )
    func anISBNHasARightCheckDigit(_ isbn: String, _ problem: String?) {
        var reader = FieldReader(["isbn": .string(isbn)])
        #expect(reader.isbn() == isbn)
        #expect(reader.faults.isEmpty == (problem == nil))
        if let problem { #expect(reader.faults[0].contains(problem), "\(reader.faults)") }
    }

    @Test(
        arguments: [
            ("[[0, 0], [4, 0], [4, 2], [0, 2]]", nil), ("[[0, 0], [0, 2], [4, 2], [4, 0]]", nil),
            ("[[0, 0], [4, 2], [4, 0], [0, 2]]", "crosses itself"), ("[[0, 0], [2, 2], [4, 4], [6, 6]]", "has no area"),
            ("[[1, 1], [1, 1], [1, 1], [1, 1]]", "has no area"),
            ("[[0, 0], [1, 0], [0.9, 0.9], [0, 1]]", "has no area"),
            ("[[0, 0], [1e9, 0], [4, 2], [0, 2]]", "an invalid corner"), ("7", "is a number; expected four points"),
            ("[[0, 0], [4, 0], [4, 2], [0, \"2\"]]", "a corner that is not two numbers"),
        ] as [(String, String?)]
    )
    func aQuadEnclosesAnArea(_ json: String, _ problem: String?) throws {
        let faults = try faults(json) { _ = $0.quad("f") }
        #expect(faults.count == (problem == nil ? 0 : 1))
        if let problem { #expect(faults.first?.contains(problem) == true, "\(faults)") }
    }

    @Test func aQuadMayReachOutOfItsPictureByTwoPercent() {
        func quad(_ right: Double) -> Quad {
            Quad(
                topLeft: Point(x: -2, y: 0),
                topRight: Point(x: right, y: 0),
                bottomRight: Point(x: right, y: 50),
                bottomLeft: Point(x: -2, y: 50)
            )
        }
        #expect(quad(102).corners.stray(outside: 100, 50) == nil)
        #expect(quad(102.1).corners.stray(outside: 100, 50) == Point(x: 102.1, y: 0))
    }

    @Test(arguments: [
        ("7", "\"lines\" is a number; expected a list of lines"),
        ("[7]", "\"lines[0]\" is a number; expected text, or"),
        ("[\"a\", \"\"]", "\"lines[1]\" is empty"), ("[{}]", "\"lines[0].text\" is missing"),
        ("[{\"text\": \"a\", \"role\": \"tittle\"}]", "\"lines[0].role\" is \"tittle\"; expected one of title, author"),
        ("[{\"text\": \"a\", \"size\": 0}]", "\"lines[0].size\" is 0.0; expected a number above 0"),
        ("[{\"text\": \"a\", \"quad\": []}]", "\"lines[0].quad\" has 0 points"),
    ])
    func aLinesFaultHasItsIndex(_ json: String, _ problem: String) throws {
        guard case .object(let fields) = try JSONParser.parse(Array("{\"lines\": \(json)}".utf8)) else { return }
        var reader = FieldReader(fields)
        _ = reader.lines()
        #expect(reader.faults.count == 1 && reader.faults[0].hasPrefix(problem), "\(reader.faults)")
    }
}

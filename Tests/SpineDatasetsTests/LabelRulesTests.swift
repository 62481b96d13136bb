import Basics
import Foundation
import Imaging
import Testing

@testable import SpineDatasets

/// Rules of labels beyond the types of their fields.
@Suite struct LabelRulesTests {
    private static let sample: [String: String] = [
        "id": #""a""#, "image": #""a.png""#, "category": #""vertical""#, "title": #""T""#, "transcription": #""T""#,
        "orientation": #""cw""#,
    ]

    /// Returns a sample with a field in JSON, or its faults.
    private func read(_ key: String, _ json: String) -> Result<Sample, Faults> {
        var fields = Self.sample
        fields[key] = json
        let text = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",")
        let faults = FaultCollector(file: "f", ignoresUnknownKeys: true)
        return Result { () throws(Faults) in
            let root = try JSONParser.node(Array("{\(text)}".utf8), faults)
            return try LocatedDecoder.decode(Sample.self, from: root, faults)
        }
    }

    private func problems(_ key: String, _ json: String) -> [String] {
        if case .failure(let error) = read(key, json) { error.faults.map(\.text) } else { [] }
    }

    /// A field, its JSON, and the beginning of its only fault; none for a right one.
    ///
    /// Characters are of UnicodeData 15; 0-306-40615-2 and 978-0-306-40615-7 are the examples of the ISBN Users' Manual,
    /// 080442957X is a book's.
    private static let cases: [(String, String, String?)] = [
        (
            "category", "\"verticl\"",
            "category: invalid value \"verticl\"; did you mean \"vertical\"? expected vertical,"
        ),
        ("category", "\"stylised\"", "category: invalid value \"stylised\"; did you mean \"stylized\"?"),
        ("category", "\"\"", "category: invalid value \"\"; expected vertical, inverted, stylized, horizontal, mixed"),
        ("title", "\"Caf\\u0301é – “x” ½ 𝄞\"", nil), ("title", "\"a\\u200Db\"", nil), ("title", "null", nil),
        ("title", "\"\"", "title: empty text"),
        ("title", "\"a\\tb\"", "title: has U+0009 (a control character) as character 2"),
        ("title", "\"\\u007F\"", "title: has U+007F (a control character) as character 1"),
        (
            "title", "\"ab\\u202Ec\"",
            "title: has U+202E (an invisible control of direction, joining or breaking) as character 3"
        ),
        ("title", "\"a\\u200B\"", "title: has U+200B (an invisible"),
        ("title", "\"a\\u200D\"", "title: has U+200D (an invisible"),
        ("title", "\"\\uFEFFa\"", "title: has U+FEFF (an invisible"),
        ("title", "\"a\\uE000\"", "title: has U+E000 (for private use)"),
        ("title", "\"a\\u0378\"", "title: has U+0378 (not assigned)"),
        ("title", "\"a\\uFFFD\"", "title: has U+FFFD (the mark of text that was decoded wrongly)"),
        ("title", "\"a\\uDBFF\\uDFFD b\"", "title: has U+10FFFD (for private use) as character 2"),
        ("transcription", "\"a\\nb\\tc\"", nil),
        ("transcription", "\"\"", "transcription: empty text; label the legible spine, or set \"legible\": false"),
        ("distractor", "true", "title: \"T\", but the picture shows no book"), ("distractor", "false", nil),
        ("image", "\"a/./b.png\"", "image: invalid value \"a/./b.png\"; expected a path without empty steps"),
        ("image", "\"/a.png\"", "image: invalid value \"/a.png\", outside the dataset"),
        ("acceptedTitles", "[\"a\", \"\"]", "acceptedTitles[1]: empty text"),
        ("language", "\"en\"", nil), ("language", "\"ca\"", nil), ("language", "\"deu\"", nil),
        ("language", "\"xx\"", "language: invalid value \"xx\"; expected an ISO 639 code"),
        ("language", "\"EN\"", "language: invalid value"), ("language", "\"en-GB\"", "language: invalid value"),
        ("language", "\"english\"", "language: invalid value"),
        ("isbn", "\"0-306-40615-2\"", nil), ("isbn", "\"978 0 306 40615 7\"", nil), ("isbn", "\"080442957X\"", nil),
        ("isbn", "\"0-306-40615-3\"", "isbn: invalid value \"0-306-40615-3\", whose check digit"),
        ("isbn", "\"9780306406158\"", "isbn: invalid value \"9780306406158\", whose check digit"),
        ("isbn", "\"12345\"", "isbn: invalid value \"12345\", not an ISBN; expected 10 or 13 digits"),
        ("isbn", "\"9X80306406157\"", "isbn: invalid value \"9X80306406157\", not an ISBN; expected 10 or 13"),
        ("isbn", "\"1234567890128\"", "isbn: invalid value \"1234567890128\", not an ISBN; 13 digits begin with 978"),
        ("isbn", "\"X804429570\"", "isbn: invalid value \"X804429570\", not an ISBN; expected 10 or 13"),
        ("quad", "[[0, 0], [4, 0], [4, 2], [0, 2]]", nil), ("quad", "[[0, 0], [0, 2], [4, 2], [4, 0]]", nil),
        ("quad", "[[0, 0], [4, 2], [4, 0], [0, 2]]", "quad: crosses itself"),
        ("quad", "[[0, 0], [2, 2], [4, 4], [6, 6]]", "quad: has no area"),
        ("quad", "[[1, 1], [1, 1], [1, 1], [1, 1]]", "quad: has no area"),
        ("quad", "[[0, 0], [1, 0], [0.9, 0.9], [0, 1]]", "quad: has no area"),
        ("quad", "[[0, 0], [1e9, 0], [4, 2], [0, 2]]", "quad: has an invalid corner"),
        ("quad", "7", "quad: invalid value 7; expected a list"),
        ("quad", "[[0, 0], [4, 0], [4, 2], [0, \"2\"]]", "quad[3][1]: invalid value \"2\"; expected a number"),
        ("lines", "[\"a\", {\"text\": \"b\", \"role\": \"title\", \"size\": 1}]", nil),
        ("lines", "7", "lines: invalid value 7; expected a list"),
        ("lines", "[7]", "lines[0]: invalid value 7; expected text, or a mapping"),
        ("lines", "[\"a\", \"\"]", "lines[1]: empty text"), ("lines", "[{}]", "lines[0].text: the key is missing"),
        (
            "lines", "[{\"text\": \"a\", \"role\": \"tittle\"}]",
            "lines[0].role: invalid value \"tittle\"; did you mean \"title\"? expected title, author"
        ),
        ("lines", "[{\"text\": \"a\", \"size\": 0}]", "lines[0].size: invalid value 0; expected a number above 0"),
        ("lines", "[{\"text\": \"a\", \"quad\": []}]", "lines[0].quad: a quad has four corners, not 0"),
        ("labelled", #"{"by": "A", "at": "2026", "kind": "typed"}"#, nil),
        (
            "labelled", #"{"by": "A", "at": "2026", "kind": "typo"}"#,
            "labelled.kind: invalid value \"typo\"; did you mean"
        ),
        // Other datasets have words in this field.
        ("difficulty", "\"hard\"", nil),
    ]

    @Test(arguments: cases.indices) func aFieldHasItsRule(index: Int) {
        let (key, json, problem) = Self.cases[index]
        let found = problems(key, json)
        #expect(found.count == (problem == nil ? 0 : 1) && found.allSatisfy { $0.hasPrefix(problem ?? "") }, "\(found)")
    }

    @Test func valuesAreRead() throws {
        let origin = try read("labelled", #"{"by": "A", "at": "2026", "kind": "typed"}"#).get().labelled
        #expect(origin == LabelOrigin(by: "A", at: "2026", kind: .typed, proposed: nil, shown: true, seconds: nil))
        let distractor = try read("title", "null").get()
        #expect(distractor.title == nil && distractor.legible && distractor.distractor == nil)
        #expect(
            try read("author", "\" \"").get().author == nil && read("difficulty", "\"hard\"").get().difficulty == nil
        )
    }

    @Test func fiveFaultsOfALineAreFoundAtOnce() {
        let line =
            #"{"id": 5, "image": "a/../b.png", "category": "vertcal", "transcription": "", "orientation": "cw", "size": 1}"#
        let faults = FaultCollector(file: "samples.jsonl", ignoresUnknownKeys: true)
        let error = #expect(throws: Faults.self) {
            let root = try JSONParser.node(Array(line.utf8), line: 7, faults)
            _ = try LocatedDecoder.decode(Sample.self, from: root, faults)
        }
        #expect(
            error?.faults.map { $0.description.split(separator: ";")[0] } == [
                "samples.jsonl:7:1: title: the key is missing", "samples.jsonl:7:8: id: invalid value 5",
                "samples.jsonl:7:20: image: invalid value \"a/../b.png\", outside the dataset",
                "samples.jsonl:7:46: category: invalid value \"vertcal\"",
                "samples.jsonl:7:74: transcription: empty text",
            ]
        )
    }

    @Test func aQuadMayReachOutOfItsPictureByTwoPercent() {
        let quad = Quad(left: -2, top: 0, right: 102, bottom: 50)
        #expect(quad.corners.stray(outside: 100, 50) == nil)
        let wider = Quad(left: -2, top: 0, right: 102.1, bottom: 50)
        #expect(wider.corners.stray(outside: 100, 50) == Point(x: 102.1, y: 0))
    }
}

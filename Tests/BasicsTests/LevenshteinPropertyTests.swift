import Foundation
import Testing

@testable import Basics

/// Results of rapidfuzz and jiwer for two texts; see Fixtures/README.md.
struct ExpectedEdits: Decodable {
    struct Row: Decodable {
        /// Kind, beginning and end in the reference, beginning and end in the hypothesis.
        struct Operation: Decodable {
            var operation: EditOperation

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                let kinds: [String: EditOperation.Kind] = [
                    "equal": .equal, "replace": .substitute, "delete": .delete, "insert": .insert,
                ]
                let kind = try #require(kinds[try values.decode(String.self)])
                let places = try (0..<4).map { _ in try values.decode(Int.self) }
                operation = EditOperation(
                    kind: kind,
                    reference: places[0]..<places[1],
                    hypothesis: places[2]..<places[3]
                )
            }
        }

        var reference: String
        var hypothesis: String
        var distance: Int
        var operations: [Operation]
        /// Substitutions, deletions, insertions; nil when a text is empty.
        var characters: [Int]?
        var words: [Int]?
    }

    var rows: [Row]

    static func load() throws -> ExpectedEdits {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/edits", withExtension: "json"))
        return try JSONDecoder().decode(ExpectedEdits.self, from: Data(contentsOf: url))
    }
}

/// Parameters of drawn texts.
struct TextKind: CustomTestStringConvertible {
    var name: String
    /// Pieces of the texts.
    var pieces: [String]
    /// Maximum number of pieces.
    var longest: Int
    /// Number of pairs.
    var count: Int

    var testDescription: String { name }

    static let all = [
        TextKind(name: "two letters", pieces: ["a", "b"], longest: 12, count: 1500),
        TextKind(
            name: "tidy and untidy ASCII",
            pieces: ["a", "b", "c", "a", "b", " ", "\t", "\n"],
            longest: 40,
            count: 400
        ),
        TextKind(name: "line ends", pieces: ["\r\n", "\r", "\n", "a", "b", " "], longest: 20, count: 400),
        TextKind(name: "several words of bits", pieces: ["a", "b", "c", "d", "e"], longest: 300, count: 60),
        TextKind(name: "Latin", pieces: ["é", "e", "ü", "ß", "a", "b", "’", " ", "\u{A0}"], longest: 70, count: 200),
        TextKind(
            name: "combining marks",
            pieces: ["e\u{301}", "é", "e", "\u{301}", "n\u{303}", "\u{212B}", "Å", " "],
            longest: 40,
            count: 200
        ),
        TextKind(name: "emoji", pieces: ["👨‍👩‍👧", "🇩🇪", "🇩", "👍🏽", "👍", "\u{200D}", "a", "❤️"], longest: 40, count: 200),
        TextKind(
            name: "scripts",
            pieces: ["戦", "争", "の", "토", "지", "ᄒ", "ᅡ", "ㅎ", "ש", "שׁ", "नि", "ก", "ำ", "Ж", "ω", " "],
            longest: 60,
            count: 200
        ),
        TextKind(name: "long", pieces: ["a", "b", "c", "d", "é"], longest: 1300, count: 2),
    ]
}

@Suite struct LevenshteinPropertyTests {
    @Test func editsAreThoseOfRapidfuzzAndJiwer() throws {
        for row in try ExpectedEdits.load().rows {
            let (a, b) = (row.reference, row.hypothesis)
            #expect(Levenshtein.distance(a, b) == row.distance, "\(a) | \(b)")
            #expect(
                Levenshtein.operations(from: Array(a), to: Array(b)) == row.operations.map(\.operation),
                "\(a) | \(b)"
            )
            let characters = EditCounts.ofCharacters(reference: a, hypothesis: b)
            #expect(characters.errors == row.distance, "\(a) | \(b)")
            if let expected = row.characters { #expect(kinds(characters) == expected, "\(a) | \(b)") }
            if let expected = row.words {
                #expect(kinds(EditCounts.ofWords(reference: a, hypothesis: b)) == expected, "\(a) | \(b)")
            }
        }
    }

    @Test(arguments: TextKind.all)
    func everyFormAgreesWithThePlainOne(kind: TextKind) {
        var random = SplitMix64(state: 1)
        for _ in 0..<kind.count {
            let a = text(kind.pieces, kind.longest, &random)
            // Half of them resemble each other, so that there is something to trace.
            let b = random.below(2) == 0 ? text(kind.pieces, kind.longest, &random) : damaged(a, kind.pieces, &random)
            for view in [TextView.raw, .nfc] { expectAgreement(a, b, view) }
        }
    }

    private func expectAgreement(_ a: String, _ b: String, _ view: TextView) {
        let (x, y) = (Array(view.apply(to: a)), Array(view.apply(to: b)))
        let expected = PlainLevenshtein.operations(from: x, to: y)
        var counts = EditCounts(referenceLength: x.count)
        for operation in expected {
            switch operation.kind {
            case .substitute: counts.substitutions += operation.reference.count
            case .delete: counts.deletions += operation.reference.count
            case .insert: counts.insertions += operation.hypothesis.count
            case .equal: break
            }
        }
        #expect(Levenshtein.operations(from: x, to: y) == expected, "\(a.debugDescription) \(b.debugDescription)")
        #expect(
            EditCounts.ofCharacters(reference: a, hypothesis: b, view: view) == counts,
            "\(a.debugDescription) \(b.debugDescription) \(view)"
        )
        #expect(Levenshtein.distance(a, b, view: view) == counts.errors, "\(a.debugDescription) \(b.debugDescription)")
        #expect(Levenshtein.distance(x, y) == counts.errors)
        #expect(
            Levenshtein.distance(Array(a.utf8), Array(b.utf8))
                == PlainLevenshtein.distance(Array(a.utf8), Array(b.utf8))
        )
        let words = { (text: String) in view.apply(to: text).split(whereSeparator: \.isWhitespace) }
        #expect(
            EditCounts.ofWords(reference: a, hypothesis: b, view: view)
                == Levenshtein.edits(from: words(a), to: words(b)),
            "\(a.debugDescription) \(b.debugDescription)"
        )
    }

    private func text(_ pieces: [String], _ longest: Int, _ random: inout SplitMix64) -> String {
        (0..<random.below(longest + 1)).map { _ in pieces[random.below(pieces.count)] }.joined()
    }

    private func damaged(_ text: String, _ pieces: [String], _ random: inout SplitMix64) -> String {
        var result = ""
        for character in text {
            let chance = random.below(10)
            if chance != 0 { result.append(character) }
            if chance < 2 { result += pieces[random.below(pieces.count)] }
        }
        return result
    }

    private func kinds(_ counts: EditCounts) -> [Int] { [counts.substitutions, counts.deletions, counts.insertions] }
}

import Foundation
import Testing

@testable import Basics

/// Results of rapidfuzz and jiwer for two texts; see Fixtures/README.md.
private struct ExpectedEdits: Decodable {
    struct Operation: Decodable {
        var operation: EditOperation

        /// Kind, beginning and end in the reference, beginning and end in the hypothesis.
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let kind = try values.decode(String.self)
            let places = try (0..<4).map { _ in try values.decode(Int.self) }
            operation = EditOperation(
                kind: try #require(kind == "replace" ? .substitute : EditOperation.Kind(rawValue: kind)),
                reference: places[0]..<places[1],
                hypothesis: places[2]..<places[3]
            )
        }
    }

    struct Row: Decodable {
        var reference: String
        var hypothesis: String
        var distance: Int
        var operations: [Operation]
        /// Substitutions, deletions, insertions; nil when a text is empty.
        var characters: [Int]?
        var words: [Int]?
    }

    var rows: [Row]

    static func load() throws -> [Row] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/edits", withExtension: "json"))
        return try JSONDecoder().decode(ExpectedEdits.self, from: Data(contentsOf: url)).rows
    }
}

extension EditCounts {
    fileprivate var kinds: [Int] { [substitutions, deletions, insertions] }
}

@Suite struct EditTests {
    @Test func editsAreThoseOfRapidfuzzAndJiwer() throws {
        for row in try ExpectedEdits.load() {
            let (a, b) = (row.reference, row.hypothesis)
            #expect(Levenshtein.distance(a, b) == row.distance, "\(a) | \(b)")
            let operations = Levenshtein.operations(from: Array(a), to: Array(b))
            #expect(operations == row.operations.map(\.operation), "\(a) | \(b)")
            let characters = EditCounts.ofCharacters(reference: a, hypothesis: b)
            #expect(characters.errors == row.distance, "\(a) | \(b)")
            if let expected = row.characters { #expect(characters.kinds == expected, "\(a) | \(b)") }
            guard let expected = row.words else { continue }
            #expect(EditCounts.ofWords(reference: a, hypothesis: b).kinds == expected, "\(a) | \(b)")
        }
        for row in try Expected.load().distance {
            #expect(Levenshtein.distance(Array(row.a), Array(row.b)) == row.distance, "\(row.a) | \(row.b)")
            let similarity = TextSimilarity.normalized(row.a, row.b, view: .raw)
            #expect(abs(similarity - row.similarity) < 1e-12, "\(row.a) | \(row.b)")
        }
    }

    @Test func ratesAreThoseOfJiwer() throws {
        let expected = try Expected.load()
        var sum = EditCounts()
        for row in expected.errors {
            let words = EditCounts.ofWords(reference: row.reference, hypothesis: row.hypothesis)
            #expect(words.errors == row.wordErrors && words.referenceLength == row.wordReference, "\(row.reference)")
            let characters = EditCounts.ofCharacters(reference: row.reference, hypothesis: row.hypothesis)
            #expect(characters.errors == row.characterErrors, "\(row.reference)")
            #expect(characters.referenceLength == row.characterReference)
            #expect(words.rate == .value(row.wer) && characters.rate == .value(row.cer))
            sum = sum + words
        }
        #expect(sum.rate == .value(expected.pooledWER))
    }

    // Computed by hand: each has one cheapest way only.
    @Test(arguments: [
        ("abc", "abc", [0, 0, 0]), ("abc", "axc", [1, 0, 0]), ("abc", "ac", [0, 1, 0]), ("abc", "abxc", [0, 0, 1]),
        ("abc", "", [0, 3, 0]), ("", "ab", [0, 0, 2]), ("kitten", "sitting", [2, 0, 1]), (" ", "text", [0, 0, 4]),
        // A character is a grapheme, however it is encoded: one of five scalars is one substitution.
        ("Café", "Cafe\u{301}", [0, 0, 0]), ("a👨‍👩‍👧", "ab", [1, 0, 0]),
    ])
    func editsAreCountedByKind(a: String, b: String, expected: [Int]) {
        #expect(EditCounts.ofCharacters(reference: a, hypothesis: b).kinds == expected)
    }

    @Test func emptyReferenceHasNoRate() {
        #expect(EditCounts.ofCharacters(reference: " ", hypothesis: "text").rate == .absent("the reference is empty"))
    }

    @Test(arguments: [(TextView.nfc, 4), (.folded, 0)])
    func theFoldedViewForgivesCaseAndPunctuation(view: TextView, errors: Int) {
        let (reference, hypothesis) = ("Child of the Dream", "CHILD OF THE DREAM.")
        #expect(EditCounts.ofWords(reference: reference, hypothesis: hypothesis, view: view).errors == errors)
    }

    /// Drawn texts: pieces, most pieces of a text, pairs.
    @Test(
        arguments: [
            (["a", "b"], 12, 1500), (["a", "b", "c", "a", "b", " ", "\t", "\n"], 40, 400),
            (["\r\n", "\r", "\n", "a", "b", " "], 20, 400), (["a", "b", "c", "d", "e"], 300, 60),
            (["é", "e", "ü", "ß", "a", "b", "’", " ", "\u{A0}"], 70, 200),
            (["e\u{301}", "é", "e", "\u{301}", "n\u{303}", "\u{212B}", "Å", " "], 40, 200),
            (["👨‍👩‍👧", "🇩🇪", "🇩", "👍🏽", "👍", "\u{200D}", "a", "❤️"], 40, 200),
            (["戦", "争", "の", "토", "지", "ᄒ", "ᅡ", "ㅎ", "ש", "שׁ", "नि", "ก", "ำ", "Ж", "ω", " "], 60, 200),
            (["a", "b", "c", "d", "é"], 1300, 2),
        ] as [([String], Int, Int)]
    )
    func everyFormAgreesWithThePlainOne(pieces: [String], longest: Int, count: Int) {
        var random = SplitMix64(state: 1)
        func text() -> String {
            (0..<random.below(longest + 1)).map { _ in pieces[random.below(pieces.count)] }.joined()
        }
        func damaged(_ text: String) -> String {
            text.reduce(into: "") { result, character in
                let chance = random.below(10)
                if chance != 0 { result.append(character) }
                if chance < 2 { result += pieces[random.below(pieces.count)] }
            }
        }
        for _ in 0..<count {
            let a = text()
            // Half of them resemble each other, so that there is something to trace.
            let b = random.below(2) == 0 ? text() : damaged(a)
            #expect(Levenshtein.distance(Array(a.utf8), Array(b.utf8)) == plainDistance(Array(a.utf8), Array(b.utf8)))
            for view in [TextView.raw, .nfc] { expectAgreement(a, b, view) }
        }
    }

    private func expectAgreement(_ a: String, _ b: String, _ view: TextView) {
        let (x, y) = (Array(view.apply(to: a)), Array(view.apply(to: b)))
        let distance = plainDistance(x, y)
        let texts: Comment = "\(a.debugDescription) \(b.debugDescription) \(view)"
        #expect(Levenshtein.distance(x, y) == distance && Levenshtein.distance(a, b, view: view) == distance, texts)
        // The runs cover both texts, and cost the distance.
        var (i, j, cost) = (0, 0, 0)
        for run in Levenshtein.operations(from: x, to: y) {
            #expect(run.reference.lowerBound == i && run.hypothesis.lowerBound == j, texts)
            (i, j) = (run.reference.upperBound, run.hypothesis.upperBound)
            #expect((x[run.reference] == y[run.hypothesis]) == (run.kind == .equal), texts)
            cost += run.kind == .equal ? 0 : max(run.reference.count, run.hypothesis.count)
        }
        #expect(i == x.count && j == y.count && cost == distance, texts)
        #expect(EditCounts.ofCharacters(reference: a, hypothesis: b, view: view).errors == distance, texts)
        let words = { (text: String) in view.apply(to: text).split(whereSeparator: \.isWhitespace) }
        let wordErrors = EditCounts.ofWords(reference: a, hypothesis: b, view: view).errors
        #expect(wordErrors == plainDistance(words(a), words(b)), texts)
    }

    /// Wagner and Fischer (1974).
    private func plainDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let cost = min(diagonal + (x == y ? 0 : 1), row[j] + 1, row[j + 1] + 1)
                (diagonal, row[j + 1]) = (row[j + 1], cost)
            }
        }
        return row[b.count]
    }
}

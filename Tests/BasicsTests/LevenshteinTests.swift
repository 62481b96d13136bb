import Testing

@testable import Basics

@Suite struct LevenshteinTests {
    @Test func distancesAreThoseOfRapidfuzz() throws {
        for row in try Expected.load().distance {
            #expect(Levenshtein.distance(Array(row.a), Array(row.b)) == row.distance, "\(row.a) | \(row.b)")
        }
    }

    @Test func editsAddUpToTheDistanceAndToTheLengths() throws {
        for row in try Expected.load().distance {
            let (a, b) = (Array(row.a), Array(row.b))
            let edits = Levenshtein.edits(from: a, to: b)
            #expect(edits.errors == row.distance, "\(row.a) | \(row.b)")
            #expect(a.count - edits.deletions + edits.insertions == b.count)
            #expect(edits.referenceLength == a.count)
        }
    }

    // Computed by hand: each has one cheapest way only.
    @Test(arguments: [
        ("abc", "abc", EditCounts(referenceLength: 3)),
        ("abc", "axc", EditCounts(substitutions: 1, referenceLength: 3)),
        ("abc", "ac", EditCounts(deletions: 1, referenceLength: 3)),
        ("abc", "abxc", EditCounts(insertions: 1, referenceLength: 3)),
        ("abc", "", EditCounts(deletions: 3, referenceLength: 3)),
        ("", "ab", EditCounts(insertions: 2, referenceLength: 0)),
        ("kitten", "sitting", EditCounts(substitutions: 2, insertions: 1, referenceLength: 6)),
    ])
    func editsAreCountedByKind(a: String, b: String, expected: EditCounts) {
        #expect(Levenshtein.edits(from: Array(a), to: Array(b)) == expected)
    }

    @Test func similarityIsRapidfuzzsNormalizedSimilarity() throws {
        for row in try Expected.load().distance {
            let similarity = TextSimilarity.normalized(row.a, row.b, view: .raw)
            #expect(abs(similarity - row.similarity) < 1e-12, "\(row.a) | \(row.b)")
        }
    }
}

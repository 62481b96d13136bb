import BookCatalogue
import Talaria
import Testing

@testable import ScanningPipeline

@Suite struct ReconciliationTests {
    private static func local(_ title: String, _ confidence: Double) -> BookMatch {
        BookMatch(book: BookRecord(title: title), confidence: confidence)
    }

    private static func remote(_ title: String, _ confidence: Double?) -> BookMetadata {
        BookMetadata(title: title, confidence: confidence, enrichmentStatus: .success)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var local: BookMatch?
        var remote: BookMetadata?
        var source: Reconciliation.Source
        var review: Bool
        var testDescription: String { name }
    }

    private static let rows: [Row] = [
        Row(name: "nobody knows", source: .neither, review: false),
        Row(name: "only here, sure", local: local("Dune", 0.95), source: .local, review: false),
        Row(name: "only here, unsure", local: local("Dune", 0.7), source: .local, review: true),
        Row(name: "both", local: local("Dune", 0.9), remote: remote("Dune", 0.95), source: .remote, review: false),
        Row(
            name: "unsure there",
            local: local("Dune", 0.9),
            remote: remote("Dune", 0.9),
            source: .local,
            review: false
        ),
        Row(name: "never read", local: local("Dune", 0.9), remote: remote("Emma", 0.99), source: .local, review: true),
        Row(name: "at odds", local: local("Doom", 0.85), remote: remote("Dune", 0.95), source: .remote, review: true),
        Row(name: "only there", remote: remote("Dune", 0.95), source: .remote, review: false),
        Row(name: "only there, unsure", remote: remote("Dune", 0.6), source: .remote, review: true),
        Row(name: "only there, without a figure", remote: remote("Dune", nil), source: .remote, review: true),
        Row(
            name: "not found there",
            remote: BookMetadata(title: "", enrichmentStatus: .notFound),
            source: .neither,
            review: false
        ),
    ]

    @Test("whose answer counts", arguments: rows)
    func decision(_ row: Row) {
        let decision = Reconciliation(lines: ["DUNE", "Frank Herbert"], local: row.local, remote: row.remote)
        #expect(decision.source == row.source)
        #expect(decision.needsReview == row.review)
    }

    @Test func aPictureThatNobodyReadHereIsTakenAtItsWord() {
        #expect(!Reconciliation(lines: [], local: nil, remote: Self.remote("Dune", 0.95)).needsReview)
    }
}

@Suite struct TitleSimilarityTests {
    /// Distances counted by hand.
    private static let rows: [(String, [String], Double)] = [
        ("Dune", ["DUNE", "Frank Herbert"], 1), ("Winter Harbour", ["Winter", "Harbour"], 1),
        ("Winter Harbour", ["W1nter", "Harbour"], 13.0 / 14), ("Émile", ["emile"], 1), ("Emma: A Novel", ["EMMA"], 1),
        ("Emma", [], 0), ("", ["EMMA"], 0),
        // Four letters inside another word are not a title.
        ("Dune", ["The dunes of Brittany"], 4.0 / 21),
    ]

    @Test("how much of a title stands in a text", arguments: rows)
    func similarity(_ title: String, _ lines: [String], _ expected: Double) {
        #expect(abs(TitleSimilarity.of(title, in: lines) - expected) < 0.0001)
    }
}

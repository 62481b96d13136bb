import Basics
import Evaluation
import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct MetricSelfTestTests {
    /// Twelve books; no title is part of another spine.
    static let samples = [
        ("A Stolen Life", "Jaycee Dugard"), ("Thérèse Raquin", "Émile Zola"), ("The Hobbit", "Tolkien"),
        ("Middlemarch", "George Eliot"), ("Der Zauberberg", "Thomas Mann"), ("Don't Look Now", "du Maurier"),
        ("Eats, Shoots & Leaves", "Lynne Truss"), ("Nineteen Eighty-Four", "Orwell"), ("Kokoro", "Natsume Soseki"),
        ("War and Peace", "Tolstoy"), ("Die Vermessung der Welt", "Kehlmann"), ("Beloved", "Toni Morrison"),
    ].enumerated().map { index, book in
        Sample(
            id: "s\(index)",
            image: "s\(index).png",
            category: .vertical,
            title: book.0,
            author: book.1,
            transcription: "\(book.1.uppercased()) \(book.0)",
            orientation: .clockwise
        )
    }

    private func row(
        _ test: MetricSelfTest,
        _ prediction: KnownPrediction,
        _ metric: String
    ) throws -> MetricSelfTest.Row {
        try #require(test.rows.first { $0.prediction == prediction && $0.metric == metric })
    }

    @Test func theMetricsScoreAsTheyShould() throws {
        let test = MetricSelfTest(Self.samples)
        for row in test.rows { #expect(row.isOK == true, "\(row)") }
        #expect(test.rows.count == 18)
        // Computed by hand: 12 gaps over the transcriptions' length.
        let length = Self.samples.map(\.transcription.count).reduce(0, +)
        #expect(try row(test, .duplicated, "CER").observed == .value(Double(length + 12) / Double(length)))
    }

    @Test func theSameSeedGivesTheSameRows() {
        #expect(MetricSelfTest(Self.samples, seed: 5) == MetricSelfTest(Self.samples, seed: 5))
    }

    /// Ways in which a scorer may be wrong, and a row that has to notice.
    struct Fault: CustomTestStringConvertible {
        var testDescription: String
        var prediction: KnownPrediction
        var metric: String
        var score: @Sendable (String, Sample) -> SampleScore
    }

    /// Returns the harness's own score with something changed.
    private static func changed(
        _ change: @escaping @Sendable (inout SampleScore, String, Sample) -> Void
    )
        -> @Sendable (String, Sample) -> SampleScore
    {
        { text, sample in
            var score = SampleScore(text, against: sample)
            change(&score, text, sample)
            return score
        }
    }

    private static let allRead = changed { score, _, _ in score.title.found = score.title.total }
    private static let noneRead = changed { score, _, _ in score.title.found = 0 }
    private static let noErrors = changed { score, _, _ in
        score.characters = EditCounts(referenceLength: score.characters.referenceLength)
    }
    private static let insertionsForgiven = changed { score, _, _ in score.characters.insertions = 0 }
    private static let anyOrder = changed { score, text, sample in
        score.characters = .ofCharacters(
            reference: String(sample.transcription.sorted()),
            hypothesis: String(text.sorted())
        )
    }
    private static let fullOverlap = changed { score, _, _ in
        score.overlap = WordOverlap(shared: 1, referenceWords: 1, hypothesisWords: 1)
    }
    private static let noOverlap = changed { score, _, _ in score.overlap.shared = 0 }
    private static let oneErrorMore = changed { score, _, _ in score.characters.substitutions += 1 }
    private static let orderMatters = changed { score, text, sample in
        if !text.contains(sample.title ?? "") {
            score.title.found = 0
            score.overlap.shared = 0
        }
    }

    static let faults = [
        Fault(testDescription: "one error more", prediction: .perfect, metric: "CER", score: oneErrorMore),
        Fault(testDescription: "none read", prediction: .perfect, metric: "title read", score: noneRead),
        Fault(testDescription: "no overlap", prediction: .perfect, metric: "word F1", score: noOverlap),
        Fault(testDescription: "no errors", prediction: .blank, metric: "CER", score: noErrors),
        Fault(testDescription: "all read", prediction: .blank, metric: "title read", score: allRead),
        Fault(testDescription: "full overlap", prediction: .blank, metric: "word F1", score: fullOverlap),
        Fault(testDescription: "all read", prediction: .reversed, metric: "title read", score: allRead),
        Fault(testDescription: "any order", prediction: .reversed, metric: "CER", score: anyOrder),
        Fault(
            testDescription: "insertions forgiven",
            prediction: .duplicated,
            metric: "CER",
            score: insertionsForgiven
        ),
        Fault(testDescription: "none read", prediction: .duplicated, metric: "title read", score: noneRead),
        Fault(testDescription: "full overlap", prediction: .duplicated, metric: "word precision", score: fullOverlap),
        Fault(testDescription: "all read", prediction: .shuffled, metric: "title read", score: allRead),
        Fault(testDescription: "no errors", prediction: .shuffled, metric: "CER", score: noErrors),
        Fault(testDescription: "order matters", prediction: .wordOrder, metric: "title read", score: orderMatters),
        Fault(testDescription: "order matters", prediction: .wordOrder, metric: "word F1", score: orderMatters),
        Fault(testDescription: "any order", prediction: .wordOrder, metric: "CER", score: anyOrder),
        Fault(testDescription: "full overlap", prediction: .vocabulary, metric: "word precision", score: fullOverlap),
        Fault(
            testDescription: "insertions forgiven",
            prediction: .vocabulary,
            metric: "CER",
            score: insertionsForgiven
        ),
    ]

    @Test(arguments: faults)
    func everyRowNoticesABrokenScorer(fault: Fault) throws {
        let test = MetricSelfTest(Self.samples, score: fault.score)
        #expect(try row(test, fault.prediction, fault.metric).isOK == false)
        #expect(!test.isOK)
    }

    @Test func everyRowHasAFaultThatItNotices() {
        let noticed = Self.faults.map { "\($0.prediction) \($0.metric)" }
        let rows = MetricSelfTest(Self.samples).rows.map { "\($0.prediction) \($0.metric)" }
        #expect(Set(rows) == Set(noticed))
    }

    @Test func whatCannotBeToldIsAbsentAndNoFailure() throws {
        var illegible = Self.samples[0]
        illegible.legible = false
        for samples in [[], [illegible]] {
            let test = MetricSelfTest(samples)
            #expect(test.rows.allSatisfy { $0.isOK == nil && $0.observed.reason != nil })
            #expect(test.isOK)
        }
        // One sample cannot be mistaken for another.
        let one = MetricSelfTest([Self.samples[0]])
        #expect(
            try row(one, .shuffled, "title read").observed == .absent("needs legible samples with different titles")
        )
        #expect(try row(one, .perfect, "title read").isOK == true)
    }

    @Test func titlesThatOccurTwiceAreNotShuffledAmongThemselves() throws {
        let test = MetricSelfTest([Self.samples[0], Self.samples[0]])
        #expect(try row(test, .shuffled, "title read").isOK == nil)
    }

    @Test func aTitleDividedOnTheSpineKeepsItsOrder() throws {
        var divided = Self.samples[0]
        divided.title = "Here Comes Everybody"
        divided.transcription = "Here COMES EVERY- Body CLAY SHIRKY"
        let test = MetricSelfTest([divided])
        #expect(try row(test, .perfect, "title read").isOK == true)
        #expect(try row(test, .wordOrder, "title read").isOK == nil)
    }

    // The title metric tests whether the title is there, not other text: it must not be read alone.
    @Test func aWholeVocabularyHoldsEveryTitle() {
        let vocabulary = Self.samples.map(\.transcription).joined(separator: " ")
        #expect(Self.samples.allSatisfy { FieldRead(field: $0.title ?? "", in: vocabulary).isRead == true })
    }
}

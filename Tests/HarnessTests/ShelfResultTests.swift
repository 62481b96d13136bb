import Basics
import Imaging
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

/// Results of a run for photos of shelves; expected values are by hand.
@Suite(.tags(.unit)) struct ShelfResultTests {
    private static func outline(_ place: Int) -> Quad {
        let (left, right) = (Double(20 * place), Double(20 * place + 20))
        return Quad(
            topLeft: Point(x: left, y: 0),
            topRight: Point(x: right, y: 0),
            bottomRight: Point(x: right, y: 100),
            bottomLeft: Point(x: left, y: 100)
        )
    }

    private static let shelves = ["one", "two"].map { name in
        Shelf(
            id: name,
            image: "\(name).jpg",
            books: (0..<4).map { ShelfBook(title: "\(name) \($0)", quad: outline($0)) }
        )
    }

    private static func variant(_ name: String = "shelf-fast") -> Variant {
        var variant = Variant(name: name, tier: "shelf", settings: [:])
        (variant.subject, variant.gates) = (.shelves, true)
        return variant
    }

    private static let dataset: Dataset = {
        var dataset = Dataset.made([.made("a", title: "A")])
        dataset.shelves = shelves
        return dataset
    }()

    private static func configuration(_ variants: [Variant]) -> RunConfiguration {
        RunConfiguration(tool: "test", datasets: [DatasetReference(dataset)], variants: variants)
    }

    /// Returns a reading of a photo: for each spine, the number of the book whose name it has, nil for none.
    private static func record(_ shelf: Shelf, _ names: [Int?], milliseconds: Double) -> SampleRecord {
        var record = SampleRecord(measurement: "shelf-fast", repetition: 1, position: 0, id: shelf.id)
        var prediction = Prediction(lines: names.map { .init(text: "text \($0 ?? -1)") })
        prediction.spines = names.enumerated().map { place, name in
            var spine = Prediction.Spine(row: 1, index: place + 1, outline: outline(place), text: "text")
            spine.answer = name.map { BookCandidate(title: "\(shelf.id) \($0)") }
            return spine
        }
        (record.prediction, record.milliseconds) = (prediction, milliseconds)
        let judge = BookScorer { _, _, _ in
            nil
        } shelf: { _, shelf, prediction in
            let spines = prediction?.spines ?? []
            return ShelfScore(
                books: shelf.books.map(\.quad),
                spines: spines.compactMap(\.outline),
                isNamed: { spines[$0].answer != nil },
                isRight: { shelf.books[$0].title == spines[$1].answer?.title },
                isRead: { _, _ in true }
            )
        }
        judge.settle(&record, of: variant(), Sample(shelf))
        return record
    }

    private static func result() throws -> RunResult {
        try RunResult(
            configuration: configuration([variant()]),
            datasets: [dataset],
            records: [
                record(shelves[0], [0, 1, 2, 3], milliseconds: 400),
                // The third has another's name, the fourth none; there is no fifth book.
                record(shelves[1], [0, 1, 0, nil, nil], milliseconds: 1_200),
            ],
            events: [RunEvent(kind: .measured, measurement: "shelf-fast")]
        )
    }

    @Test func figuresOfPhotos() throws {
        let result = try Self.result()
        #expect(result.datasets[0].samplesRead == 0 && result.datasets[0].shelves == 2)
        let measurement = try #require(result.measurements.first)
        #expect(measurement.categories.map(\.category) == ["all"] && measurement.planned == 6)
        let shelves = measurement.all
        #expect(shelves.counts[.shelves] == ["photos": 2, "books": 8, "labelled": 8, "spines": 9])
        #expect(shelves.rate(.bookRecall).proportion == Proportion(successes: 6, trials: 8))
        #expect(shelves.rate(.bookPrecision).proportion == Proportion(successes: 6, trials: 7))
        // 2 · 6 / (2 · 6 + 2 missed + 1 wrong).
        #expect(shelves.values[.bookF1]?.value == .value(0.8))
        #expect(shelves.values[.countError]?.value == .value(0.125))
        #expect(shelves.rate(.bookTitleRead).proportion == Proportion(successes: 8, trials: 8))
        #expect(
            shelves.values[.outlineOverlap]?.value == .value(1)
                && shelves.rate(.orderDistance).proportion == Proportion(successes: 0, trials: 6)
        )
        #expect(shelves.values[.timePerBook]?.value == .value(200))
        #expect(shelves.rate(.titleRead).trials == 0)
    }

    @Test func targetsOfShelvesHoldForShelvesAlone() throws {
        let rows = try Self.result().compliance
        #expect(rows.allSatisfy { $0.metric?.isOfShelves == true || $0.metric?.family != .accuracy })
        #expect(rows.contains { $0.metric == .bookRecall && $0.value == .value(0.75) })
        #expect(!rows.contains { $0.metric == .latencyP95 })
        let spines = Claim.standard.filter { $0.holds(for: "fast") }
        #expect(!spines.contains { $0.metric?.isOfShelves == true })
    }

    @Test func eachVariantReadsThePicturesOfItsKind() throws {
        var configuration = Self.configuration([Variant(name: "fast", tier: "fast", settings: [:]), Self.variant()])
        try configuration.validate()
        let read = configuration.measurements.map { $0.pictures(of: Self.dataset, limit: nil).map(\.id) }
        #expect(read == [["a"], ["one", "two"]])
        configuration.datasets = [DatasetReference(Dataset.made([.made("a", title: "A")]))]
        #expect(throws: HarnessError.self) { try configuration.validate() }
        #expect(configuration.datasets[0].subjects == nil)
    }

    @Test func booksAreComparedOneByOne() throws {
        let records = [Self.record(Self.shelves[1], [0, 1, 0, nil], milliseconds: 300)]
        let set = ReadingSet(name: "A", samples: Self.shelves.map(Sample.init), records: records)
        #expect(set.entries.map(\.id) == ["two#1", "two#2", "two#3", "two#4"])
        #expect(set.entries.map { $0.outcomes[.bookRecall] } == [true, true, false, false])
        #expect(set.entries.map { $0.readings.count } == [1, 0, 0, 0] && set.entries.allSatisfy { $0.group == "two" })
    }

    @Test func reportsSayWhatWasFound() throws {
        let contents = RunContents(
            name: "run",
            result: try Self.result(),
            records: [Self.record(Self.shelves[1], [0, 1, 0, nil, nil], milliseconds: 1_200)],
            datasets: [Self.dataset]
        )
        let files = try RunReports(contents).files().mapValues { String(decoding: $0, as: UTF8.self) }
        let markdown = try #require(files["report.md"])
        #expect(markdown.contains("Dataset **made** 1.0: 2 photos of shelves."))
        #expect(markdown.contains("| 6 of 8 (75.0 %) |"))
        #expect(!markdown.contains("spines (0"))
        let page = try #require(files["report.html"])
        #expect(page.contains("\"b\":\"2 of 4 books named, 1 named wrongly, 4 of 4 titles read\""))
        #expect(page.contains("\"f\":[\"right\",\"right\",\"wrong\",\"unnamed\",\"unnamed\"]"))
        #expect(page.contains("\"k\":[2,3]"))
    }
}

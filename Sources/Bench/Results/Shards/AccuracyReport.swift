import Basics
package import Evaluation
package import Harness

/// `accuracy.json`: what was read and named, and what scans sent: the same bytes of a run in one piece and of its
/// shards.
///
/// Left out: times and what depends on them, memory, bytes over the connection with headers and encryption (each worker
/// opens connections of its own), and confidences.
package struct AccuracyReport: Sendable, Equatable, Codable {
    package struct Category: Sendable, Equatable, Codable {
        package var category: String
        package var samples: Int
        package var accuracy: AccuracySummary
        package var books: Identification?
        package var shelves: ShelfSummary?
        package var captures: CaptureSummary?
        package var boxes: LineBoxSummary?
    }

    /// Bytes by what they tell, before headers and encryption.
    package struct Bytes: Sendable, Equatable, Codable {
        package var scans: Int
        package var up: [String: Int]
        package var down: [String: Int]
    }

    package struct Measurement: Sendable, Equatable, Codable {
        package var id: String
        package var variant: String
        package var scenario: String
        package var dataset: String
        package var planned: Int
        package var outcomes: [String: Int]
        package var unstableSamples: Int
        package var bytes: Bytes?
        package var categories: [Category]
    }

    package struct Data: Sendable, Equatable, Codable {
        package var name: String
        package var digest: String
    }

    package var format = 1
    package var datasets: [Data]
    package var measurements: [Measurement]

    package init(_ configuration: RunConfiguration, _ results: [MeasurementResult]) {
        datasets = configuration.datasets.map { Data(name: $0.name, digest: $0.digest) }
        measurements = results.map { result in
            Measurement(
                id: result.id,
                variant: result.variant.name,
                scenario: result.scenario.label,
                dataset: result.dataset,
                planned: result.planned,
                outcomes: result.outcomes,
                unstableSamples: result.unstableSamples,
                bytes: result.traffic.map { Bytes(scans: $0.scans, up: $0.up, down: $0.down) },
                categories: result.categories.map { category in
                    var shelves = category.shelves
                    shelves?.millisecondsPerBook = .absent("of one machine")
                    return Category(
                        category: category.category,
                        samples: category.samples,
                        accuracy: category.accuracy.withoutTimes,
                        books: category.books,
                        shelves: shelves,
                        captures: category.captures,
                        boxes: category.boxes
                    )
                }
            )
        }
    }
}

extension Metric {
    /// Whether it says the same of a run in one piece and of its shards.
    package var isOfAccuracyAlone: Bool {
        switch self {
        case .readInTime, .timePerBook: false
        case _ where isOfFrames: false
        case .imageBytesSent, .textBytesSent, .idBytesSent, .controlBytesSent: true
        default: meaning.family == .accuracy && self != .gestureReadings && self != .completed
        }
    }
}

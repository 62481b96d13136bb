import Basics
import Evaluation
package import Harness
import SpineDatasets

/// Accuracy, books and bytes of a measurement, counted reading by reading; of each sample, a few bits are kept.
struct MeasurementTally {
    private let measurement: Measurement
    private let planned: Int
    /// Of each label's first text; empty where each is read once.
    private var texts: [UInt64]
    private var unstable: Set<UInt32> = []
    private var all = CategoryTally()
    private var categories: [SampleCategory: CategoryTally] = [:]
    private var outcomes: [String: Int] = [:]
    private var photos: [(number: Int, record: SampleRecord)] = []
    private var bytes: TrafficSummary?

    init(_ measurement: Measurement, _ labels: LabelIndex, repetitions: Int) {
        self.measurement = measurement
        planned = labels.readCount * repetitions
        texts = [UInt64](repeating: 0, count: repetitions > 1 ? labels.count : 0)
    }

    /// Adds a reading of the label with a number; only first repetitions have a score.
    mutating func add(_ record: SampleRecord, _ number: Int, _ category: SampleCategory, _ score: ScoredReading?) {
        outcomes[record.outcome.rawValue, default: 0] += 1
        if record.outcome == .read { compare(record, number) }
        if let traffic = record.prediction?.traffic { bytes.add(traffic) }
        guard let score else { return }
        all.add(score)
        if record.shelf != nil { photos.append((number, record)) }
        if measurement.variant.subject != .shelves { categories[category, default: CategoryTally()].add(score) }
    }

    private mutating func compare(_ record: SampleRecord, _ number: Int) {
        guard !texts.isEmpty else { return }
        var hash = FNV1a()
        for byte in (record.prediction?.text ?? "\u{0}").utf8 { hash.append(byte) }
        let text = hash.value | 1
        if texts[number] == 0 { texts[number] = text } else if texts[number] != text { unstable.insert(UInt32(number)) }
    }

    var result: MeasurementResult {
        let shelves = photos.sorted { $0.number < $1.number }.map(\.record)
        var result = MeasurementResult(measurement, samples: [], planned: planned, records: [], events: [])
        (result.outcomes, result.traffic, result.unstableSamples) = (outcomes, bytes, unstable.count)
        result.categories =
            [CategoryResult("all", all, photos: shelves)]
            + SampleCategory.allCases.compactMap { name in
                categories[name].map { CategoryResult(name.rawValue, $0, photos: []) }
            }
        return result
    }
}

/// A run of more readings than fit into memory: what its files say of accuracy, books and bytes.
package struct StreamedRun: Sendable {
    package let configuration: RunConfiguration
    /// Without figures that depend on a machine.
    package let results: [MeasurementResult]

    /// Reads the folder of a complete run line by line.
    package init(_ folder: String) throws {
        let configuration = try RunFolder.configuration(in: folder)
        self.configuration = configuration
        let own = try RunLabels(configuration, shards: 1).own(configuration)
        let numbers = Dictionary(first: zip(configuration.measurements.map(\.id), 0...))
        var tallies = zip(configuration.measurements, own).map {
            MeasurementTally($0, $1, repetitions: configuration.repetitions * configuration.seeds.count)
        }
        let path = "\(folder)/\(RunFolder.Name.samples)"
        try LineFile(path).read { bytes, _ -> Reading? in
            guard let record = SampleRecord.decoded(bytes),
                let measurement = numbers[record.measurement], let label = own[measurement].label(record.id)
            else { return nil }
            let score = record.repetition == 1 ? ScoredReading(label.sample, record) : nil
            return Reading(
                measurement: measurement,
                record: record,
                number: label.number,
                category: label.sample.category,
                score: score
            )
        } take: { line, parsed in
            guard case .parsed(let reading?) = parsed else {
                throw HarnessError.runFolder(path: path, problem: "line \(line) is not a reading of this run")
            }
            tallies[reading.measurement].add(reading.record, reading.number, reading.category, reading.score)
        }
        results = tallies.map(\.result)
    }

    private struct Reading: Sendable {
        var measurement: Int
        var record: SampleRecord
        var number: Int
        var category: SampleCategory
        var score: ScoredReading?
    }
}

struct ScoredReading: Sendable {
    /// Score of the sample; nil when it is not scored.
    private(set) var entry: AccuracySummary.Entry?
    /// Reason why a legible sample that was read is not scored; nil for others.
    private(set) var notScored: String?
    /// Score of the book; nil when no book was to be named, or its name was not examined.
    private(set) var book: Identification.Entry?
    /// Score of the boxes with their picture; nil for lines without labelled boxes, or a system that does not locate
    /// them.
    private(set) var boxes: (score: LineBoxScore, picture: String)?
    /// Score of the capture; nil for systems without captures, and for failed readings, whose kind is unknown.
    private(set) var capture: CaptureScore?

    init(_ sample: Sample, _ record: SampleRecord?) {
        if sample.isJudged, let outcome = record?.book { book = Identification.Entry(outcome, group: sample.group) }
        if let capture = record?.prediction?.capture {
            self.capture = CaptureScore(capture, sample)
        } else if record?.prediction == nil, sample.scene != nil {
            capture = CaptureScore(unread: sample)
        }
        guard sample.legible else { return }
        boxes = LineBoxScore(sample, record?.prediction).map { ($0, sample.group ?? sample.id) }
        notScored = record?.prediction?.linesProblem
        guard notScored == nil else { return }
        entry = AccuracySummary.Entry(
            record?.score(against: sample) ?? SampleScore("", against: sample),
            group: sample.group,
            milliseconds: record?.outcome == .read ? record?.millisecondsToText : nil
        )
    }
}

/// The samples of one category, counted as they come.
struct CategoryTally {
    private(set) var samples = 0
    private(set) var accuracy = AccuracyTally()
    private var books = IdentificationTally()
    private var kept = CaptureTally()
    private var located = LineBoxTally()

    var boxes: LineBoxSummary? { located.summary }

    var identification: Identification? { books.count == 0 ? nil : Identification(books) }

    var captures: CaptureSummary? { kept.isOfCaptures ? CaptureSummary(kept) : nil }

    mutating func add(_ reading: ScoredReading) {
        samples += 1
        if let problem = reading.notScored { accuracy.notScored[problem, default: 0] += 1 }
        if let entry = reading.entry { accuracy.add(entry) }
        if let book = reading.book { books.add(book) }
        if let capture = reading.capture { kept.add(capture) }
        if let (score, picture) = reading.boxes { located.add(score, picture: picture) }
    }
}

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

    /// A measurement that reads so many of the labels, each so often.
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

    /// The result, without figures that depend on a machine.
    var result: MeasurementResult {
        let shelves = ShelfSummary(
            photos.sorted { $0.number < $1.number }.map(\.record)
        )
        func category(_ name: String, _ tally: CategoryTally, _ shelves: ShelfSummary?) -> CategoryResult {
            CategoryResult(
                category: name,
                samples: tally.samples,
                failures: 0,
                latency: LatencySummary(milliseconds: []),
                accuracy: AccuracySummary(tally.accuracy),
                milestones: nil,
                books: tally.identification,
                shelves: shelves,
                captures: tally.captures,
                boxes: tally.boxes
            )
        }
        return MeasurementResult(
            measurement,
            planned: planned,
            outcomes: outcomes,
            traffic: bytes,
            categories: [category("all", all, shelves)]
                + SampleCategory.allCases.compactMap { name in
                    categories[name].map { category(name.rawValue, $0, nil) }
                },
            unstableSamples: unstable.count
        )
    }
}

extension MeasurementResult {
    /// Without figures that depend on a machine.
    init(
        _ measurement: Measurement,
        planned: Int,
        outcomes: [String: Int],
        traffic: TrafficSummary?,
        categories: [CategoryResult],
        unstableSamples: Int
    ) {
        self.init(measurement, samples: [], planned: planned, records: [], events: [])
        self.outcomes = outcomes
        self.traffic = traffic
        self.categories = categories
        self.unstableSamples = unstableSamples
    }
}

/// A run of more readings than fit into memory: what its files say of accuracy, books and bytes.
package struct StreamedRun: Sendable {
    package let configuration: RunConfiguration
    /// Without figures that depend on a machine.
    package let results: [MeasurementResult]

    /// Reads the folder of a complete run line by line.
    ///
    /// - Throws: ``HarnessError`` when there is no run, or its labels are not those of its readings.
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
            guard let record = JSONLine.decode(SampleRecord.self, from: bytes),
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

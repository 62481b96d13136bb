import Basics
package import Evaluation
import SpineDatasets

/// Findings of a run about one variant in one scenario over one dataset.
package struct MeasurementResult: Sendable, Equatable, Codable {
    package var id: String
    package var variant: Variant
    package var scenario: Scenario
    package var dataset: String
    package var planned: Int
    /// Description of the loaded components, as the worker reported it.
    package var description: [String: String]
    package var outcomes: [String: Int]
    package var coldStart: ColdStart
    package var memory: MemorySummary
    /// Traffic of the readings; nil when the system does not count it.
    package var traffic: TrafficSummary?
    /// All samples first, then each category that has any.
    package var categories: [Figures]
    /// Latencies by machine; nil where one machine read all.
    package var machines: [MachineLatency]?
    /// Samples of which not all repetitions read the same text.
    package var unstableSamples: Int
    package var problems: [Problem]
    package var lostWorkers: [String]
    /// Lines on standard output that were no messages, as far as they were noted.
    package var noise: [String]
    package var validity: [ValidityRule] = []
    /// Calibration of a reading's confidence, against the rate of read titles; nil when the system reports none.
    package var calibration: Calibration?
    /// Calibration of a line's reported confidence, against the rate of exactly right lines; nil when the system
    /// reports none.
    package var lineConfidence: Calibration?
    /// Calibration of the probability that the system has calibrated; nil when it has none.
    package var lineProbability: Calibration?
    /// Titles read by properties of the samples; nil for photos of shelves, and in earlier versions.
    package var slices: Slices?
    /// Heat, energy and battery as files state them; nil without.
    package var stated: StatedSummary?
    /// Additional results of its scenario; nil for `single`.
    package var findings: ScenarioFindings?

    package struct Problem: Sendable, Equatable, Codable {
        package var id: String
        package var repetition: Int
        package var outcome: SampleRecord.Outcome
        package var problem: String
    }

    /// Evidence class of times and books.
    package var evidence: EvidenceClass { variant.evidence ?? .measured }

    package var all: Figures { categories[0] }

    /// Whether its readings were made elsewhere, and no file states how long they took.
    package var isUntimed: Bool { variant.origin != nil && all.latency.count + all.latency.timeouts == 0 }

    /// "times are reported: iPhone17,1, iOS 26.1", for readings made elsewhere with times; nil for others.
    package var originOfTimes: String? {
        guard let origin = variant.origin, !isUntimed else { return nil }
        return "times are \(evidence.rawValue)" + (origin.device.map { ": \($0)" } ?? "")
            + (origin.problems.map { " (\($0.joined(separator: "; ")))" } ?? "")
    }

    /// Creates the result from the records and events of this measurement alone; samples are those of the run, in any
    /// order.
    init(
        _ measurement: Measurement,
        samples: [Sample],
        planned: Int,
        records: [SampleRecord],
        events: [RunEvent],
        method: PercentileMethod = .nearestRank,
        traits: [String: PictureTraits] = [:]
    ) {
        id = measurement.id
        variant = measurement.variant
        scenario = measurement.scenario
        dataset = measurement.dataset.name
        self.planned = planned
        description = events.last { $0.kind == .ready }?.description ?? [:]
        outcomes = records.reduce(into: [:]) { $0[$1.outcome.rawValue, default: 0] += 1 }
        coldStart = ColdStart(events: events)
        memory = MemorySummary(events: events, records: records)
        traffic = TrafficSummary(records)
        let found = ScoredReadings(samples, records, byCategory: variant.subject != .shelves)
        categories = found.figures(topics: scenario.kind == .live ? [.frames] : [], method: method)
        slices = Slices(found.titles, traits: traits)
        calibration = Calibration(reported: found.answers)
        lineConfidence = Calibration(reported: found.lines.map { ($0.line.confidence, $0.isRight) })
        lineProbability = Calibration(reported: found.lines.map { ($0.line.probability, $0.isRight) })
        unstableSamples = found.unstable.count
        problems = records.filter { $0.outcome != .read }.map {
            Problem(id: $0.id, repetition: $0.repetition, outcome: $0.outcome, problem: $0.problem ?? "")
        }
        lostWorkers = events.filter { $0.kind == .workerLost }.compactMap(\.message)
        noise = events.filter { $0.kind == .noise }.compactMap(\.message)
        stated = StatedSummary(records)
        let isTimed = variant.origin == nil || !records.contains { $0.outcome == .read && $0.milliseconds == nil }
        for index in categories.indices {
            if isUntimed { categories[index].times["latency"]?.takeAway(Self.notStated) }
            if !isTimed { categories[index].values[.readInTime] = nil }
        }
    }
}

/// What is counted of the readings of samples, in one pass: each is let go when it was observed.
private struct ScoredReadings {
    private var all = FigureFold()
    private var folds: [SampleCategory: FigureFold]
    /// Samples whose title was read or not, in their order, without photos of shelves.
    private(set) var titles: [(sample: Sample, isRead: Bool)] = []
    /// First readings with known lines: their confidence, and whether the title was read.
    private(set) var answers: [(confidence: Double?, isRight: Bool?)] = []
    private(set) var lines: [(line: Prediction.Line, isRight: Bool?)] = []
    /// Samples whose readings have different texts.
    private(set) var unstable: Set<String> = []

    init(_ samples: [Sample], _ records: [SampleRecord], byCategory: Bool) {
        let categories = byCategory ? Set(samples.map(\.category)) : []
        folds = Dictionary(uniqueKeysWithValues: categories.map { ($0, FigureFold(isOfCategory: true)) })
        let places = Dictionary(first: samples.enumerated().map { ($1.id, $0) })
        var (areRead, isScored) = ([Bool?](repeating: nil, count: samples.count), Set<Int>())
        var texts: [String: String?] = [:]
        for record in records {
            if record.outcome == .read, let text = texts.updateValue(record.prediction?.text, forKey: record.id),
                text != record.prediction?.text
            {
                unstable.insert(record.id)
            }
            guard let place = places[record.id] else { continue }
            let reading = Reading(samples[place], record)
            add(reading)
            guard reading.isFirst, isScored.insert(place).inserted else { continue }
            areRead[place] = reading.score?.title.isRead
            addLines(of: reading)
        }
        for place in samples.indices where !isScored.contains(place) {
            let reading = Reading(samples[place], nil)
            add(reading)
            areRead[place] = reading.score?.title.isRead
        }
        titles = zip(samples, areRead).compactMap { sample, isRead in
            sample.shelf == nil ? isRead.map { (sample, $0) } : nil
        }
    }

    private mutating func add(_ reading: Reading) {
        all.add(reading)
        folds[reading.sample.category]?.add(reading)
    }

    private mutating func addLines(of reading: Reading) {
        guard let prediction = reading.prediction, let score = reading.score else { return }
        let sample = reading.sample
        answers.append((prediction.confidence, score.title.isRead))
        let printed =
            (sample.lines ?? []).map(\.text)
            + [sample.transcription, sample.title, sample.author].compactMap(\.self)
        lines += prediction.lines.map { ($0, LineRead.isExact($0.text, in: printed)) }
    }

    /// Returns the figures of all, and of each category that has samples; `topics` are parts that the measurement has
    /// whatever its readings show.
    func figures(topics: [Metric.Topic], method: PercentileMethod) -> [Figures] {
        [all.figures(topics: topics, method: method)]
            + SampleCategory.allCases.compactMap { folds[$0]?.figures($0.rawValue, method: method) }
    }
}

extension MeasurementResult {
    /// Creates the result with its scenario's findings and its validity; `percent` is the highest percentile of a
    /// target.
    init(
        _ measurement: Measurement,
        plan: ScenarioPlan,
        samples: [Sample],
        records: [SampleRecord],
        events: [RunEvent],
        method: PercentileMethod = .nearestRank,
        traits: [String: PictureTraits] = [:],
        percent: Int? = 95
    ) {
        let isMeasured = events.contains { $0.kind == .measured }
        // Only `single` has to read every sample, unless it was stopped: the others count for the samples that they
        // reached.
        let read = Set(records.map(\.id))
        let isBound = measurement.scenario.kind == .single && isMeasured && records.count >= plan.least
        self.init(
            measurement,
            samples: isBound ? samples : samples.filter { read.contains($0.id) },
            planned: plan.total ?? (isMeasured ? records.count : max(plan.least, records.count + 1)),
            records: records,
            events: events,
            method: method,
            traits: traits
        )
        guard hasBegun else {
            takeAwayFigures()
            return
        }
        if readsNothing { slices = nil }
        validity =
            ValidityCheck(
                scenario: measurement.scenario,
                plan: plan,
                records: records,
                events: events,
                percent: isUntimed ? nil : percent,
                isOfHarness: variant.origin == nil
            ).rules
        if measurement.scenario.kind != .single {
            findings = ScenarioFindings(measurement.scenario, records: records, events: events)
        }
    }

    /// The reason for no figures of a measurement that the run was stopped before.
    package static let notBegun = "not started"
    /// The reason for no figures of readings that were made elsewhere.
    static let notStated = "not stated in the file"

    /// The reason for no shares of a reader that failed at every picture.
    package static let nothingRead = "nothing was read"

    package var hasBegun: Bool { !outcomes.isEmpty }

    /// Whether it was asked here, and every reading failed.
    package var readsNothing: Bool {
        hasBegun && variant.origin == nil && outcomes[SampleRecord.Outcome.read.rawValue] == nil
    }

    /// "66 of 66 readings failed: …", with the most frequent reason; nil where fewer than a tenth of them failed.
    package var failure: String? {
        let total = outcomes.values.reduce(0, +)
        let failed = problems.filter { $0.outcome != .notAttempted || readsNothing }
        guard !failed.isEmpty, failed.count * 10 >= total else { return nil }
        let reasons = Dictionary(grouping: failed, by: \.problem).max {
            ($0.value.count, $1.key) < ($1.value.count, $0.key)
        }
        let reason = reasons.map { "\($0.value.count == failed.count ? "" : "mostly ")\($0.key.prefix(600))" } ?? ""
        return "\(failed.count) of \(NumberText.count(total, "reading")) failed: \(reason)"
    }

    package var isPartial: Bool { done < planned }

    package var done: Int { outcomes.values.reduce(0, +) }

    private mutating func takeAwayFigures() {
        let none = Figure.absent(Self.notBegun)
        slices = nil
        coldStart = ColdStart(modelLoad: none, untilReady: none, untilFirstReading: none)
        memory = MemorySummary(absent: none)
        for index in categories.indices { categories[index].takeAway(Self.notBegun) }
    }
}

extension Calibration {
    /// Creates the calibration of those answers that have a confidence and are right or wrong; nil without any.
    fileprivate init?(reported answers: [(confidence: Double?, isRight: Bool?)]) {
        let known = answers.compactMap { answer in
            answer.confidence.flatMap { confidence in answer.isRight.map { (confidence: confidence, isRight: $0) } }
        }
        if known.isEmpty { return nil }
        self.init(known)
    }
}

/// Latencies of a measurement on one of the machines that a merged run was read on.
package struct MachineLatency: Sendable, Equatable, Codable {
    package var machine: String
    package var latency: LatencySummary
}

extension MeasurementResult {
    /// Whether several machines read it: its latencies are those of each machine, and pooled nowhere.
    package var isOfSeveralMachines: Bool { machines != nil }

    /// Replaces latencies over all readings by those of each machine where several read the parts of a run.
    mutating func separateMachines(_ records: [SampleRecord], _ method: PercentileMethod) {
        let byMachine = Dictionary(grouping: records) { $0.machine ?? "unknown" }.sorted { $0.key < $1.key }
        guard byMachine.count > 1 else { return }
        machines = byMachine.map { MachineLatency(machine: $0.key, latency: LatencySummary($0.value, method: method)) }
        let reason = "read on \(byMachine.count) machines"
        for index in categories.indices {
            let latency = LatencySummary(absent: reason, like: categories[index].latency)
            categories[index].values = categories[index].values.filter { ![.scans, .gestures].contains($0.key.topic) }
            categories[index].times = ["latency": latency]
            (categories[index].counts[.paths], categories[index].counts[.streams]) = (nil, nil)
            categories[index].values[.timePerBook]?.value = .absent(reason)
        }
    }
}

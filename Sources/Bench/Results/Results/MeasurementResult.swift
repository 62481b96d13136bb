package import Basics
package import Evaluation
package import Harness
import SpineDatasets

/// Times until a variant is of use, by the harness's clock; of several workers, the first one counts.
package struct ColdStart: Sendable, Equatable, Codable {
    /// Loading the variant, inside its process, in milliseconds.
    package var modelLoad: Figure
    /// Time from just before the process was started until it reported the variant as loaded, in milliseconds.
    package var untilReady: Figure
    /// Time from just before the process was started until its first reading, in milliseconds.
    package var untilFirstReading: Figure
    /// Time until everything was loaded, of a process that had to compile all networks first; absent when some may
    /// have existed before, nil when nothing is compiled.
    package var firstStart: Figure?
}

extension ColdStart {
    init(events: [RunEvent]) {
        func figure(_ value: Double?) -> Figure { value.map { .value($0) } ?? .absent("no worker reached it") }
        let ready = events.first { $0.kind == .ready }
        self.init(
            modelLoad: figure(ready?.modelLoadMilliseconds),
            untilReady: figure(ready?.sinceProcessStartMilliseconds),
            untilFirstReading: figure(events.first { $0.kind == .firstReading }?.sinceProcessStartMilliseconds)
        )
    }
}

/// Category of a measurement, or all of it.
package struct CategoryResult: Sendable, Equatable, Codable {
    package var category: String
    /// Samples, the illegible ones included.
    package var samples: Int
    /// Readings that ended neither with a text nor with a timeout.
    package var failures: Int
    package var latency: LatencySummary
    package var accuracy: AccuracySummary
    /// Latency of visible milestones; nil when the system does not report them.
    package var milestones: MilestoneSummary?
    /// Whether the right books were named; nil when the system names none.
    package var books: Identification?
    /// Results on photos of shelves; nil when pictures show one spine each.
    package var shelves: ShelfSummary?
    /// Results of captures; nil when the system stores none.
    package var captures: CaptureSummary?
    /// Boxes of lines; nil where the system locates none, or none is labelled.
    package var boxes: LineBoxSummary?

    /// Creates the result of counted samples: `photos` are the first readings of those that show shelves, and `records`
    /// all readings, without which there are no times.
    init(
        _ category: String,
        _ tally: CategoryTally,
        photos: [SampleRecord],
        records: [SampleRecord] = [],
        method: PercentileMethod = .nearestRank
    ) {
        self.category = category
        samples = tally.samples
        failures = records.count { $0.outcome != .read && $0.outcome != .timedOut }
        latency = LatencySummary(records, method: method)
        accuracy = AccuracySummary(tally.accuracy)
        milestones = MilestoneSummary(records, method: method)
        books = tally.identification
        shelves = ShelfSummary(photos)
        captures = tally.captures
        boxes = tally.boxes
    }
}

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
    /// The share of latency that was spent inside models, by the system's own account; 0…1.
    package var inferenceShare: Figure
    /// Traffic of the readings; nil when the system does not count it.
    package var traffic: TrafficSummary?
    /// All samples first, then each category that has any.
    package var categories: [CategoryResult]
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

    package var all: CategoryResult { categories[0] }

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
        outcomes = Dictionary(grouping: records, by: \.outcome.rawValue).mapValues(\.count)
        coldStart = ColdStart(events: events)
        memory = MemorySummary(events: events, records: records)
        inferenceShare = Self.inferenceShare(of: records)
        traffic = TrafficSummary(records)
        let groups = Dictionary(grouping: samples, by: \.category)
        categories = [Self.result("all", samples, records, method)]
        // Photos of shelves are of no category.
        categories += (variant.subject == .shelves ? [] : SampleCategory.allCases).compactMap { category in
            groups[category].map { Self.result(category.rawValue, $0, records, method) }
        }
        slices = Slices(samples, Self.first(records), traits: traits)
        let answers = Self.answers(records, samples)
        calibration = Calibration(
            reported: answers.map { sample, prediction in
                (prediction.confidence, FieldRead(field: sample.title ?? "", in: prediction.text).isRead)
            }
        )
        let lines = answers.flatMap { sample, prediction in
            let printed =
                (sample.lines ?? []).map(\.text)
                + [sample.transcription, sample.title, sample.author].compactMap(\.self)
            return prediction.lines.map { (line: $0, isRight: LineRead.isExact($0.text, in: printed)) }
        }
        lineConfidence = Calibration(reported: lines.map { ($0.line.confidence, $0.isRight) })
        lineProbability = Calibration(reported: lines.map { ($0.line.probability, $0.isRight) })
        unstableSamples = Dictionary(grouping: records.filter { $0.outcome == .read }, by: \.id).values
            .count { Set($0.map { $0.prediction?.text }).count > 1 }
        problems = records.filter { $0.outcome != .read }.map {
            Problem(id: $0.id, repetition: $0.repetition, outcome: $0.outcome, problem: $0.problem ?? "")
        }
        lostWorkers = events.filter { $0.kind == .workerLost }.compactMap(\.message)
        noise = events.filter { $0.kind == .noise }.compactMap(\.message)
        stated = StatedSummary(records)
        let isTimed = variant.origin == nil || !records.contains { $0.outcome == .read && $0.milliseconds == nil }
        for index in categories.indices {
            if isUntimed { categories[index].latency.takeAway(Self.notStated) }
            if !isTimed { categories[index].accuracy = categories[index].accuracy.withoutTimes }
        }
    }

    private static func result(
        _ name: String,
        _ samples: [Sample],
        _ records: [SampleRecord],
        _ method: PercentileMethod
    ) -> CategoryResult {
        let ids = Set(samples.map(\.id))
        let own = records.filter { ids.contains($0.id) }
        let first = first(own)
        var tally = CategoryTally()
        for sample in samples { tally.add(ScoredReading(sample, first[sample.id])) }
        return CategoryResult(name, tally, photos: samples.compactMap { first[$0.id] }, records: own, method: method)
    }

    /// Returns the first reading of each sample, which scores it; further ones repeat the timing.
    ///
    /// A sample without one counts as not read.
    private static func first(_ records: [SampleRecord]) -> [String: SampleRecord] {
        Dictionary(records.filter { $0.repetition == 1 }.map { ($0.id, $0) }) { $1 }
    }

    /// Returns the first readings of legible samples whose lines are known.
    private static func answers(_ records: [SampleRecord], _ samples: [Sample]) -> [(Sample, Prediction)] {
        let legible = Dictionary(first: samples.filter(\.legible).map { ($0.id, $0) })
        return records.compactMap { record in
            guard record.repetition == 1, let sample = legible[record.id], let prediction = record.prediction,
                prediction.linesProblem == nil
            else { return nil }
            return (sample, prediction)
        }
    }

    private static func inferenceShare(of records: [SampleRecord]) -> Figure {
        let timed = records.compactMap { record -> (inference: Double, total: Double)? in
            record.milliseconds.flatMap { total in
                record.prediction?.inferenceMilliseconds.map { ($0, total) }
            }
        }
        let total = timed.reduce(0) { $0 + $1.total }
        guard total > 0 else { return .absent("not reported by the system") }
        return .value(timed.reduce(0) { $0 + $1.inference } / total)
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
            findings = ScenarioFindings(measurement.scenario, records: records, events: events, samples: samples)
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
        inferenceShare = none
        for index in categories.indices {
            categories[index].latency.takeAway(Self.notBegun)
            categories[index].accuracy.takeAway(Self.notBegun)
        }
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

extension LatencySummary {
    mutating func takeAway(_ reason: String) {
        for percentile in [\LatencySummary.p50, \.p90, \.p95, \.p99] {
            for figure in [\PercentileEstimate.value, \.point, \.lower, \.upper] {
                self[keyPath: percentile][keyPath: figure] = .absent(reason)
            }
        }
        (earlyStoppingP90, longest) = (.absent(reason), .absent(reason))
    }
}

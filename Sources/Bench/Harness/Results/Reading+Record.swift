package import Basics
package import Evaluation
package import SpineDatasets

extension Reading {
    /// Creates the reading of a record; `isScored` is for the first one of a sample, nil when there is none.
    package init(_ sample: Sample, _ record: SampleRecord?, isScored: Bool = true) {
        self.init(id: sample.id, category: sample.category.rawValue, group: sample.group)
        isLegible = sample.legible
        (isRead, isTimedOut) = (record?.outcome == .read, record?.outcome == .timedOut)
        isAttempted = record?.outcome != .notAttempted
        if isScored { score(sample, record) }
        guard let record else { return }
        worker = record.worker ?? 0
        book = sample.isJudged ? record.book : nil
        (shelf, wrongScans) = (record.shelf, record.wrongScans)
        (milliseconds, millisecondsToText) = (record.milliseconds, record.millisecondsToText)
        guard let prediction = record.prediction else { return }
        hasPrediction = true
        (inferenceMilliseconds, milestones) = (prediction.inferenceMilliseconds, prediction.milestones)
        gesture = prediction.gesture.map { ($0.readings, $0.repeatMilliseconds) }
        (path, isQueued) = (prediction.path, prediction.isQueued)
        (drained, waiting, scans) = (prediction.drained, prediction.waiting, prediction.scans)
        (reconnects, malformedEvents) = (prediction.reconnects, prediction.malformedEvents)
    }

    private mutating func score(_ sample: Sample, _ record: SampleRecord?) {
        let prediction = record?.prediction
        if let capture = prediction?.capture {
            self.capture = CaptureScore(capture, sample)
        } else if prediction == nil, sample.scene != nil {
            // A failed reading has no codes, label or description.
            let unknown = SceneTruth.Label.unknown.rawValue
            var failed = CaptureScore(.init(label: unknown, codes: [], subject: nil, isTold: false), sample)
            (failed.isKept, failed.isLabelRight, failed.isLabelUnsaid) = (false, false, true)
            capture = failed
        }
        guard sample.legible else { return }
        notScored = prediction?.linesProblem
        guard notScored == nil else { return }
        boxes = LineBoxScore(sample, prediction)
        score = record?.score(against: sample) ?? SampleScore("", against: sample)
    }
}

extension CaptureScore {
    fileprivate init(_ capture: Prediction.Capture, _ sample: Sample) {
        self.init()
        (isTold, facts, lost) = (capture.isTold, capture.facts ?? 0, capture.lostFacts?.count ?? 0)
        guard let truth = sample.scene else { return }
        let unknown = SceneTruth.Label.unknown.rawValue
        isLabelRight = truth.label.rawValue == capture.label
        isLabelUnsaid = capture.label == unknown && truth.label.rawValue != unknown
        said = (truth.label.rawValue, capture.label)
        codes = truth.codes.map(capture.codes.contains) + Set(capture.codes).subtracting(truth.codes).map { _ in false }
        overlap = truth.subject.map { outline in capture.subject?.overlap(with: outline) ?? 0 }
    }
}

extension LineBoxScore {
    /// Creates the score of a reading; nil without labelled boxes, and for systems that read lines without positions.
    fileprivate init?(_ sample: Sample, _ prediction: Prediction?) {
        let labelled = (sample.lines ?? []).map(\.quad)
        let found = (prediction?.lines ?? []).compactMap(\.quad)
        guard !labelled.isEmpty, !labelled.contains(nil), !found.isEmpty || prediction?.lines.isEmpty != false else {
            return nil
        }
        self.init(labelled: labelled.compactMap(\.self), found: found)
    }
}

// MARK: Figures of records

extension Figures {
    /// Folds the records of samples, in their order, into the figures of all and of each category that has samples.
    ///
    /// Each sample is scored once, by its first reading, which `first` has by its id. `topics` are parts that the
    /// measurement has whatever its readings show.
    package static func of(
        _ samples: [Sample],
        _ records: [SampleRecord],
        first: [String: SampleRecord],
        categories: [SampleCategory] = [],
        topics: [Metric.Topic] = [],
        method: PercentileMethod = .nearestRank
    ) -> [Figures] {
        let byID = Dictionary(first: samples.map { ($0.id, $0) })
        let present = Set(samples.map(\.category))
        let categories = categories.filter(present.contains)
        var all = FigureFold()
        var folds = Dictionary(first: categories.map { ($0, FigureFold(isOfCategory: true)) })
        for sample in samples {
            let reading = Reading(sample, first[sample.id])
            all.addFirst(reading)
            folds[sample.category]?.addFirst(reading)
        }
        for record in records {
            guard let sample = byID[record.id] else { continue }
            let reading = Reading(sample, record, isScored: false)
            all.add(reading)
            folds[sample.category]?.add(reading)
        }
        return [all.figures(topics: topics, method: method)]
            + categories.compactMap { folds[$0]?.figures($0.rawValue, method: method) }
    }
}

extension SampleRecord {
    /// Returns the first reading of each sample, which scores it; further ones repeat the timing.
    static func first(_ records: [SampleRecord]) -> [String: SampleRecord] {
        Dictionary(records.filter { $0.repetition == 1 }.map { ($0.id, $0) }) { $1 }
    }
}

extension LatencySummary {
    package init(_ records: [SampleRecord], method: PercentileMethod) {
        self.init(
            milliseconds: records.filter { $0.outcome == .read }.compactMap(\.milliseconds),
            timeouts: records.count { $0.outcome == .timedOut },
            samples: Set(records.map(\.id)).count,
            method: method
        )
    }
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

extension MemorySummary {
    package init(events: [RunEvent], records: [SampleRecord]) {
        let began = events.filter { $0.kind == .began }
        self.init(
            Taken(
                ready: events.first { $0.kind == .ready }?.memory,
                began: began.map(\.memory),
                isPeakReset: began.allSatisfy { $0.peakWasReset == true },
                readings: records.compactMap(\.memory)
            )
        )
        // Files of readings made elsewhere state what counts against the app's limit.
        let stated = records.compactMap(\.stated)
        if let last = stated.last(where: { $0.memory != nil })?.memory { footprint.delta = .value(last * 1e6) }
        if let most = stated.compactMap(\.memoryPeak).max() { footprint.peakDelta = .value(most * 1e6) }
    }
}

extension TrafficSummary {
    init?(_ records: [SampleRecord]) {
        let scans = records.compactMap { $0.prediction?.traffic }.map { traffic in
            TrafficSummary(
                up: traffic.up,
                down: traffic.down,
                wireUp: traffic.wireUp,
                wireDown: traffic.wireDown,
                refusedSockets: traffic.refusedSockets
            )
        }
        guard let first = scans.first else { return nil }
        self = scans.dropFirst().reduce(into: first) { $0.add($1) }
    }
}

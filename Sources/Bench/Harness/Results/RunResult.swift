import Basics
package import Evaluation
import SpineDatasets

/// Findings of a run: everything that the reports print.
package struct RunResult: Sendable, Equatable, Codable {
    /// The dataset, without its samples.
    package struct DatasetSummary: Sendable, Equatable, Codable {
        /// Correction of labels after a run.
        package struct Mend: Sendable, Equatable, Codable {
            /// Digest of the dataset that was read.
            package var digest: String
            /// Number of samples whose labels were corrected.
            package var samples: Int
        }

        package var name: String
        package var version: String?
        package var licence: String?
        package var digest: String
        package var samples: Int
        package var samplesRead: Int
        /// Number of read samples that are legible: these are scored.
        package var legible: Int
        package var categories: [String: Int]
        /// Number of photos of the read samples; nil when not every sample has one.
        package var groups: Int?
        package var selfTest: MetricSelfTest
        /// Photos of shelves that are read; nil for none.
        package var shelves: Int?
        /// Correction of labels since the run; nil for none.
        package var mended: Mend?

        init(_ dataset: Dataset, samples: [Sample], shelves: Int) {
            name = dataset.manifest.name
            version = dataset.manifest.version
            licence = dataset.manifest.licence
            digest = dataset.digest
            self.samples = dataset.samples.count
            samplesRead = samples.count
            legible = samples.count(where: \.legible)
            categories = Dictionary(grouping: samples, by: \.category.rawValue).mapValues(\.count)
            let groups = samples.compactMap(\.group)
            self.groups = groups.count == samples.count ? Set(groups).count : nil
            selfTest = MetricSelfTest(samples)
            self.shelves = shelves == 0 ? nil : shelves
        }
    }

    package static let format = 4

    package var format = Self.format
    /// UTC, ISO 8601.
    package var startedAt: String
    package var finishedAt: String
    package var resumes: Int
    package var configuration: RunConfiguration
    package var configurationDigest: String
    /// ``ScoringRule`` of the figures, as that of the configuration is of the records; nil for the first one.
    package var scoringRule: Int? = ScoringRule.current
    package var datasets: [DatasetSummary]
    /// Host on which the run began; `otherHosts` contains hosts that continued it.
    package var host: HostDescription
    package var otherHosts: Int
    package var measurements: [MeasurementResult]
    /// Time to fill the compile cache before the measurements; nil when nothing is compiled.
    package var cacheFills: [CacheFill]?
    /// Which measurements are how many times as fast as others; nil without any.
    package var speeds: [SpeedRatio]?
    package var compliance: [Answer]
    /// Whether readings are missing, because the run was stopped.
    package var isPartial: Bool
    package var devices: DeviceAssessment?
    /// Answers to the suite's assertions, in its order; nil when it has none.
    package var assertions: [Answer]?
    /// Nil when no variant that gates was run.
    package var verdict: Verdict?

    /// Creates the result from all records, one of each reading at most, and events in order; throws where JSON cannot.
    init(
        configuration: RunConfiguration,
        datasets: [Dataset],
        records: [SampleRecord],
        events: [RunEvent]
    ) throws {
        let starts = events.filter { $0.kind == .runStarted || $0.kind == .runResumed }
        self.configuration = configuration
        configurationDigest = try configuration.digest
        startedAt = events.first?.time ?? ""
        finishedAt = events.last?.time ?? ""
        resumes = events.count { $0.kind == .runResumed }
        let hosts = starts.compactMap(\.host)
        host = hosts.first ?? .current()
        otherHosts = Set(hosts.map { [$0.cpu, $0.kernel, "\($0.cores)", "\($0.memoryBytes)"] }).dropFirst().count
        self.datasets = datasets.map { dataset in
            func read(_ subject: Subject) -> [Sample] {
                let isRead = configuration.variants.contains { ($0.subject ?? .spines) == subject }
                return isRead ? dataset.pictures(of: subject, limit: configuration.limit) : []
            }
            return DatasetSummary(dataset, samples: read(.spines), shelves: read(.shelves).count)
        }
        let eventsByMeasurement = Dictionary(grouping: events, by: \.measurement)
        let fills = events.compactMap(\.cacheFill)
        cacheFills = fills.isEmpty ? nil : fills
        let read = Dictionary(first: zip(configuration.datasets.map(\.name), datasets))
        var times: [String: ReadingSet] = [:]
        measurements = configuration.measurements.compactMap { measurement -> MeasurementResult? in
            guard let dataset = read[measurement.dataset.name] else { return nil }
            let own = records.of(measurement.id)
            let samples = measurement.pictures(of: dataset, limit: configuration.limit)
            times[measurement.id] = ReadingSet(timesOf: samples, own)
            var result = MeasurementResult(
                measurement,
                plan: configuration.plan(measurement, dataset),
                samples: samples,
                records: own,
                events: eventsByMeasurement[measurement.id] ?? [],
                method: configuration.percentileMethod,
                traits: dataset.traits,
                percent: configuration.targets.filter { $0.applies(to: measurement.variant) }
                    .compactMap(\.metric?.percent).max()
            )
            // Several starts of the run are possible: the one that had to compile counts.
            let starts = fills.filter { $0.measurements.contains(measurement.id) }.map(\.firstStart)
            result.coldStart.firstStart = starts.first { $0.value != nil } ?? starts.first
            result.separateMachines(own, configuration.percentileMethod)
            return result
        }
        let speeds = SpeedRatio.all(measurements, times)
        self.speeds = speeds.isEmpty ? nil : speeds
        let isPartial = measurements.contains(where: \.isPartial)
        self.isPartial = isPartial
        compliance = []
        answer()
    }

    /// Adds the devices, which are modelled after the readings, and decides the limits of phones by them.
    package mutating func add(_ record: DeviceRecord) {
        devices = record.assessment
        answer()
    }

    /// Answers all claims, and decides.
    private mutating func answer() {
        var judge = Judge(
            measurements: measurements,
            devices: devices,
            gating: configuration.devices?.gates,
            rule: configuration.decideBy,
            host: host,
            isStopped: isPartial
        )
        devices = devices.map(judge.settled)
        judge.devices = devices
        compliance = judge.compliance(with: configuration.targets)
        assertions = configuration.assertions.map(judge.answers)
        decide()
    }

    /// Makes the verdict anew of all rows that gate; a run that was stopped decides nothing.
    mutating func decide() {
        if isPartial {
            verdict = .inconclusive
            return
        }
        let modelled = configuration.devices?.gates == .all ? devices?.rows.compactMap(\.verdict) ?? [] : []
        let skipped = (configuration.skipped ?? [:]).map { _ in Verdict.inconclusive }
        // What a model leaves open holds no verdict up, and alone makes none.
        let isLeftOpen = compliance.contains { $0.isLeftOpen == true }
        verdict = Verdict.overall(gatingVerdicts + modelled + skipped) ?? (isLeftOpen ? .inconclusive : nil)
    }

    private var gatingVerdicts: [Verdict] {
        compliance.filter(\.gates).map(\.verdict)
            + (assertions ?? []).filter(\.gates).map(\.judgement.verdict)
    }

    /// Whether its readers are no tier of the app, and nothing gates them: the scanner's own targets are not theirs.
    package var isOfOtherReaders: Bool {
        measurements.allSatisfy { $0.variant.tier == nil }
            && compliance.allSatisfy { !$0.gates && $0.claim.isAsked != true }
    }

    package var warnings: [String] {
        datasets.flatMap { dataset in
            dataset.selfTest.rows.filter { $0.isOK == false }.map { row in
                "On \(dataset.name) a metric fails its self-test: \(row.prediction.rawValue) predictions have a "
                    + "\(row.metric) of \(NumberText.figure(row.observed) { NumberText.fixed($0, 3) }), expected \(row.expected)."
            }
        }
            + measurements.flatMap { measurement -> [String] in
                let isMissing = !measurement.hasBegun && measurement.isPartial
                // The first line of each report says why.
                if measurement.readsNothing { return [] }
                return [
                    isMissing ? "\(measurement.id): \(MeasurementResult.notBegun), so it has no figures." : nil,
                    measurement.invalidReason.map { "\(measurement.id): its times do not count: \($0)." },
                    measurement.doubtReason.map { "\(measurement.id): times may be too long: \($0)." },
                ].compactMap(\.self)
            }
    }

    /// Progress of a stopped run: "Stopped after 120 of 960 readings."; nil for a complete one.
    package var progressSentence: String? {
        guard isPartial else { return nil }
        let done = measurements.map { min($0.done, $0.planned) }.reduce(0, +)
        return
            "Stopped after \(done) of \(measurements.map(\.planned).reduce(0, +)) readings: the figures cover only these."
    }

    /// What failed before anything else is said: "mine: 66 of 66 readings failed: …", for each measurement of which a tenth
    /// or more of the readings failed; its id is omitted where it is the only one.
    package var failures: [String] {
        measurements.compactMap { one in one.failure.map { (measurements.count > 1 ? "\(one.id): " : "") + $0 } }
    }

    /// Exit status: 0 passed, or nothing was judged and all measurements count; 1 a target was missed by a variant that
    /// reads; 3 insufficient data; 4 a variant read nothing.
    package var exitCode: Int32 {
        let unread = Set(measurements.filter(\.readsNothing).map(\.id))
        if !unread.isEmpty, !isPartial {
            let missed =
                compliance.filter { $0.gates && $0.verdict == .fail }.map(\.measurement)
                + (assertions ?? []).filter { $0.gates && $0.judgement.verdict == .fail }.map(\.measurement)
            return missed.allSatisfy(unread.contains) ? 4 : 1
        }
        return verdict == nil && measurements.allSatisfy { $0.invalidReason == nil } ? 0 : verdict.exitCode
    }
}

extension BenchmarkRun {
    /// Returns the result of the readings so far, as a stopped run leaves them.
    package func result() throws -> RunResult {
        try RunResult(
            configuration: configuration,
            datasets: setup.datasets,
            records: setup.folder.records(),
            events: setup.folder.recordedEvents()
        )
    }
}

extension CacheFill {
    /// "Before anything was measured, …"; nil when nothing is compiled.
    package static func sentence(_ fills: [CacheFill]) -> String? {
        guard !fills.isEmpty else { return nil }
        let parts = fills.map { fill in
            let names = fill.measurements.joined(separator: ", ")
            let span = NumberText.span(seconds: fill.milliseconds / 1_000)
            return switch fill.added {
            case _ where fill.keepsNothing, nil: "\(names) loaded in \(span), and networks cannot be cached"
            case 0: "\(names) found all of its networks (\(fill.before ?? 0) were cached) and loaded in \(span)"
            case let added? where fill.before != 0:
                "\(names) compiled \(NumberText.count(added, "network")) beside \(fill.before ?? 0) cached ones, in \(span)"
            case let added?: "\(names) compiled \(NumberText.count(added, "network")) in \(span)"
            }
        }
        return "Before anything was measured, a process of each filled the cache of compiled networks: "
            + parts.joined(separator: "; ") + "."
    }
}

import Basics
package import Evaluation
import SpineDatasets

/// Results of a comparison, as its reports print them.
package struct ComparisonReport: Sendable, Equatable, Codable {
    /// What its sides are to each other.
    package enum Kind: String, Sendable, Codable {
        /// One reader before and after a change: what is worse is a regression.
        case change
        /// Different readers, of which none is the base.
        case readers
        /// A run and its baselines.
        case gate
    }

    package var format = 3
    package var kind = Kind.change
    package var tool: String
    /// Method of the readings, in a sentence.
    package var method: String
    /// UTC, ISO 8601; nil for stored runs.
    package var startedAt: String?
    package var host: HostDescription?
    package var configuration: ComparisonConfiguration?
    package var tolerances: ComparisonTolerances
    /// One for each dataset or measurement.
    package var parts: [Sides]
    package var notes: [String]
    /// Whether readings are missing, because it was stopped.
    package private(set) var isPartial = false
    package private(set) var verdict: Verdict?

    init(tool: String, method: String, tolerances: ComparisonTolerances, parts: [Sides], notes: [String] = []) {
        (self.tool, self.method, self.tolerances, self.parts, self.notes) = (tool, method, tolerances, parts, notes)
        verdict = Verdict.overall(comparisons.compactMap(\.verdict))
    }

    /// The comparisons with the first sides of all parts.
    package var comparisons: [Comparison] { parts.flatMap(\.comparisons) }

    /// Whether one side is compared with the first alone.
    package var isOfPairs: Bool { !parts.contains(where: \.areSeveral) }

    /// Clears the verdicts of a stopped comparison: the missing readings may contain all differences.
    mutating func stop() {
        isPartial = true
        for part in parts.indices {
            for pair in parts[part].pairs.indices { parts[part].pairs[pair].clearVerdict() }
        }
        verdict = verdict.map { _ in .inconclusive }
    }

    /// 0 without a regression, 1 with one, 3 for not decided.
    package var exitCode: Int32 { verdict.exitCode }
}

extension ComparisonRun {
    /// Returns the comparison of the readings so far, as a stopped one leaves them.
    package func report() -> ComparisonReport {
        ComparisonReport(
            configuration: configuration,
            datasets: setup.datasets,
            records: setup.folder.records(),
            events: setup.folder.recordedEvents()
        )
    }
}

extension ComparisonReport {
    /// Creates the report of a live comparison over the datasets that its configuration names; there is at most one
    /// record of each reading, and events are in chronological order.
    init(configuration: ComparisonConfiguration, datasets: [Dataset], records: [SampleRecord], events: [RunEvent]) {
        let recordsByMeasurement = Dictionary(grouping: records, by: \.measurement)
        var (stints, isPartial) = (0, false)
        let parts = zip(configuration.datasets, datasets).map { reference, dataset in
            let (plan, samples) = (configuration.plan(dataset), configuration.pictures(of: dataset))
            let stintOf = plan.stintOf()
            if stints == 0 { stints = plan.stints.count }
            func readings(_ side: ComparisonPlan.Side) -> ReadingSet {
                let id = configuration.measurement(side, reference).id
                let own = recordsByMeasurement[id] ?? []
                if own.count < samples.count * configuration.rounds { isPartial = true }
                return ReadingSet(
                    name: configuration.name(side),
                    samples: samples,
                    records: own,
                    events: events.filter { $0.measurement == id },
                    stintOf: stintOf
                )
            }
            let sides = configuration.variants.indices.map { readings(ComparisonPlan.Side($0)) }
            return Sides(
                sides,
                label: configuration.datasets.count > 1 ? reference.name : nil,
                dataset: reference.name,
                contents: dataset,
                noise: configuration.measuresNoise
                    ? NoiseFloor(a: sides[0], control: readings(.control), stint: stintOf)
                    : NoiseFloor(unmeasured: sides[0]),
                tolerances: configuration.tolerances
            )
        }
        self.init(
            tool: configuration.tool,
            method: "Measured now: \(NumberText.count(configuration.rounds, "round")), readings interleaved sample by "
                + "sample, \(NumberText.count(stints, "process", plural: "processes")) of each side"
                + (configuration.measuresNoise ? ", and as many of A again for the noise." : "."),
            tolerances: configuration.tolerances,
            parts: parts,
            notes: configuration.measuresNoise
                ? [] : ["Without an A/A run the noise floor is unknown, so rows of speed and memory do not gate."]
        )
        self.configuration = configuration
        let isOfOne = configuration.otherCodeDigest != nil || Set(configuration.variants.map(\.name)).count == 1
        kind = isOfOne ? .change : .readers
        notes += [CacheFill.sentence(events.compactMap(\.cacheFill))].compactMap(\.self)
        if let text = StrayOutput.summary(events.filter { $0.kind == .noise }.compactMap(\.message)) {
            notes.append("The processes printed unexpected output, such as \(text); it was ignored.")
        }
        startedAt = events.first?.time
        host = events.compactMap(\.host).first
        if isPartial { stop() }
    }
}

package import Evaluation
package import SpineDatasets

/// A live comparison's options, resolved once.
package struct ComparisonConfiguration: Sendable, Equatable, Codable {
    /// Program and version.
    package var tool: String
    package var codeDigest: String?
    /// SHA-256 of the other program's file when A is of another build.
    package var otherCodeDigest: String?
    package var datasets: [DatasetReference]
    package var a: Variant
    package var b: Variant
    package var nameA: String
    package var nameB: String
    package var rounds = 2
    package var seed: UInt64 = 1
    package var warmUpReadings = 3
    package var sampleTimeoutSeconds = 30.0
    package var limit: Int?
    package var measuresNoise = true
    package var tolerances = ComparisonTolerances.standard

    package var sides: [ComparisonPlan.Side] { measuresNoise ? [.a, .b, .control] : [.a, .b] }

    /// The variant that a side's workers load.
    package func variant(_ side: ComparisonPlan.Side) -> Variant { side == .b ? b : a }

    /// What a side's records are filed under.
    package func measurement(_ side: ComparisonPlan.Side, _ dataset: DatasetReference) -> Measurement {
        Measurement(
            variant: variant(side),
            scenario: Scenario(kind: .single),
            dataset: dataset,
            id: side.rawValue + (datasets.count > 1 ? "@\(dataset.name)" : "")
        )
    }

    /// What of a dataset its sides read.
    package func pictures(of dataset: Dataset) -> [Sample] {
        dataset.pictures(of: a.subject ?? .spines, limit: limit)
    }

    package func plan(_ dataset: Dataset) -> ComparisonPlan {
        ComparisonPlan(samples: pictures(of: dataset), rounds: rounds, seed: seed, sides: sides)
    }

    /// As a run: what its workers' sessions need to know.
    var asRun: RunConfiguration {
        RunConfiguration(
            tool: tool,
            codeDigest: codeDigest,
            datasets: datasets,
            variants: [a],
            repetitions: rounds,
            warmUpReadings: warmUpReadings,
            seeds: [seed],
            sampleTimeoutSeconds: sampleTimeoutSeconds,
            limit: limit
        )
    }

    /// - Throws: ``HarnessError/configuration(_:)`` for the first value that makes no sense.
    package func validate() throws(HarnessError) {
        if rounds < 1 { throw .configuration("invalid rounds \(rounds): expected 1 or more") }
        if (a.subject ?? .spines) != (b.subject ?? .spines) {
            throw .configuration(
                "\(nameA) and \(nameB) cannot be compared: one reads single spines, the other whole shelves"
            )
        }
        try asRun.validate()
    }
}

extension ComparisonConfiguration {
    /// A comparison with what is usual for everything else.
    package init(tool: String, datasets: [DatasetReference], a: Variant, b: Variant) {
        self.init(tool: tool, codeDigest: nil, datasets: datasets, a: a, b: b, nameA: a.name, nameB: b.name)
    }
}

/// By how much each metric may get worse before it is a regression.
package struct ComparisonTolerances: Sendable, Equatable, Codable {
    /// By metric's raw value: a share of the old value, or points as a share; a metric without one does not gate.
    package var changes: [String: Double]
    /// Peak memory has to grow by so much as well: 5 % of a small process is noise of the allocator.
    package var leastBytes: Double

    package init(changes: [String: Double], leastBytes: Double) {
        self.changes = changes
        self.leastBytes = leastBytes
    }

    package static let standard = ComparisonTolerances(
        changes: [
            Metric.titleRead.rawValue: 0.02, Metric.bookRecall.rawValue: 0.02, Metric.latency.rawValue: 0.05,
            Metric.latencyP95.rawValue: 0.1,
            Metric.peakMemory.rawValue: 0.05,
        ],
        leastBytes: 10e6
    )

    /// The tolerance of a metric; nil when it does not gate.
    package subscript(metric: Metric) -> Double? {
        get { changes[metric.rawValue] }
        set { changes[metric.rawValue] = newValue }
    }
}

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
    package var rounds: Int
    package var seed: UInt64
    package var warmUpReadings: Int
    package var sampleTimeoutSeconds: Double
    package var limit: Int?
    package var measuresNoise: Bool
    package var tolerances: ComparisonTolerances

    package init(
        tool: String,
        codeDigest: String?,
        otherCodeDigest: String? = nil,
        datasets: [DatasetReference],
        a: Variant,
        b: Variant,
        nameA: String,
        nameB: String,
        rounds: Int = 2,
        seed: UInt64 = 1,
        warmUpReadings: Int = 3,
        sampleTimeoutSeconds: Double = 30,
        limit: Int? = nil,
        measuresNoise: Bool = true,
        tolerances: ComparisonTolerances = .standard
    ) {
        self.tool = tool
        self.codeDigest = codeDigest
        self.otherCodeDigest = otherCodeDigest
        self.datasets = datasets
        (self.a, self.b) = (a, b)
        (self.nameA, self.nameB) = (nameA, nameB)
        self.rounds = rounds
        self.seed = seed
        self.warmUpReadings = warmUpReadings
        self.sampleTimeoutSeconds = sampleTimeoutSeconds
        self.limit = limit
        self.measuresNoise = measuresNoise
        self.tolerances = tolerances
    }

    package var sides: [ComparisonPlan.Side] { measuresNoise ? [.a, .b, .control] : [.a, .b] }

    /// The variant that a side's workers load.
    package func variant(_ side: ComparisonPlan.Side) -> Variant { side == .b ? b : a }

    /// What a side's records are filed under.
    package func measurement(_ side: ComparisonPlan.Side, _ dataset: DatasetReference) -> Measurement {
        Measurement(
            variant: variant(side),
            scenario: Scenario(.single),
            dataset: dataset,
            id: side.rawValue + (datasets.count > 1 ? "@\(dataset.name)" : "")
        )
    }

    package func plan(_ dataset: Dataset) -> ComparisonPlan {
        ComparisonPlan(samples: dataset.limited(to: limit), rounds: rounds, seed: seed, sides: sides)
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
        if rounds < 1 { throw .configuration("rounds is \(rounds); expected 1 or more") }
        try asRun.validate()
    }
}

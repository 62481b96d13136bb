/// Budget of a model, or of a tier of the scanner.
public struct ModelTarget: Sendable, Hashable, Codable {
    /// Level of work at one quality.
    public struct Level: Sendable, Hashable, Codable {
        /// Inferences a second relative to ``ModelTarget/hertz``; nil if the documents state none.
        public var frequencyShare: Double?
        /// One phrase for display.
        public var detail: String
    }

    /// Display name: "Pose Detection".
    public var name: String
    /// Source of the figures: the ids of requirements.
    public var source: String
    /// Inferences a second; nil for a model that works on request alone.
    public var hertz: Double?
    /// Upper limit of the median; nil without one.
    public var p50Milliseconds: Double?
    /// The longest that is accepted.
    public var p95Milliseconds: Double
    /// Upper limit; nil without one.
    public var p99Milliseconds: Double?
    /// Maximum memory in bytes.
    public var memoryBytes: Int
    /// The most that it may take of a battery in half an hour.
    public var batteryPercentPer30Minutes = 10.0
    /// Maximum size of its files; nil if the documents state none.
    public var sizeBytes: Int?
    /// Loading takes less than this (S3-41).
    public var loadSeconds = 1.0
    /// Whether the model is required by an app; the others are unloaded first.
    public var isCritical = false
    /// Level of work at each quality, which is also that of each tier of devices.
    public var levels: [ReadingQuality: Level] = [:]
}

extension ModelTarget {
    /// Creates a budget with its required values alone.
    public init(name: String, source: String, p95Milliseconds: Double, memoryBytes: Int) {
        self.init(name: name, source: source, hertz: nil, p95Milliseconds: p95Milliseconds, memoryBytes: memoryBytes)
    }

    /// The models of the NeuroGuide document and the scanner's own tiers; a megabyte is 1,000,000 bytes.
    public static let all = neuroGuide + tiers

    /// Returns the target of a name, however its letters are cased.
    public static func named(_ name: String) -> ModelTarget? { all.first { $0.name.lowercased() == name.lowercased() } }

    /// The four models that share a phone.
    ///
    /// Their batteries add up to 11 %, where 10 % are allowed in all (K-19), and their memory to 380 of 500 MB.
    public static let neuroGuide = [
        ModelTarget(
            name: "Pose Detection",
            source: "S3-07, S3-11",
            hertz: 20,
            p50Milliseconds: 30,
            p95Milliseconds: 50,
            p99Milliseconds: 100,
            memoryBytes: 50_000_000,
            batteryPercentPer30Minutes: 5,
            sizeBytes: 5_000_000,
            levels: levels((1, "20 a second"), (0.75, "15 a second"), (0.5, "10 a second"))
        ),
        ModelTarget(
            name: "Vocal Affect",
            source: "S3-08, S3-12",
            hertz: 10,
            p50Milliseconds: 60,
            p95Milliseconds: 100,
            p99Milliseconds: 150,
            memoryBytes: 100_000_000,
            batteryPercentPer30Minutes: 3,
            sizeBytes: 15_000_000,
            levels: levels(
                (1, "10 a second, all features"),
                (0.5, "5 a second, fewer features"),
                (
                    nil,
                    "rules instead of a model (two of pitch × 1.15, level ± 6 dB and rate × 1.2 beside the usual voice)"
                )
            )
        ),
        ModelTarget(
            name: "Facial Expression",
            source: "S3-09, S3-13",
            hertz: 5,
            p50Milliseconds: 100,
            p95Milliseconds: 200,
            p99Milliseconds: 300,
            memoryBytes: 150_000_000,
            batteryPercentPer30Minutes: 2,
            sizeBytes: 25_000_000,
            levels: levels(
                (1, "5 a second, 7 classes (happy, neutral, sad, angry, surprised, fearful, disgusted)"),
                (0.6, "3 a second, 5 classes (happy, neutral, sad, angry, surprised)"),
                (0.4, "2 a second, 3 classes (happy, neutral, distressed)")
            )
        ),
        ModelTarget(
            name: "Parent Stress",
            source: "S3-10, S3-14",
            hertz: 0.2,
            p50Milliseconds: 100,
            p95Milliseconds: 200,
            p99Milliseconds: 500,
            memoryBytes: 80_000_000,
            batteryPercentPer30Minutes: 1,
            sizeBytes: 10_000_000,
            levels: levels((1, "every 5 s"), (1, "every 5 s"), (1, "every 5 s"))
        ),
    ]

    /// Targets of the scanner's parts; all are required on a phone that scans.
    ///
    /// Each may take the whole budget of scanning: 200 MB (S0-M04) and 10 % in half an hour (S3-06).
    public static let tiers = [
        tier("fast", source: "S0-T02, S0-M04, S3-06, S3-15", p95Milliseconds: 50),
        tier("accurate", source: "S0-T07, S0-M04, S3-06, S3-15", p95Milliseconds: 150),
        tier("enrichment", source: "S0-T04, S0-M04, S3-06", p95Milliseconds: 200),
        tier("upload", source: "S0-T05, S0-M04, S3-06", p95Milliseconds: 1000),
    ]

    private static func tier(_ name: String, source: String, p95Milliseconds: Double) -> ModelTarget {
        ModelTarget(
            name: name,
            source: source,
            p95Milliseconds: p95Milliseconds,
            memoryBytes: 200_000_000,
            isCritical: true,
            levels: ReadingQuality.allCases.reduce(into: [:]) { levels, quality in
                let level = ReadingLevel(quality)
                levels[quality] = Level(frequencyShare: level.frequencyShare, detail: level.tier)
            }
        )
    }

    private static func levels(
        _ high: (Double?, String),
        _ medium: (Double?, String),
        _ low: (Double?, String)
    ) -> [ReadingQuality: Level] {
        [.high: high, .medium: medium, .low: low].mapValues { Level(frequencyShare: $0.0, detail: $0.1) }
    }
}

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
    public var batteryPercentPer30Minutes = ModelBudget.batteryPercentPer30Minutes
    /// Maximum size of its files; nil if the documents state none.
    public var sizeBytes: Int?
    /// Loading takes less than this (S3-41).
    public var loadSeconds = 1.0
    /// Level of work at each quality, which is also that of each tier of devices; none for the scanner's own parts.
    public var levels: [ReadingQuality: Level] = [:]
}

extension ModelTarget {
    /// Creates a budget with its required values alone.
    public init(name: String, source: String, p95Milliseconds: Double, memoryBytes: Int) {
        self.init(name: name, source: source, hertz: nil, p95Milliseconds: p95Milliseconds, memoryBytes: memoryBytes)
    }

    /// Returns the target of one of the scanner's parts, however its letters are cased.
    public static func named(_ name: String) -> ModelTarget? { tiers.first { $0.name == name.lowercased() } }

    /// Targets of the scanner's parts; all are required on a phone that scans.
    ///
    /// Each may take the whole budget of scanning: 200 MB (S0-M04) and 10 % in half an hour (S3-06).
    public static let tiers = [
        ("fast", "S0-T02, S0-M04, S3-06, S3-15", 50.0), ("accurate", "S0-T07, S0-M04, S3-06, S3-15", 150),
        ("enrichment", "S0-T04, S0-M04, S3-06", 200), ("upload", "S0-T05, S0-M04, S3-06", 1000),
    ].map { ModelTarget(name: $0, source: $1, p95Milliseconds: $2, memoryBytes: 200_000_000) }
}

/// Budget of all models together.
public enum ModelBudget {
    /// Maximum memory of all loaded models, in bytes (S3-04).
    public static let memoryBytes = 500_000_000
    /// All together take less of a battery in half an hour (S3-06).
    public static let batteryPercentPer30Minutes = 10.0
}

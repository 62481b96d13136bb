/// Budget of a model, or of a tier of the scanner.
public struct ModelTarget: Sendable, Hashable, Codable {
    /// Dependence of a model on the Neural Engine.
    public enum NeuralEngine: String, Sendable, Codable, CaseIterable {
        case required, recommended, optional
    }

    /// Level of work at one quality.
    public struct Level: Sendable, Hashable, Codable {
        /// Inferences a second beside ``ModelTarget/hertz``; nil when the documents say none.
        public var frequencyShare: Double?
        /// One phrase for people.
        public var detail: String

        /// - Parameters:
        ///   - frequencyShare: inferences a second beside those at the highest quality.
        ///   - detail: one phrase for people.
        public init(frequencyShare: Double?, detail: String) {
            self.frequencyShare = frequencyShare
            self.detail = detail
        }
    }

    /// As people say it: "Pose Detection".
    public var name: String
    /// Where the figures are from: the ids of requirements.
    public var source: String
    /// Inferences a second; nil when it works only when it is asked to.
    public var hertz: Double?
    /// nil when nothing is asked of the median.
    public var p50Milliseconds: Double?
    /// The longest that is accepted.
    public var p95Milliseconds: Double
    /// nil when nothing is asked of it.
    public var p99Milliseconds: Double?
    /// The most that it may hold, in bytes.
    public var memoryBytes: Int
    /// The most that it may take of a battery in half an hour.
    public var batteryPercentPer30Minutes: Double
    /// The most that its files may have; nil when the documents say nothing.
    public var sizeBytes: Int?
    /// Loading takes less than this (S3-41).
    public var loadSeconds: Double
    /// The oldest system that it works on: "15.0"; nil when the documents say nothing.
    public var minimumSystem: String?
    /// nil when the documents say nothing.
    public var neuralEngine: NeuralEngine?
    /// Whether an app cannot do without it; the others are put out first.
    public var isCritical: Bool
    /// Level of work at each quality, which is also that of each tier of devices.
    public var levels: [ReadingQuality: Level]

    /// - Parameters:
    ///   - name: as people say it.
    ///   - source: ids of requirements.
    ///   - hertz: inferences a second; nil when it works only when it is asked to.
    ///   - p50Milliseconds: nil when nothing is asked of the median.
    ///   - p95Milliseconds: the longest that is accepted.
    ///   - p99Milliseconds: nil when nothing is asked of it.
    ///   - memoryBytes: the most that it may hold.
    ///   - batteryPercentPer30Minutes: the most that it may take of a battery in half an hour.
    ///   - sizeBytes: the most that its files may have.
    ///   - loadSeconds: loading takes less than this.
    ///   - minimumSystem: the oldest system that it works on.
    ///   - neuralEngine: how much it depends on it.
    ///   - isCritical: whether an app cannot do without it.
    ///   - levels: how it works at each quality.
    public init(
        name: String,
        source: String,
        hertz: Double?,
        p50Milliseconds: Double?,
        p95Milliseconds: Double,
        p99Milliseconds: Double?,
        memoryBytes: Int,
        batteryPercentPer30Minutes: Double,
        sizeBytes: Int? = nil,
        loadSeconds: Double = 1,
        minimumSystem: String? = nil,
        neuralEngine: NeuralEngine? = nil,
        isCritical: Bool = false,
        levels: [ReadingQuality: Level]
    ) {
        self.name = name
        self.source = source
        self.hertz = hertz
        self.p50Milliseconds = p50Milliseconds
        self.p95Milliseconds = p95Milliseconds
        self.p99Milliseconds = p99Milliseconds
        self.memoryBytes = memoryBytes
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes
        self.sizeBytes = sizeBytes
        self.loadSeconds = loadSeconds
        self.minimumSystem = minimumSystem
        self.neuralEngine = neuralEngine
        self.isCritical = isCritical
        self.levels = levels
    }

    /// Inferences a second at a quality; nil when the documents say none.
    public func hertz(at quality: ReadingQuality) -> Double? {
        guard let hertz, let share = levels[quality]?.frequencyShare else { return nil }
        return hertz * share
    }
}

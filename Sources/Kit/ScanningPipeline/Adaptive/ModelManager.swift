public import ScanningPolicies

/// Loads models, switches their quality and unloads them, within a budget (S3-04, S3-28).
///
/// An unloaded model's memory is freed as a whole: only its manager may hold it between two uses.
public actor ModelManager<Model: Sendable> {
    /// A model that may be loaded.
    public struct Source: Sendable {
        /// Name of the model.
        public var name: String
        /// Whether the app requires the model.
        public var isCritical: Bool
        /// Expected memory in bytes before the model's first load.
        public var memoryBytes: Int
        /// Loads the model, with all parts that its first use would otherwise load.
        public var load: @Sendable (ReadingQuality) throws -> Model

        /// Creates a model under a name.
        public init(
            name: String,
            isCritical: Bool,
            memoryBytes: Int,
            load: @escaping @Sendable (ReadingQuality) throws -> Model
        ) {
            self.name = name
            self.isCritical = isCritical
            self.memoryBytes = memoryBytes
            self.load = load
        }
    }

    /// The loading of a model.
    public struct Load: Sendable, Equatable {
        /// Name of the model.
        public var name: String
        /// Quality of the model.
        public var quality: ReadingQuality
        /// Duration of loading; the requirement is less than a second (S3-41).
        public var duration: Duration
        /// Growth of the process's memory in bytes; nil if unknown.
        public var memoryBytes: Int?
    }

    private struct Resident {
        var model: Model
        var quality: ReadingQuality
        var memoryBytes: Int
        var lastUse: Duration
    }

    /// The reason why a model is unavailable.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        case unknown(name: String, known: [String])
        case overBudget(name: String, bytes: Int, budget: Int)

        /// Required and available memory.
        public var description: String {
            switch self {
            case .unknown(let name, let known):
                "unknown model '\(name)'; expected one of \(known.joined(separator: ", "))"
            case .overBudget(let name, let bytes, let budget):
                "the model '\(name)' needs \(bytes / 1_000_000) MB, and all models together may have "
                    + "\(budget / 1_000_000) MB; choose a smaller model, or raise the budget"
            }
        }
    }

    /// Executor on which models are loaded and used.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ReaderQueue.shared.asUnownedSerialExecutor() }

    /// Memory budget of all models together.
    public let budget: ModelBudget
    private let sources: [String: Source]
    private let residentBytes: @Sendable () -> Int?
    private let giveBack: @Sendable () -> Void
    private let now: @Sendable () -> Duration
    private var residents: [String: Resident] = [:]
    /// Last measured memory of each model, by its quality.
    private var known: [String: [ReadingQuality: Int]] = [:]

    /// Creates a manager without loading anything; `giveBack` makes the allocator return the memory of a released
    /// model.
    public init<C: Clock>(
        _ sources: [Source],
        budget: ModelBudget = ModelBudget(),
        clock: C = ContinuousClock(),
        residentBytes: @escaping @Sendable () -> Int? = { ResidentMemory.bytes() },
        giveBack: @escaping @Sendable () -> Void = {}
    ) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        self.sources = sources.reduce(into: [:]) { $0[$1.name] = $1 }
        self.budget = budget
        self.residentBytes = residentBytes
        self.giveBack = giveBack
    }

    /// Loaded models, in the order of their names.
    public var loaded: [ModelBudget.Loaded] {
        residents.sorted { $0.key < $1.key }.map { name, resident in
            ModelBudget.Loaded(
                name: name,
                memoryBytes: resident.memoryBytes,
                isCritical: sources[name]?.isCritical ?? false,
                lastUse: resident.lastUse
            )
        }
    }

    /// Uses a model, loading it at a quality if necessary; others are unloaded for it when memory is short.
    ///
    /// - Throws: ``Problem``, the errors of loading, or those of `use`.
    /// - Returns: the result of `use`; the loading, if there was one; and the models unloaded for it.
    public func use<Value: Sendable>(
        _ name: String,
        at quality: ReadingQuality,
        _ use: @Sendable (Model) throws -> Value
    ) throws -> (value: Value, load: Load?, evicted: [String]) {
        var (load, evicted) = (Load?.none, [String]())
        if residents[name]?.quality != quality { (load, evicted) = try self.load(name, at: quality) }
        guard let model = residents[name]?.model else { throw unknown(name) }
        residents[name]?.lastUse = now()
        return (try use(model), load, evicted)
    }

    /// Unloads a model; one that is not loaded is ignored.
    public func unload(_ name: String) {
        guard residents.removeValue(forKey: name) != nil else { return }
        giveBack()
    }

    /// Unloads the models that have to be unloaded under the conditions: S3-28, S3-39, S3-40.
    public func relieve(under conditions: DeviceConditions) -> [String] {
        let names = budget.evictions(of: loaded, under: conditions)
        for name in names { unload(name) }
        return names
    }

    private func load(_ name: String, at quality: ReadingQuality) throws -> (Load, [String]) {
        guard let source = sources[name] else { throw unknown(name) }
        // First the old one goes: both at a time would be the peak.
        unload(name)
        let expected = known[name]?[quality] ?? source.memoryBytes
        guard let evicted = budget.evictions(for: expected, loaded: loaded) else {
            throw Problem.overBudget(name: name, bytes: expected, budget: budget.memoryBytes)
        }
        for other in evicted { unload(other) }
        let (before, start) = (residentBytes(), now())
        let model = try source.load(quality)
        let end = now()
        let growth = before.flatMap { before in residentBytes().map { max(0, $0 - before) } }
        if let growth { known[name, default: [:]][quality] = growth }
        residents[name] = Resident(model: model, quality: quality, memoryBytes: growth ?? expected, lastUse: end)
        return (Load(name: name, quality: quality, duration: end - start, memoryBytes: growth), evicted)
    }

    private func unknown(_ name: String) -> Problem { .unknown(name: name, known: sources.keys.sorted()) }
}

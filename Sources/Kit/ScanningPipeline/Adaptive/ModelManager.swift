public import ScanningPolicies

/// Loads models, switches their quality and puts them out, within a budget (S3-04, S3-28).
///
/// A model that is put out is given back as a whole: nothing may hold it between two uses but its manager.
public actor ModelManager<Model: Sendable> {
    /// A model that may be loaded.
    public struct Source: Sendable {
        /// Of the model.
        public var name: String
        /// Whether the app cannot do without it.
        public var isCritical: Bool
        /// What it is expected to hold, until it has been loaded once.
        public var memoryBytes: Int
        /// Loads it, with all that its first use would otherwise load.
        public var load: @Sendable (ReadingQuality) throws -> Model

        /// A model under a name.
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

    /// How a model was loaded.
    public struct Load: Sendable, Equatable {
        /// Of the model.
        public var name: String
        /// The one that it works at.
        public var quality: ReadingQuality
        /// How long it took; less than a second is asked for (S3-41).
        public var duration: Duration
        /// What the process holds more than before; nil where nobody can tell.
        public var memoryBytes: Int?
    }

    private struct Resident {
        var model: Model
        var quality: ReadingQuality
        var memoryBytes: Int
        var lastUse: Duration
    }

    /// Why a model cannot be had.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        case unknown(name: String, known: [String])
        case overBudget(name: String, bytes: Int, budget: Int)

        /// What was asked for, and what there is.
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

    /// Where models are loaded and used.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ReaderQueue.shared.asUnownedSerialExecutor() }

    /// What all together may take.
    public let budget: ModelBudget
    private let sources: [String: Source]
    private let residentBytes: @Sendable () -> Int?
    private let giveBack: @Sendable () -> Void
    private let now: @Sendable () -> Duration
    private var residents: [String: Resident] = [:]
    /// What each held when it was there the last time, by its quality.
    private var known: [String: [ReadingQuality: Int]] = [:]

    /// Loads nothing yet; `giveBack` has the allocator give back what a model that was let go has held.
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

    /// All that are loaded, in the order of their names.
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

    /// Uses a model, loading it at a quality if need be; others are put out for it when there is not enough memory.
    ///
    /// - Throws: ``Problem``, what loading throws, or what `use` throws.
    /// - Returns: what `use` returns; how it was loaded, if it was; and who had to go for it.
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

    /// Puts a model out; one that is not there is left alone.
    public func unload(_ name: String) {
        guard residents.removeValue(forKey: name) != nil else { return }
        giveBack()
    }

    /// Puts out what has to go as things are: S3-28, S3-39, S3-40.
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
        residents[name] = Resident(
            model: model,
            quality: quality,
            memoryBytes: growth ?? expected,
            lastUse: end
        )
        return (Load(name: name, quality: quality, duration: end - start, memoryBytes: growth), evicted)
    }

    private func unknown(_ name: String) -> Problem { .unknown(name: name, known: sources.keys.sorted()) }
}

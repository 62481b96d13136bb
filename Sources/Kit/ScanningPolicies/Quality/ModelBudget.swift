/// Budget of all models together, and the order of unloading when memory is short (S3-04, S3-06, S3-28, S3-40).
public struct ModelBudget: Sendable, Hashable, Codable {
    /// A model that is loaded.
    public struct Loaded: Sendable, Hashable, Codable {
        /// Name of the model.
        public var name: String
        /// Memory of the model in bytes.
        public var memoryBytes: Int
        /// Whether the app requires the model.
        public var isCritical: Bool
        /// Time of the last use.
        public var lastUse: Duration

        /// Creates a model with its memory.
        public init(name: String, memoryBytes: Int, isCritical: Bool = false, lastUse: Duration = .zero) {
            (self.name, self.memoryBytes) = (name, memoryBytes)
            (self.isCritical, self.lastUse) = (isCritical, lastUse)
        }
    }

    /// Maximum memory of all loaded models, in bytes.
    public var memoryBytes = 500_000_000
    /// All together take less of a battery in half an hour.
    public var batteryPercentPer30Minutes = 10.0
    /// Rules for heat and the battery.
    public var power = PowerRules()

    /// Creates the documents' budget.
    public init() {}

    /// Models that have to go before one is loaded: those that can be done without first, the longest unused of them
    /// first.
    ///
    /// - Returns: names, in the order in which they go; nil when it does not fit even alone.
    public func evictions(for bytes: Int, loaded: [Loaded]) -> [String]? {
        guard bytes < memoryBytes else { return nil }
        var held = loaded.reduce(0) { $0 + $1.memoryBytes }
        var names: [String] = []
        for model in evictionOrder(loaded) where held + bytes >= memoryBytes {
            names.append(model.name)
            held -= model.memoryBytes
        }
        return names
    }

    /// Returns the models that have to be unloaded under the conditions, whatever is needed next.
    ///
    /// - Returns: names, in the order of unloading: all after a memory warning or when the device is too hot,
    ///   optional ones when the battery is low.
    public func evictions(of loaded: [Loaded], under conditions: DeviceConditions) -> [String] {
        let order = evictionOrder(loaded)
        if conditions.hasMemoryWarning || power.frequencyShare(conditions.thermalState) == 0 {
            return order.map(\.name)
        }
        return order.filter { power.ceiling(.low, isCritical: $0.isCritical, under: conditions) == nil }.map(\.name)
    }

    private func evictionOrder(_ loaded: [Loaded]) -> [Loaded] {
        loaded.sorted {
            if $0.isCritical != $1.isCritical { return $1.isCritical }
            return $0.lastUse != $1.lastUse ? $0.lastUse < $1.lastUse : $0.name < $1.name
        }
    }
}

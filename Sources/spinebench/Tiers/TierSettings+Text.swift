import BenchmarkHarness
import ScanningPipeline

extension TierSettings {
    /// Every setting that means something to the strategy, by its key: what a variant is written as.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: Self.keys(of: strategy).map { ($0.name, $0.text(self)) })
    }

    /// Whether a variant's settings are those of a way of scanning.
    static func areMeant(by texts: [String: String]) -> Bool { texts["strategy"] != nil }

    /// The settings that were written as `texts`.
    ///
    /// - Throws: `SettingFaults` when a key is missing, unknown or means nothing to the strategy, or a value is not allowed.
    init(texts: [String: String], name: String) throws(SettingFaults) {
        self.init(strategy: .hybrid)
        var faults = apply(texts)
        for key in Self.keys(of: strategy) where texts[key.name] == nil {
            faults.append(SettingFault(key: key.name, problem: "is missing; expected \(key.allowed)"))
        }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    /// These settings with others over them.
    ///
    /// - Throws: `SettingFaults` with all that is wrong.
    func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> TierSettings {
        var changed = self
        let faults = changed.apply(texts)
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
        return changed
    }

    private static func keys(of strategy: ScanVariant) -> [TierKey] {
        keys.filter { $0.strategies.contains(strategy) }
    }

    /// Sets what can be set and says what cannot.
    private mutating func apply(_ texts: [String: String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        for key in Self.keys {
            guard let text = texts[key.name] else { continue }
            // The strategy is the first key: the others are held against the new one.
            if !key.strategies.contains(strategy) {
                let names = key.strategies.map(\.rawValue).joined(separator: ", ")
                let problem = "means nothing to the strategy \(strategy.rawValue), only to \(names)"
                faults.append(SettingFault(key: key.name, problem: problem, isOfKey: true))
            } else if !key.set(&self, text) {
                let near = NearName.of(text, among: key.choices).map { "did you mean \"\($0)\"? " } ?? ""
                let problem = "\"\(text)\" is not allowed; \(near)expected \(key.allowed)"
                faults.append(SettingFault(key: key.name, problem: problem))
            }
        }
        let names = Self.keys(of: strategy).map(\.name)
        for name in texts.keys.sorted() where !Self.keys.contains(where: { $0.name == name }) {
            let problem = "there is no such setting; \(NearName.hint(for: name, among: names))"
            faults.append(SettingFault(key: name, problem: problem, isOfKey: true))
        }
        return faults
    }
}

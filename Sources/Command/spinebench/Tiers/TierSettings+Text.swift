import BenchmarkHarness
import ScanningPipeline
import ScanningPolicies

extension TierSettings: KeyedSettings {
    static let scopeName = "strategy"
    static let unset = TierSettings(strategy: .hybrid)
    var scope: ScanStrategy { strategy }
    var contradictions: [SettingFault] { [] }

    /// Whether a variant's settings are those of a way of scanning.
    static func areMeant(by texts: [String: String]) -> Bool { texts["strategy"] != nil }
}

package import ScanningPolicies

/// Trace that was recorded on a real device: it takes the place of what is modelled.
package struct DeviceTrace: Sendable, Equatable, Codable {
    /// Times of readings of a tier in one thermal state.
    package struct Latencies: Sendable, Equatable, Codable {
        /// "fast", "hybrid".
        package var tier: String
        package var state: ThermalState
        /// From the picture to the answer, in ms, one for each reading, rising.
        package var milliseconds: [Double]
        /// Parts of it in ms by their names, in the readings' order; 0 where a reading went without.
        package var stages: [String: [Double]]
    }

    /// From when on the device said that it is so warm.
    package struct Change: Sendable, Equatable, Codable {
        /// Since the recording began.
        package var seconds: Double
        package var state: ThermalState
    }

    /// Bytes that the app held.
    package struct Memory: Sendable, Equatable, Codable {
        package var median: Int
        package var peak: Int
    }

    /// As the recording names the device: "iPhone16,1".
    package var device: String
    /// "iOS 26.1".
    package var system: String
    /// App that was running, with its version.
    package var app: String
    /// From the first record to the last.
    package var seconds: Double
    /// One for each tier and state, in the order of both.
    package var latencies: [Latencies]
    /// Power that the battery gave, in W; nil when it was being charged, or nobody knows its level.
    package var drain: Estimate?
    /// Begins with the first record's state.
    package var thermalTimeline: [Change]
    /// nil when none was recorded.
    package var memory: Memory?

    /// Why it has no meaning; nil when it has.
    var problem: String? {
        if !(seconds >= 0 && seconds.isFinite) { return "lasts \(seconds) s" }
        for group in latencies {
            let name = "\(group.tier) at \(group.state.rawValue)"
            let times = group.milliseconds
            if times.isEmpty { return "has no reading for \(name)" }
            if times != times.sorted() { return "has latencies of \(name) that do not rise" }
            for (stage, parts) in group.stages where parts.count != times.count {
                return "has \(parts.count) times of \(stage) for \(times.count) readings of \(name)"
            }
            if (times + group.stages.values.joined()).contains(where: { $0 < 0 }) {
                return "has a negative time for \(name)"
            }
        }
        if let drain, !(0 <= drain.low && drain.low <= drain.value && drain.value <= drain.high) {
            return "has a drain of \(drain.value) W outside of \(drain.low) to \(drain.high)"
        }
        return nil
    }
}

extension DeviceProfile {
    /// Times of readings of a tier on the device itself, by thermal state.
    ///
    /// - Parameter tier: "fast", "hybrid".
    /// - Returns: of the last trace that has the tier; empty when none has.
    package func trace(for tier: String) -> [ThermalState: DeviceTrace.Latencies] {
        let groups = traces.map { $0.latencies.filter { $0.tier == tier } }.last { !$0.isEmpty } ?? []
        return Dictionary(groups.map { ($0.state, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

import Basics
import Foundation
package import ScanningPolicies

/// Trace recorded on a real device, which replaces the model.
package struct DeviceTrace: Sendable, Equatable, Codable {
    package struct Latencies: Sendable, Equatable, Codable {
        /// "fast", "hybrid".
        package var tier: String
        package var state: ThermalState
        /// Times from the picture to the answer, in ms, one for each reading, rising.
        package var milliseconds: [Double]
        /// Parts of it in ms by their names, in the readings' order; 0 where a reading went without.
        package var stages: [String: [Double]]
    }

    package struct Change: Sendable, Equatable, Codable {
        package var seconds: Double
        package var state: ThermalState
    }

    package struct Memory: Sendable, Equatable, Codable {
        package var median: Int
        package var peak: Int
    }

    /// Device name of the recording: "iPhone16,1".
    package var device: String
    package var system: String
    package var app: String
    /// Duration from the first record to the last, in seconds.
    package var seconds: Double
    /// Latencies for each tier and state, in the order of both.
    package var latencies: [Latencies]
    /// Power of the battery, in W; nil when it was being charged, or its level is unknown.
    package var drain: Estimate?
    /// Begins with the first record's state.
    package var thermalTimeline: [Change]
    /// nil when none was recorded.
    package var memory: Memory?

    /// Reason why the trace is invalid; nil for a valid one.
    var problem: String? {
        if !(seconds >= 0 && seconds.isFinite) { return "lasts \(seconds) s" }
        for group in latencies {
            let name = "\(group.tier) at \(group.state.rawValue)"
            let times = group.milliseconds
            if times.isEmpty { return "contains no reading for \(name)" }
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

extension DeviceTrace {
    /// Creates the trace of a device in a recording.
    ///
    /// `text`: The whole file, as `TraceRecorder` wrote it.
    ///
    /// - Throws: `DeviceError.trace` for the first line that is wrong, and for a recording of another device.
    package init(log text: [UInt8], file: String, on profile: DeviceProfile) throws(DeviceError) {
        let log = try TraceLog(text, file: file)
        if let problem = HardwareIdentifier.problem(of: log.device, as: profile.name) {
            throw .trace(file: file, line: 1, problem: problem)
        }
        device = log.device
        system = log.system
        app = log.app
        seconds = (log.records.last?.time ?? 0) - (log.records.first?.time ?? 0)
        latencies = Self.latencies(of: log)
        drain = Self.drain(of: log, battery: profile, file: file)
        thermalTimeline = log.records.reduce(into: []) { timeline, record in
            if timeline.last?.state != record.state {
                timeline.append(Change(seconds: record.time, state: record.state))
            }
        }
        let bytes = log.records.compactMap(\.memoryBytes).sorted()
        memory = bytes.last.map { Memory(median: bytes[(bytes.count - 1) / 2], peak: $0) }
    }

    private static func latencies(of log: TraceLog) -> [Latencies] {
        let readings = log.records.filter { $0.reading != nil }
        let tiers = Set(readings.compactMap { $0.reading?.tier }).sorted()
        return tiers.flatMap { tier in
            ThermalState.allCases.compactMap { state in
                let group = readings.filter { $0.state == state }.compactMap(\.reading).filter { $0.tier == tier }
                    .sorted { $0.milliseconds < $1.milliseconds }
                guard !group.isEmpty else { return nil }
                let names = Set(group.flatMap(\.stages.keys))
                return Latencies(
                    tier: tier,
                    state: state,
                    milliseconds: group.map(\.milliseconds),
                    stages: names.reduce(into: [:]) { stages, name in
                        stages[name] = group.map { $0.stages[name] ?? 0 }
                    }
                )
            }
        }
    }

    /// Step of the battery's level on systems before iOS 17: the coarsest that is known.
    private static let coarsestStep = 0.05

    /// Returns the mean power over the whole recording.
    ///
    /// A level is only as accurate as its smallest step: the true drop is within one step of the observed one.
    private static func drain(of log: TraceLog, battery profile: DeviceProfile, file: String) -> Estimate? {
        let levels = log.records.compactMap { record in record.batteryLevel.map { (time: record.time, level: $0) } }
        guard let first = levels.first, let last = levels.last, last.time > first.time,
            let capacity = profile.figures[.batteryCapacity], let health = profile.figures[.batteryHealth]
        else { return nil }
        let steps = zip(levels, levels.dropFirst()).map { $0.level - $1.level }
        // A level that rises: the device was being charged.
        if steps.contains(where: { $0 < 0 }) { return nil }
        let step = min(coarsestStep, steps.filter { $0 > 1e-6 }.min() ?? coarsestStep)
        let (drop, time) = (first.level - last.level, last.time - first.time)
        func watts(_ drop: Double, _ side: Estimate.Side) -> Double {
            max(0, drop) * capacity[side] * health[side] * 3600 / time
        }
        let source = String(
            format:
                "%@: the level fell from %.2f to %.2f in %.0f s, in steps of %.2f, of the capacity and health here.",
            URL(filePath: file).lastPathComponent,
            first.level,
            last.level,
            time,
            step
        )
        return Estimate(
            watts(drop, .nominal),
            low: watts(drop - step, .low),
            high: watts(drop + step, .high),
            source: source,
            kind: .measured
        )
    }
}

/// Identifiers of devices (`hw.machine`), and their marketing names.
enum HardwareIdentifier {
    /// Identifiers of the devices with a profile in the project, by its name; with and without cellular radio.
    ///
    /// Source: the identifiers that Apple's systems report, as listed at https://theapplewiki.com/wiki/Models.
    private static let byName: [String: [String]] = BuiltInFile.decoded(PackageResources.identifiers_json)

    /// Returns the reason why a recording of `device`, an identifier or a marketing name, is not of the profile's
    /// device; nil when it is, or when both are unknown.
    static func problem(of device: String, as name: String) -> String? {
        if folded(device) == folded(name) { return nil }
        let own = byName.first { folded($0.key) == folded(name) }
        if own?.value.contains(device) == true { return nil }
        let meant = byName.first { $0.value.contains(device) || folded($0.key) == folded(device) }?.key
        if let meant {
            return "\"device\" is \"\(device)\", which is \(meant), not \(name); specify it with --device"
        }
        // A custom profile and an unknown device: the user must name both.
        guard let own else { return nil }
        let expected = own.value.joined(separator: " or ")
        return "invalid \"device\" \"\(device)\" for \(name): expected \(expected)"
    }

    /// Returns whether a device as stated, an identifier or name with its chip or system, is the profile's.
    static func isDevice(_ stated: String, _ name: String) -> Bool {
        ((byName.first { folded($0.key) == folded(name) }?.value ?? []) + [name]).contains { known in
            stated == known || stated.hasPrefix(known + " (") || stated.hasPrefix(known + ", ")
        }
    }

    private static func folded(_ name: String) -> String { FoldedText(name).joined }
}

import Foundation
import ScanningPolicies

extension DeviceTrace {
    /// Trace of a device in a recording.
    ///
    /// - Parameters:
    ///   - text: the whole file, as `TraceRecorder` wrote it.
    ///   - file: what errors and the drain's source call it.
    ///   - profile: of the device; its battery turns levels into energy.
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

    /// The mean power over the whole recording.
    ///
    /// A level says less than its smallest step: the true drop lies within one step of what was seen.
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

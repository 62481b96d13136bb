import Composition
import Foundation
import Imaging
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import Synchronization
import TextRecognition

/// The ladder of 'scan --adaptive' under faults, on the real readers and in real time (E-15).
struct LadderCheck: Encodable {
    /// A quality without any fault.
    struct Level: Encodable {
        var quality: ReadingQuality
        var titlesRead: Int
        var titles: Int
        var p50Milliseconds: Double?
        var p95Milliseconds: Double?
        var loadSeconds: Double?
        var residentMegabytes: Double
    }

    struct Entry: Encodable {
        /// Since the scenario began.
        var seconds: Double
        var event: String
        var quality: String
        var frequencyShare: Double
        var residentMegabytes: Double
    }

    /// One fault, from before it begins until the reader is back.
    struct Scenario: Encodable {
        var name: String
        var targetMilliseconds: Double
        var faultFrom: Double
        var faultUntil: Double
        var entries: [Entry] = []
        /// Alerts by severity.
        var alerts: [String: Int] = [:]
        /// From the beginning of the fault to the first change of quality, unloading or frequency; nil when there was none.
        var reactionSeconds: Double?
        /// From the end of the fault until quality and frequency are as before; nil when they were not within the time.
        var recoverySeconds: Double?
        /// By quality: how many readings, and how many of their titles were read.
        var readings: [String: Int] = [:]
        var titlesRead: [String: Int] = [:]
    }

    var quietSeconds: Double
    var levels: [Level] = []
    var scenarios: [Scenario] = []

    private static let faults: [(name: String, state: Faults.State)] = [
        ("slow-down × 1.4", Faults.State(slowdown: 1.4)), ("slow-down × 1.6", Faults.State(slowdown: 1.6)),
        ("slow-down × 2.1", Faults.State(slowdown: 2.1)), ("slow-down × 9", Faults.State(slowdown: 9)),
        ("memory warning", Faults.State(hasMemoryWarning: true)),
        ("thermal serious", Faults.State(thermalState: .serious)),
        ("thermal critical", Faults.State(thermalState: .critical)),
        ("battery 16 % in 30 min", Faults.State(batteryPercentPer30Minutes: 16)),
    ]

    /// - Parameters:
    ///   - spines: read over and over.
    ///   - quiet: the ladder's quiet time in seconds.
    ///   - length: of each fault, in seconds; longer where so many spines take longer.
    ///   - only: faults whose names contain one of these; all when there are none.
    /// - Throws: when a reader cannot be loaded, or fails.
    init(_ spines: Spines, quiet: Double, fault length: Double, only: [String]) async throws {
        quietSeconds = quiet
        for quality in [ReadingQuality.high, .medium, .low] {
            let level = try await Self.level(quality, spines)
            levels.append(level)
            say(level.text)
        }
        // The highest quality's own P95, with a margin for a machine that does other things: the factors are then those
        // of the alerts' limits.
        let target = (1.05 * (levels[0].p95Milliseconds ?? 0)).rounded()
        for fault in Self.faults where only.isEmpty || only.contains(where: fault.name.contains) {
            // As 'scan --adaptive' has it, but for the time that a fault lasts.
            var ladder = DegradationLadder.Settings.scanning(best: .high)
            ladder.quiet = .seconds(quiet)
            let scenario = try await Self.scenario(
                fault.name,
                fault.state,
                ladder: ladder,
                target: target,
                length: length,
                spines
            )
            scenarios.append(scenario)
            say(scenario.text)
        }
    }

    private static func target(_ milliseconds: Double) -> ModelTarget {
        var target = ModelTarget.tiers[1]
        target.name = "reader"
        target.p95Milliseconds = milliseconds
        // Alerts about memory have a scenario of their own.
        target.memoryBytes = 2_000_000_000
        return target
    }

    private static func level(_ quality: ReadingQuality, _ spines: Spines) async throws -> Level {
        let (readings, load) = try await ReaderQueue.run {
            let start = ContinuousClock.now
            let reader = try Readers.load(quality)
            let load = start.duration(to: .now)
            let readings = try spines.all.map { spine in
                let start = ContinuousClock.now
                let reading = try reader.read(spine.image)
                return (start.duration(to: .now), Spines.isRead(spine.title, in: reading))
            }
            return (readings, (load / .seconds(1), MemoryCheck.megabytes()))
        }
        OpenVINOEngine.giveBackMemory()
        let metrics = readings.map { InferenceMetrics(model: "reader", time: .zero, latency: $0.0) }
        let statistics = PerformanceStatistics(of: metrics, target: target(50))
        return Level(
            quality: quality,
            titlesRead: readings.count { $0.1 == true },
            titles: readings.count { $0.1 != nil },
            p50Milliseconds: statistics.p50.milliseconds,
            p95Milliseconds: statistics.p95.milliseconds,
            loadSeconds: load.0,
            residentMegabytes: load.1
        )
    }

    private static func scenario(
        _ name: String,
        _ fault: Faults.State,
        ladder: DegradationLadder.Settings,
        target: Double,
        length: Double,
        _ spines: Spines
    ) async throws -> Scenario {
        let faults = Faults()
        let manager = ModelManager<any SpineTextReader>(
            [
                .init(name: "reader", isCritical: true, memoryBytes: 300_000_000) { quality in
                    SlowedReader(base: try Readers.load(quality), faults: faults)
                }
            ],
            giveBack: OpenVINOEngine.giveBackMemory
        )
        let events = Mutex<[(Duration, AdaptiveReader.Event)]>([])
        let reader = AdaptiveReader(
            "reader",
            of: manager,
            control: QualityControl(
                window: PerformanceWindow(target: Self.target(target), limits: .init(count: spines.all.count)),
                ladder: DegradationLadder(ladder)
            ),
            conditions: { DeviceConditions(hasMemoryWarning: faults.now.hasMemoryWarning) },
            batteryPercentPer30Minutes: { _ in faults.now.batteryPercentPer30Minutes },
            log: { time, event in events.withLock { $0.append((time, event)) } }
        )
        // Heat comes with each frame, as from the frames' coordinator.
        _ = try await reader.prepare(faults.now.thermalState)
        let clock = ContinuousClock()
        let start = clock.now
        func elapsed() -> Double { start.duration(to: clock.now) / .seconds(1) }
        var result = Scenario(name: name, targetMilliseconds: target, faultFrom: 0, faultUntil: 0)
        func entry(_ event: String) async {
            let ladder = await reader.control.ladder
            result.entries.append(
                Entry(
                    seconds: elapsed(),
                    event: event,
                    quality: ladder.quality?.rawValue ?? "off",
                    frequencyShare: ladder.frequencyShare,
                    residentMegabytes: MemoryCheck.megabytes()
                )
            )
        }
        func takeEvents() async {
            let new = events.withLock { events in
                defer { events = [] }
                return events
            }
            for (_, event) in new {
                if case .alert(.raised(let alert)) = event { result.alerts[alert.severity.rawValue, default: 0] += 1 }
                if let text = event.entry { await entry(text) }
                if case .action(let action) = event, result.faultFrom > 0, result.reactionSeconds == nil {
                    if case .log = action { continue }
                    result.reactionSeconds = elapsed() - result.faultFrom
                }
            }
        }
        /// Reads on until something is so; not for longer than `limit` seconds.
        func read(atMost limit: Double, until isDone: () async -> Bool) async throws {
            let end = elapsed() + limit
            var next = 0
            while elapsed() < end, await !isDone() {
                let (isLoaded, interval) = try await reader.prepare(faults.now.thermalState)
                await takeEvents()
                let began = clock.now
                if isLoaded {
                    let spine = spines.all[next % spines.all.count]
                    next += 1
                    if let reading = try await reader.read(spine.image) {
                        let quality = reading.quality.rawValue
                        result.readings[quality, default: 0] += 1
                        if Spines.isRead(spine.title, in: reading.reading) == true {
                            result.titlesRead[quality, default: 0] += 1
                        }
                    }
                    await takeEvents()
                }
                try await clock.sleep(until: began + (isLoaded ? interval ?? .zero : .milliseconds(50)))
            }
        }
        // Once through all spines, so that the window holds what is usual.
        let count = spines.all.count
        await entry("begins")
        try await read(atMost: 60) { result.readings["high", default: 0] >= count }
        faults.set(fault)
        result.faultFrom = elapsed()
        await entry("fault begins")
        // On a slow machine until the window holds nothing else: before, it may say nothing.
        let before = result.readings.values.reduce(0, +)
        try await read(atMost: 6 * length) {
            let isSeen = result.readings.values.reduce(0, +) - before >= count
            let isOff = await reader.control.ladder.quality == nil
            return elapsed() >= result.faultFrom + length && (isSeen || isOff)
        }
        faults.set(Faults.State())
        result.faultUntil = elapsed()
        await entry("fault ends")
        try await read(atMost: 90) {
            let ladder = await reader.control.ladder
            return ladder.quality == .high && ladder.frequencyShare == 1 && elapsed() > result.faultUntil + 2
        }
        let ladder = await reader.control.ladder
        if ladder.quality == .high, ladder.frequencyShare == 1 {
            let last = result.entries.last { $0.event.hasPrefix("back") || $0.event.hasPrefix("reads") }
            result.recoverySeconds = max(0, (last?.seconds ?? 0) - result.faultUntil)
        }
        await entry("ends")
        await manager.unload("reader")
        await entry("unloaded")
        return result
    }
}

extension AdaptiveReader.Event {
    /// For people; nil for what an entry of its own says already.
    fileprivate var entry: String? {
        guard case .load(let quality, let duration, _) = self else { return text }
        return "loaded \(quality.rawValue) in \(String(format: "%.2f", duration / .seconds(1))) s"
    }
}

extension LadderCheck.Level {
    fileprivate var text: String {
        func number(_ value: Double?) -> String { value.map { String(format: "%.1f", $0) } ?? "-" }
        return "\(quality.rawValue): title read \(titlesRead) of \(titles), P50 \(number(p50Milliseconds)) ms, "
            + "P95 \(number(p95Milliseconds)) ms, loaded in \(number(loadSeconds)) s, "
            + "resident \(number(residentMegabytes)) MB"
    }
}

extension LadderCheck.Scenario {
    fileprivate var text: String {
        func number(_ value: Double?) -> String { value.map { String(format: "%.1f s", $0) } ?? "none" }
        let lines = entries.map { entry in
            let place = entry.quality.padding(toLength: 7, withPad: " ", startingAt: 0)
            return String(
                format: "%7.2f s  %@%4.0f %%  %6.1f MB  %@",
                entry.seconds,
                place as NSString,
                100 * entry.frequencyShare,
                entry.residentMegabytes,
                entry.event as NSString
            )
        }
        return "\n\(name), target \(String(format: "%.1f", targetMilliseconds)) ms\n" + lines.joined(separator: "\n")
            + "\nreaction \(number(reactionSeconds)), recovery \(number(recoverySeconds)), alerts \(alerts), "
            + "titles read \(titlesRead) of \(readings)"
    }
}

/// Faults of a device, as a check has them.
final class Faults: Sendable {
    struct State: Sendable {
        /// A reading takes so many times as long.
        var slowdown = 1.0
        var thermalState = ThermalState.nominal
        var hasMemoryWarning = false
        var batteryPercentPer30Minutes: Double?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }
    func set(_ new: State) { state.withLock { $0 = new } }
}

/// A reader that takes longer than it needs.
struct SlowedReader: SpineTextReader {
    var base: any SpineTextReader
    var faults: Faults

    func read(_ image: RasterImage) throws -> SpineReading {
        let start = ContinuousClock.now
        let reading = try base.read(image)
        let more = (faults.now.slowdown - 1) * (start.duration(to: .now) / .seconds(1))
        if more > 0 { Thread.sleep(forTimeInterval: more) }
        return reading
    }
}

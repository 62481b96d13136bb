public import Imaging
public import ScanningPolicies
public import TextRecognition

/// A reader whose quality depends on the device: every reading is monitored, and the ladder switches its quality.
///
/// Only the manager owns the reader's engine, so that its memory is free after unloading.
public actor AdaptiveReader {
    /// An event for a log.
    public enum Event: Sendable, Equatable {
        case alert(AlertChange)
        case action(DegradationLadder.Action)
        case load(quality: ReadingQuality, duration: Duration, memoryBytes: Int?)
        case evicted(String)
    }

    /// The result of a reading.
    public struct Result: Sendable, Equatable {
        /// Lines and such.
        public var reading: SpineReading
        /// Wall-clock time of the reading alone.
        public var duration: Duration
        /// Quality of the reading.
        public var quality: ReadingQuality
    }

    /// Executor on which readers are loaded and used.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ReaderQueue.shared.asUnownedSerialExecutor() }

    /// Control of the reader's quality.
    public private(set) var control: QualityControl
    private let name: String
    private let manager: ModelManager<any SpineTextReader>
    private let conditions: @Sendable () -> DeviceConditions
    private let batteryPercentPer30Minutes: @Sendable (_ duty: Double) -> Double?
    /// Duty cycle at the present quality.
    private var duty = ReadingDuty()
    /// Thermal state according to the frames' coordinator; nil if it does not report one.
    private var thermalState: ThermalState?
    private let log: @Sendable (Duration, Event) -> Void
    private let now: @Sendable () -> Duration
    /// Memory of the process in bytes without this reader's models.
    private var unloadedBytes: Int?

    /// Creates a reader of one of the manager's models; its conditions are requested with every reading and frame.
    ///
    /// `batteryPercentPer30Minutes`: battery use of half an hour at a given share of reading time, nil if unknown.
    public init<C: Clock>(
        _ name: String,
        of manager: ModelManager<any SpineTextReader>,
        control: QualityControl,
        clock: C = ContinuousClock(),
        conditions: @escaping @Sendable () -> DeviceConditions,
        batteryPercentPer30Minutes: @escaping @Sendable (_ duty: Double) -> Double? = { _ in nil },
        log: @escaping @Sendable (Duration, Event) -> Void = { _, _ in }
    ) where C.Duration == Duration {
        self.name = name
        self.manager = manager
        self.control = control
        self.conditions = conditions
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes
        self.log = log
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Checks the device's conditions and unloads or reloads the model accordingly.
    ///
    /// - Parameter state: the device's heat beside that of its conditions; the warmer one counts; nil leaves it as it
    ///   was.
    /// - Throws: when a reader cannot be loaded.
    /// - Returns: whether a reader is loaded now, and the minimum interval between its readings.
    public func prepare(_ state: ThermalState? = nil) async throws -> (isLoaded: Bool, minimumInterval: Duration?) {
        thermalState = state ?? thermalState
        try await follow(control.note(deviceConditions, at: now()))
        if let quality = control.ladder.quality { try await load(quality) }
        return (control.ladder.quality != nil, control.ladder.minimumInterval(nil))
    }

    /// Reads a spine, and adapts the quality to the duration.
    ///
    /// - Throws: the errors of loading or reading.
    /// - Returns: nil when the reader is unloaded.
    public func read(_ image: RasterImage) async throws -> Result? {
        if control.ladder.quality == nil { _ = try await prepare() }
        guard let quality = control.ladder.quality else { return nil }
        try await load(quality)
        let (value, _, _) = try await manager.use(name, at: quality) { [now] reader in
            let start = now()
            return (try reader.read(image), now() - start)
        }
        let time = now()
        let metrics = InferenceMetrics(
            model: name,
            time: time,
            latency: value.1,
            memoryBytes: unloadedBytes.flatMap { before in ResidentMemory.bytes().map { max(0, $0 - before) } },
            batteryPercentPer30Minutes: batteryPercentPer30Minutes(duty.add(value.1, endingAt: time))
        )
        // A reading begun before a change of quality does not describe the new one.
        if quality == control.ladder.quality { try await follow(control.note(metrics, under: deviceConditions)) }
        return Result(reading: value.0, duration: value.1, quality: quality)
    }

    /// Conditions of the device with the warmer of the two thermal states.
    private var deviceConditions: DeviceConditions {
        var conditions = conditions()
        let rules = control.ladder.settings.power
        if let thermalState, rules.frequencyShare(thermalState) < rules.frequencyShare(conditions.thermalState) {
            conditions.thermalState = thermalState
        }
        return conditions
    }

    private func follow(_ actions: [DegradationLadder.Action]) async throws {
        let time = now()
        for change in control.changes { log(time, .alert(change)) }
        for action in actions {
            log(time, .action(action))
            switch action {
            case .switchTo(let quality, _), .recover(let quality):
                duty = ReadingDuty()
                await manager.unload(name)
                try await load(quality)
            case .unload:
                await manager.unload(name)
                _ = await manager.relieve(under: deviceConditions)
            case .log, .setFrequency: break
            }
        }
    }

    private func load(_ quality: ReadingQuality) async throws {
        if unloadedBytes == nil { unloadedBytes = ResidentMemory.bytes() }
        let (_, load, evicted) = try await manager.use(name, at: quality) { _ in }
        for other in evicted { log(now(), .evicted(other)) }
        if let load {
            log(now(), .load(quality: load.quality, duration: load.duration, memoryBytes: load.memoryBytes))
        }
    }
}

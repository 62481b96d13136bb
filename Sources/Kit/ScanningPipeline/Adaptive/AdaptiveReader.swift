import Basics
public import Imaging
public import ScanningPolicies
public import TextRecognition

/// A reader whose quality depends on the device: every reading is monitored, and the ladder switches its quality.
///
/// Only this holds the reader's engine, so that its memory is free after unloading (S3-28).
public actor AdaptiveReader {
    /// An event for a log.
    public enum Event: Sendable, Equatable {
        case alert(AlertChange)
        case action(DegradationLadder.Action)
        /// A load; the requirement is less than a second (S3-41). The memory is the process's growth, nil if unknown.
        case load(quality: ReadingQuality, duration: Duration, memoryBytes: Int?)
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

    /// A reader takes more memory than all models may (S3-04).
    public struct OverBudget: Error, Equatable, CustomStringConvertible {
        /// Name of the reader.
        public var name: String
        /// Memory that it took when it was loaded.
        public var bytes: Int

        /// Required and available memory.
        public var description: String {
            "the reader '\(name)' needs \(bytes / 1_000_000) MB, and all models together may have "
                + "\(ModelBudget.memoryBytes / 1_000_000) MB; choose a smaller one"
        }
    }

    /// Executor on which readers are loaded and used.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ReaderQueue.shared.asUnownedSerialExecutor() }

    /// Control of the reader's quality.
    public private(set) var control: QualityControl
    private let loadReader: @Sendable (ReadingQuality) throws -> any SpineTextReader
    private let conditions: @Sendable () -> DeviceConditions
    private let batteryPercentPer30Minutes: @Sendable (_ share: Double) -> Double?
    private let residentBytes: @Sendable () -> Int?
    private let giveBack: @Sendable () -> Void
    private let log: @Sendable (Duration, Event) -> Void
    private let now: @Sendable () -> Duration
    private var loaded: (reader: any SpineTextReader, quality: ReadingQuality)?
    /// Memory that the last load at each quality took.
    private var bytes: [ReadingQuality: Int] = [:]
    /// Memory of the process in bytes without a reader.
    private var unloadedBytes: Int?
    /// Share of the time that is read at the present quality.
    private var share = ReadingShare()
    /// Thermal state according to the frames' coordinator; nil if it does not report one.
    private var thermalState: ThermalState?

    /// Creates a reader without loading it; its conditions are requested with every reading and frame.
    ///
    /// `control`: its window's target names the reader. `batteryPercentPer30Minutes`: battery use of half an hour at a
    /// given share of reading time, nil if unknown. `giveBack` makes the allocator return the memory of a released
    /// reader. `load` loads a quality, with all parts that its first use would otherwise load.
    public init<C: Clock>(
        control: QualityControl,
        clock: C = ContinuousClock(),
        conditions: @escaping @Sendable () -> DeviceConditions,
        batteryPercentPer30Minutes: @escaping @Sendable (_ share: Double) -> Double? = { _ in nil },
        residentBytes: @escaping @Sendable () -> Int? = { AdaptiveReader.residentBytes() },
        giveBack: @escaping @Sendable () -> Void = {},
        log: @escaping @Sendable (Duration, Event) -> Void = { _, _ in },
        load: @escaping @Sendable (ReadingQuality) throws -> any SpineTextReader
    ) where C.Duration == Duration {
        (self.control, self.conditions, self.log) = (control, conditions, log)
        (self.residentBytes, self.giveBack, loadReader) = (residentBytes, giveBack, load)
        self.batteryPercentPer30Minutes = batteryPercentPer30Minutes
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Returns this process's memory, on Apple's systems what counts against an app's limit; nil when it cannot be read.
    public static func residentBytes() -> Int? {
        #if canImport(Darwin)
        return ProcessMemory.current()?.footprint?.bytes
        #else
        return ProcessMemory.current()?.resident?.bytes
        #endif
    }

    /// Checks the device's conditions and unloads or reloads the reader accordingly.
    ///
    /// - Parameter state: the device's heat beside that of its conditions; the warmer one counts; nil leaves it as it
    ///   was.
    /// - Throws: when a reader cannot be loaded.
    /// - Returns: whether a reader is loaded now, and the minimum interval between its readings.
    public func prepare(_ state: ThermalState? = nil) throws -> (isLoaded: Bool, minimumInterval: Duration?) {
        thermalState = state ?? thermalState
        try follow(control.note(under: deviceConditions, at: now()))
        if let quality = control.ladder.quality { try load(quality) }
        return (control.ladder.quality != nil, control.ladder.minimumInterval)
    }

    /// Reads a spine, and adapts the quality to the duration.
    ///
    /// - Throws: the errors of loading or reading.
    /// - Returns: nil when the reader is unloaded.
    public func read(_ image: RasterImage) throws -> Result? {
        if control.ladder.quality == nil { _ = try prepare() }
        guard let quality = control.ladder.quality else { return nil }
        let reader = try load(quality)
        let start = now()
        let reading = try reader.read(image)
        let time = now()
        let metrics = InferenceMetrics(
            time: time,
            latency: time - start,
            memoryBytes: unloadedBytes.flatMap { before in residentBytes().map { max(0, $0 - before) } },
            batteryPercentPer30Minutes: batteryPercentPer30Minutes(share.add(time - start, endingAt: time))
        )
        try follow(control.note(metrics, under: deviceConditions, at: time))
        return Result(reading: reading, duration: time - start, quality: quality)
    }

    /// Conditions of the device with the warmer of the two thermal states.
    private var deviceConditions: DeviceConditions {
        var conditions = conditions()
        if let thermalState, thermalState.frequencyShare < conditions.thermalState.frequencyShare {
            conditions.thermalState = thermalState
        }
        return conditions
    }

    private func follow(_ actions: [DegradationLadder.Action]) throws {
        let time = now()
        for change in control.changes { log(time, .alert(change)) }
        for action in actions {
            log(time, .action(action))
            switch action {
            case .switchTo(let quality, _), .recover(let quality):
                share = ReadingShare()
                try load(quality)
            case .unload: unload()
            case .log, .setFrequency: break
            }
        }
    }

    /// Returns the reader at a quality; one at another is unloaded first, as both at a time would be the peak.
    @discardableResult private func load(_ quality: ReadingQuality) throws -> any SpineTextReader {
        if let loaded, loaded.quality == quality { return loaded.reader }
        unload()
        if let bytes = bytes[quality], bytes >= ModelBudget.memoryBytes {
            throw OverBudget(name: control.window.target.name, bytes: bytes)
        }
        let (before, start) = (residentBytes(), now())
        unloadedBytes = unloadedBytes ?? before
        let reader = try loadReader(quality)
        let end = now()
        let growth = before.flatMap { before in residentBytes().map { max(0, $0 - before) } }
        bytes[quality] = growth ?? bytes[quality]
        loaded = (reader, quality)
        log(end, .load(quality: quality, duration: end - start, memoryBytes: growth))
        return reader
    }

    private func unload() {
        guard loaded != nil else { return }
        loaded = nil
        giveBack()
    }
}

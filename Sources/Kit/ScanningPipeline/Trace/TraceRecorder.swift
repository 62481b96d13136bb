import BookCatalogue
public import Foundation
public import ScanningPolicies

/// Records the state of a device while it scans, one JSON object a line, for use elsewhere.
///
/// A header, then a record of each reading, a sample every few seconds, and the results of a session's frames. The
/// file does not contain the text that was read. A failed write ends the recording, never the scanning.
public actor TraceRecorder {
    /// The state of a device at a moment.
    public struct Conditions: Sendable, Equatable {
        /// Thermal state of the device.
        public var thermalState: ThermalState
        /// 0…1; nil when it is not known.
        public var batteryLevel: Double?
        /// Memory of the app in bytes; nil if unknown.
        public var memoryBytes: Int?

        /// Creates conditions from a device's values.
        public init(thermalState: ThermalState, batteryLevel: Double? = nil, memoryBytes: Int? = nil) {
            self.thermalState = thermalState
            self.batteryLevel = batteryLevel
            self.memoryBytes = memoryBytes
        }
    }

    private struct Header: Encodable {
        var format = "spinebench-trace/1"
        var device: String
        var system: String
        var app: String
    }

    private struct Record: Encodable {
        var record: String
        var time = 0.0
        var tier: String?
        var milliseconds: Double?
        var stages: [String: Double]?
        var frames: [FrameFate: Int]?
        var thermalState = ThermalState.unknown
        var batteryLevel: Double?
        var memoryBytes: Int?
    }

    /// Reason why recording has ended; nil while it continues.
    public private(set) var problem: String?
    /// Time since the recording began.
    public nonisolated let elapsed: @Sendable () -> Duration
    private let sampleInterval: Duration
    private let conditions: @Sendable () async -> Conditions
    private let write: @Sendable (Data) throws -> Void
    private let encoder = JSONEncoder()
    private let header: Header
    private var hasHeader = false
    private var lastRecord: Duration?

    /// Creates a recording of a device ("iPhone16,1") with its system ("iOS 26.1"); `write` takes a line with its
    /// end.
    public init<C: Clock>(
        device: String,
        system: String,
        app: String,
        sampleInterval: Duration = .seconds(10),
        clock: C = ContinuousClock(),
        conditions: @escaping @Sendable () async -> Conditions,
        write: @escaping @Sendable (Data) throws -> Void
    ) where C.Duration == Duration {
        let began = clock.now
        elapsed = { began.duration(to: clock.now) }
        header = Header(device: device, system: system, app: app)
        self.sampleInterval = sampleInterval
        self.conditions = conditions
        self.write = write
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Notes a reading.
    public func noteReading(tier: String, latency: Duration, stages: [String: Duration]) async {
        let milliseconds = { (duration: Duration) in Self.rounded(duration / .milliseconds(1)) }
        await note(
            Record(
                record: "reading",
                tier: tier,
                milliseconds: milliseconds(latency),
                stages: stages.mapValues(milliseconds)
            )
        )
    }

    /// Records the results of all frames so far.
    public func note(_ figures: LiveFigures) async { await note(Record(record: "frames", frames: figures.frames)) }

    /// Records the device's present state, unless that was recorded a moment ago.
    public func sampleIfDue() async {
        if let lastRecord, elapsed() - lastRecord < sampleInterval { return }
        await note(Record(record: "sample"))
    }

    private func note(_ record: Record) async {
        guard problem == nil else { return }
        var record = record
        let conditions = await conditions()
        // Read here, because other records may have been written during the sampling, and lines are in the order of
        // time.
        let time = elapsed()
        lastRecord = time
        record.time = Self.rounded(time / .seconds(1))
        record.thermalState = conditions.thermalState
        (record.batteryLevel, record.memoryBytes) = (conditions.batteryLevel, conditions.memoryBytes)
        do {
            if !hasHeader { try write(try encoder.encode(header) + [0x0A]) }
            hasHeader = true
            try write(try encoder.encode(record) + [0x0A])
        } catch {
            problem = "\(error)"
        }
    }

    private static func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}

extension TraceRecorder {
    /// Records a finished scan under the tier whose targets hold for its strategy.
    func note(_ scan: PhotoScan, latency: Duration) async {
        let tier =
            switch scan.strategy {
            case .talariaOnly: "upload"
            case .hybrid: "hybrid"
            case .visionFallback: "vision-fallback"
            case .onDeviceOnly: "on-device"
            }
        let timings: [(String, Duration?)] = [
            ("preparation", scan.timings.preparation), ("reading", scan.timings.reading),
            ("matching", scan.timings.matching), ("enrichment", scan.timings.enrichment),
            ("upload", scan.timings.upload),
        ]
        let stages = timings.compactMap { name, time in time.map { (name, $0) } }
        await noteReading(tier: tier, latency: latency, stages: Dictionary(stages, uniquingKeysWith: { $1 }))
    }

    /// Notes the text of a frame, new or not, as the reader's own tier; nothing when none was read.
    func noteReading(of scan: PhotoScan) async {
        guard let reading = scan.timings.reading, let tier = scan.path.first else { return }
        await noteReading(tier: tier.rawValue, latency: reading, stages: ["reading": reading])
    }
}

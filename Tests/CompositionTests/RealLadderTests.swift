import Composition
import Foundation
import Imaging
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import Synchronization
import TestSupport
import Testing
import TextRecognition

/// The ladder of 'scan --adaptive' under faults, on the real readers and in real time (E-15); AdaptiveReaderTests has
/// each step by a manual clock.
@Suite(
    .inTurns,
    .serialized,
    .enabled(if: ReadingSettings.accurate.problem == nil, "the models are not there: run 'make setup'")
)
struct RealLadderTests {
    /// Faults of a device.
    struct Fault: Sendable {
        /// Whether every reading takes twice the target longer.
        var isSlow = false
        var thermalState = ThermalState.nominal
        var hasMemoryWarning = false
        var batteryPercentPer30Minutes: Double?
    }

    /// Inferences of the window: as many as a P95 takes.
    private static let inferences = 20

    @Test(arguments: [
        Fault(isSlow: true), Fault(thermalState: .critical), Fault(hasMemoryWarning: true),
        Fault(batteryPercentPer30Minutes: 16),
    ])
    func aFaultLowersTheQualityOrThePaceAndBothComeBack(fault: Fault) async throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Datasets/spines-1/images").standardizedFileURL
            .path
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).min())
        let image = try ImageCodec.decode(contentsOf: "\(path)/\(name)").image
        let now = Mutex(Fault())
        let reader = try Self.reader(conditions: { now.withLock(\.self) }, target: 3 * Self.milliseconds(of: image))

        /// Reads until something is so, or for three minutes.
        func read(until isDone: () async -> Bool) async throws -> Bool {
            let end = ContinuousClock.now + .seconds(180)
            while ContinuousClock.now < end {
                if try await reader.prepare(now.withLock(\.thermalState)).isLoaded { _ = try await reader.read(image) }
                if await isDone() { return true }
                try await Task.sleep(for: .milliseconds(10))
            }
            return false
        }
        func isAtItsBest() async -> Bool {
            let ladder = await reader.control.ladder
            return ladder.quality == .high && ladder.frequencyShare == 1
        }
        var count = 0
        let isSteady = try await read {
            count += 1
            return count == Self.inferences
        }
        try #require(isSteady)
        #expect(await isAtItsBest())
        now.withLock { $0 = fault }
        let reacts = try await read { await !isAtItsBest() }
        #expect(reacts)
        now.withLock { $0 = Fault() }
        let recovers = try await read(until: isAtItsBest)
        #expect(recovers)
    }

    /// The longest of a few readings at the best quality.
    private static func milliseconds(of image: RasterImage) throws -> Double {
        let reader = try ReadingSettings(.high).load()
        try reader.prepare()
        let times = try (0..<4).map { _ in
            try ContinuousClock().measure { _ = try reader.scanner.reader.read(image) } / .milliseconds(1)
        }
        return times.max() ?? 0
    }

    private static func reader(
        conditions: @escaping @Sendable () -> Fault,
        target milliseconds: Double
    ) -> AdaptiveReader {
        let manager = ModelManager<any SpineTextReader>(
            [
                .init(name: "reader", isCritical: true, memoryBytes: 300_000_000) { quality in
                    let reader = try ReadingSettings(quality).load()
                    try reader.prepare()
                    return SlowedReader(base: reader.scanner.reader) { conditions().isSlow ? 2 * milliseconds : 0 }
                }
            ],
            giveBack: OpenVINOEngine.giveBackMemory
        )
        var target = ModelTarget.tiers[1]
        (target.name, target.p95Milliseconds, target.memoryBytes) = ("reader", milliseconds, 2_000_000_000)
        var ladder = DegradationLadder.Settings.scanning(best: .high)
        ladder.quiet = .seconds(1)
        return AdaptiveReader(
            "reader",
            of: manager,
            control: QualityControl(
                window: PerformanceWindow(target: target, limits: .init(count: inferences)),
                ladder: DegradationLadder(ladder)
            ),
            conditions: { DeviceConditions(hasMemoryWarning: conditions().hasMemoryWarning) },
            batteryPercentPer30Minutes: { _ in conditions().batteryPercentPer30Minutes },
            log: { _, _ in }
        )
    }
}

/// A reader that takes longer than it needs.
private struct SlowedReader: SpineTextReader {
    var base: any SpineTextReader
    var milliseconds: @Sendable () -> Double

    func read(_ image: RasterImage) throws -> SpineReading {
        Thread.sleep(forTimeInterval: milliseconds() / 1_000)
        return try base.read(image)
    }
}

import Basics
import Foundation
import Imaging
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import SpineDatasets
import SpineReaders
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import Systems

/// The ladder of 'scan --adaptive' under faults, on the real readers and in real time (E-15), with settings that take seconds: a
/// quiet second for 30, windows of 20 inferences for 100, 2 GB for 200 MB, and a target of three readings; AdaptiveReaderTests has
/// each step by a manual clock.
@Suite(.inTurns, .serialized) struct LadderTests {
    /// Faults of a device.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether every reading takes twice the target longer.
        var isSlow = false
        var thermalState = ThermalState.nominal
        var hasMemoryWarning = false
        var batteryPercentPer30Minutes: Double?

        static let none = Fault(testDescription: "none")
        static let all = [
            Fault(testDescription: "slow readings", isSlow: true),
            Fault(testDescription: "critical heat", thermalState: .critical),
            Fault(testDescription: "memory warning", hasMemoryWarning: true),
            Fault(testDescription: "battery drain", batteryPercentPer30Minutes: 16),
        ]
    }

    private struct Late: Error, CustomStringConvertible { var description: String }

    /// Time limit of each step.
    private let seconds = 180.0

    /// Inferences of the window: as many as a P95 takes.
    private static let inferences = 20

    @Test(.measured, arguments: Fault.all) func qualityOrPaceFallsAndReturns(_ fault: Fault) async throws {
        let dataset = Project.folder.appending(path: "Datasets/spines-1").path
        let sample = try #require(try DatasetLoader().load(dataset).samples.first)
        let image = try ImageCodec.decode(contentsOf: "\(dataset)/\(sample.image)").image
        try await play(fault, image, 3 * (try Self.milliseconds(of: image)))
    }

    private func play(_ fault: Fault, _ image: RasterImage, _ target: Double) async throws {
        let now = Mutex(Fault.none)
        let reader = Self.reader(conditions: { now.withLock(\.self) }, target: target)

        /// Reads until a condition holds; returns the seconds that it took.
        func read(_ step: String, until isDone: () async -> Bool) async throws -> Double {
            let start = ContinuousClock.now
            while start.duration(to: .now) < .seconds(seconds) {
                if try await reader.prepare(now.withLock(\.thermalState)).isLoaded { _ = try await reader.read(image) }
                if await isDone() { return start.duration(to: .now) / .seconds(1) }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw Late(description: "\(fault.testDescription): \(step) did not happen within \(seconds) s")
        }
        func isAtItsBest() async -> Bool {
            let ladder = await reader.control.ladder
            return ladder.quality == .high && ladder.frequencyShare == 1
        }
        var count = 0
        _ = try await read("a steady state") {
            count += 1
            return count >= Self.inferences
        }
        try #require(await isAtItsBest(), "quality fell before the fault")
        now.withLock { $0 = fault }
        let reaction = try await read("a reaction") { await !isAtItsBest() }
        now.withLock { $0 = .none }
        let recovery = try await read("a recovery", until: isAtItsBest)
        print(
            "\(fault.testDescription): reaction \(NumberText.fixed(reaction, 2)) s, recovery \(NumberText.fixed(recovery, 2)) s"
        )
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
        var target = ModelTarget.tiers[1]
        (target.name, target.p95Milliseconds, target.memoryBytes) = ("reader", milliseconds, 2_000_000_000)
        var ladder = DegradationLadder.Settings.scanning(best: .high)
        ladder.quiet = .seconds(1)
        return AdaptiveReader(
            control: QualityControl(
                window: PerformanceWindow(target: target, limits: .init(count: inferences)),
                ladder: DegradationLadder(ladder)
            ),
            conditions: { DeviceConditions(hasMemoryWarning: conditions().hasMemoryWarning) },
            batteryPercentPer30Minutes: { _ in conditions().batteryPercentPer30Minutes },
            giveBack: OpenVINOEngine.giveBackMemory,
            load: { quality in
                let reader = try ReadingSettings(quality).load()
                try reader.prepare()
                return SlowedReader(base: reader.scanner.reader) { conditions().isSlow ? 2 * milliseconds : 0 }
            }
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

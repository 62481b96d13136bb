import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline

/// A phone whose readers take 100, 40 and 25 ms by quality, times a factor.
private final class Phone: Sendable {
    struct State {
        var factor = 1.0
        var conditions = DeviceConditions()
        var live = 0
        var isBroken = false
        var log: [String] = []
    }

    let state = Mutex(State())
    let clock = ManualClock()
    struct Broken: Error {}

    final class Reader: SpineTextReader {
        private let phone: Phone
        private let milliseconds: Double

        init(_ quality: ReadingQuality, on phone: Phone) {
            self.phone = phone
            milliseconds =
                switch quality {
                case .high: 100
                case .medium: 40
                case .low: 25
                }
            phone.state.withLock { $0.live += 1 }
        }

        deinit { phone.state.withLock { $0.live -= 1 } }

        func read(_ image: RasterImage) throws -> SpineReading {
            phone.clock.advance(by: .milliseconds(milliseconds * phone.state.withLock { $0.factor }))
            return SpineReading(lines: [], orientation: nil, timings: StageTimings())
        }
    }

    func reader(best: ReadingQuality = .high) -> AdaptiveReader {
        let manager = ModelManager<any SpineTextReader>(
            [
                .init(name: "accurate", isCritical: true, memoryBytes: 1) { [self] quality in
                    if state.withLock({ $0.isBroken }) { throw Broken() }
                    return Reader(quality, on: self)
                }
            ],
            clock: clock
        )
        return AdaptiveReader(
            "accurate",
            of: manager,
            control: QualityControl(
                window: PerformanceWindow(target: target),
                ladder: DegradationLadder(.init(best: best))
            ),
            clock: clock,
            conditions: { [self] in state.withLock { $0.conditions } },
            log: { [self] _, event in
                let text: String? =
                    switch event {
                    case .action(.switchTo(let quality, let reason)): "to \(quality.rawValue): \(reason.rawValue)"
                    case .action(.unload(let reason)): "off: \(reason.rawValue)"
                    case .action(.recover(let quality)): "back to \(quality.rawValue)"
                    case .action(.log(let alert)) where alert.kind == .latency: alert.severity.rawValue
                    default: nil
                    }
                state.withLock { $0.log += [text].compactMap(\.self) }
            }
        )
    }

    /// The process's memory is that of the tests, and irrelevant here.
    private var target: ModelTarget {
        var target = ModelTarget.tiers[1]
        target.memoryBytes = .max
        return target
    }

    /// Returns frames for so long, 30 a second.
    func scan(_ seconds: Int, with reader: AdaptiveReader) async throws -> Int {
        let end = clock.now.advanced(by: .seconds(seconds))
        var readings = 0
        while clock.now < end {
            clock.advance(by: .milliseconds(33))
            guard try await reader.prepare().isLoaded else { continue }
            if try await reader.read(RasterImage(width: 1, height: 1, channels: 1, pixels: [0])) != nil {
                readings += 1
            }
        }
        return readings
    }
}

@Suite struct AdaptiveReaderTests {
    @Test func aSlowDownGoesFromLogOverDegradeToUnloadAndTheReaderComesBack() async throws {
        let phone = Phone()
        let reader = phone.reader()
        _ = try await phone.scan(10, with: reader)
        #expect(phone.state.withLock { $0.log }.isEmpty && phone.state.withLock { $0.live } == 1)
        // 2000, 800 and 500 ms against 150.
        phone.state.withLock { $0.factor = 20 }
        while await reader.control.ladder.quality != nil { _ = try await phone.scan(1, with: reader) }
        #expect(phone.state.withLock { $0.live } == 0)
        phone.state.withLock { $0.factor = 1 }
        _ = try await phone.scan(120, with: reader)
        let log = phone.state.withLock { $0.log }
        #expect(
            log == [
                "critical", "to medium: latency", "critical", "to low: latency", "critical", "off: latency",
                "back to low", "back to medium", "back to high",
            ]
        )
        #expect(phone.state.withLock { $0.live } == 1)
    }

    @Test func aMemoryWarningUnloadsItAndNothingIsReadMeanwhile() async throws {
        let phone = Phone()
        let reader = phone.reader()
        _ = try await phone.scan(1, with: reader)
        phone.state.withLock { $0.conditions.hasMemoryWarning = true }
        #expect(try await phone.scan(5, with: reader) == 0)
        #expect(phone.state.withLock { $0.live } == 0)
        #expect(try await reader.read(RasterImage(width: 1, height: 1, channels: 1, pixels: [0])) == nil)
        phone.state.withLock { $0.conditions.hasMemoryWarning = false }
        #expect(try await phone.scan(29, with: reader) == 0)
        #expect(try await phone.scan(3, with: reader) > 0)
        #expect(phone.state.withLock { $0.log } == ["off: memory-warning", "back to low"])
    }

    @Test func whatItSaysOfTheIntervalGoesWithTheHeat() async throws {
        let phone = Phone()
        let reader = phone.reader(best: .medium)
        #expect(try await reader.prepare().minimumInterval == nil)
        phone.state.withLock { $0.conditions.thermalState = .serious }
        #expect(try await reader.prepare().minimumInterval == .milliseconds(300))
        #expect(await reader.control.ladder.quality == .medium)
    }

    @Test func aReaderThatCannotBeLoadedIsAnError() async throws {
        let phone = Phone()
        phone.state.withLock { $0.isBroken = true }
        let reader = phone.reader()
        await #expect(throws: Phone.Broken.self) { try await reader.prepare() }
        phone.state.withLock { $0.isBroken = false }
        #expect(try await reader.prepare().isLoaded)
    }
}

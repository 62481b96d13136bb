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
        var mostLive = 0
        /// Memory of the process, and of a reader of high quality.
        var bytes = 50_000_000
        var readerBytes = 100_000_000
        var givenBack = 0
        var isBroken = false
        var log: [String] = []
        var loads: [AdaptiveReader.Event] = []
    }

    let state = Mutex(State())
    let clock = ManualClock()
    struct Broken: Error {}

    final class Reader: SpineTextReader {
        private let phone: Phone
        private let milliseconds: Double
        private let bytes: Int

        init(_ quality: ReadingQuality, on phone: Phone) {
            self.phone = phone
            milliseconds =
                switch quality {
                case .high: 100
                case .medium: 40
                case .low: 25
                }
            phone.clock.advance(by: .milliseconds(700))
            bytes = phone.state.withLock { quality == .high ? $0.readerBytes : $0.readerBytes / 2 }
            phone.state.withLock { [bytes] in
                $0.bytes += bytes
                $0.live += 1
                $0.mostLive = max($0.mostLive, $0.live)
            }
        }

        deinit {
            phone.state.withLock { [bytes] in
                $0.bytes -= bytes
                $0.live -= 1
            }
        }

        func read(_ image: RasterImage) throws -> SpineReading {
            phone.clock.advance(by: .milliseconds(milliseconds * phone.state.withLock { $0.factor }))
            return SpineReading(lines: [], orientation: nil, timings: StageTimings())
        }
    }

    func reader(best: ReadingQuality = .high) -> AdaptiveReader {
        AdaptiveReader(
            control: QualityControl(
                window: PerformanceWindow(target: ModelTarget.tiers[1]),
                ladder: DegradationLadder(.init(best: best))
            ),
            clock: clock,
            conditions: { [self] in state.withLock { $0.conditions } },
            residentBytes: { [self] in state.withLock { $0.bytes } },
            giveBack: { [self] in state.withLock { $0.givenBack += 1 } },
            log: { [self] _, event in
                let text: String? =
                    switch event {
                    case .action(.switchTo(let quality, let reason)): "to \(quality.rawValue): \(reason.rawValue)"
                    case .action(.unload(let reason)): "off: \(reason.rawValue)"
                    case .action(.recover(let quality)): "back to \(quality.rawValue)"
                    case .action(.log(let alert)) where alert.kind == .latency: alert.severity.rawValue
                    default: nil
                    }
                state.withLock {
                    $0.log += [text].compactMap(\.self)
                    if case .load = event { $0.loads.append(event) }
                }
            },
            load: { [self] quality in
                if state.withLock({ $0.isBroken }) { throw Broken() }
                return Reader(quality, on: self)
            }
        )
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
        _ = try await phone.scan(60, with: reader)
        #expect(
            phone.state.withLock { $0.log } == ["off: memory-warning", "back to low", "back to medium", "back to high"]
        )
    }

    @Test func whatItSaysOfTheIntervalGoesWithTheHeat() async throws {
        let phone = Phone()
        let reader = phone.reader(best: .medium)
        #expect(try await reader.prepare().minimumInterval == nil)
        phone.state.withLock { $0.conditions.thermalState = .serious }
        #expect(try await reader.prepare().minimumInterval == .milliseconds(300))
        #expect(await reader.control.ladder.quality == .medium)
    }

    @Test func aReaderThatCannotBeLoadedIsAnErrorAndLeavesNothingBehind() async throws {
        let phone = Phone()
        phone.state.withLock { $0.isBroken = true }
        let reader = phone.reader()
        for _ in 0..<2 { await #expect(throws: Phone.Broken.self) { try await reader.prepare() } }
        #expect(phone.state.withLock { $0.loads.isEmpty && $0.live == 0 })
        phone.state.withLock { $0.isBroken = false }
        #expect(try await reader.prepare().isLoaded)
    }

    @Test func aReaderIsLoadedOnceAndMeasured() async throws {
        let phone = Phone()
        let reader = phone.reader()
        for _ in 0..<2 { #expect(try await reader.prepare().isLoaded) }
        #expect(
            phone.state.withLock { $0.loads }
                == [.load(quality: .high, duration: .milliseconds(700), memoryBytes: 100_000_000)]
        )
        #expect(phone.state.withLock { $0.live } == 1)
    }

    /// S3-28: low-power mode and back, and a memory warning.
    @Test func atAnotherQualityTheOldOneGoesBeforeTheNewOneComesAndItsMemoryIsFree() async throws {
        let phone = Phone()
        let reader = phone.reader()
        for isLowPower in [false, true, false] {
            phone.state.withLock { $0.conditions.isLowPower = isLowPower }
            phone.clock.advance(by: .seconds(31))
            _ = try await reader.prepare()
        }
        #expect(phone.state.withLock { $0.mostLive == 1 && $0.givenBack == 2 && $0.bytes == 150_000_000 })
        phone.state.withLock { $0.conditions.hasMemoryWarning = true }
        for _ in 0..<2 { _ = try await reader.prepare() }
        #expect(phone.state.withLock { $0.live == 0 && $0.givenBack == 3 && $0.bytes == 50_000_000 })
    }

    /// S3-04: 500 MB for all models.
    @Test(arguments: [(499_999_999, true), (500_000_000, false)])
    func aReaderThatTookTooMuchIsNotLoadedAgain(bytes: Int, isLoaded: Bool) async throws {
        let phone = Phone()
        phone.state.withLock { $0.readerBytes = bytes }
        let reader = phone.reader()
        _ = try await reader.prepare()
        phone.state.withLock { $0.conditions.hasMemoryWarning = true }
        _ = try await reader.prepare()
        phone.state.withLock { $0.conditions.hasMemoryWarning = false }
        func comeBack() async throws -> ReadingQuality? {
            for _ in 0..<3 {
                phone.clock.advance(by: .seconds(31))
                _ = try await reader.prepare()
            }
            return await reader.control.ladder.quality
        }
        if isLoaded {
            #expect(try await comeBack() == .high)
        } else {
            let problem = AdaptiveReader.OverBudget(name: "accurate", bytes: bytes)
            await #expect(throws: problem) { try await comeBack() }
        }
    }
}

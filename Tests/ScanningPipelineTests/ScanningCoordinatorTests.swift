import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline
@testable import Talaria

@Suite struct ScanningCoordinatorTests {
    /// A line of print, and a bare wall.
    private static let spine = TextFixture.line(onWidth: 480, height: 360)
    private static let wall = RasterImage(width: 480, height: 360, channels: 1, filledWith: 128)

    private func frame(_ number: Int = 0) -> Frame {
        Frame(number: number, time: .milliseconds(33 * number), image: Self.spine)
    }

    @Test func theCheapestReasonComesFirst() async throws {
        let stage = try Stage(.talariaOnly)
        stage.backEnd.rateLimit = RateLimitState(endpoint: .upload, remaining: .seconds(7))
        let looks = Mutex(0)
        let coordinator = ScanningCoordinator(
            session: stage.session,
            thermalState: {
                looks.withLock { $0 += 1 }
                return .critical
            }
        )
        await coordinator.pause()
        #expect(try await coordinator.process(frame()) == .skipFrame(.paused))
        await coordinator.resume()
        #expect(try await coordinator.process(frame()) == .skipFrame(.shutterClosed))
        // Neither of them has asked how warm the device is.
        #expect(looks.withLock { $0 } == 0)
        stage.backEnd.rateLimit = nil
        #expect(try await coordinator.process(frame()) == .skipFrame(.thermal))
        #expect(looks.withLock { $0 } == 1)
        let counts = await coordinator.counts
        #expect(counts.filter { $0.value > 0 } == [.paused: 1, .shutterClosed: 1, .thermal: 1])
    }

    @Test func everyArrivingFrameCountsWhenTheDeviceIsWarm() async throws {
        let stage = try Stage(.onDeviceOnly)
        let coordinator = ScanningCoordinator(session: stage.session, thermalState: { .serious })
        for number in 0..<9 { _ = try await coordinator.process(frame(number)) }
        // Frames 3, 6 and 9 of nine.
        #expect(stage.reader.count == 3)
        #expect(await coordinator.counts[.thermal] == 6)
    }

    @Test func theSameSpineIsScannedOnce() async throws {
        let stage = try Stage(.onDeviceOnly)
        let coordinator = ScanningCoordinator(session: stage.session)
        #expect(try await coordinator.process(frame()) == .skipFrame(.sameSpine))
        // Two frames that agree are a scan.
        let scan = try #require(try await coordinator.process(frame(1)).scans.first)
        #expect(scan.status == .draft && scan.lines.count == 2 && scan.frame == 0)
        #expect(try await coordinator.process(frame(2)) == .skipFrame(.sameSpine))
        #expect(try stage.store.drafts().count == 1)
    }

    @Test func textThatIsNotThereIsNoScan() async throws {
        let stage = try Stage(.onDeviceOnly, lines: [])
        let coordinator = ScanningCoordinator(session: stage.session)
        #expect(try await coordinator.process(frame()) == .skipFrame(.noText))
    }

    @Test func aRunFinishesWhatItBegan() async throws {
        let stage = try Stage(.hybrid)
        let coordinator = ScanningCoordinator(session: stage.session)
        let clock = StepClock()
        let source = FrameSource(count: 3, framesPerSecond: 1_000, clock: clock) { _ in Self.spine }
        let finished = Mutex<[PhotoScan]>([])
        try await LiveScan(coordinator, of: source, clock: clock).run { scan in finished.withLock { $0.append(scan) } }
        let scans = finished.withLock { $0 }
        #expect(scans.map(\.status) == [.book] && scans[0].egress.bytesUp == [.text: 18])
        #expect(try stage.store.books().map(\.title) == ["Dune"] && stage.store.waitingScans().isEmpty)
    }

    /// Heat reported by its source, as an app's, or the coordinator's, as `scan --frames --heat` (S3-39).
    @Test(arguments: [false, true])
    func aWarmDeviceReadsLessOftenAndOneThatIsShortOfMemoryNotAtAll(_ isOfCoordinator: Bool) async throws {
        let stage = try Stage(.onDeviceOnly)
        let reader = stage.reader
        let conditions = Mutex(DeviceConditions())
        let heat = Mutex(ThermalState.nominal)
        let adaptive = AdaptiveReader(
            control: QualityControl(window: PerformanceWindow(target: ModelTarget.tiers[0])),
            conditions: { conditions.withLock { $0 } },
            load: { _ in reader }
        )
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(adaptive),
            matcher: stage.session.matcher,
            backEnd: nil,
            store: stage.store,
            ledger: stage.ledger,
            deviceID: UUID()
        )
        let coordinator = ScanningCoordinator(
            session: session,
            thermalPolicy: .none,
            thermalState: { heat.withLock { $0 } }
        )
        #expect(try await coordinator.process(frame()) == .skipFrame(.sameSpine))
        // Two frames that agree are a scan.
        let scan = try #require(try await coordinator.process(frame(1)).scans.first)
        // The highest quality is that of the accurate tier.
        #expect(scan.path == [.accurate])
        func warm(_ state: ThermalState) {
            if isOfCoordinator { heat.withLock { $0 = state } } else { conditions.withLock { $0.thermalState = state } }
        }
        warm(.serious)
        // 300 ms apart: frame 10 is due 297 ms after the last, frame 11 after 330.
        #expect(try await coordinator.process(frame(10)) == .skipFrame(.tooSoon))
        #expect(try await coordinator.process(frame(11)) == .skipFrame(.sameSpine))
        conditions.withLock { $0.hasMemoryWarning = true }
        #expect(try await coordinator.process(frame(20)) == .skipFrame(.noReader))
        conditions.withLock { $0.hasMemoryWarning = false }
        warm(.critical)
        #expect(try await coordinator.process(frame(30)) == .skipFrame(.noReader))
        let counts = await coordinator.counts
        #expect(counts[.noReader] == 2 && counts[.tooSoon] == 1 && counts[.scanned] == 1 && counts[.sameSpine] == 2)
        await #expect(throws: ScanningError.readerUnloaded) {
            try await session.scan(photo: ImageCodec.encodePNG(Self.wall), name: "photo")
        }
    }

    /// A spine is held, and another one before something else after that.
    @Test(arguments: [ScanStrategy.talariaOnly, .visionFallback])
    func aPictureIsSentOncePerSpine(strategy: ScanStrategy) async throws {
        let stage = try Stage(strategy)
        let coordinator = ScanningCoordinator(session: stage.session)
        let other = TextFixture.line(onWidth: 480, height: 360).rotated(.half)
        var sent: [Int] = []
        for number in 0..<60 {
            let image = number < 30 ? Self.spine : other
            let frame = Frame(number: number, time: .milliseconds(33 * number), image: image)
            guard let scan = try await coordinator.process(frame).scans.first else { continue }
            sent.append(number)
            let done = try await stage.session.finish(scan, frame: frame)
            #expect(done.status == .book && stage.backEnd.questions.last == .picture(scan.id))
        }
        // The second frame of each shows that the camera rests. From that of the other, frame 31 at 1,023 ms, the
        // first is missing; 300 ms later it is lost: frame 41, at 1,353 ms.
        #expect(sent == [1, 41])
    }

    // MARK: Readings that differ

    /// Returns frames of a camera at thirty frames a second, one picture per text; a text beginning with "-" has
    /// moved the camera.
    private func scans(
        _ texts: [String],
        every step: Int = 1,
        local: Double? = 0.95,
        picture: (Int) -> RasterImage = { _ in spine }
    ) async throws -> (scans: [[String]], stage: Stage) {
        let stage = try Stage(
            .onDeviceOnly,
            texts: texts.map { $0.isEmpty ? [] : $0.components(separatedBy: " / ") },
            local: local.map { ("Dune", $0) }
        )
        let coordinator = ScanningCoordinator(session: stage.session)
        var scans: [PhotoScan] = []
        func note(_ scan: PhotoScan, _ frame: Frame) async throws {
            let scan = try await stage.session.finish(scan, frame: frame)
            scans.removeAll { $0.id == scan.id }
            scans.append(scan)
        }
        for number in texts.indices {
            let frame = Frame(number: number, time: .milliseconds(33 * step * number), image: picture(number))
            for scan in try await coordinator.process(frame).scans { try await note(scan, frame) }
        }
        for scan in try await coordinator.endView() { try await note(scan, frame()) }
        return (scans.map { $0.lines.map(\.text) }, stage)
    }

    /// Drafts of issue 30: "_", "C / C", "1 / 1".
    @Test func nothingIsDraftedOfNoise() async throws {
        let noise = ["_", "C / C", "1 / 1", "C / C", "IIIIIIIIIIII1", "the", "", "1 / 1", "1 / 1"]
        let found = try await scans(noise + noise + noise, local: nil)
        #expect(found.scans.isEmpty)
        #expect(try found.stage.store.drafts().isEmpty && found.stage.store.books().isEmpty)
    }

    @Test func aSpineThatIsReadBadlyFirstAndWellLaterIsOneScanOfTheBest() async throws {
        let bad = Array(repeating: "DXE / XXRBT", count: 10)
        let found = try await scans(bad + Array(repeating: "DUNE / FRANK HERBERT", count: 10), local: nil)
        #expect(found.scans == [["DUNE", "FRANK HERBERT"]])
        #expect(try found.stage.store.drafts().map(\.lines) == [["DUNE", "FRANK HERBERT"]])
    }

    /// The reader takes one, five, or thirty frames' time.
    @Test(arguments: [1, 5, 30]) func aSlowReaderMakesNoMoreScans(step: Int) async throws {
        let first = ["DUNX / HERBERT", "DUNE / FRANK HERBERT", "DUNE / FRANK HXRBERT", "DUNE / FRANK HERBERT"]
        let other = Array(repeating: "EMMA / JANE AUSTEN", count: 4)
        let image = TextFixture.line(onWidth: 480, height: 360).rotated(.half)
        let found = try await scans(first + other, every: step, local: nil) { $0 < 4 ? Self.spine : image }
        #expect(found.scans == [["DUNE", "FRANK HERBERT"], ["EMMA", "JANE AUSTEN"]])
    }
}

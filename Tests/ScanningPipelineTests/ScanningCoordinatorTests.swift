import Foundation
import ImageCodec
import LibraryStore
import Raster
import ScanningPolicies
import Synchronization
import TestSupport
import Testing
import TextRecognition

@testable import ScanningPipeline
@testable import Talaria

@Suite struct ScanningCoordinatorTests {
    /// A line of print, which the gate lets through, and a bare wall, which it does not.
    private static let spine = TextFixture.line(onWidth: 480, height: 360)
    private static let wall = RasterImage(width: 480, height: 360, channels: 1, filledWith: 128)

    /// A gate that lets all through, so that these tests do not hang on its model.
    private static let open = PresenceGate(threshold: 0)
    private static let closed = PresenceGate(threshold: 2)

    private func frame(_ number: Int = 0) -> Frame {
        Frame(number: number, time: .milliseconds(33 * number), image: Self.wall)
    }

    @Test func theCheapestReasonComesFirst() async throws {
        let stage = try Stage(.talariaOnly)
        stage.backEnd.rateLimit = RateLimitState(endpoint: .upload, remaining: .seconds(7))
        let looks = Mutex(0)
        let coordinator = ScanningCoordinator(
            session: stage.session,
            gate: Self.closed,
            thermalState: {
                looks.withLock { $0 += 1 }
                return .critical
            }
        )
        await coordinator.pause()
        #expect(try await coordinator.process(frame()) == .skipFrame(.paused))
        await coordinator.resume()
        #expect(try await coordinator.process(frame()) == .skipFrame(.shutterClosed(.seconds(7))))
        // Neither of them has asked how warm the device is.
        #expect(looks.withLock { $0 } == 0)
        stage.backEnd.rateLimit = nil
        #expect(try await coordinator.process(frame()) == .skipFrame(.tooHot))
        #expect(looks.withLock { $0 } == 1)
        let counts = await coordinator.counts
        #expect(counts.arrived == 3 && counts.paused == 1 && counts.shutterClosed == 1 && counts.thermal == 1)
    }

    @Test func withoutASpineNothingIsRead() async throws {
        let stage = try Stage(.hybrid)
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.closed)
        #expect(try await coordinator.process(frame()) == .skipFrame(.noSpine))
        #expect(stage.reader.count == 0)
    }

    @Test func everyArrivingFrameCountsWhenTheDeviceIsWarm() async throws {
        let stage = try Stage(.onDeviceOnly)
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.open, thermalState: { .serious })
        for number in 0..<9 { _ = try await coordinator.process(frame(number)) }
        // Frames 3, 6 and 9 of nine.
        #expect(stage.reader.count == 3)
        #expect(await coordinator.counts.thermal == 6)
    }

    @Test func theSameSpineIsScannedOnce() async throws {
        let stage = try Stage(.onDeviceOnly)
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.open)
        guard case .success(let scan) = try await coordinator.process(frame()) else {
            Issue.record("the first frame is news")
            return
        }
        #expect(scan.status == .draft && scan.lines.count == 2)
        #expect(try await coordinator.process(frame(1)) == .skipFrame(.sameSpine))
        #expect(try stage.store.drafts().count == 1)
    }

    @Test func textThatIsNotThereIsNoScan() async throws {
        let stage = try Stage(.onDeviceOnly, lines: [])
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.open)
        #expect(try await coordinator.process(frame()) == .skipFrame(.noText))
    }

    @Test func aRunFinishesWhatItBegan() async throws {
        let stage = try Stage(.hybrid)
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.open)
        let source = FrameSource(count: 3, settings: .init(framesPerSecond: 1_000), clock: StepClock()) { _ in
            Self.spine
        }
        await source.start()
        let finished = Mutex<[PhotoScan]>([])
        try await coordinator.run(source, finished: { scan in finished.withLock { $0.append(scan) } })
        let scans = finished.withLock { $0 }
        #expect(scans.map(\.status) == [.book] && scans[0].egress.bytesUp == [.text: 18])
        #expect(try stage.store.books().map(\.title) == ["Dune"] && stage.store.waitingScans().isEmpty)
    }

    /// Heat that its source tells, as an app's, or the coordinator's, as `scan --frames --heat` (S3-39).
    @Test(arguments: [false, true])
    func aWarmDeviceReadsLessOftenAndOneThatIsShortOfMemoryNotAtAll(_ isOfCoordinator: Bool) async throws {
        let stage = try Stage(.onDeviceOnly)
        let reader = stage.reader
        let (conditions, heat) = (Mutex(DeviceConditions()), Mutex(ThermalState.nominal))
        let adaptive = AdaptiveReader(
            "fast",
            of: ModelManager<any SpineTextReader>([
                .init(name: "fast", isCritical: true, memoryBytes: 1) { _ in reader }
            ]),
            control: QualityControl(window: PerformanceWindow(target: ModelTarget.tiers[0])),
            conditions: { conditions.withLock { $0 } }
        )
        let session = try ScanSession(
            strategy: .onDeviceOnly,
            reader: LocalReader(adaptive),
            matcher: nil,
            backEnd: nil,
            store: stage.store,
            ledger: stage.ledger,
            deviceID: UUID()
        )
        let coordinator = ScanningCoordinator(
            session: session,
            gate: Self.open,
            thermalPolicy: .none,
            thermalState: { heat.withLock { $0 } }
        )
        guard case .success(let scan) = try await coordinator.process(frame()) else {
            Issue.record("the first frame is news")
            return
        }
        // The highest quality is that of the accurate tier.
        #expect(scan.path == [.accurate])
        func warm(_ state: ThermalState) {
            if isOfCoordinator { heat.withLock { $0 = state } } else { conditions.withLock { $0.thermalState = state } }
        }
        warm(.serious)
        // 300 ms apart: frame 9 is due 297 ms after the first, frame 10 after 330.
        #expect(try await coordinator.process(frame(9)) == .skipFrame(.tooSoon))
        #expect(try await coordinator.process(frame(10)) == .skipFrame(.sameSpine))
        conditions.withLock { $0.hasMemoryWarning = true }
        #expect(try await coordinator.process(frame(20)) == .skipFrame(.noReader))
        conditions.withLock { $0.hasMemoryWarning = false }
        warm(.critical)
        #expect(try await coordinator.process(frame(30)) == .skipFrame(.noReader))
        let counts = await coordinator.counts
        #expect(counts.noReader == 2 && counts.tooSoon == 1 && counts.read == 2)
        await #expect(throws: ScanningError.readerUnloaded) {
            try await session.scan(photo: ImageCodec.encodePNG(Self.wall), name: "photo")
        }
    }

    @Test func aPictureIsSentOncePerSpine() async throws {
        let stage = try Stage(.talariaOnly)
        let coordinator = ScanningCoordinator(session: stage.session, gate: Self.open)
        guard case .success(let scan) = try await coordinator.process(frame()) else {
            Issue.record("the first frame is news")
            return
        }
        #expect(try await coordinator.process(frame(1)) == .skipFrame(.sameSpine))
        let done = try await stage.session.finish(scan, frame: frame())
        #expect(done.status == .book && stage.backEnd.questions == [.picture(scan.id)])
    }
}

import BookCatalogue
import Foundation
import Imaging
import ScanningPolicies
import Synchronization
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite struct LiveScanTests {
    private static let spine = TextFixture.line(onWidth: 480, height: 360)
    private static let wall = RasterImage(width: 480, height: 360, channels: 1, filledWith: 128)

    /// Returns a camera of ten frames a second.
    private static func camera(
        _ count: Int,
        _ clock: StepClock,
        picture: @escaping @Sendable (Int) -> RasterImage
    ) -> FrameSource<StepClock> {
        FrameSource(count: count, framesPerSecond: 10, clock: clock, picture: picture)
    }

    @Test func aCameraThatNobodyUsesPausesAndIsWoken() async throws {
        let (stage, clock) = (try Stage(.onDeviceOnly, lines: []), StepClock())
        let coordinator = ScanningCoordinator(session: stage.session)
        let scan = LiveScan(coordinator, of: Self.camera(400, clock) { _ in Self.wall }, clock: clock)
        try await scan.run()
        let figures = await scan.figures
        // Paused at 30 s, woken 2 s later; the last of 400 frames is due 39.9 s after the first, pauses left out.
        #expect(figures.pauses == 1 && figures.seconds == 41.9)
        #expect(figures.frames[.noText] == 400 && figures.seen == 400 && figures.read == 400)
        #expect(figures.books == 0 && figures.secondsToFirstBook == nil)
    }

    @Test func aSpineThatIsHeldIsOneBook() async throws {
        let texts = Array(repeating: [String](), count: 10) + [["DUNE", "FRANK HERBERT"]]
        let (stage, clock) = (try Stage(.hybrid, texts: texts), StepClock())
        let coordinator = ScanningCoordinator(session: stage.session)
        // Visible from the second second.
        let camera = Self.camera(30, clock) { $0 < 10 ? Self.wall : Self.spine }
        let scan = LiveScan(coordinator, of: camera, clock: clock)
        let names = Mutex<[String]>([])
        try await scan.run { found in names.withLock { $0.append(found.name) } }
        let figures = await scan.figures
        #expect(names.withLock { $0 } == ["frame 10"])
        #expect(figures.frames[.noText] == 10 && figures.frames[.scanned] == 1 && figures.frames[.sameSpine] == 19)
        #expect(figures.books == 1 && figures.drafts == 0)
        // The book may come while later frames are read.
        let first = try #require(figures.secondsToFirstBook)
        #expect(first >= 1 && first <= 2.9)
    }

    @Test func whatWasFoundBeforeItWasStoppedIsKept() async throws {
        let (stage, clock) = (try Stage(.onDeviceOnly), StepClock())
        let coordinator = ScanningCoordinator(session: stage.session)
        let scan = LiveScan(coordinator, of: Self.camera(.max, clock) { _ in Self.spine }, clock: clock)
        let (found, isFound) = AsyncStream<Void>.makeStream()
        let work = Task { try await scan.run { _ in isFound.yield() } }
        for await _ in found { break }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(try stage.store.books().map(\.title) == ["Dune"])
        #expect(await scan.figures.books == 1)
    }

    @Test func aGuideIsTheMiddleOfAFrameAlongIt() throws {
        var image = RasterImage(width: 30, height: 40, channels: 1)
        image.pixels = (0..<1_200).map { UInt8($0 % 30) }
        let frame = Frame(number: 0, time: .zero, image: image, guide: Guide(share: 0.3))
        // Nine of thirty columns, the eleventh to the nineteenth.
        #expect(
            frame.aimed.width == 9 && frame.aimed.height == 40
                && frame.aimed.pixels.prefix(9) == [10, 11, 12, 13, 14, 15, 16, 17, 18]
        )
        let level = Frame(number: 0, time: .zero, image: image.rotated(.clockwise), guide: Guide(share: 0.3))
        #expect(level.aimed.width == 40 && level.aimed.height == 9)
        #expect(Frame(number: 0, time: .zero, image: image).aimed == image)
    }

    @Test func readingsThatCostTooMuchRaiseAnAlert() async throws {
        let (stage, clock) = (try Stage(.onDeviceOnly), StepClock())
        // Any reading takes longer than the target.
        var target = ModelTarget.tiers[0]
        target.p95Milliseconds = 1e-9
        let monitor = PerformanceMonitor(targets: [target], clock: clock)
        let coordinator = ScanningCoordinator(session: stage.session, monitor: monitor)
        try await LiveScan(coordinator, of: Self.camera(40, clock) { _ in Self.spine }, clock: clock).run()
        #expect(await monitor.statistics(of: "fast")?.sampleCount == 40)
        #expect(await monitor.activeAlerts.contains { $0.kind == .latency && $0.severity == .critical })
    }
}

import Imaging
import TestSupport
import Testing

@testable import ScanningPipeline

@Suite struct FrameSourceTests {
    private static let picture = RasterImage(width: 2, height: 2, channels: 1)

    private func source(
        _ count: Int,
        _ framesPerSecond: Int,
        _ clock: ManualClock
    ) -> FrameSource<ManualClock> {
        FrameSource(count: count, framesPerSecond: framesPerSecond, clock: clock) { _ in Self.picture }
    }

    @Test(arguments: [30, 60])
    func framesComeAtAnEvenPace(_ pace: Int) async throws {
        let clock = ManualClock()
        let source = source(4, pace, clock)
        await source.start()
        for number in 0..<4 {
            // Whole nanoseconds, rounded down.
            let due = Duration.nanoseconds(number * 1_000_000_000 / pace)
            async let frame = source.nextFrame()
            if number > 0 { await clock.advance(whenSomebodySleeps: due - clock.now.offset) }
            #expect(try await frame?.number == number)
            #expect(clock.now.offset == due)
        }
        #expect(try await source.nextFrame() == nil)
        #expect(await source.state == .ended)
        #expect(await source.dropped == 0)
    }

    @Test func whatIsDueWhileNobodyAsksIsDropped() async throws {
        let clock = ManualClock()
        let source = source(100, 30, clock)
        await source.start()
        _ = try await source.nextFrame()
        // A tenth of a second of work is three frames of 30 a second: two are missed, and the third is given.
        clock.advance(by: .milliseconds(101))
        #expect(try await source.nextFrame()?.number == 3)
        #expect(await source.dropped == 2)
    }

    @Test func startAndStopMayBeRepeated() async throws {
        let clock = ManualClock()
        let source = source(10, 30, clock)
        #expect(try await source.nextFrame() == nil)
        await source.start()
        await source.start()
        #expect(try await source.nextFrame()?.number == 0)
        await source.stop()
        await source.stop()
        #expect(try await source.nextFrame() == nil)
        clock.advance(by: .seconds(60))
        await source.start()
        // Time while it was stopped is not the camera's.
        async let frame = source.nextFrame()
        #expect(try await frame?.number == 1)
        #expect(await source.dropped == 0)
    }

    @Test func afterThirtySecondsWithoutUseItPauses() async throws {
        let clock = ManualClock()
        let source = source(10_000, 1, clock)
        await source.start()
        var delivered = 0
        while true {
            clock.advance(by: .seconds(1))
            guard try await source.nextFrame() != nil else { break }
            delivered += 1
            if delivered == 5 { await source.noteUse() }
            #expect(delivered < 100)
        }
        #expect(await source.state == .paused)
        // Used at 5 s: the 29 seconds after that still have frames.
        #expect(delivered == 34)
        await source.start()
        #expect(await source.state == .running)
    }

    @Test func withoutPicturesItEndsAtOnce() async throws {
        let source = source(0, 30, ManualClock())
        await source.start()
        #expect(try await source.nextFrame() == nil)
        #expect(await source.state == .ended)
    }
}

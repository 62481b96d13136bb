import Basics
import Testing

@testable import ScanningPolicies

@Suite struct FramePacerTests {
    private let second = 1_000_000_000

    @Test(arguments: [1, 7, 24, 30, 60, 1_000])
    func dropsWhatAReaderThatCountsOneByOneWouldDrop(framesPerSecond: Int) {
        var random = SplitMix64(state: UInt64(framesPerSecond))
        var clock = FramePacer(framesPerSecond: framesPerSecond)
        func due(_ number: Int) -> Int { number * second / framesPerSecond }
        var (now, next, dropped) = (0, 0, 0)
        for step in 0..<2_000 {
            // One by one: while a later one is due, the one before it is dropped.
            while due(next + 1) <= now {
                next += 1
                dropped += 1
            }
            clock.skip(to: now)
            #expect(clock.next == next)
            #expect(clock.dropped == dropped)
            now = max(now, clock.nextDue)
            let time = clock.take()
            #expect(time == due(next))
            next += 1
            // Ends at, just before, just after a frame that is due, and anywhere.
            let later = due(next + random.below(3))
            now = max(now, step.isMultiple(of: 2) ? later + random.below(3) - 1 : now + random.below(100_000_000))
        }
    }

    @Test func afterAPauseTheNextFrameIsDueAtOnce() {
        var clock = FramePacer(framesPerSecond: 10)
        _ = clock.take()
        // The camera pauses before the frame at 0.1 s is taken.
        clock.resume(at: 5 * second)
        #expect(clock.nextDue == 5 * second)
        clock.skip(to: 5 * second)
        #expect(clock.dropped == 0)
        let again = clock.take()
        #expect(again == 100_000_000)
        #expect(clock.nextDue == 5_100_000_000)
    }
}

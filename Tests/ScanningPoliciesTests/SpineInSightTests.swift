import Testing

@testable import ScanningPolicies

@Suite struct SpineInSightTests {
    @Test func aSpineIsTakenOnce() {
        var sight = SpineInSight()
        let taken = [sight.take(), sight.take()]
        #expect(taken == [true, false])
    }

    /// Frames 33 ms apart: one that the gate missed between two that it saw.
    @Test func oneMissedFrameDoesNotMakeASpineNew() {
        var sight = SpineInSight()
        _ = sight.take()
        sight.noteNone(at: .milliseconds(33))
        let again = sight.take()
        #expect(!again)
        // What was missed before the spine was seen again does not count.
        sight.noteNone(at: .milliseconds(340))
        let later = sight.take()
        #expect(!later)
    }

    @Test func afterTheGapTheNextOneIsNew() {
        var sight = SpineInSight()
        _ = sight.take()
        for frame in 0...9 { sight.noteNone(at: .milliseconds(33 * frame)) }
        let early = sight.take()
        #expect(!early)
        for frame in 20...30 { sight.noteNone(at: .milliseconds(33 * frame)) }
        let next = sight.take()
        #expect(next)
    }
}

import Testing

@testable import OpenVINOEngine

@Suite struct InferenceIntervalTests {
    private let origin = ContinuousClock.now

    /// Intervals by their ends, in milliseconds.
    private func intervals(_ ends: [(Int, Int)]) -> [InferenceInterval] {
        ends.map {
            InferenceInterval(
                start: origin.advanced(by: .milliseconds($0.0)),
                end: origin.advanced(by: .milliseconds($0.1))
            )
        }
    }

    @Test(arguments: [
        ([], 0), ([(5, 8)], 3), ([(5, 5)], 0),
        // Apart, touching, overlapping, one inside the other, the same twice, in any order.
        ([(0, 2), (5, 6)], 3), ([(0, 2), (2, 4)], 4), ([(0, 4), (3, 9)], 9), ([(0, 10), (3, 4)], 10),
        ([(1, 3), (1, 3)], 2), ([(8, 9), (0, 4), (2, 5), (1, 2)], 6),
    ])
    func unionIsTheTimeInWhichAnythingRan(ends: [(Int, Int)], milliseconds: Int) {
        #expect(intervals(ends).union == .milliseconds(milliseconds))
    }

    @Test func durationIsFromStartToEnd() {
        #expect(intervals([(2, 9)])[0].duration == .milliseconds(7))
    }
}

import Testing

@testable import Evaluation

@Suite struct ReadInTimeTests {
    // By hand: whether the title was read, milliseconds; how many count, of how many.
    static let table: [(readings: [(Bool?, Double?)], successes: Int, trials: Int)] = [
        ([], 0, 0),
        ([(true, 20)], 1, 1),
        // On the limit is within it; the least above is not.
        ([(true, 500), (true, 500.001)], 1, 2),
        ([(false, 20)], 0, 1),
        // A timeout, whatever was read, stays in the denominator.
        ([(false, nil), (true, nil)], 0, 2),
        // A title without words is neither read nor missed.
        ([(nil, 20), (nil, nil)], 0, 0),
        ([(true, .nan)], 0, 1),
    ]

    @Test func aReadingCountsWhenItIsRightAndInTime() {
        for row in Self.table {
            let readings = row.readings.map { ReadInTime.Reading(isRead: $0.0, milliseconds: $0.1) }
            #expect(ReadInTime.share(readings) == Proportion(successes: row.successes, trials: row.trials), "\(row)")
        }
    }

    @Test func theLimitCanBeAnother() {
        let readings = [10.0, 60, 70].map { ReadInTime.Reading(isRead: true, milliseconds: $0) }
        #expect(ReadInTime.share(readings, within: 60) == Proportion(successes: 2, trials: 3))
    }
}

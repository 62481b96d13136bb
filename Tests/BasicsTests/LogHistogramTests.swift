import Foundation
import Testing

@testable import Basics
@testable import Statistics

@Suite struct LogHistogramTests {
    @Test func bucketsFollowEachOtherWithoutGaps() {
        var next = 0
        for place in 0..<LogHistogram.place(of: .max) {
            let bounds = LogHistogram.bounds(place)
            #expect(bounds.lowerBound == next)
            #expect(LogHistogram.place(of: bounds.lowerBound) == place)
            #expect(LogHistogram.place(of: bounds.upperBound) == place)
            // At most 1/1024 as wide as the lower bound.
            #expect((bounds.upperBound - bounds.lowerBound) <= bounds.lowerBound / 1_024)
            next = bounds.upperBound + 1
        }
        #expect(LogHistogram.bounds(LogHistogram.place(of: .max)).upperBound == .max)
    }

    @Test func smallNumbersHaveBucketsOfTheirOwn() {
        var histogram = LogHistogram()
        for number in 1...10 { histogram.add(number) }
        // Ranks 5 and 10 of ten: the nearest-rank method.
        #expect(histogram.percentile(50) == 5...5)
        #expect(histogram.percentile(95) == 10...10)
        #expect(histogram.percentile(100) == 10...10)
        #expect(LogHistogram().percentile(50) == nil)
    }

    @Test func aPercentileLiesInItsBucket() {
        var random = SplitMix64(state: 3)
        let numbers = (0..<10_000).map { _ in random.below(5_000_000) }
        var histogram = LogHistogram()
        for number in numbers { histogram.add(number) }
        let sorted = numbers.map(Double.init).sorted()
        for percent in [1, 50, 95, 99, 100] {
            let exact = Int(Percentile.nearestRank(percent, of: sorted))
            #expect(histogram.percentile(percent)?.contains(exact) == true)
        }
    }

    // By hand: buckets of 2 from 2,048 on, of 4 from 4,096 on, of 32 from 32,768 on (60,992 is 1,906 · 32), and of 512 from
    // 524,288 on (999,936 is 1,953 · 512).
    @Test(arguments: [
        (0, 0...0), (2_047, 2_047...2_047), (2_048, 2_048...2_049), (4_095, 4_094...4_095), (4_096, 4_096...4_099),
        (61_000, 60_992...61_023), (1_000_000, 999_936...1_000_447),
    ])
    func boundsOfBuckets(number: Int, bounds: ClosedRange<Int>) {
        var histogram = LogHistogram()
        histogram.add(number)
        #expect(histogram.percentile(50) == bounds)
    }

    @Test func isWrittenAsItsBuckets() throws {
        var histogram = LogHistogram()
        for number in [5, 2_049, 5] { histogram.add(number) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(histogram), as: UTF8.self)
                == #"[{"count":2,"lower":5,"upper":5},{"count":1,"lower":2048,"upper":2049}]"#
        )
    }
}

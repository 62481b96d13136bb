import Basics
import Foundation
import Testing

@testable import DeviceSimulation

@Suite struct LogHistogramTests {
    @Test func bucketsFollowEachOtherWithoutGaps() {
        var next = 0
        for index in 0..<LogHistogram.index(of: .max) {
            let bounds = LogHistogram.bounds(index)
            #expect(bounds.lowerBound == next)
            #expect(LogHistogram.index(of: bounds.lowerBound) == index)
            #expect(LogHistogram.index(of: bounds.upperBound) == index)
            // The width is at most 1/32 of the lower bound.
            #expect((bounds.upperBound - bounds.lowerBound) * 32 <= bounds.lowerBound)
            next = bounds.upperBound + 1
        }
        #expect(LogHistogram.bounds(LogHistogram.index(of: .max)).upperBound == .max)
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

    @Test func comesBackFromItsFile() throws {
        var histogram = LogHistogram()
        for number in [0, 5, 5, 700, 123_456_789, .max] { histogram.add(number) }
        let data = try JSONEncoder().encode(histogram)
        #expect(try JSONDecoder().decode(LogHistogram.self, from: data) == histogram)
    }

    @Test(arguments: ["[[3]]", "[[5,1],[4,1]]", "[[5,1],[5,1]]", "[[1,0]]", "[[1,-2]]", "[[-1,2]]", "[[5000000,1]]"])
    func refusesWhatIsNoHistogram(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LogHistogram.self, from: Data(json.utf8))
        }
    }
}

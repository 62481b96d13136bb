import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Statistics

/// Differences of rates over photos, against NumPy's resampling of whole photos; see Fixtures/README.md.
@Suite struct PhotoDifferenceTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var gained: [Int]
        var lost: [Int]
        var sizes: [Int]
        var plain: [Double]
        var expanded: [Double]
        var p: Double

        var testDescription: String { name }

        /// Samples of each photo: gained, lost, then alike.
        func difference(resamples: Int) -> (interval: IntervalFigure, p: Double?) {
            let samples = sizes.indices.flatMap { photo in
                (0..<sizes[photo]).map { index in
                    let isLost = index >= gained[photo] && index < gained[photo] + lost[photo]
                    return (photo, index >= gained[photo], !isLost)
                }
            }
            return GroupBootstrap(groups: samples.map(\.0), resamples: resamples)
                .ofRateDifference(samples.map(\.1), samples.map(\.2))
        }
    }

    private static let cases: [Case] = {
        struct File: Decodable { var cases: [Case] }
        guard let url = Bundle.module.url(forResource: "Fixtures/photo-differences", withExtension: "json"),
            let file = try? JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        else { return [] }
        return file.cases
    }()

    @Test func thereAreCases() { #expect(Self.cases.count == 7) }

    @Test(arguments: cases) func theIntervalIsThatOfResampledPhotosAndNotMuchWider(of one: Case) throws {
        let found = one.difference(resamples: 20_000)
        let interval = try #require(found.interval.value)
        let (gained, lost) = (one.gained.reduce(0, +), one.lost.reduce(0, +))
        let own = PairedRates(gained: Double(gained), lost: Double(lost), pairs: Double(one.sizes.reduce(0, +)))
            .interval
        let plain = one.plain[1] - one.plain[0]
        let (lower, upper) = (min(one.expanded[0], own.lowerBound), max(one.expanded[1], own.upperBound))
        // Resamples of few photos take few values, with gaps between them.
        let (below, above) = (abs(interval.lowerBound - lower), abs(interval.upperBound - upper))
        #expect(below < 0.05 * plain && above < 0.05 * plain, "\(interval) for \(lower)…\(upper)")
        // Student's t of few photos for z: a quarter at 12.
        let width = interval.upperBound - interval.lowerBound
        #expect(width >= 0.97 * plain && width <= 1.3 * plain, "\(width / plain)")
        #expect(abs((found.p ?? 9) - max(one.p, 0)) < max(0.004, 0.1 * one.p), "\(found.p ?? 9)")
    }

    @Test func pIsBelowFivePercentExactlyWhereTheIntervalExcludesZero() throws {
        var random = SplitMix64(state: 11)
        var significant = 0
        for _ in 0..<200 {
            let photos = 10 + random.below(20)
            let sizes = (0..<photos).map { _ in 1 + random.below(9) }
            let lost = sizes.map { random.nextDouble() < 0.3 ? random.below($0 + 1) : 0 }
            let gained = zip(sizes, lost).map { random.nextDouble() < 0.15 ? random.below($0 - $1 + 1) : 0 }
            let one = Case(name: "", gained: gained, lost: lost, sizes: sizes, plain: [], expanded: [], p: 0)
            let found = one.difference(resamples: 1_000)
            guard let interval = found.interval.value else { continue }
            #expect(try (#require(found.p) < 0.05) == !interval.contains(0), "\(found)")
            if !interval.contains(0) { significant += 1 }
        }
        #expect(significant > 20 && significant < 180)
    }

    @Test func photosOfOneSampleAreIndependent() throws {
        let one = Case(
            name: "",
            gained: [0] + [Int](repeating: 0, count: 239),
            lost: [1, 1, 1, 1] + [Int](repeating: 0, count: 236),
            sizes: [Int](repeating: 1, count: 240),
            plain: [],
            expanded: [],
            p: 0
        )
        let found = one.difference(resamples: 100)
        #expect(found.interval == .value(PairedRates(gained: 0, lost: 4, pairs: 240).interval))
        #expect(isNear(found.p, 0.04550026389635842, within: 1e-12))
    }
}

import Foundation
import Testing

/// Values that SciPy, NumPy and statsmodels computed; see Fixtures/README.md.
struct StatisticsFixture: Decodable {
    struct Bounds: Decodable {
        var percent: Int
        var count: Int
        var lower: Int?
        var upper: Int?
        var confidence: Double
    }
    struct DiscordantPairs: Decodable {
        var b: Int
        var c: Int
        var exact: Double
        var mid: Double
        var worse: Double
    }
    struct Shift: Decodable {
        var differences: [Double]
        var estimate: Double
        var interval: [Double]?
    }
    struct WeightedQuantile: Decodable {
        var percent: Int
        var values: [Double]
        var estimate: Double
    }
    struct Slope: Decodable {
        var x: [Double]
        var y: [Double]
        var slope: Double
        var interval: [Double]
    }

    var normalQuantile: [[Double]]
    var normalCumulative: [[Double]]
    var beta: [[Double]]
    var binomial: [[Double]]
    var studentQuantile: [[Double]]
    var percentileBounds: [Bounds]
    var wilson: [[Double]]
    var mcnemar: [DiscordantPairs]
    var pairedRates: [[Double]]
    var harrellDavis: [WeightedQuantile]
    var hodgesLehmann: [Shift]
    var theilSen: [Slope]

    static func load() throws -> StatisticsFixture {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/statistics", withExtension: "json"))
        return try JSONDecoder().decode(StatisticsFixture.self, from: Data(contentsOf: url))
    }
}

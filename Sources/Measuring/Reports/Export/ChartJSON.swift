import Documents
import Evaluation
import Foundation
import Judging

/// Figures for services that chart them over time.
package enum ChartJSON {
    /// Files for github-action-benchmark, by name: its tools `customSmallerIsBetter` and `customBiggerIsBetter` take one
    /// direction each.
    package static func benchmarkAction(_ report: CheckReport) throws -> [String: [UInt8]] {
        func entries(_ higher: Bool) -> [Entry] {
            report.figures.filter { $0.higherIsBetter == higher }.map { figure in
                Entry(
                    name: "\(figure.bench) / \(figure.measure)",
                    unit: figure.unit,
                    value: figure.value,
                    range: figure.range.map {
                        "\(NumberText.fixed($0.lowerBound, 3))–\(NumberText.fixed($0.upperBound, 3))"
                    },
                    extra: "\(report.word): \(report.sentence)"
                )
            }
        }
        return [
            "smaller-is-better.json": try encoded(entries(false)), "bigger-is-better.json": try encoded(entries(true)),
        ]
    }

    /// Bencher Metric Format: benchmark, measure, value with its bounds.
    ///
    /// By Bencher's convention the measure `latency` is in nanoseconds; here it is the median, and so are the other
    /// latencies. Shares are in percent, memory in bytes.
    package static func bencher(_ report: CheckReport) throws -> [UInt8] {
        var benches: [String: [String: Metric]] = [:]
        for figure in report.figures {
            let factor = figure.unit == "ms" ? 1e6 : figure.unit == "MB" ? 1e6 : 1
            benches[figure.bench, default: [:]][slug(figure.measure)] = Metric(
                value: figure.value * factor,
                lower: figure.range.map { $0.lowerBound * factor },
                upper: figure.range.map { $0.upperBound * factor }
            )
        }
        return try encoded(benches)
    }

    private static func slug(_ measure: String) -> String { measure == "latency-p50" ? "latency" : measure }

    private static func encoded(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(value) + [0x0A])
    }

    private struct Entry: Encodable {
        var name: String
        var unit: String
        var value: Double
        var range: String?
        var extra: String?
    }

    private struct Metric: Encodable {
        var value: Double
        var lower: Double?
        var upper: Double?

        private enum CodingKeys: String, CodingKey {
            case value
            case lower = "lower_value"
            case upper = "upper_value"
        }
    }
}

import Basics
import Evaluation
import Harness
import SpineDatasets

/// Figures for services that chart them over time.
package enum ChartJSON {
    /// Returns files for github-action-benchmark, by name: its tools `customSmallerIsBetter` and
    /// `customBiggerIsBetter` take one direction each.
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
            "smaller-is-better.json": try JSONFile.bytes(entries(false)),
            "bigger-is-better.json": try JSONFile.bytes(entries(true)),
        ]
    }

    /// Returns the Bencher Metric Format: benchmark, measure, value with its bounds.
    ///
    /// By Bencher's convention latencies are in nanoseconds, and `latency` is the median. Shares are in percent.
    package static func bencher(_ report: CheckReport) throws -> [UInt8] {
        var benches: [String: [String: Metric]] = [:]
        for figure in report.figures {
            // Rounded to nanoseconds and bytes.
            let factor = ["ms", "MB"].contains(figure.unit) ? 1e6 : 1
            let measure = figure.measure == "latency-p50" ? "latency" : figure.measure
            benches[figure.bench, default: [:]][measure] = Metric(
                value: figure.value * factor,
                lower: figure.range.map { $0.lowerBound * factor },
                upper: figure.range.map { $0.upperBound * factor }
            )
        }
        return try JSONFile.bytes(benches)
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

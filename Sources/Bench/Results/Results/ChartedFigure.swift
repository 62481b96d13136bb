import Basics
import Evaluation

/// A figure as charts of CI services take it.
package struct ChartedFigure: Sendable, Equatable {
    /// Identifier of the measurement.
    package var bench: String
    /// Name of the figure in lower case with hyphens: "latency-p95".
    package var measure: String
    package var unit: String
    package var value: Double
    package var range: ClosedRange<Double>?
    package var higherIsBetter: Bool
}

extension ChartedFigure {
    /// Creates the figure; nil for a metric without a chart or a value.
    private init?(_ metric: Metric, _ value: Figure, in range: ClosedRange<Double>? = nil, bench: String) {
        guard let chart = metric.meaning.chart, let value = value.value else { return nil }
        let (unit, factor) = metric.meaning.unit.chart
        self.init(
            bench: bench,
            measure: chart,
            unit: unit,
            value: value * factor,
            range: range.map { ($0.lowerBound * factor)...($0.upperBound * factor) },
            higherIsBetter: metric.meaning.higherIsBetter
        )
    }

    /// B's figure of a row; nil when there is none.
    package init?(_ row: ComparisonRow, bench: String) {
        self.init(row.metric, row.b, bench: bench)
    }

    /// Returns the figures of a measurement that can be claimed.
    package static func of(_ result: MeasurementResult) -> [ChartedFigure] {
        Metric.allCases.compactMap { metric in
            result.value(of: metric).flatMap { Self(metric, $0.value, in: $0.interval, bench: result.id) }
        }
    }
}

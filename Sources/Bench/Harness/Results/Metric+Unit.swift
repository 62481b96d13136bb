import Basics
package import Evaluation

extension Metric.Unit {
    /// Setting of a value in reports, its digits after the point in tables for programs, and its unit and factor in
    /// charts.
    private var setting: (text: (Double) -> String, decimals: Int, chart: (name: String, factor: Double)) {
        switch self {
        case .share: (NumberText.percent, 4, ("%", 100))
        case .score: ({ NumberText.fixed($0, 3) }, 4, ("", 1))
        case .milliseconds: (NumberText.milliseconds, 3, ("ms", 1))
        case .bytes, .byteDifference: (NumberText.megabytes, 0, ("MB", 1e-6))
        case .bytesPerScan: (NumberText.bytes, 1, ("B", 1))
        case .count: ({ NumberText.fixed($0, 0) }, 0, ("", 1))
        case .work: ({ NumberText.fixed($0, 1) }, 1, ("", 1))
        }
    }

    package func text(_ value: Double) -> String { setting.text(value) }
    package var decimals: Int { setting.decimals }
    package var chart: (name: String, factor: Double) { setting.chart }

    /// Returns a limit without superfluous digits.
    package func limit(_ value: Double) -> String {
        switch self {
        // Tenths of a percent; a target of 0.29 is 28.999… otherwise.
        case .share: "\(NumberText.short((value * 1_000).rounded() / 10)) %"
        case .milliseconds: "\(NumberText.short(value)) ms"
        case .bytes, .byteDifference: "\(NumberText.short(value / 1e6)) MB"
        case .score, .bytesPerScan, .count, .work: NumberText.short(value)
        }
    }

    /// Returns a change without its sign: "5.0 %", "2.0 points".
    package func size(_ change: Double) -> String {
        switch self {
        case .share: NumberText.fixed(abs(change) * 100, 1) + " points"
        case .milliseconds, .bytes, .work: NumberText.percent(abs(change))
        case .score, .byteDifference, .bytesPerScan, .count: text(abs(change))
        }
    }

    /// Returns a change with its sign: "+5.0 %", "−2.0 points".
    package func change(_ change: Double) -> String { (change < 0 ? "−" : "+") + size(change) }

    /// Whether a change is a ratio less 1, not a difference.
    package var isRelative: Bool { [.milliseconds, .bytes, .work].contains(self) }
}

/// A figure as charts of CI services take it.
package struct ChartedFigure: Sendable, Equatable {
    package var bench: String
    /// Name of the figure in lower case with hyphens: "latency-p95".
    package var measure: String
    package var unit: String
    package var value: Double
    package var range: ClosedRange<Double>?
    package var higherIsBetter: Bool
}

extension ChartedFigure {
    private init?(_ metric: Metric, _ value: Figure, in range: ClosedRange<Double>? = nil, bench: String) {
        guard let chart = metric.chart, let value = value.value else { return nil }
        let (unit, factor) = metric.unit.chart
        self.init(
            bench: bench,
            measure: chart,
            unit: unit,
            value: value * factor,
            range: range.map { ($0.lowerBound * factor)...($0.upperBound * factor) },
            higherIsBetter: metric.higherIsBetter
        )
    }

    /// B's figure of a row; nil when there is none.
    package init?(_ row: ComparisonRow, bench: String) {
        self.init(row.metric, row.b, bench: bench)
    }

    /// Returns the figures of a measurement that can be claimed; those that were not measured here are named as such.
    package static func of(_ result: MeasurementResult) -> [ChartedFigure] {
        Metric.allCases.compactMap { metric in
            let evidence = metric.family == .accuracy ? nil : result.variant.evidence
            let bench = result.id + (evidence.map { " (\($0.rawValue))" } ?? "")
            return result.value(of: metric).flatMap { Self(metric, $0.value, in: $0.interval, bench: bench) }
        }
    }
}

import Basics
import Evaluation
import Harness

/// A measurement and one of its categories: a row of every table of figures.
struct FigureRow {
    var result: MeasurementResult
    /// nil for a measurement that was not begun.
    var category: Figures?

    static func whole(_ results: [MeasurementResult]) -> [FigureRow] {
        results.map { FigureRow(result: $0, category: $0.all) }
    }

    static func categories(_ results: [MeasurementResult]) -> [FigureRow] {
        results.flatMap { result in result.categories.map { FigureRow(result: result, category: $0) } }
    }

    /// The times that a metric is a percentile of; nil where nothing was reached.
    func times(_ metric: Metric) -> LatencySummary? { metric.series.flatMap { category?.times[$0] } }

    func value(of metric: Metric) -> MetricValue? { result.value(of: metric, category) }
}

/// Column of a table of figures, with the text of its cell in a row.
struct FigureColumn {
    var column: Table.Column
    var cell: (FigureRow) -> String

    static var name: FigureColumn { text("Measurement") { $0.result.id } }
    static var category: FigureColumn { text("Category") { $0.category?.category ?? "all" } }

    static func text(_ heading: String, _ cell: @escaping (FigureRow) -> String) -> FigureColumn {
        FigureColumn(column: .text(heading), cell: cell)
    }

    static func number(_ heading: String, unit: String? = nil, _ cell: @escaping (FigureRow) -> String) -> FigureColumn
    {
        FigureColumn(column: .number(heading, unit), cell: cell)
    }

    static func count(_ heading: String, _ count: @escaping (FigureRow) -> Int?) -> FigureColumn {
        number(heading) { count($0).map { "\($0)" } ?? "–" }
    }

    static func count(_ heading: String, _ what: Figures.Counted, _ which: String) -> FigureColumn {
        count(heading) { $0.category?.count(what, which) }
    }

    static func share(_ heading: String, _ metric: Metric) -> FigureColumn {
        share(heading) { row in
            row.category?.values[metric].flatMap { value in
                value.count.flatMap { count in value.total.map { Proportion(successes: count, trials: $0) } }
            }
        }
    }

    static func share(_ heading: String, _ share: @escaping (FigureRow) -> Proportion?) -> FigureColumn {
        number(heading) { share($0).map { NumberText.proportion($0) } ?? "–" }
    }

    /// Returns the column of a metric: counts of a share, a percentile with its bounds, other figures by `text` or else
    /// by their unit, which `unit` repeats in the heading.
    static func metric(
        _ metric: Metric,
        _ heading: String,
        unit: String? = nil,
        _ text: ((Double) -> String)? = nil
    ) -> FigureColumn {
        let ofUnit = metric.unit == .milliseconds ? NumberText.bareMilliseconds : metric.unit.text
        return number(heading, unit: unit) { row in
            guard let value = row.value(of: metric) else { return "–" }
            if let rate = value.rate { return NumberText.proportion(rate.proportion) }
            if metric.percent != nil { return value.percentile.map { NumberText.bounded($0, unit: "") } ?? "–" }
            return NumberText.figure(value.value, text ?? ofUnit)
        }
    }

    static func interval(of metric: Metric) -> FigureColumn {
        number("95 % interval") { $0.value(of: metric)?.rate.map { NumberText.interval($0) } ?? "–" }
    }

    static func figure(
        _ heading: String,
        unit: String,
        _ text: @escaping (Double) -> String = NumberText.bareMilliseconds,
        _ figure: @escaping (MeasurementResult) -> Figure
    ) -> FigureColumn {
        number(heading, unit: unit) { NumberText.figure(figure($0.result), text) }
    }
}

extension Table {
    init(_ title: String = "", note: String = "", figures columns: [FigureColumn], of rows: [FigureRow]) {
        self.init(
            title,
            note: note,
            columns: columns.map(\.column),
            rows: rows.map { row in columns.map { $0.cell(row) } }
        )
    }
}

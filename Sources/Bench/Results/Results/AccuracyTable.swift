import Basics
import Evaluation

/// Accuracy of every measurement, by category: a column for each metric with a heading.
package struct AccuracyTable {
    package let headings: [String]
    package let rows: [[String]]

    package init(_ result: RunResult) {
        let ofSpines = result.measurements.filter { $0.all.shelves == nil }
        let parts = ofSpines.flatMap { one in one.categories.map { (measurement: one, category: $0) } }
        let columns = Metric.allCases.filter { $0.meaning.heading != nil }.flatMap { metric in
            Self.columns(of: metric, values: parts.map { metric.taking.value?($0.measurement, $0.category) })
        }
        headings = ["Measurement", "Category"] + columns.map(\.heading)
        rows = parts.enumerated().map { row, part in
            [part.measurement.id, part.category.category] + columns.map { $0.cells[row] }
        }
    }

    private typealias Column = (heading: String, cells: [String])

    /// Returns the columns of a metric: none for a share without any asked sample; for titles, which are judged, the
    /// interval as well.
    private static func columns(of metric: Metric, values: [MetricValue?]) -> [Column] {
        guard values.contains(where: { $0 != nil }) else { return [] }
        let rates = values.map { $0?.rate }
        let text: (MetricValue?) -> String = { value in
            value.map { value in
                value.rate.map { NumberText.proportion($0.proportion) }
                    ?? NumberText.figure(value.value) { NumberText.fixed($0, 3) }
            } ?? "–"
        }
        let own: Column = (metric.meaning.heading ?? "", values.map(text))
        if metric == .titleRead {
            return [own, ("95 % interval", rates.map { $0.map { NumberText.interval($0) } ?? "–" })]
        }
        let isAsked = rates.contains { $0 == nil || $0?.trials != 0 }
        return isAsked ? [own] : []
    }
}

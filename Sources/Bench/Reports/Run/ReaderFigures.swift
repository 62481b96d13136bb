import Basics
package import Documents
import Evaluation
package import Harness
import Statistics

/// Figures of readers to whom no requirement applies: a row for each.
struct ReaderFigures {
    let result: RunResult

    private static let metrics: [Metric] = [
        .titleRead, .bookRecall, .characterErrors, .latencyP50, .latencyP95, .peakFootprint,
    ]

    var table: Table {
        let rows = FigureRow.whole(result.measurements)
        let nothing = Figure.absent(MeasurementResult.nothingRead)
        let metrics = Self.metrics.filter { metric in
            rows.compactMap { $0.value(of: metric) }.contains { $0.value.value != nil || $0.value == nothing }
        }
        let columns = metrics.map { metric in
            FigureColumn.number(metric.name) { row in
                guard let value = row.value(of: metric) else { return "–" }
                if value.value == nothing { return "nothing read" }
                guard let number = value.value.value else { return "–" }
                if let percentile = value.percentile { return NumberText.bounded(percentile) }
                return metric.unit.text(number) + (value.rate.map { " \(NumberText.interval($0))" } ?? "")
            }
        }
        return Table(figures: [.name] + columns, of: rows)
    }

    var legend: [String] {
        ["In brackets: 95 % intervals."]
            + result.measurements.compactMap { one in
                // What is known of its traffic where nothing was counted.
                let sent = one.variant.origin == nil ? one.value(of: .bytesSent) : nil
                return one.legend([sent?.value.value == nil ? sent?.judgement?.note : nil])
            }
    }
}

extension RunResult {
    /// Table that every report begins with, and the meanings of what is in it.
    package var overview: (table: Table, legend: [String]) {
        if isOfOtherReaders {
            let figures = ReaderFigures(result: self)
            return (figures.table, figures.legend)
        }
        let matrix = RequirementMatrix(self)
        return (matrix.table, matrix.legend)
    }
}

extension MeasurementResult {
    /// Line of a legend with remarks and the origin of times: "**mine**: for comparison alone."; nil without any.
    func legend(_ remarks: [String?]) -> String? {
        let text = (remarks + [originOfTimes.map { "its \($0)" }]).compactMap(\.self).joined(separator: "; ")
        return text.isEmpty ? nil : "**\(id)**: \(text)."
    }
}

import Basics
import Evaluation
import Harness
import Results

/// A run's figures for spreadsheets: one row for every measurement and category, and one for each measurement's "all".
///
/// An empty field is an unavailable figure; the report in Markdown contains the reason.
struct CSVReport {
    let result: RunResult

    /// Subject of a row.
    private struct Row {
        var measurement: MeasurementResult
        /// Category; nil for a measurement that was not begun.
        var category: CategoryResult?
        var digest: String
    }

    /// A column: its heading, and its field in a row.
    private typealias Column = (heading: String, field: (Row) -> String)

    private static var columns: [Column] {
        let head: [Column] = [
            ("measurement", { $0.measurement.id }), ("variant", { $0.measurement.variant.name }),
            ("scenario", { $0.measurement.scenario.label }), ("dataset", { $0.measurement.dataset }),
            ("category", { $0.category?.category ?? "all" }), ("samples", number { $0.category?.samples }),
            ("scored", number { $0.category?.accuracy.scored }), ("readings", number { $0.category?.latency.count }),
            ("failed", number { $0.category?.failures }), ("timeouts", number { $0.category?.latency.timeouts }),
        ]
        let books: [Column] = [
            ("catalogue", { catalogue($0)?.name ?? "" }), ("catalogue_books", number { catalogue($0)?.books }),
            ("catalogue_digest", { catalogue($0)?.digest ?? "" }),
        ]
        let end: [Column] = [("evidence", { $0.measurement.evidence.rawValue }), ("dataset_digest", { $0.digest })]
        return head + columns(of: Metric.allCases.prefix { $0 != .bytesSent }) + books
            + columns(of: Metric.allCases.drop { $0 != .bytesSent }) + end
    }

    var bytes: [UInt8] {
        let columns = Self.columns
        var table = CSVTable(columns.map(\.heading))
        let digests = Dictionary(result.datasets.map { ($0.name, $0.digest) }, uniquingKeysWith: { first, _ in first })
        for measurement in result.measurements {
            let isMeasured = measurement.hasBegun || !measurement.isPartial
            for category in isMeasured ? measurement.categories.map(Optional.some) : [nil] {
                let row = Row(
                    measurement: measurement,
                    category: category,
                    digest: digests[measurement.dataset] ?? ""
                )
                table.add(columns.map { $0.field(row) })
            }
        }
        return table.bytes
    }

    private static func number(_ count: @escaping (Row) -> Int?) -> (Row) -> String {
        { row in count(row).map { "\($0)" } ?? "" }
    }

    private static func catalogue(_ row: Row) -> CatalogueReference? {
        row.category?.books == nil ? nil : row.measurement.variant.catalogue
    }

    // MARK: Metrics

    private static func columns(of metrics: some Sequence<Metric>) -> [Column] {
        metrics.flatMap { metric in
            metric.meaning.columns.map { part, heading in (heading, { field(metric, part, in: $0) }) }
        }
    }

    private static func field(_ metric: Metric, _ part: Metric.Part, in row: Row) -> String {
        guard let category = row.category, category.category == "all" || !metric.taking.isOfWhole,
            let number = metric.taking.value?(row.measurement, category)?.part(part)
        else { return "" }
        let isCounted = part == .count || part == .total
        return NumberText.fixed(number, isCounted ? 0 : metric.meaning.unit.decimals)
    }
}

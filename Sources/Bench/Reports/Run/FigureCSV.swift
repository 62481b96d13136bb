import Basics
import Evaluation
import Harness
import Results
import ScanningPolicies

/// A run's figures for spreadsheets; an empty field is an unavailable figure, whose reason is in the report in
/// Markdown.
enum FigureCSV {
    private typealias Column = (heading: String, field: (FigureRow) -> String)

    /// Returns `report.csv`: a row for every category of a measurement, and one for each that was not begun.
    static func report(_ result: RunResult) -> [UInt8] {
        let digests = Dictionary(result.datasets.map { ($0.name, $0.digest) }) { first, _ in first }
        let readings: [Column] = [
            ("scored", number { $0.category?.accuracy.scored }),
            ("readings", number { $0.result.isUntimed ? nil : $0.category?.latency.count }),
            ("failed", number { $0.category?.failures }), ("timeouts", number { $0.category?.latency.timeouts }),
        ]
        let books: [Column] = [
            ("catalogue", { catalogue($0)?.name ?? "" }), ("catalogue_books", number { catalogue($0)?.books }),
            ("catalogue_digest", { catalogue($0)?.digest ?? "" }),
        ]
        let end: [Column] = [
            ("evidence", { $0.result.evidence.rawValue }), ("dataset_digest", { digests[$0.result.dataset] ?? "" }),
        ]
        let rows = result.measurements.flatMap { measurement in
            measurement.hasBegun || !measurement.isPartial
                ? FigureRow.categories([measurement]) : [FigureRow(result: measurement)]
        }
        return CSVTable.bytes(
            rows,
            names + readings + columns(of: Metric.allCases.prefix { $0 != .bytesSent }) + books
                + columns(of: Metric.allCases.drop { $0 != .bytesSent }) + end
        )
    }

    /// Returns `accuracy.csv`, the same bytes of a run in one piece and of its shards merged.
    static func accuracy(_ results: [MeasurementResult]) -> [UInt8] {
        CSVTable.bytes(
            FigureRow.categories(results),
            names + columns(of: Metric.allCases.filter(\.isOfAccuracyAlone))
        )
    }

    /// Returns `live.csv`: the outcome of a camera's frames in each measurement of the scenario `live`.
    static func live(_ result: RunResult) -> [UInt8] {
        func column(_ heading: String, _ field: @escaping (LiveFigures) -> String) -> Column {
            (heading, { $0.result.findings?.live.map(field) ?? "" })
        }
        func number(_ heading: String, _ value: @escaping (LiveFigures) -> Double?) -> Column {
            column(heading) { value($0).map { NumberText.fixed($0, 3) } ?? "" }
        }
        let frames = [
            number("seconds") { $0.seconds }, column("frames") { "\($0.seen)" }, column("frames_read") { "\($0.read)" },
        ]
        let fates = FrameFate.allCases.map { fate in
            column("frames_\(fate.rawValue)") { "\($0.frames[fate] ?? 0)" }
        }
        let books = [
            column("pauses") { "\($0.pauses)" }, column("books") { "\($0.books)" },
            number("books_per_minute") { $0.booksPerMinute }, number("first_book_s") { $0.secondsToFirstBook },
            column("drafts") { "\($0.drafts)" }, column("queued") { "\($0.queued)" },
            ("evidence", { $0.result.evidence.rawValue }),
        ]
        let rows = FigureRow.whole(result.measurements.filter { $0.findings?.live != nil })
        return CSVTable.bytes(rows, Array(names.prefix(4)) + frames + fates + books)
    }

    private static var names: [Column] {
        [
            ("measurement", { $0.result.id }), ("variant", { $0.result.variant.name }),
            ("scenario", { $0.result.scenario.label }), ("dataset", { $0.result.dataset }),
            ("category", { $0.category?.category ?? "all" }), ("samples", number { $0.category?.samples }),
        ]
    }

    private static func number(_ count: @escaping (FigureRow) -> Int?) -> (FigureRow) -> String {
        { row in count(row).map { "\($0)" } ?? "" }
    }

    private static func catalogue(_ row: FigureRow) -> CatalogueReference? {
        row.category?.books == nil ? nil : row.result.variant.catalogue
    }

    private static func columns(of metrics: some Sequence<Metric>) -> [Column] {
        metrics.flatMap { metric in
            metric.meaning.columns.map { part, heading in (heading, { field(metric, part, in: $0) }) }
        }
    }

    /// Returns a part of a metric's value; empty for figures of whole measurements in the rows of their categories.
    private static func field(_ metric: Metric, _ part: Metric.Part, in row: FigureRow) -> String {
        guard let category = row.category, category.category == "all" || !metric.taking.isOfWhole,
            let number = row.value(of: metric)?.part(part)
        else { return "" }
        let isCounted = part == .count || part == .total
        return NumberText.fixed(number, isCounted ? 0 : metric.meaning.unit.decimals)
    }
}

/// Table in CSV by RFC 4180, with lines that end in a line feed alone, and without formulas in cells.
package struct CSVTable {
    private var text: String
    private let columns: Int

    package init(_ headings: [String]) { (text, columns) = (CSV.line(headings), headings.count) }

    package var bytes: [UInt8] { Array(text.utf8) }

    /// Adds a row, which has a field for each heading.
    package mutating func add(_ fields: [String]) {
        assert(fields.count == columns, "\(fields.count) fields below \(columns) headings")
        text += CSV.line(fields, guardsFormulas: true)
    }

    static func bytes<Row>(_ rows: [Row], _ columns: [(heading: String, field: (Row) -> String)]) -> [UInt8] {
        var table = CSVTable(columns.map(\.heading))
        for row in rows { table.add(columns.map { $0.field(row) }) }
        return table.bytes
    }

    /// Returns the number; empty without one.
    static func number(_ figure: Figure, _ decimals: Int) -> String {
        figure.value.map { NumberText.fixed($0, decimals) } ?? ""
    }
}

import Basics
import Documents
import Evaluation
import Harness
import ScanningPolicies
import SpineDatasets
import Statistics

/// A measurement and one of its categories: a row of every table of figures.
struct FigureRow {
    var result: MeasurementResult
    var category: Figures

    static func whole(_ results: [MeasurementResult]) -> [FigureRow] {
        results.map { FigureRow(result: $0, category: $0.all) }
    }

    static func categories(_ results: [MeasurementResult]) -> [FigureRow] {
        results.flatMap { result in result.categories.map { FigureRow(result: result, category: $0) } }
    }

    func value(of metric: Metric) -> MetricValue? { result.value(of: metric, category) }
}

/// Column of a table of figures, with the text of its cell in a row.
struct FigureColumn {
    var column: Table.Column
    var cell: (FigureRow) -> String

    static var name: FigureColumn { text("Measurement") { $0.result.id } }
    static var category: FigureColumn { text("Category") { $0.category.category } }

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
        count(heading) { $0.category.count(what, which) }
    }

    static func figure(
        _ heading: String,
        unit: String,
        _ text: @escaping (Double) -> String = NumberText.bareMilliseconds,
        _ figure: @escaping (FigureRow) -> Figure
    ) -> FigureColumn {
        number(heading, unit: unit) { NumberText.figure(figure($0), text) }
    }

    static func percentile(
        _ percent: Int,
        _ heading: String,
        _ times: @escaping (FigureRow) -> LatencySummary?
    )
        -> FigureColumn
    {
        number(heading, unit: "ms") { row in
            times(row)?.percentile(percent).map { NumberText.bounded($0, unit: "") } ?? "–"
        }
    }

    /// Columns of a metric in a table: none where no row has a figure for it, and P50 and P95 of times of scans.
    static func columns(of metric: Metric, in table: Metric.Table, _ rows: [FigureRow]) -> [FigureColumn] {
        guard let own = metric.columns[table] else { return [] }
        if let series = metric.series {
            guard table == .latency || rows.contains(where: { $0.category.times[series] != nil }) else { return [] }
            return (table == .latency ? [metric.percent ?? 50] : [50, 95]).map { percent in
                percentile(percent, [own.heading, "P\(percent)"].filter { !$0.isEmpty }.joined(separator: " ")) {
                    $0.category.times[series]
                }
            }
        }
        let values = rows.compactMap { $0.value(of: metric) }
        guard own.hasInterval ? !values.isEmpty : values.contains(where: { $0.rate?.trials != 0 }) else { return [] }
        let isOfTime = metric.unit == .milliseconds
        let isError = metric.topic == .text && metric.unit == .share
        let text =
            isOfTime
            ? NumberText.bareMilliseconds : isError ? { NumberText.fixed($0, 3) } : { metric.unit.text($0) }
        let column = number(own.heading, unit: isOfTime ? "ms" : nil) { row in
            guard let value = row.value(of: metric) else { return "–" }
            if let rate = value.rate { return NumberText.proportion(rate.proportion) }
            guard let count = value.count, let total = value.total, !isError else {
                return NumberText.figure(value.value, text)
            }
            return NumberText.proportion(Proportion(successes: count, trials: total))
        }
        guard own.hasInterval else { return [column] }
        return [column, number("95 % interval") { $0.value(of: metric)?.rate.map { NumberText.interval($0) } ?? "–" }]
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

    /// Creates the table of the metrics that have a column in it, `before` and `after` others.
    init(
        _ table: Metric.Table,
        _ title: String = "",
        note: String = "",
        before: [FigureColumn] = [.name],
        after: [FigureColumn] = [],
        of rows: [FigureRow]
    ) {
        let metrics = Metric.allCases.flatMap { FigureColumn.columns(of: $0, in: table, rows) }
        self.init(title, note: note, figures: before + metrics + after, of: rows)
    }
}

/// Tables of variants that do more than read, and of readings made elsewhere.
struct TierTables: Sendable {
    let result: RunResult

    var tables: [Table] {
        [elsewhere, shelves, milestones, catalogues, closedSet, openSet, traffic, paths, machines]
            .filter { !$0.rows.isEmpty }
    }

    private var whole: [FigureRow] { FigureRow.whole(result.measurements) }

    private func having(_ topic: Metric.Topic) -> [FigureRow] { whole.filter { $0.category.has(topic) } }

    /// Without rows where each measurement was read on one machine.
    private var machines: Table {
        let rows = result.measurements.flatMap { measurement in
            (measurement.machines ?? []).map { one in
                [measurement.id, one.machine, "\(one.latency.count)", "\(one.latency.timeouts)"]
                    + [50, 90, 95, 99].compactMap(one.latency.percentile).map { NumberText.bounded($0, unit: "") }
            }
        }
        return Table(
            "Latency by machine",
            note: "Readings of different machines are not pooled. In brackets: the bounds of each percentile at 95 %.",
            columns: ["Measurement", "Machine", .number("Readings"), .number("Timeouts")]
                + ["P50", "P90", "P95", "P99"].map { .number($0, "ms") },
            rows: rows
        )
    }

    /// Without rows when the harness made all readings.
    private var elsewhere: Table {
        func literal(_ text: String?) -> String { text.map { Markdown.line(Markdown.literal($0)) } ?? "–" }
        func text<Value>(_ value: Value?, _ text: (Value) -> String) -> String { value.map(text) ?? "–" }
        let columns: [FigureColumn] = [
            .name, .text("System") { literal($0.result.variant.origin?.system) },
            .text("Device") { literal($0.result.variant.origin?.device) },
            .text("Recorder") { literal($0.result.variant.origin?.recorder) },
            .text("Evidence of times") { $0.result.isUntimed ? "–" : $0.result.evidence.rawValue },
            .number("Footprint", unit: "MB") {
                text($0.result.memory.footprint.peakDelta.value) { NumberText.fixed($0 / 1e6, 1) }
            },
            .number("Energy", unit: "J a reading") {
                text($0.result.stated?.energyPerReading) { NumberText.fixed($0, 3) }
            },
            .number("Battery") { row in
                let charges = [row.result.stated?.firstBattery, row.result.stated?.lastBattery].compactMap(\.self)
                return charges.isEmpty ? "–" : charges.map { NumberText.percent($0) }.joined(separator: " → ")
            },
            .text("Heat") { row in
                text(row.result.stated?.hottest) {
                    "\($0.rawValue) (\(row.result.stated?.thermal[$0.rawValue] ?? 0))"
                }
            },
        ]
        return Table(
            "Readings made elsewhere",
            note: ReportText.note("table elsewhere"),
            figures: columns,
            of: whole.filter { $0.result.variant.origin != nil }
        )
    }

    private var shelves: Table {
        Table(
            .shelves,
            "Books on photos of shelves",
            note: ReportText.note("table shelves"),
            before: [
                .name, .count("Photos", .shelves, "photos"), .count("Books", .shelves, "books"),
                .count("Spines", .shelves, "spines"),
            ],
            of: having(.shelves)
        )
    }

    private var milestones: Table {
        Table(
            .milestones,
            "Milestones",
            note: ReportText.note("table milestones"),
            after: [.text("Evidence") { $0.result.evidence.rawValue }],
            of: having(.scans)
        )
    }

    private var catalogues: Table {
        let rows = result.measurements.compactMap { measurement -> [String]? in
            let all = measurement.all
            guard let catalogue = measurement.variant.catalogue, all.namesBooks else { return nil }
            return [
                measurement.id, catalogue.name, catalogue.digest, "\(catalogue.books)", "\(catalogue.booksWithISBN)",
                "\(all.rate(.identified).trials)", "\(all.rate(.openDraft).trials)",
            ]
        }
        return Table(
            "Catalogues",
            note: ReportText.note("table catalogues"),
            columns: ["Measurement", "Catalogue", "Digest", "Books", "with an ISBN", "Closed set", "Open set"],
            rows: rows,
            numbersFrom: 3
        )
    }

    private var closedSet: Table {
        Table(
            .closedSet,
            "Books in the catalogue (closed set)",
            note: ReportText.note("table closed set"),
            before: [.name, .category],
            of: FigureRow.categories(result.measurements).filter { $0.category.rate(.identified).trials > 0 }
        )
    }

    private var openSet: Table {
        Table(
            .openSet,
            "Books that the catalogue does not have (open set)",
            note: ReportText.note("table open set"),
            before: [.name, .category],
            after: [
                .number("Abstained") { row in
                    let (match, drafts) = (row.category.rate(.falseMatch), row.category.rate(.openDraft))
                    let abstained = drafts.trials - match.successes - drafts.successes
                    return NumberText.proportion(Proportion(successes: abstained, trials: drafts.trials))
                }
            ],
            of: whole.filter { $0.category.rate(.openDraft).trials > 0 }
        )
    }

    private var traffic: Table {
        func of(_ heading: String, _ text: @escaping (TrafficSummary, FigureRow) -> String) -> FigureColumn {
            .number(heading) { row in row.result.traffic.map { text($0, row) } ?? "–" }
        }
        return Table(
            .traffic,
            "What left the device",
            note: ReportText.note("table traffic"),
            before: [.name, of("Scans") { traffic, _ in "\(traffic.scans)" }],
            after: [
                of("Most in a scan") { traffic, _ in NumberText.bytes(Double(traffic.largestSent)) },
                of("Less", reduction),
                of("Nothing sent") { traffic, _ in
                    NumberText.proportion(Proportion(successes: traffic.silent, trials: traffic.scans))
                },
            ],
            of: whole.filter { $0.result.traffic != nil }
        )
    }

    /// Returns the reduction of a measurement's traffic relative to the one over the same dataset that sends the most.
    private func reduction(_ traffic: TrafficSummary, of row: FigureRow) -> String {
        let others = result.measurements.filter { $0.dataset == row.result.dataset }
        let most = others.compactMap { other in other.traffic.map { (other.id, $0.sentPerScan) } }.max { $0.1 < $1.1 }
        guard let most, most.0 != row.result.id, most.1 > 0 else { return "–" }
        return NumberText.fixed(100 * (1 - traffic.sentPerScan / most.1), 2) + " % than \(most.0)"
    }

    private var paths: Table {
        let rows = result.measurements.flatMap { measurement in
            (measurement.all.counts[.paths] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                [measurement.id, $0.key.isEmpty ? "none" : $0.key, "\($0.value)"]
            }
        }
        return Table(
            "Tiers that scans went through",
            note: "In order of their participation.",
            columns: ["Measurement", "Tiers", "Scans"],
            rows: rows,
            numbersFrom: 2
        )
    }
}

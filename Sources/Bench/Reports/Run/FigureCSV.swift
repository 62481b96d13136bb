import Basics
import Evaluation
import Harness
import ScanningPolicies

/// Figure of a run: a row of `figures.csv`.
struct RunFigure: Encodable {
    var measurement: String
    /// Device that it is of; nil for a figure of this host.
    var device: String?
    var category = "all"
    var metric: String
    var unit: String
    var value: Double?
    /// The ends of its interval at 95 %; of a device, what its figures make plausible.
    var low: Double?
    var high: Double?
    /// Counted items of a share or a rate, and their total.
    var count: Double?
    var total: Double?
    var evidence: EvidenceClass
    /// Reason for a missing value; of a device, the target and how it is met.
    var note: String?
}

extension RunFigure {
    /// Returns all figures of a run, those of a measurement by category.
    static func all(of result: RunResult) -> [RunFigure] {
        let gates = result.configuration.devices?.gates ?? .none
        return result.measurements.flatMap(of) + (result.devices?.rows ?? []).flatMap { of($0, gates) }
    }

    private static func of(_ result: MeasurementResult) -> [RunFigure] {
        guard result.hasBegun || !result.isPartial else {
            return [.count("readings", nil, MeasurementResult.notBegun, in: "all", of: result)]
        }
        return FigureRow.categories([result]).flatMap { row -> [RunFigure] in
            let own = row.category
            let times: [(String, Int)] =
                result.isUntimed ? [] : [("readings", own.latency.count), ("timeouts", own.latency.timeouts)]
            let counts =
                [("samples", own.samples), ("scored", own.scored), ("failures", own.count(.failures))] + times
            let figures = Metric.allCases.compactMap { metric -> RunFigure? in
                guard own.category == "all" || !metric.isOfWhole, let found = row.value(of: metric) else {
                    return nil
                }
                return RunFigure(
                    measurement: result.id,
                    category: own.category,
                    metric: metric.id,
                    unit: metric.unit.name,
                    value: found.value.value,
                    low: found.part(.low),
                    high: found.part(.high),
                    count: found.part(.count),
                    total: found.part(.total),
                    evidence: found.evidence,
                    note: found.value.reason
                )
            }
            return counts.map { .count($0, Double($1), in: own.category, of: result) } + figures
                + (own.category == "all" ? live(result) : [])
        }
    }

    private static func count(
        _ name: String,
        _ value: Double?,
        _ note: String? = nil,
        in category: String,
        of result: MeasurementResult
    ) -> RunFigure {
        RunFigure(
            measurement: result.id,
            category: category,
            metric: name,
            unit: "count",
            value: value,
            evidence: result.evidence,
            note: note
        )
    }

    /// Outcome of a camera's frames in the scenario `live`.
    private static func live(_ result: MeasurementResult) -> [RunFigure] {
        guard let live = result.findings?.live else { return [] }
        let counts = [
            ("frames", live.seen), ("frames-read", live.read), ("pauses", live.pauses), ("books", live.books),
            ("drafts", live.drafts), ("queued-scans", live.queued),
        ]
        let outcomes = FrameOutcome.allCases.map { ("frames-\($0.rawValue)", live.frames[$0] ?? 0) }
        return (counts + outcomes).map { .count($0, Double($1), in: "all", of: result) }
            + [("seconds", live.seconds), ("first-book", live.secondsToFirstBook)].map { name, seconds in
                var figure = RunFigure.count(name, seconds, in: "all", of: result)
                figure.unit = "s"
                return figure
            }
    }

    private static func of(_ row: DeviceRow, _ gates: DeviceSelection.Gating) -> [RunFigure] {
        let percentiles = [(50, \DeviceRow.Latency.p50), (95, \.p95), (99, \.p99)].map { percent, path -> RunFigure in
            let figure = row.latency[keyPath: path]
            return RunFigure(
                measurement: row.measurement,
                device: row.device,
                metric: "latency-p\(percent)",
                unit: "ms",
                value: figure.nominal.value,
                low: figure.range?.lowerBound,
                high: figure.range?.upperBound,
                evidence: row.evidence,
                note: figure.nominal.reason
            )
        }
        return percentiles
            + row.requirements.map { answer in
                let (text, device) = (AnswerText(answer, isOfPhone: true), answer.claim.device)
                let (unit, factor) = answer.metric?.unit.chart ?? (device?.meaning.unit ?? "", 1)
                let gate = answer.gates ? DeviceTables.gates(gates, answer) : nil
                return RunFigure(
                    measurement: row.measurement,
                    device: row.device,
                    metric: text.name,
                    unit: unit,
                    value: answer.value.value.map { $0 * factor },
                    low: answer.range.map { $0.lowerBound * factor },
                    high: answer.range.map { $0.upperBound * factor },
                    evidence: answer.evidence,
                    note: "\(text.target): \(text.outcome)" + (gate.map { "; gates \($0)" } ?? "")
                )
            }
    }
}

/// `figures.csv`: every figure of a run, one a row; a field that does not apply is empty.
enum FigureCSV {
    static func bytes(_ result: RunResult) -> [UInt8] {
        let measurements = Dictionary(result.measurements.map { ($0.id, $0) }) { first, _ in first }
        let headings =
            "measurement,variant,scenario,dataset,device,category,metric,unit,value,low,high,count,total,evidence,note\n"
        let lines = RunFigure.all(of: result).map { figure in
            let of = measurements[figure.measurement]
            // Of a ten-thousandth, more digits are chance.
            let numbers = [figure.value, figure.low, figure.high, figure.count, figure.total].map { number in
                number.map { NumberText.short(($0 * 10_000).rounded() / 10_000) }
            }
            let names = [
                figure.measurement, of?.variant.name, of?.scenario.label, of?.dataset, figure.device, figure.category,
                figure.metric, figure.unit,
            ]
            let fields = names + numbers + [figure.evidence.rawValue, figure.note]
            return CSV.line(fields.map { $0 ?? "" }, guardsFormulas: true)
        }
        return Array((headings + lines.joined()).utf8)
    }
}

extension Metric.Unit {
    /// Name in files.
    var name: String {
        switch self {
        case .share: "share"
        case .score: "score"
        case .milliseconds: "ms"
        case .bytes, .byteDifference: "bytes"
        case .bytesPerScan: "bytes a scan"
        case .count: "count"
        case .work: "count a reading"
        }
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
}

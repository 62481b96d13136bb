import Basics
import Composition
import Evaluation
import Foundation
import OpenVINOEngine
import ScanningPolicies

/// Output of `model`: the model, the figures with their targets, alerts and verdict.
struct ModelReport: Codable {
    var model: String
    var fileBytes: Int
    var measurement: ModelMeasurement
    var verdict: ModelVerdict

    var text: String {
        let word = verdict.verdict?.rawValue.uppercased() ?? "NO VERDICT"
        var parts = [description, table]
        if !verdict.alerts.isEmpty { parts.append(alerts) }
        parts.append("\(Console.coloured(word, verdict.verdict.colour))  \(sentence)")
        return parts.joined(separator: "\n\n")
    }

    private var description: String {
        func port(_ verb: String, _ tensor: NetworkTensor, _ shape: String) -> String {
            "  \(verb) \(PlainLine.of(tensor.name)): \(tensor.element?.rawValue ?? "?") \(shape)"
        }
        let head = [
            "\(PlainLine.of(model)): \(measurement.format.rawValue), \(NumberText.megabytes(Double(fileBytes)))",
            "OpenVINO \(measurement.openVINO) on \(measurement.processor), \(measurement.precision.rawValue), "
                + NumberText.count(measurement.threads, "thread"),
        ]
        let inputs = measurement.inputs.map { input in
            let open = input.isAssumed ? " (\(input.tensor.shapeText) in the file, overridden by --shape)" : ""
            return port("takes", input.tensor, input.text + open)
        }
        let outputs = measurement.outputs.map { port("gives", $0, $0.shapeText) }
        let note = "Inputs are random; a model whose work depends on its input may have other times with real inputs."
        return (head + inputs + outputs + [note]).joined(separator: "\n")
    }

    private var table: String {
        Table(
            "Budget: \(verdict.budget.name) (\(verdict.budget.source))",
            columns: ["", "value", "target", "status", ""],
            rows: verdict.rows.map(Self.cells)
        ).terminal(width: Console.width)
    }

    private static func cells(_ row: ModelVerdict.Row) -> [String] {
        let value = row.percentile.map { NumberText.bounded($0) } ?? NumberText.figure(row.value) { row.unit.text($0) }
        let target = row.target.map { "\($0.comparator.rawValue) \(row.unit.text($0.limit))" } ?? "–"
        let status =
            row.judgement.map { row.gates ? $0.verdict.rawValue : "\($0.verdict.rawValue), does not gate" } ?? "–"
        // The reason for an absent figure is in its place already.
        let said = row.judgement?.note == row.value.reason ? "" : row.judgement?.note ?? ""
        let evidence = row.evidence == .measured ? "" : row.evidence.rawValue
        return [
            row.name, value, target, status, [evidence, row.note, said].filter { !$0.isEmpty }.joined(separator: "; "),
        ]
    }

    private var alerts: String {
        verdict.alerts.map { alert in
            let word = alert.severity.rawValue.uppercased()
            let coloured =
                switch alert.severity {
                case .critical: Console.coloured(word, .red)
                case .warning: Console.coloured(word, .yellow)
                case .info: word
                }
            return "\(coloured): \(alert.message)"
        }.joined(separator: "\n")
    }

    private var sentence: String {
        let gating = verdict.rows.filter(\.gates)
        let missed = gating.filter { $0.judgement?.verdict == .fail }.map(\.name).joined(separator: "; ")
        let open = gating.filter { $0.judgement?.verdict == .inconclusive }
        let isP99Open = verdict.rows.contains { $0.percentile?.percent == 99 && !$0.gates && $0.target != nil }
        let more = isP99Open ? " P99 takes --readings \(Percentile.minimumCount(for: 99)) to judge." : ""
        switch verdict.verdict {
        case .pass: return "All \(gating.count) figures that gate are within the budget.\(more)"
        case .fail:
            let count = gating.count { $0.judgement?.verdict == .fail }
            return "\(count) of \(gating.count) figures that gate miss the budget: \(missed).\(more)"
        case .inconclusive:
            let reasons = open.map { "\($0.name): \($0.judgement?.note ?? "")" }.joined(separator: "; ")
            let readings = NumberText.count(measurement.milliseconds.count, "reading")
            return "With \(readings) not all can be decided: \(reasons)."
        case nil: return "No limit was specified."
        }
    }

    var exitCode: Int32 {
        switch verdict.verdict {
        case .pass, nil: 0
        case .fail: 1
        case .inconclusive: 3
        }
    }
}

extension ModelVerdict.Row.Unit {
    func text(_ value: Double) -> String {
        switch self {
        case .milliseconds: NumberText.milliseconds(value)
        case .bytes: NumberText.bytes(value)
        case .percent: NumberText.fixed(value, 2) + " %"
        }
    }
}

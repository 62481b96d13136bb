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
        var lines = [
            "\(PlainLine.of(model)): \(measurement.format.rawValue), \(NumberText.megabytes(Double(fileBytes)))",
            "OpenVINO \(measurement.openVINO) on \(measurement.processor), \(measurement.precision.rawValue), "
                + NumberText.count(measurement.threads, "thread"),
        ]
        for input in measurement.inputs {
            let open = input.isAssumed ? " (\(input.tensor.shapeText) in the file, overridden by --shape)" : ""
            let type = input.tensor.element?.rawValue ?? "?"
            lines.append("  takes \(PlainLine.of(input.tensor.name)): \(type) \(input.text)\(open)")
        }
        for output in measurement.outputs {
            let type = output.element?.rawValue ?? "?"
            lines.append("  gives \(PlainLine.of(output.name)): \(type) \(output.shapeText)")
        }
        lines.append(
            "Inputs are random; a model whose work depends on its input may have other times with real inputs."
        )
        return lines.joined(separator: "\n")
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
            let colour: Console.Colour? =
                switch alert.severity {
                case .critical: .red
                case .warning: .yellow
                case .info: nil
                }
            let word = alert.severity.rawValue.uppercased()
            return "\(colour.map { Console.coloured(word, $0) } ?? word): \(alert.message)"
        }.joined(separator: "\n")
    }

    private var sentence: String {
        let gating = verdict.rows.filter(\.gates)
        let missed = gating.filter { $0.judgement?.verdict == .fail }.map(\.name)
        let open = gating.filter { $0.judgement?.verdict == .inconclusive }
        let count = measurement.milliseconds.count
        let least = Percentile.minimumCount(for: 99)
        let more =
            verdict.rows.contains { $0.percentile?.percent == 99 && !$0.gates && $0.target != nil }
            ? " P99 takes --readings \(least) to judge." : ""
        switch verdict.verdict {
        case .pass: return "All \(gating.count) figures that gate are within the budget.\(more)"
        case .fail:
            return
                "\(missed.count) of \(gating.count) figures that gate miss the budget: \(missed.joined(separator: "; ")).\(more)"
        case .inconclusive:
            let reasons = open.map { "\($0.name): \($0.judgement?.note ?? "")" }.joined(separator: "; ")
            return "With \(NumberText.count(count, "reading")) not all can be decided: \(reasons)."
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

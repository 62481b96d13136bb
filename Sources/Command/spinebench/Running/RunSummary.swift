import BenchmarkHarness
import DeviceSimulation
import SpineDatasets
import Statistics

/// What `run` prints when it is done: the verdict, the targets, where the report is, and what to do next.
struct RunSummary {
    let result: RunResult
    let folder: String

    var text: String {
        let verdict = VerdictText(result)
        let colour: Console.Colour =
            switch result.verdict {
            case .pass: .green
            case .fail: .red
            case .inconclusive, nil: .yellow
            }
        return """
            \(Console.coloured(verdict.word, colour))  \(verdict.sentence)

            \(result.compliance.isEmpty ? "" : table + "\n\n")\(devices)\(questions)Report: \(folder)/\(RunReports.Name.html), and \(RunReports.Name.markdown) for a pull request
            Next:   \(next)
            """
    }

    private var table: String {
        aligned(
            result.compliance.map { row in
                let text = RequirementText(row)
                return [text.metric, text.value, text.target, text.status + (row.gates ? "" : " (does not gate)")]
            }
        )
    }

    /// Every tier on every device, and an empty line; empty when no devices were asked for.
    private var devices: String {
        guard let assessment = result.devices, !assessment.rows.isEmpty else { return "" }
        let gates = result.configuration.devices?.gates == true
        let rows = DeviceTables(assessment, gates: gates).compactRows
        return "Devices (modelled\(gates ? "" : "; does not gate")):\n\(aligned(rows))\n\n"
    }

    /// Every answer, and an empty line; empty when nothing was asked.
    private var questions: String {
        let findings = result.findings ?? []
        let lines = findings.map { "  \($0.id)  \($0.question)\n        \($0.answer) (\($0.basis))" }
        return lines.isEmpty ? "" : "Questions:\n\(lines.joined(separator: "\n"))\n\n"
    }

    /// Columns under each other; the last one is as wide as it likes.
    private func aligned(_ rows: [[String]]) -> String {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { index in
                index < columns - 1
                    ? row[index] + String(repeating: " ", count: widths[index] - row[index].count) : row[index]
            }
            return "  " + cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private var next: String {
        switch result.verdict {
        case .pass: "read the report, and keep it beside what you ship"
        case .fail
        where result.compliance.contains { $0.gates && $0.judgement.verdict == .fail && $0.rate != nil }:
            "look at the spines that were not read: title_read is false in \(folder)/\(RunReports.Name.samples)"
        case .fail: "see in the report which stage the time or the memory goes to"
        case .inconclusive where result.isPartial:
            "read the rest, and judge that: spinebench run --resume \(folder)"
        case .inconclusive:
            if let repetitions = repetitionsForP95, repetitions > result.configuration.repetitions {
                "run again with --repetitions \(repetitions), so that P95 can be claimed"
            } else {
                "add spines to the categories that are too small, and run again"
            }
        case nil where result.compliance.isEmpty: "open the report, or judge a run: spinebench run --suite standard"
        case nil: "run again with --gate \(result.configuration.variants.map(\.name).joined(separator: ","))"
        }
    }

    /// How many repetitions give as many readings as P95 needs.
    private var repetitionsForP95: Int? {
        let spines = result.datasets.map(\.samplesRead).min() ?? 0
        return spines == 0 ? nil : (Percentile.minimumCount(for: 95) + spines - 1) / spines
    }
}

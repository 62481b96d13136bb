import DeviceSimulation
import Documents
import Evaluation
import Harness
import Judging
import Reports
import SpineDatasets
import Statistics

/// What `run` prints when it is done: tiers and requirements, the verdict, what there is beside it, where the report is, and what to do next.
struct RunSummary {
    let result: RunResult
    let folder: String
    /// Of the terminal, in columns.
    var width = Console.width

    var text: String {
        let verdict = VerdictText(result)
        let colour: Console.Colour =
            switch result.verdict {
            case .pass: .green
            case .fail: .red
            case .inconclusive, nil: .yellow
            }
        let matrix = RequirementMatrix(result)
        let sentence = TextWidth.wrapped("\(verdict.word)  \(verdict.sentence)", to: width).joined(separator: "\n")
        let parts =
            (result.compliance.isEmpty ? [] : [matrix.table.terminal(width: width)])
            + [Console.coloured(verdict.word, colour) + " " + sentence.dropFirst(verdict.word.count)]
            + (matrix.legend.isEmpty ? [] : [Document.Section(nil, [.list(matrix.legend)]).terminal(width: width)])
            + RunPlots(result).bars.map { Document.Section(nil, [.bars($0)]).terminal(width: min(width, 100)) }
            + RunDocument(result).glance.map { $0.terminal(width: width) }
        return """
            \(parts.joined(separator: "\n\n"))

            Report: \(folder)/\(RunReports.Name.html), and \(RunReports.Name.markdown) for a pull request
            Next:   \(next)
            """
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

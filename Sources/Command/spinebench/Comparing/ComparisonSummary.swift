import Documents
import Evaluation
import Judging
import Reports

/// What `compare` and `gate` print when they are done: the verdict, the rows, where the report is, and what to do next.
struct ComparisonSummary {
    let report: ComparisonReport
    let folder: String

    var text: String {
        let verdict = ComparisonVerdictText(report)
        return """
            \(Console.coloured(verdict.word, colour))  \(verdict.sentence)

            \(report.comparisons.map(Self.table).joined(separator: "\n\n"))

            Report: \(folder)/\(ComparisonReports.Name.markdown)
            Next:   \(next)
            """
    }

    private var colour: Console.Colour {
        switch report.verdict {
        case .pass: .green
        case .fail: .red
        case .inconclusive, nil: .yellow
        }
    }

    /// The rows of one comparison, without those that have nothing to say.
    static func table(_ comparison: Comparison) -> String {
        var table = ComparisonText.table(comparison.rows)
        table.title =
            "A \(comparison.nameA), B \(comparison.nameB), \(NumberText.count(comparison.samples, "sample")) of "
            + "\(comparison.dataset):"
        return table.terminal(width: Console.width)
    }

    private var next: String {
        let open = report.comparisons.flatMap(\.open)
        switch report.verdict {
        case .fail
        where report.comparisons.contains(where: { $0.regressions.contains { $0.metric.meaning.family == .accuracy } }):
            return "look at the spines that were lost: \(folder)/\(ComparisonReports.Name.page)"
        case .fail: return "see in 'spinebench run' reports of both which stage the time or the memory goes to"
        case .pass: return "paste \(folder)/\(ComparisonReports.Name.markdown) into the pull request"
        case .inconclusive where report.isPartial:
            return "compare again, or finish the stored run first: spinebench run --resume RUN"
        case .inconclusive where open.contains { $0.metric.meaning.family != .accuracy }:
            return "quiet the machine, or take more --rounds, or accept more with --gate"
        case .inconclusive: return "read more spines: leave --limit away, or name a larger dataset"
        case nil: return "say what is to gate, for example --gate latency=5%,title-read=2"
        }
    }
}

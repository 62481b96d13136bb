import Basics
import Documents
import Evaluation
package import Harness
import Statistics

/// What a terminal shows of a run: the matrix, the verdict, the plots, and the next step.
package struct RunSummary: Sendable {
    package let result: RunResult
    let folder: String
    /// Folder of the run, for continuing it.
    let run: String

    package init(result: RunResult, folder: String, run: String) {
        (self.result, self.folder, self.run) = (result, folder, run)
    }

    /// Returns the summary for a terminal of a width, with a painted verdict.
    package func text(width: Int, paint: (String) -> String) -> String {
        let verdict = VerdictText(result)
        let matrix = RequirementMatrix(result)
        let sentence = TextWidth.wrapped("\(verdict.word)  \(verdict.sentence)", to: width).joined(separator: "\n")
        var parts: [String] = result.failures.map { TextWidth.wrapped($0, to: width).joined(separator: "\n") }
        if !result.compliance.isEmpty { parts.append(matrix.table.terminal(width: width)) }
        parts.append(paint(verdict.word) + " " + sentence.dropFirst(verdict.word.count))
        if !matrix.legend.isEmpty { parts.append(Document.Section(nil, [.list(matrix.legend)]).terminal(width: width)) }
        parts += RunPlots(result).bars.map { Document.Section(nil, [.bars($0)]).terminal(width: min(width, 100)) }
        parts += RunDocument(result).glance.map { $0.terminal(width: width) }
        return """
            \(parts.joined(separator: "\n\n"))

            Report: \(folder)/\(RunReports.Name.html) and \(RunReports.Name.markdown)
            Next:   \(next)
            """
    }

    private var next: String {
        switch result.verdict {
        case _ where result.measurements.contains(where: \.readsNothing): "mend what the first line says, and run again"
        case .pass: "spinebench gate \(folder), or spinebench compare RUN \(folder) with an earlier run"
        case .fail where missed.contains { $0.metric?.isOfShelves == true }:
            "check the photos whose books were missed: \(folder)/\(RunReports.Name.html)#samples"
        case .fail where missed.contains { $0.rate != nil }:
            "check the spines that were not read: title_read is false in \(folder)/\(RunReports.Name.samples)"
        case .fail: "find the slow or large stage in the report"
        case .inconclusive where result.isPartial:
            "finish the run and check it again: spinebench run --resume \(run)"
        case .inconclusive:
            if !isElsewhere, let repetitions = repetitionsForP95, repetitions > result.configuration.repetitions {
                "run again with --repetitions \(repetitions), enough for a P95"
            } else {
                "add spines to the categories that are too small, and \(again) again"
            }
        case nil where result.compliance.isEmpty: "open the report, or get a verdict: spinebench run --suite standard"
        case nil: "\(again) again with --gate \(result.configuration.variants.map(\.name).joined(separator: ","))"
        }
    }

    private var missed: [Answer] { result.compliance.filter { $0.gates && $0.judgement.verdict == .fail } }

    private var isElsewhere: Bool { result.configuration.variants.allSatisfy { $0.origin != nil } }

    private var again: String { isElsewhere ? "score" : "run" }

    private var repetitionsForP95: Int? {
        let spines = result.datasets.map(\.samplesRead).min() ?? 0
        return spines == 0 ? nil : (Percentile.minimumCount(for: 95) + spines - 1) / spines
    }
}

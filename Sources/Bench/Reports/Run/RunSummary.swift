import Basics
import Documents
package import Harness

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
        let (table, legend) = result.overview
        let sentence = TextWidth.wrapped("\(verdict.word)  \(verdict.sentence)", to: width).joined(separator: "\n")
        var parts: [String] = result.failures.map { TextWidth.wrapped($0, to: width).joined(separator: "\n") }
        parts += result.warnings.map { TextWidth.wrapped("⚠️ \($0)", to: width).joined(separator: "\n") }
        if !table.rows.isEmpty { parts.append(table.terminal(width: width)) }
        parts.append(paint(verdict.word) + " " + sentence.dropFirst(verdict.word.count))
        parts += result.speedTexts.map { TextWidth.wrapped($0, to: width).joined(separator: "\n") }
        parts.append(Document.Section(nil, [.list(legend)]).terminal(width: width))
        parts += RunPlots(result).bars.map { Document.Section(nil, [.bars($0)]).terminal(width: min(width, 100)) }
        parts += RunDocument(result).glance.map { $0.terminal(width: width) }
        return """
            \(parts.joined(separator: "\n\n"))

            Report: \(folder)/\(RunReports.Name.html) and \(RunReports.Name.markdown)
            Next:   \(NextStep(result).inTerminal(folder, run: run))
            """
    }
}

import Basics
import Documents
package import Evaluation
package import Harness
import SpineDatasets

/// Results of `gate` for a run: its targets, the comparison with the baselines, and the accepted losses.
package struct GateResult: Sendable {
    package enum Name {
        package static let markdown = "gate.md"
        package static let json = "gate.json"
    }

    package let run: RunResult
    /// Whether the run's targets decide too.
    package let usesTargets: Bool
    /// Comparison with the baselines; nil without any.
    package let comparison: ComparisonReport?
    package let findings: [Acceptance.Finding]
    /// Fails when a part fails, or an accepted loss has expired or is better again; open when one is, and for a run
    /// that was stopped; nil when there is nothing to judge.
    package let verdict: Verdict?
    /// Checks of all parts for CI services, and the run's figures.
    package let checks: CheckReport

    /// Judges a run; `baselines` is empty for its targets alone.
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` when no baseline has a measurement of the run, or one is of
    ///   another dataset.
    package init(
        _ contents: RunContents,
        baselines: [Baseline],
        usesTargets: Bool = true,
        tolerances: ComparisonTolerances = .standard,
        acceptance: Acceptance = Acceptance([], today: ""),
        tool: String
    ) throws {
        var (run, acceptance) = (contents.result, acceptance)
        let comparison =
            try baselines.isEmpty
            ? nil
            : ComparisonReport(
                contents,
                baselines: baselines,
                tool: tool,
                tolerances: tolerances,
                acceptance: &acceptance
            )
        if usesTargets { acceptance.apply(to: &run) }
        (self.run, self.usesTargets, self.comparison, findings) = (run, usesTargets, comparison, acceptance.findings)
        let failed = findings.filter(\.fails)
        let verdicts = [usesTargets ? run.verdict : nil, comparison?.verdict, failed.isEmpty ? nil : .fail]
        verdict = run.isPartial ? .inconclusive : Verdict.overall(verdicts.compactMap(\.self))
        let (own, other) = (CheckReport(run), comparison.map { CheckReport($0) })
        let (targets, word) = (usesTargets ? own : nil, VerdictText.word(of: verdict))
        let sentences = [
            (targets.map { "Targets: \($0.sentence)" }, run.verdict),
            (other.map { "Baseline: \($0.sentence)" }, comparison?.verdict),
            (failed.isEmpty ? nil : "Accepted losses: \(failed.map(\.text).joined(separator: "; ")).", .fail),
        ]
        // What fails comes first.
        let sentence = (sentences.filter { $0.1 == .fail } + sentences.filter { $0.1 != .fail }).compactMap(\.0)
            .joined(separator: " ")
        let list = findings.texts.map { Markdown.line(Markdown.literal($0)) }
        var matrix = RequirementMatrix(run, isOfGate: true).table
        matrix.title = "Targets that gate"
        let parts = comparison?.comparisons ?? []
        let others = parts.flatMap { $0.sections(isAlone: parts.count == 1, isOfGate: true) }
        let notes = run.warnings + (comparison?.notes ?? [])
        let files = [RunReports.Name.markdown] + (comparison == nil ? [] : [ComparisonReports.Name.markdown])
        let head: [Document.Section?] = [
            Document.Section(nil, isSummary: true, [.paragraph(sentence)]),
            list.isEmpty ? nil : Document.Section("Accepted losses", [.list(list)]),
            usesTargets && !matrix.rows.isEmpty ? Document.Section(matrix) : nil,
        ]
        let more = notes.map(Markdown.literal) + ["All figures: `\(files.joined(separator: "`, `"))`."]
        let sections = head.compactMap(\.self) + others + [Document.Section("More", [.list(more)])]
        let document = Document("Gate: \(word)", sections)
        checks = CheckReport(
            word: word,
            sentence: sentence,
            markdown: document.markdown(limit: ComparisonReport.longest, whole: RunReports.Name.markdown),
            checks: [targets, other].flatMap { $0?.checks ?? [] }
                + failed.map { .init(suite: "accepted losses", name: $0.subject, outcome: .failed, message: $0.text) },
            figures: own.figures
        )
    }

    /// Returns `gate.md` and `gate.json`, for a comment and for programs.
    package func files() throws -> [String: [UInt8]] {
        struct Summary: Encodable {
            var format = 1
            var verdict: Verdict?
            var sentence: String
            var accepted: [Acceptance.Finding]
            var checks: [CheckReport.Check]
        }
        let summary = Summary(
            verdict: verdict,
            sentence: checks.sentence,
            accepted: findings,
            checks: checks.checks
        )
        return [Name.markdown: Array(checks.markdown.utf8), Name.json: try JSONFile.bytes(summary)]
    }
}

extension Acceptance.Finding {
    /// "fast on spines-1: title read, against its target".
    fileprivate var subject: String {
        let metric = (loss.metric ?? .titleRead).name + (loss.category.map { ", \($0)" } ?? "")
        let named = loss.samples.isEmpty ? "" : " of " + loss.samples.joined(separator: ", ")
        return "\(loss.variant) on \(loss.dataset): \(metric)\(named)" + (loss.against == .target ? ", target" : "")
    }

    var text: String {
        let size = loss.metric.flatMap { metric in loss.loss.map { " of \($0.text(of: metric))" } } ?? ""
        let again = again.isEmpty ? "" : " (\(again.joined(separator: ", ")))"
        return switch state {
        case .expired: "\(subject): accepted until \(loss.until) only: correct the loss, or change \(loss.place)"
        case _ where fails:
            "\(subject): no longer lost\(again), and an entry that stays would hide the next loss: remove it, \(loss.place)"
        case .accepted: "\(subject): \(loss.phrase)"
        case .exceeded: "\(subject): worse than the accepted loss\(size) (\(loss.place))"
        case .undecided, .better, .elsewhere: "\(subject): \(loss.phrase); not needed in this run"
        }
    }
}

extension [Acceptance.Finding] {
    /// Sentences on the entries that are of this run.
    package var texts: [String] { filter { $0.state != .elsewhere }.map(\.text) }
}

extension [AcceptedLoss] {
    /// "☑️ accepted by Jane Doe until 2026-12-31: reason".
    var status: String { "☑️ " + map(\.phrase).joined(separator: "; ") }
}

import Basics
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
        self.usesTargets = usesTargets
        comparison =
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
        (self.run, findings) = (run, acceptance.findings)
    }

    /// Fails when a part fails, or an accepted loss has expired or is better again; open when one is, and for a run
    /// that was stopped; nil when there is nothing to judge.
    package var verdict: Verdict? {
        if run.isPartial { return .inconclusive }
        let parts = [usesTargets ? run.verdict : nil, comparison?.verdict].compactMap(\.self)
        return Verdict.overall(parts + (findings.contains(where: \.fails) ? [.fail] : []))
    }

    /// "PASS", "FAIL", "INCONCLUSIVE" or "NO VERDICT".
    package var word: String { VerdictText.word(of: verdict) }

    /// Reason for the verdict.
    package var sentence: String {
        let failed = findings.filter(\.fails).map(\.text)
        let parts = [
            usesTargets ? "Targets: \(VerdictText(run).sentence)" : nil,
            comparison.map { "Baseline: \(ComparisonVerdictText($0).sentence)" },
            failed.isEmpty ? nil : "Accepted losses: \(failed.joined(separator: "; ")).",
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// Sentences on the accepted losses of this run.
    package var acceptedTexts: [String] { findings.filter { $0.state != .elsewhere }.map(\.text) }

    /// Checks of all parts for CI services, and the run's figures.
    package var checks: CheckReport {
        let own = CheckReport(run)
        let other = comparison.map { CheckReport($0) }
        let list = acceptedTexts.map { "* \(Markdown.line(Markdown.literal($0)))\n" }.joined()
        return CheckReport(
            word: word,
            sentence: sentence,
            markdown: "# Gate: \(word)\n\n\(sentence)\n\n" + (list.isEmpty ? "" : "## Accepted losses\n\n\(list)\n")
                + [other?.markdown, usesTargets ? own.markdown : nil].compactMap(\.self).joined(separator: "\n"),
            checks: (usesTargets ? own.checks : []) + (other?.checks ?? [])
                + findings.filter(\.fails).map {
                    CheckReport.Check(suite: "accepted losses", name: $0.subject, outcome: .failed, message: $0.text)
                },
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
        let checks = checks
        let summary = Summary(verdict: verdict, sentence: sentence, accepted: findings, checks: checks.checks)
        return [Name.markdown: Array(checks.markdown.utf8), Name.json: try JSONFile.bytes(summary)]
    }
}

extension Acceptance.Finding {
    /// "fast on spines-1: title read, against its target".
    var subject: String {
        let metric = (loss.metric ?? .titleRead).name + (loss.category.map { ", \($0)" } ?? "")
        let named = loss.samples.isEmpty ? "" : " of " + loss.samples.joined(separator: ", ")
        return "\(loss.variant) on \(loss.dataset): \(metric)\(named)" + (loss.against == .target ? ", target" : "")
    }

    package var text: String {
        let size = loss.metric.flatMap { metric in loss.loss.map { " of \($0.text(of: metric))" } } ?? ""
        let again = again.isEmpty ? "" : " (\(again.joined(separator: ", ")))"
        return switch state {
        case .expired: "\(subject): accepted until \(loss.until) only: correct the loss, or change \(loss.place)"
        case _ where fails: "\(subject): better again\(again): remove it from \(loss.place)"
        case .accepted: "\(subject): \(loss.phrase)"
        case .exceeded: "\(subject): worse than the accepted loss\(size) (\(loss.place))"
        case .undecided, .better, .elsewhere: "\(subject): \(loss.phrase); not needed in this run"
        }
    }
}

extension [AcceptedLoss] {
    /// "☑️ accepted by Jane Doe until 2026-12-31: reason".
    var status: String { "☑️ " + map(\.phrase).joined(separator: "; ") }
}

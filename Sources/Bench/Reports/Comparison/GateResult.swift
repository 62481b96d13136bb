package import Evaluation
package import Results

/// Results of `gate` for a run: its targets, and the comparison with the baselines.
package struct GateResult: Sendable {
    package let run: RunResult
    /// Whether the run's targets decide too.
    package let usesTargets: Bool
    /// Comparison with the baselines; nil without any.
    package let comparison: ComparisonReport?

    package init(run: RunResult, usesTargets: Bool, comparison: ComparisonReport?) {
        (self.run, self.usesTargets, self.comparison) = (run, usesTargets, comparison)
    }

    /// Fails when either fails; open when either is, and for a run that was stopped; nil when neither has anything to
    /// judge.
    package var verdict: Verdict? {
        if run.isPartial { return .inconclusive }
        return Verdict.overall([usesTargets ? run.verdict : nil, comparison?.verdict].compactMap(\.self))
    }

    /// Exit status of the caller's process.
    package var exitCode: Int32 { verdict.exitCode }

    /// "PASS", "FAIL", "INCONCLUSIVE" or "NO VERDICT".
    package var word: String { VerdictText.word(of: verdict) }

    /// Reason for the verdict.
    package var sentence: String {
        var parts: [String] = []
        if usesTargets { parts.append("Targets: \(VerdictText(run).sentence)") }
        if let comparison { parts.append("Baseline: \(ComparisonVerdictText(comparison).sentence)") }
        return parts.joined(separator: " ")
    }

    /// Checks of both for CI services, and the run's figures.
    package var checks: CheckReport {
        let own = CheckReport(run)
        let other = comparison.map { CheckReport($0) }
        return CheckReport(
            word: word,
            sentence: sentence,
            markdown: "# Gate: \(word)\n\n\(sentence)\n\n"
                + [other?.markdown, usesTargets ? own.markdown : nil].compactMap(\.self).joined(separator: "\n"),
            checks: (usesTargets ? own.checks : []) + (other?.checks ?? []),
            figures: own.figures
        )
    }
}

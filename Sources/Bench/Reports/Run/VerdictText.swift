import Basics
import Evaluation
package import Harness

package struct VerdictText: Sendable {
    private let result: RunResult
    /// Maximum number of targets in the sentence; the matrix has all.
    private static let named = 5

    package init(_ result: RunResult) { self.result = result }

    /// "PASS", "FAIL", "INCONCLUSIVE", "INCONCLUSIVE (partial)" or "NO VERDICT".
    package var word: String {
        result.isPartial ? "INCONCLUSIVE (partial)" : Self.word(of: result.verdict)
    }

    static func word(of verdict: Verdict?) -> String {
        switch verdict {
        case .pass: "PASS"
        case .fail: "FAIL"
        case .inconclusive: "INCONCLUSIVE"
        case nil: "NO VERDICT"
        }
    }

    package var sentence: String {
        if let progress = result.progressSentence {
            return "\(progress) No verdict until the rest is read: spinebench run --resume."
        }
        let gated = result.compliance.filter(\.gates)
        let missed = gated.filter { $0.verdict == .fail }
        let accepted = gated.filter { $0.accepted != nil }
        let open = gated.filter { $0.judgement.verdict == .inconclusive }
        func list<Row>(_ rows: [Row], _ text: (Row) -> String) -> String {
            let more = rows.count - Self.named
            return rows.prefix(Self.named).map(text).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
        }
        func list(_ rows: [Answer]) -> String {
            list(rows) { row in
                let text = AnswerText(row)
                let phone = row.device.map { ", \($0)" } ?? ""
                let isOpen = row.judgement.verdict == .inconclusive || row.value.value == nil
                return
                    "\(row.measurement): \(text.name) (\(isOpen ? row.judgement.note : "\(text.labelledValue)\(phone), target \(text.limit)"))"
            }
        }
        let claims = (result.assertions ?? []).filter(\.gates)
        let targets = NumberText.count(gated.count, "gating target")
        /// "4 of 12 gating targets are missed, 1 of these on modelled phones".
        func some(_ rows: [Answer], _ what: String) -> String {
            let modelled = rows.count { $0.evidence == .modelled }
            return "\(rows.count) of \(targets) \(what)"
                + (modelled == 0 ? "" : ", \(modelled) of these on modelled phones")
        }
        let left = (result.configuration.skipped ?? [:]).sorted { $0.key < $1.key }.map {
            " \($0) gates and was skipped: \($1)."
        }
        .joined()
        let cases = claims.isEmpty ? "" : " and cases of assertions (\(claims.count))"
        /// Cases of assertions that came to a verdict, with a space in front; empty without any.
        func assertions(_ verdict: Verdict, _ what: String) -> String {
            let own = claims.filter { $0.judgement.verdict == verdict }
            let claims = list(own) { "\($0.measurement): \($0.claim.text)" }
            return own.isEmpty ? "" : " Assertions \(what): \(claims)."
        }
        let leftOpen = result.compliance.filter { $0.isLeftOpen == true }
        let phones = leftOpen.isEmpty ? "" : " Left open by the model of phones: \(list(leftOpen))."
        switch result.verdict {
        case .pass:
            let but = accepted.isEmpty ? "" : " or accepted: \(list(accepted))"
            return
                "All gating targets (\(gated.count))\(cases) are met\(but).\(devices(.pass, "all meet what is asked"))\(phones)"
        case .fail:
            let rest = (open.isEmpty ? "" : " Not decided: \(list(open)).") + left + phones
            let modelled = assertions(.fail, "missed") + devices(.fail, "missed")
            guard !missed.isEmpty else { return "None of \(targets) is missed.\(modelled)\(rest)" }
            return "\(some(missed, "missed")): \(list(missed)).\(modelled)\(rest)"
        case .inconclusive:
            let modelled =
                assertions(.inconclusive, "undecided")
                + devices(.inconclusive, "depends on unmeasured device parameters") + left
            guard !open.isEmpty else { return "None of \(targets) is missed.\(modelled)\(phones)" }
            return "\(some(open, "cannot be decided")): \(list(open)). None is missed.\(modelled)\(phones)"
        case nil where result.exitCode == 3:
            let invalid = result.measurements.filter { $0.invalidReason != nil }.map(\.id).joined(separator: ", ")
            return "No target decides, and times of \(invalid) do not count: exit code \(result.exitCode)."
        case nil where claims.isEmpty && (result.compliance.isEmpty || result.isOfOtherReaders):
            return "No targets were set: the figures are informational."
        case nil where result.configuration.variants.contains(where: \.gates):
            return "No target that gates applies to this run, so its figures are informational, without a verdict."
        case nil:
            return
                "No variant of this run gates, so its figures are informational, without a verdict. Specify gating variants "
                + "with `--gate`."
        }
    }

    /// Returns the modelled devices with a verdict, with a space in front; empty unless they gate and one has it.
    private func devices(_ verdict: Verdict, _ what: String) -> String {
        guard result.configuration.devices?.gates == .all, let rows = result.devices?.rows else { return "" }
        let own = rows.filter { $0.verdict == verdict }.map { "\($0.measurement) on \($0.device)" }
        if own.isEmpty { return "" }
        let evidence = rows.contains { $0.recording != nil } ? "modelled, some latencies recorded" : "modelled"
        return " On devices (\(evidence)), \(what)" + (verdict == .pass ? "." : ": \(own.joined(separator: ", ")).")
    }
}
